import Foundation
import Testing

@testable import StoreModel
@testable import StoreSigning

@Suite("payload as JSON")
struct PayloadEncodingTests {
    @Test("the JSON of a renewal is exactly as expected, byte for byte [C3, F8, G3]")
    func golden() throws {
        let json = String(decoding: try Samples.renewal.jsonBytes(), as: UTF8.self)
        #expect(
            json == #"{"appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","#
                + #""appTransactionId":"704346128316374122","bundleId":"com.example.lantern","#
                + #""currency":"JPY","environment":"Sandbox","expiresDate":1766690000000,"#
                + #""inAppOwnershipType":"PURCHASED","isUpgraded":false,"#
                + #""originalPurchaseDate":1753690000000,"originalTransactionId":"2000000001","#
                + #""price":480000,"productId":"lantern.plus.monthly","#
                + #""purchaseDate":1763690000000,"quantity":1,"signedDate":1763690000123,"#
                + #""storefront":"JPN","storefrontId":"143462","#
                + #""subscriptionGroupIdentifier":"21482456","transactionId":"2000000123","#
                + #""transactionReason":"RENEWAL","type":"Auto-Renewable Subscription","#
                + #""webOrderLineItemId":"2000000077"}"#)
    }

    @Test("absent members are left out")
    func absent() throws {
        let json = try JSONSerialization.jsonObject(with: Data(try Samples.consumable.jsonBytes()))
        let members = try #require(json as? [String: Any])
        #expect(members.count == 16)
        #expect(!members.values.contains { $0 is NSNull })
    }

