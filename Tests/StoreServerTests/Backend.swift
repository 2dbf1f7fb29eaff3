import Basics
@testable import ContentServer
import Crypto
import Foundation
import StoreEngine
import StoreModel
@testable import StoreServer
import StoreSigning
import StoreTestSupport
import Testing

/// A store, its server without sockets, and an app's backend that has a key of its API.
struct Backend: Sendable {
    let store: TestStore
    let server: StoreResponder
    let keyID: String
    let issuer: String
    let key: P256.Signing.PrivateKey

    init(
        on ledger: any Ledger = InMemoryLedger(), identity: AppIdentity = TestStore.identity,
        keys: StoreKeys? = nil
    ) async throws {
        store = try await TestStore(
            ledger: ledger, elapsed: nil, identity: identity, keys: keys)
        server = try StoreResponder(store: store.engine.servedStore, host: "127.0.0.1")
        let new = NewAPIKey(name: "backend", at: store.clock.now())
        let settings = try await store.engine.servedStore.change(new.change)
        keyID = new.id
        issuer = try #require(settings.issuer).uuidString.lowercased()
        key = try P256.Signing.PrivateKey(pemRepresentation: new.privateKey)
    }

    // MARK: - Tokens

    /// A token, part by part, so that each can be forged.
    struct Token {
        /// JSON.
        var header: String
        /// JSON.
        var claims: String
        var key: P256.Signing.PrivateKey

        var text: String {
            get throws {
                let signed = Self.encoded(header) + "." + Self.encoded(claims)
                let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation
                return signed + "." + Base64URL.encode(Array(signature).span)
            }
        }

        static func encoded(_ text: String) -> String { Base64URL.encode(Array(text.utf8).span) }
    }

    /// In seconds.
    var now: Int64 { store.clock.now().milliseconds / 1000 }

    /// - Parameters:
    ///   - header: changes members; nil removes one. Values are JSON.
    ///   - claims: likewise.
    func token(
        header: [String: String?] = [:], claims: [String: String?] = [:],
        key: P256.Signing.PrivateKey? = nil
    ) -> Token {
        let good: [String: String?] = [
            "iss": "\"\(issuer)\"", "iat": "\(now)", "exp": "\(now + 300)",
            "aud": "\"appstoreconnect-v1\"", "bid": "\"\(TestStore.identity.bundleID)\"",
        ]
        return Token(
            header: Self.object(
                ["alg": "\"ES256\"", "kid": "\"\(keyID)\"", "typ": "\"JWT\""], header),
            claims: Self.object(good, claims), key: key ?? self.key)
    }

    private static func object(
        _ good: [String: String?], _ changes: [String: String?]
    ) -> String {
        let members = good.merging(changes) { $1 }.compactMap { name, value in
            value.map { "\"\(name)\":\($0)" }
        }
        return "{" + members.sorted().joined(separator: ",") + "}"
    }

    // MARK: - Requests

    func ask(
        _ target: String, method: String = "GET", body: String = ""
    ) async throws -> ContentAnswer {
        await ask(
            target, method: method, body: body, authorization: "Bearer \(try token().text)")
    }

    func ask(
        _ target: String, method: String = "GET", body: String = "", authorization: String?
    ) async -> ContentAnswer {
        var fields = ["host": "127.0.0.1:8091"]
        fields["authorization"] = authorization
        return await server.answer(
            ContentRequest(
                method: method, target: target, fields: fields, body: Data(body.utf8)))
    }

    /// The members of an answer of status 200.
    func get(
        _ target: String, method: String = "GET", body: String = "",
        at location: SourceLocation = #_sourceLocation
    ) async throws -> [String: AnyJSON] {
        let answer = try await ask(target, method: method, body: body)
        #expect(answer.status == 200, "\(answer.text)", sourceLocation: location)
        #expect(answer["Content-Type"] == "application/json", sourceLocation: location)
        return try answer.members
    }

    /// Expects an error with its seven digits, its status and the exact content type.
    func expect(
        _ error: APIError, _ target: String, method: String = "GET", body: String = "",
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await ask(target, method: method, body: body)
        #expect(answer.status == error.code / 10_000, "\(target)", sourceLocation: location)
        #expect(answer["Content-Type"] == "application/json", sourceLocation: location)
        let members = try answer.members
        #expect(members["errorCode"] == .integer(Int64(error.code)), sourceLocation: location)
        #expect(members["errorMessage"] == .text(error.message), sourceLocation: location)
    }

    // MARK: - Purchases

    @discardableResult
    func buy(
        _ product: ProductID = SampleCatalog.coins, account: AccountName = "aoi",
        quantity: Int = 1
    ) async throws -> TransactionID {
        let session = store.session(account: account)
        return try #require(
            try await session.purchase(.of(product, quantity: quantity)).number)
    }

    func perform(_ actions: OperatorAction...) async throws {
        for action in actions { _ = try await store.console.perform(action) }
    }

    static func days(_ count: Int) -> OperatorAction {
        .clock(.advance(.calendar(SubscriptionPeriod(unit: .day, value: count))))
    }
}

extension ContentAnswer {
    var text: String {
        if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    var members: [String: AnyJSON] {
        get throws {
            try JSONDecoder().decode(AnyJSON.self, from: Data(text.utf8)).members
        }
    }
}

extension AnyJSON {
    var text: String? { if case .text(let text) = self { text } else { nil } }

    var list: [AnyJSON] { if case .list(let list) = self { list } else { [] } }

    /// Of a signed transaction, after its signature was verified.
    var transaction: TransactionPayload {
        get async throws {
            let signed = SignedTransaction(try #require(text))
            let result = await (try TestStore.verifier()).verify(signed, allowingNoDevice: true)
            guard case .verified(let transaction) = result else {
                Issue.record("\(result)")
                throw StoreError(.verificationFailed)
            }
            return transaction.payload
        }
    }
}

extension [String: AnyJSON] {
    /// The verified transactions of a page.
    var transactions: [TransactionPayload] {
        get async throws {
            var found: [TransactionPayload] = []
            for signed in self["signedTransactions"]?.list ?? [] {
                found.append(try await signed.transaction)
            }
            return found
        }
    }
}
