import Foundation
@testable import StoreModel
import StoreSigning
import Testing

/// Receipts, app transactions and revocation lists that the store did not make for this device.
@Suite("forged receipts, app transactions and revocation lists")
struct ReceiptForgeryTests {
    /// A forger's means: a valid chain of the pinned root, whose keys a real store keeps secret,
    /// and genuine texts.
    struct Workshop {
        let authority: TestAuthority
        let chain: TestChain
        let device = DeviceVerification(
            bundleID: Samples.bundleID, account: "aoi", device: "phone")

        init() throws {
            authority = try TestAuthority()
            chain = try authority.issue()
        }

        func verifier() throws -> TransactionVerifier {
            try TransactionVerifier(
                rootCertificate: authority.rootDER, bundleID: Samples.bundleID,
                environment: .sandbox, device: device)
        }

        func receipt(_ change: (inout ReceiptPayload) -> Void = { _ in }) -> ReceiptPayload {
            let nonce = UUID()
            var payload = ReceiptPayload(
                bundleId: Samples.bundleID, deviceVerification: device.text(nonce: nonce),
                deviceVerificationNonce: nonce, environment: .sandbox,
                inApp: [Samples.renewal, Samples.consumable],
                receiptCreationDate: Samples.renewal.signedDate, receiptType: "ProductionSandbox")
            change(&payload)
            return payload
        }

        func app(
            _ change: (inout AppTransactionPayload) -> Void = { _ in }
        ) -> AppTransactionPayload {
            let nonce = UUID()
            var payload = AppTransactionPayload(
                appTransactionId: "704", applicationVersion: "1.0", bundleId: Samples.bundleID,
                deviceVerification: device.text(nonce: nonce), deviceVerificationNonce: nonce,
                environment: .sandbox, originalApplicationVersion: "1.0",
                originalPurchaseDate: .earliest, receiptCreationDate: Samples.renewal.signedDate,
                receiptType: "Sandbox")
            change(&payload)
            return payload
        }

        func list(_ serials: [String] = ["0A1B"], at date: Timestamp = Samples.renewal.signedDate)
            -> RevocationListPayload
        { RevocationListPayload(revokedSerials: serials, signedDate: date) }

        func sign(_ payload: some Encodable) throws -> SignedTransaction {
            try chain.sign(try JSONEncoder().encode(payload))
        }

        /// A correctly signed payload whose JSON has one member changed; nil removes the member.
        func sign(_ payload: some Encodable, changing name: String, to value: Any?) throws
            -> SignedTransaction
        {
            let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(payload))
            var members = try #require(json as? [String: Any])
            members[name] = value
            return try chain.sign(try JSONSerialization.data(withJSONObject: members))
        }