    @Test(
        "the JSON equals JSONEncoder's, but for a lowercase account token",
        arguments: 1...8 as ClosedRange<UInt64>)
    func agreesWithJSONEncoder(seed: UInt64) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for payload in Samples.random(count: 250, seed: seed) {
            var expected = String(decoding: try encoder.encode(payload), as: UTF8.self)
            if let token = payload.appAccountToken?.uuidString {
                expected = expected.replacingOccurrences(of: token, with: token.lowercased())
            }
            #expect(String(decoding: try payload.jsonBytes(), as: UTF8.self) == expected)
        }
    }

    @Test("all payloads declare their members in alphabetical order, in which they are signed")
    func alphabetical() {
        let now = Samples.renewal.signedDate
        let receipt = ReceiptPayload(
            bundleId: "", environment: .sandbox, inApp: [], receiptCreationDate: now,
            receiptType: "Sandbox")
        let app = AppTransactionPayload(
            appTransactionId: "", applicationVersion: "", bundleId: "", environment: .sandbox,
            originalApplicationVersion: "", originalPurchaseDate: now, receiptCreationDate: now,
            receiptType: "Sandbox")
        let renewal = RenewalInfoPayload(
            originalTransactionId: TransactionID(1), productId: "", autoRenewProductId: "",
            autoRenewStatus: 1, recentSubscriptionStartDate: now, environment: .sandbox,
            signedDate: now)
        let manifest = ManifestPayload(
            bundleId: "", contentId: "", contentLength: 1, contentVersion: "",
            environment: .sandbox, manifestSha256: "", productId: "", signedDate: now)
        let payloads: [any Sendable] = [
            Samples.renewal, receipt, app, renewal, manifest,
            RevocationListPayload(revokedSerials: [], signedDate: now),
            TransactionCommitmentInfo(
                billingPeriodNumber: 1, totalBillingPeriods: 1, commitmentPrice: 1,
                commitmentExpiresDate: now),
            RenewalCommitmentInfo(commitmentAutoRenewProductId: "", commitmentAutoRenewStatus: 1),
        ]
        for payload in payloads {
            let names = Mirror(reflecting: payload).children.compactMap(\.label)
            #expect(names == names.sorted(), "\(type(of: payload))")
        }
    }

    @Test(
        "an encoded payload is read back to the same value",
        arguments: 11...18 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        let decoder = JSONDecoder()
        for payload in Samples.random(count: 250, seed: seed) {
            let bytes = try payload.jsonBytes()
            #expect(try decoder.decode(TransactionPayload.self, from: Data(bytes)) == payload)
            #expect(PayloadContents<TransactionPayload>(bytes)?.payload == payload)
        }
    }

    @Test(
        "a truncated payload is not read", arguments: [Samples.renewal, Samples.consumable])
    func cut(payload: TransactionPayload) throws {
        let bytes = try payload.jsonBytes()
        for count in bytes.indices {
            #expect(PayloadContents<TransactionPayload>(Array(bytes[..<count])) == nil)
        }
        #expect(PayloadContents<TransactionPayload>(bytes + [UInt8(ascii: "}")]) == nil)
    }

    @Test(
        "a member of another type or out of range makes the payload invalid",
        arguments: [
            #""quantity":"3""#, #""quantity":9223372036854775808"#, #""quantity":null"#,
            #""quantity":03"#, #""quantity":-"#, #""quantity":3.5"#, #""quantity":true"#,
            #""quantity":[3]"#, #""Quantity":3"#,
        ])
    func otherType(other: String) throws {
        let json = String(decoding: try Samples.consumable.jsonBytes(), as: UTF8.self)
            .replacingOccurrences(of: #""quantity":3"#, with: other)
        let contents = try #require(
            PayloadContents<TransactionPayload>(Array(json.utf8)), "it is an object")
        #expect(contents.payload == nil)
        #expect(contents.chainDate == Samples.consumable.signedDate)
    }

    @Test(
        "a payload that is not valid JSON is not read",
        arguments: [#""quantity":+3"#, #""quantity":"#, #""quantity":3 4"#])
    func noJSON(other: String) throws {
        let json = String(decoding: try Samples.consumable.jsonBytes(), as: UTF8.self)
            .replacingOccurrences(of: #""quantity":3"#, with: other)
        #expect(PayloadContents<TransactionPayload>(Array(json.utf8)) == nil)
    }

    @Test("the first value of a repeated member counts, as in Foundation")
    func repeated() throws {
        let json = String(decoding: try Samples.consumable.jsonBytes(), as: UTF8.self)
            .replacingOccurrences(of: #""quantity":3"#, with: #""quantity":3,"quantity":4"#)
        #expect(
            PayloadContents<TransactionPayload>(Array(json.utf8))?.payload == Samples.consumable)
    }

    /// Each argument replaces or adds one part of the plain payload.
    @Test(
        "unusual spacing, escapes and unknown members are accepted",
        arguments: [
            (#""quantity":3"#, #""quantity":3,"unheardOf":"x""#),
            (#""quantity":3"#, #""unheardOf":{"a":[1,{"b":null}]},"quantity":3"#),
            (#""quantity":3"#, #""quantity":3,"unheardOf":1763690000.5"#),
            (#""quantity":3"#, #""quantity":3,"offerIdentifier":null"#),
            (#""quantity":3"#, #" "quantity" : 3 "#),
            (#""quantity":3"#, "\n\t\"quantity\":3"),
            (#""USA""#, #""\u0055SA""#),
        ])
    func unusualSpelling(plain: String, other: String) throws {
        let json = String(decoding: try Samples.consumable.jsonBytes(), as: UTF8.self)
        let changed = json.replacingOccurrences(of: plain, with: other)
        #expect(changed != json)
        #expect(
            PayloadContents<TransactionPayload>(Array(changed.utf8))?.payload == Samples.consumable)
    }

    @Test("the smallest and largest integers are read back unchanged")
    func extremes() throws {
        for number in [Int64.min, -1, 0, 1, 999_999_999_999_999_999, .max] {
            let payload = Samples.changed { $0.price = number }
            let bytes = try payload.jsonBytes()
            #expect(PayloadContents<TransactionPayload>(bytes)?.payload == payload)
        }
    }

    @Test(
        "a payload that is not a JSON object is not read",
        arguments: ["", "{", "[]", "null", "7", "\"text\"", "{}}", "{\"a\":}"])
    func notAnObject(json: String) {
        #expect(PayloadContents<TransactionPayload>(Array(json.utf8)) == nil)
    }
}
