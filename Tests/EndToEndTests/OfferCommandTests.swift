import Foundation
import Testing

/// Offers by commands: listed, bought, redeemed, signed. The key that signs them is written to no
/// other place.
@Suite("offers by command", .withProgram, .inTurn)
struct OfferCommandTests {
    private static let plus = "lantern.membership.plus.month"
    private static let yearly = "lantern.membership.plus.year"

    @Test("offers are listed with their terms, and with the reason why the account cannot have one")
    func offers() async throws {
        let box = try Sandbox()
        let trial = try await box.succeed("offers", Self.yearly, "--json").json
        #expect(trial.map { $0["kind"].text } == ["introductory"])
        #expect(trial.first?["eligible"].bool == true)
        let text = try await box.succeed("offers", Self.yearly).output
        #expect(text.contains("free for 1 week, then $49.99/year"))
        #expect(text.contains("applies by itself"))
        #expect(
            try await box.succeed("products", Self.yearly).output.contains("free for 1 week"))
        try await box.succeed("buy", Self.yearly)
        let used = try await box.succeed("offers", Self.yearly, "--json").json
        #expect(used.first?["eligible"].bool == false)
        #expect(used.first?["reason"].text == "introductoryUsed")
        let others = try await box.succeed("offers", Self.plus, "--json").json
        #expect(
            others.map { $0["reason"].text } == [
                nil, "notForExisting", "stillSubscribed", "stillSubscribed",
            ])
        try #require(others.count == 4)
        #expect(others[1]["codes"].items.map(\.text) == ["SPRING26"])
        let customer = try await box.run(
            ["offers", Self.plus, "--json"], changing: ["STOREFRONT_CUSTOMER": "1"]
        ).json
        #expect(customer.count == 4)
        #expect(
            customer.allSatisfy { $0["codes"].items.isEmpty }, "a customer is told no codes")
        #expect(try await box.run("offers", "no.such.thing").code == 12)
    }

    @Test("the columns of the offers stand under their titles, however long the terms are")
    func columns() async throws {
        let box = try Sandbox()
        let file = try box.file(
            "terms.json",
            """
            {
              "format": 1, "app": {"bundleId": "a.b", "name": {"en": "A"}},
              "subscriptionGroups": [{"id": "g", "name": {"en": "G"}}],
              "products": [{
                "id": "plan", "type": "autoRenewable", "name": {"en": "Plan"},
                "prices": {"USA": "1234.99"},
                "subscription": {"group": "g", "level": 1, "period": "P1M", "offers": [
                  {"kind": "code", "id": "long", "mode": "payUpFront", "period": "P6M",
                    "prices": {"USA": "1199.99"}, "codes": ["LONG"]},
                  {"kind": "code", "id": "short", "mode": "freeTrial", "period": "P1W",
                    "codes": ["SHORT"]}]}
              }]
            }
            """)
        for locale in ["en_US", "ja_JP"] {
            let lines = try await box.succeed(
                "offers", "plan", "--catalog", file, "--locale", locale, "--territory", "USA"
            ).lines
            try #require(lines.count == 3)
            // The last column is the last word of each line; a wide character takes two columns.
            let edges = lines.map { line -> Int in
                let start = line.lastIndex(of: " ").map { line[...$0] } ?? ""
                return start.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
            }
            #expect(Set(edges).count == 1, "\(lines)")
        }
    }

    @Test("a trial is sold, renews at its price, and the timeline tells it")
    func trial() async throws {
        let box = try Sandbox()
        let bought = try await box.succeed("buy", Self.yearly).output
        #expect(bought.contains("$0.00 (free trial)"), "\(bought)")
        try await box.succeed("operator", "clock", "advance", "10d")
        let sales = try await box.succeed("transactions", "--json").json
        #expect(sales.map { $0["price"].number }.sorted { ($0 ?? 0) < ($1 ?? 0) } == [0, 49_990])
        let first = try #require(sales.first { $0["price"].number == 0 })
        #expect(first["offerType"].number == 1)
        #expect(first["offerDiscountType"].text == "FREE_TRIAL")
        let timeline = try await box.succeed("subscriptions", "--timeline").output
        #expect(timeline.contains("subscribed, free trial"))
    }

    @Test("a code is redeemed once, by the same payment as often as it is asked")
    func redeem() async throws {
        let box = try Sandbox()
        let payment = UUID().uuidString
        for _ in 0..<2 {
            let answer = try await box.succeed(
                "redeem", "spring26", "--payment", payment, "--json")
            #expect(answer.object["transactionId"].text == "1000001")
        }
        let again = try await box.run("redeem", "SPRING26")
        #expect(again.code == 12)
        #expect(again.errors.contains("not for those who subscribe now"), "\(again.errors)")
        let unknown = try await box.run("redeem", "AUTUMN")
        #expect(unknown.code == 12 && unknown.errors.contains("AUTUMN"))
        try await box.succeed("operator", "fail-next", "networkError", "--call", "offerCodeRedeem")
        #expect(try await box.run("redeem", "FRIENDS").code != 0)
        #expect(try await box.succeed("redeem", "FRIENDS").output.contains(" begins on "))
    }

    @Test("a promotional offer is signed for one payment, and refused otherwise [F8]")
    func promotional() async throws {
        let box = try Sandbox()
        let nobody = try await box.run("buy", Self.plus, "--offer", "plus.half")
        #expect(nobody.code == 12 && nobody.errors.contains("subscribe or did before"))
        try await box.succeed("buy", Self.plus)
        try await box.succeed("operator", "expire", "1000001")
        for words in [[], ["--jws"]] {
            let signature = try await box.run(
                ["operator", "sign-offer", Self.plus, "plus.half"] + words
            ).output.trimmingCharacters(in: .newlines)
            let bought = try await box.run(
                ["buy", Self.plus, "--offer", "plus.half", "--signature", signature, "--json"])
            #expect(bought.code == 0, "\(bought.errors)\(bought.output)")
            let id = try #require(bought.object["transactionId"].text)
            let again = try await box.run(
                ["buy", Self.plus, "--offer", "plus.half", "--signature", signature])
            #expect(again.code == 12 && again.errors.contains("used by another payment"))
            try await box.succeed("operator", "expire", id)
        }
        let other = try await box.run("operator", "sign-offer", Self.plus, "plus.spring")
        #expect(other.code == 12)
        #expect(try await box.run("buy", Self.plus, "--offer", "none").code == 12)
        #expect(try await box.run("buy", Self.plus, "--signature", "x").code == 64)
        #expect(
            try await box.run("operator", "sign-offer", Self.plus, "plus.half", "--customer").code
                == 64)
    }

    @Test("the app's word on an introductory offer is for one account, and for an offer there is")
    func eligibility() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", Self.yearly, "--account", "aoi")
        try await box.succeed("operator", "expire", "1000001")
        let signed = try await box.succeed(
            "operator", "sign-eligibility", Self.yearly, "--account", "aoi", "--json"
        ).object
        #expect(signed["account"].text == "aoi")
        let word = try #require(signed["compactJWS"].text)
        let other = try await box.run(
            "buy", Self.yearly, "--account", "kai", "--intro-eligibility", word)
        #expect(other.code == 12 && other.errors.contains("signed for another purchase"))
        let own = try await box.succeed(
            "buy", Self.yearly, "--account", "aoi", "--intro-eligibility", word)
        #expect(own.output.contains("$0.00 (free trial)"), "\(own.output)")
        for product in ["lantern.coins.10", Self.plus] {
            let none = try await box.run("operator", "sign-eligibility", product, "--json")
            #expect(none.code == 12 && none.object["compactJWS"] == .null)
            #expect(none.errors.contains("no introductory offer"), "\(none.errors)")
            #expect(none.errors.contains("storefront offers \(product)"))
        }
        for words in [
            ["operator", "sign-eligibility", "no.such"], ["offers", "no.such"],
            ["operator", "sign-offer", Self.plus, "none"],
        ] {
            let refused = try await box.run(words)
            #expect(refused.code == 12 && !refused.errors.contains("charged"), "\(refused.errors)")
        }
    }

    /// A private key that was made for this test.
    private static let key =
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYTACuNq8TvFaqrIW1oONIQ26cTMkA99iAKXcz3b9jrShRANCAAQhwjkZx7onxi3JFvsdJwcypGb6f+yM4XMho20u/mxFQd7tJRENukZuNcG06LoHvXJ7+4b1TKpESmC3vxmLiSQu"

    @Test("the key of a configuration signs its offers, and is in no other file and no output")
    func key() async throws {
        let box = try Sandbox()
        let file = try box.file(
            "Keyed.storekit",
            """
            {
              "identifier" : "KEYED", "products" : [], "settings" : {},
              "nonRenewingSubscriptions" : [],
              "subscriptionOffersKeyPair" : {"id" : "5509FCF1", "privateKey" : "\(Self.key)"},
              "subscriptionGroups" : [{"id" : "G", "name" : "G", "localizations" : [],
                "subscriptions" : [{
                  "displayPrice" : "4.99", "familyShareable" : false, "groupNumber" : 1,
                  "internalID" : "1", "localizations" : [], "productID" : "monthly",
                  "recurringSubscriptionPeriod" : "P1M", "referenceName" : "Monthly",
                  "subscriptionGroupID" : "G", "type" : "RecurringSubscription",
                  "introductoryOffer" : {"internalID" : "2", "paymentMode" : "free",
                    "subscriptionPeriod" : "P1W"},
                  "adHocOffers" : [{"internalID" : "3", "offerID" : "half",
                    "paymentMode" : "payUpFront", "displayPrice" : "2.49",
                    "subscriptionPeriod" : "P1M"}]}]}],
              "version" : {"major" : 3, "minor" : 0}
            }
            """)
        let catalog = ["--catalog", file]
        var output = ""
        func run(_ words: String...) async throws -> RunningProgram.Answer {
            let answer = try await box.run(words + catalog)
            output += answer.output + answer.errors
            #expect(answer.code == 0, "\(words): \(answer.errors)\(answer.output)")
            return answer
        }
        let first = try await run("buy", "monthly", "--json")
        #expect(first.object["transactionId"].text == "1000001")
        _ = try await run("operator", "expire", "1000001")
        let signed = try await run("operator", "sign-offer", "monthly", "half", "--json")
        #expect(signed.object["keyIdentifier"].text == "5509FCF1")
        _ = try await run("buy", "monthly", "--offer", "half")
        _ = try await run("operator", "events")
        _ = try await run("history", "--json")
        _ = try await run("products", "--json")
        let check = try await box.run("catalog", "check", file, "--json")
        output += check.output
        #expect(check.code == 0)
        let exported = box.work + "/Exported.storekit"
        _ = try await run("catalog", "export", exported)
        output += try String(contentsOfFile: exported, encoding: .utf8)

        let der = try #require(Data(base64Encoded: Self.key))
        // The private number, which every encoding of the key contains.
        let secret = try #require(der.range(of: Data([0x04, 0x20]))).upperBound
        let number = der[secret..<(secret + 32)]
        let needles = [
            number, Data(number.base64EncodedString().utf8), Data(Self.key.utf8),
            Data(Self.key.prefix(100).suffix(40).utf8),
        ]
        for needle in needles { #expect(Data(output.utf8).range(of: needle) == nil) }
        var keyFiles = 0
        let files = try #require(FileManager.default.enumerator(atPath: box.folder))
        for case let name as String in files where name != "work/Keyed.storekit" {
            let path = box.folder + "/" + name
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            if name.hasSuffix("keys/offers/5509FCF1.key") {
                keyFiles += 1
                let mode = try FileManager.default.attributesOfItem(atPath: path)[
                    .posixPermissions]
                #expect(mode as? Int == 0o600)
                continue
            }
            for needle in needles { #expect(data.range(of: needle) == nil, "\(name)") }
        }
        #expect(keyFiles == 1)
    }
}