        var otherDevice: String {
            DeviceVerification(bundleID: Samples.bundleID, account: "aoi", device: "tablet")
                .text(nonce: Self.nonce)
        }
        static let nonce = UUID()
    }

    /// The kind of signed text for which the forgery is passed to the verifier.
    enum Kind: Sendable { case receipt, appTransaction, list, transaction }

    struct Forgery: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: Kind
        let reason: VerificationError
        let forge: @Sendable (Workshop) throws -> SignedTransaction

        init(
            _ name: String, as kind: Kind, _ reason: VerificationError,
            forge: @escaping @Sendable (Workshop) throws -> SignedTransaction
        ) {
            testDescription = name
            self.kind = kind
            self.reason = reason
            self.forge = forge
        }
    }

    static let receipts: [Forgery] = [
        Forgery("a receipt of another app", as: .receipt, .wrongApp) { shop in
            try shop.sign(shop.receipt { $0.bundleId = "com.example.other" })
        },
        Forgery("a receipt of another environment", as: .receipt, .wrongEnvironment) { shop in
            try shop.sign(shop.receipt { $0.environment = .production })
        },
        Forgery("another device's receipt", as: .receipt, .invalidDeviceVerification) { shop in
            try shop.sign(
                shop.receipt {
                    $0.deviceVerification = shop.otherDevice
                    $0.deviceVerificationNonce = Workshop.nonce
                })
        },
        Forgery("a receipt for no device", as: .receipt, .invalidDeviceVerification) { shop in
            try shop.sign(
                shop.receipt {
                    $0.deviceVerification = nil
                    $0.deviceVerificationNonce = nil
                })
        },
        Forgery("a receipt without its nonce", as: .receipt, .invalidDeviceVerification) { shop in
            try shop.sign(shop.receipt { $0.deviceVerificationNonce = nil })
        },
        Forgery("a receipt with another nonce", as: .receipt, .invalidDeviceVerification) { shop in
            try shop.sign(shop.receipt { $0.deviceVerificationNonce = UUID() })
        },
        Forgery("a transaction as a receipt", as: .receipt, .missingRequiredProperties) { shop in
            try shop.sign(Samples.renewal)
        },
        Forgery("an app transaction as a receipt", as: .receipt, .missingRequiredProperties) {
            shop in try shop.sign(shop.app())
        },
        Forgery("an entry without its product", as: .receipt, .missingRequiredProperties) { shop in
            try shop.sign(shop.receipt(), changing: "inApp", to: [["quantity": 1]])
        },
        Forgery("entries that are no list", as: .receipt, .missingRequiredProperties) { shop in
            try shop.sign(shop.receipt(), changing: "inApp", to: "all")
        },
        Forgery("an entry more than was signed", as: .receipt, .invalidSignature) { shop in
            let more = shop.receipt { $0.inApp.append(Samples.renewal) }
            return try shop.sign(shop.receipt()).replacing(
                part: 1, with: JSONEncoder().encode(more).base64URL)
        },
        Forgery("the signature of another receipt", as: .receipt, .invalidSignature) { shop in
            try shop.sign(shop.receipt()).replacing(
                part: 2, with: shop.sign(shop.receipt()).parts[2])
        },
        Forgery("another store's receipt", as: .receipt, .invalidCertificateChain) { shop in
            try TestAuthority().issue().sign(try JSONEncoder().encode(shop.receipt()))
        },
        Forgery("a receipt from before the certificates", as: .receipt, .invalidCertificateChain) {
            shop in
            try shop.sign(
                shop.receipt { $0.receiptCreationDate = Timestamp(milliseconds: 946_684_799_999) })
        },
        Forgery("a receipt as a transaction", as: .transaction, .missingRequiredProperties) {
            shop in try shop.sign(shop.receipt())
        },
        Forgery("a receipt cut short", as: .receipt, .invalidEncoding) { shop in
            SignedTransaction(String(try shop.sign(shop.receipt()).rawValue.dropLast()))
        },
    ]

    static let appTransactions: [Forgery] = [
        Forgery("an app transaction of another app", as: .appTransaction, .wrongApp) { shop in
            try shop.sign(shop.app { $0.bundleId = "com.example.other" })
        },
        Forgery("one of another environment", as: .appTransaction, .wrongEnvironment) { shop in
            try shop.sign(shop.app { $0.environment = .production })
        },
        Forgery("another device's", as: .appTransaction, .invalidDeviceVerification) { shop in
            try shop.sign(
                shop.app {
                    $0.deviceVerification = shop.otherDevice
                    $0.deviceVerificationNonce = Workshop.nonce
                })
        },
        Forgery("one without its version", as: .appTransaction, .missingRequiredProperties) {
            shop in try shop.sign(shop.app(), changing: "applicationVersion", to: nil)
        },
        Forgery("a receipt as one", as: .appTransaction, .missingRequiredProperties) { shop in
            try shop.sign(shop.receipt())
        },
        Forgery("one as a transaction", as: .transaction, .missingRequiredProperties) { shop in
            try shop.sign(shop.app())
        },
        Forgery("an earlier version than was signed", as: .appTransaction, .invalidSignature) {
            shop in
            let other = shop.app { $0.originalApplicationVersion = "0.1" }
            return try shop.sign(shop.app()).replacing(
                part: 1, with: JSONEncoder().encode(other).base64URL)
        },
    ]

    static let lists: [Forgery] = [
        Forgery("another store's list", as: .list, .invalidCertificateChain) { shop in
            try TestAuthority().issue().sign(try JSONEncoder().encode(shop.list()))
        },
        Forgery("a list with its serial numbers removed", as: .list, .invalidSignature) { shop in
            try shop.sign(shop.list()).replacing(
                part: 1, with: JSONEncoder().encode(shop.list([])).base64URL)
        },
        Forgery("a list with a later date", as: .list, .invalidSignature) { shop in
            let later = Samples.renewal.signedDate.advanced(byMilliseconds: 1)
            return try shop.sign(shop.list()).replacing(
                part: 1, with: JSONEncoder().encode(shop.list([], at: later)).base64URL)
        },
        Forgery("a transaction as a list", as: .list, .missingRequiredProperties) { shop in
            try shop.sign(Samples.renewal)
        },
        Forgery("a receipt as a list", as: .list, .missingRequiredProperties) { shop in
            try shop.sign(shop.receipt())
        },
        Forgery("numbers in place of texts", as: .list, .missingRequiredProperties) { shop in
            try shop.sign(shop.list(), changing: "revokedSerials", to: [1, 2])
        },
        Forgery("a list without its date", as: .list, .missingRequiredProperties) { shop in
            try shop.sign(shop.list(), changing: "signedDate", to: nil)
        },
        Forgery("a list as a transaction", as: .transaction, .missingRequiredProperties) { shop in
            try shop.sign(shop.list())
        },
    ]

    @Test("a forgery is refused for its reason [A6]", arguments: receipts + appTransactions + lists)
    func refused(forgery: Forgery) async throws {
        let shop = try Workshop()
        let verifier = try shop.verifier()
        let text = try forgery.forge(shop)
        #expect(await Self.failure(of: text, forgery.kind, verifier) == forgery.reason)
        // The result is the same once the verifier knows the chain.
        _ = try await verifier.verify(SignedReceipt(try shop.sign(shop.receipt()).rawValue))
        #expect(await Self.failure(of: text, forgery.kind, verifier) == forgery.reason)
    }

    private static func failure(
        of text: SignedTransaction, _ kind: Kind, _ verifier: TransactionVerifier
    ) async -> VerificationError? {
        do throws(VerificationError) {
            switch kind {
            case .receipt: _ = try await verifier.verify(SignedReceipt(text.rawValue))
            case .appTransaction:
                _ = try await verifier.verify(SignedAppTransaction(text.rawValue))
            case .list: _ = try await verifier.use(SignedRevocationList(text.rawValue))
            case .transaction: return await verifier.verify(text).error
            }
            return nil
        } catch { return error }
    }

    @Test("genuine texts are verified, and read back as they were signed")
    func genuine() async throws {
        let keys = try StoreKeys.generate()
        let signer = TransactionSigner(keys: keys)
        let shop = try Workshop()
        let verifier = try TransactionVerifier(
            rootCertificate: keys.rootCertificateDER, bundleID: Samples.bundleID,
            environment: .sandbox, device: shop.device)
        let receipt = shop.receipt {
            $0.inApp += Samples.random(count: 40, seed: 7)
            $0.expirationDate = .latest
            $0.revocationDate = .earliest
        }
        #expect(try await verifier.verify(try signer.sign(receipt)) == receipt)
        #expect(
            try await verifier.verify(try signer.sign(shop.receipt { $0.inApp = [] })).inApp == [])
        let app = shop.app { $0.appAppleId = 7 }
        #expect(try await verifier.verify(try signer.sign(app)) == app)
        let list = try await verifier.verify(try keys.revocationList(at: .earliest))
        #expect(list.revokedSerials.count == 1 && list.signedDate == .earliest)
    }

    @Test("a list never replaces a newer one, nor one of its date that says more")
    func older() async throws {
        let shop = try Workshop()
        let verifier = try shop.verifier()
        func use(_ serials: [String], at milliseconds: Int64) async throws -> Bool {
            let date = Timestamp(milliseconds: 1_763_690_000_000 + milliseconds)
            let list = try shop.sign(shop.list(serials, at: date))
            return try await verifier.use(SignedRevocationList(list.rawValue))
        }
        #expect(try await use(["01"], at: 10))
        #expect(try await !use([], at: 9))
        #expect(try await !use(["02"], at: 9))
        #expect(try await !use(["01"], at: 10))
        #expect(try await !use([], at: 10))
        #expect(try await use(["01", "02"], at: 10))
        #expect(try await !use(["02"], at: 10))
        #expect(try await use([], at: 11))
    }
}
