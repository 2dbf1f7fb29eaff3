@testable import ContentServer
import StoreEngine
import Crypto
import Foundation
import StoreModel
@testable import StoreServer
import StoreTestSupport
import Testing

/// Who may call the API. Whatever is not right is refused alike, with nothing said.
@Suite("tokens of the API") struct APITokenTests {
    /// The field that a forger sends.
    private typealias Forgery = (name: String, field: String?)

    private static func header(
        _ backend: Backend, _ name: String, _ changes: [String: String?]
    ) throws -> Forgery {
        (name, "Bearer \(try backend.token(header: changes).text)")
    }

    private static func claims(
        _ backend: Backend, _ name: String, _ changes: [String: String?]
    ) throws -> Forgery {
        (name, "Bearer \(try backend.token(claims: changes).text)")
    }

    private static let long = String(repeating: "A", count: 20_000)

    private static func headers(_ backend: Backend) throws -> [Forgery] {
        let other = P256.Signing.PrivateKey()
        let id = backend.keyID
        return [
            try header(backend, "no alg", ["alg": nil]),
            try header(backend, "alg none", ["alg": "\"none\""]),
            try header(backend, "alg of another case", ["alg": "\"es256\""]),
            try header(backend, "alg HS256", ["alg": "\"HS256\""]),
            try header(backend, "alg RS256", ["alg": "\"RS256\""]),
            try header(backend, "alg ES384", ["alg": "\"ES384\""]),
            try header(backend, "alg a list", ["alg": "[\"ES256\"]"]),
            try header(backend, "alg null", ["alg": "null"]),
            try header(backend, "no kid", ["kid": nil]),
            try header(backend, "an unknown kid", ["kid": "\"ABCDEFGHJK\""]),
            try header(backend, "a kid of another case", ["kid": "\"\(id.lowercased())\""]),
            try header(backend, "an empty kid", ["kid": "\"\""]),
            try header(backend, "a kid that is a number", ["kid": "1"]),
            try header(backend, "a kid that is a path", ["kid": "\"../\(backend.keyID)\""]),
            try header(backend, "a long kid", ["kid": "\"\(long.prefix(9_000))\""]),
            try header(backend, "another type", ["typ": "\"JWE\""]),
            try header(backend, "a type that is a number", ["typ": "7"]),
            try header(backend, "a critical extension", ["crit": "[\"exp\"]"]),
            try header(backend, "an unencoded payload", ["crit": "[\"b64\"]", "b64": "false"]),
            try header(
                backend, "two kids", ["kid": "\"\(id)\",\"kid\":\"\(id)\""]),
            try header(
                backend, "two kids, one escaped",
                ["kid": "\"ABCDEFGHJK\",\"k\\u0069d\":\"\(backend.keyID)\""]),
            try header(backend, "two algs", ["alg": "\"none\",\"alg\":\"ES256\""]),
            ("another key", "Bearer \(try backend.token(key: other).text)"),
            (
                "another key that the header brings along",
                "Bearer \(try backend.token(header: ["jwk": "{}"], key: other).text)"
            ),
        ]
    }

    private static func claimSets(_ backend: Backend) throws -> [Forgery] {
        let now = backend.now
        return [
            try claims(backend, "no issuer", ["iss": nil]),
            try claims(backend, "another issuer", ["iss": "\"\(UUID().uuidString)\""]),
            try claims(backend, "an empty issuer", ["iss": "\"\""]),
            try claims(backend, "an issuer that is a list", ["iss": "[\"\(backend.issuer)\"]"]),
            try claims(backend, "no audience", ["aud": nil]),
            try claims(backend, "another audience", ["aud": "\"appstoreconnect-v2\""]),
            try claims(backend, "an audience of another case", ["aud": "\"AppStoreConnect-v1\""]),
            try claims(backend, "an audience in a longer text", ["aud": "\"appstoreconnect-v1 \""]),
            try claims(
                backend, "two audiences", ["aud": "[\"appstoreconnect-v1\",\"another\"]"]),
            try claims(backend, "no audience in a list", ["aud": "[]"]),
            try claims(backend, "no bundle", ["bid": nil]),
            try claims(backend, "another bundle", ["bid": "\"com.example.other\""]),
            try claims(backend, "a bundle of another case", ["bid": "\"Com.Example.Test\""]),
            try claims(backend, "an empty bundle", ["bid": "\"\""]),
            try claims(backend, "no end", ["exp": nil]),
            try claims(backend, "an end that is a text", ["exp": "\"\(now + 300)\""]),
            try claims(backend, "an end in milliseconds", ["exp": "\((now + 300) * 1000)"]),
            try claims(backend, "expired", ["iat": "\(now - 600)", "exp": "\(now - 1)"]),
            try claims(backend, "expired now", ["iat": "\(now - 600)", "exp": "\(now)"]),
            try claims(backend, "expired, without a date", ["iat": nil, "exp": "\(now - 1)"]),
            try claims(backend, "61 minutes", ["exp": "\(now + 3_660)"]),
            try claims(backend, "60 minutes and a second", ["exp": "\(now + 3_601)"]),
            try claims(
                backend, "61 minutes, without a date", ["iat": nil, "exp": "\(now + 3_660)"]),
            try claims(
                backend, "61 minutes, of which most are over",
                ["iat": "\(now - 3_600)", "exp": "\(now + 60)"]),
            try claims(backend, "a year", ["exp": "\(now + 31_536_000)"]),
            try claims(backend, "without end", ["exp": "1e300"]),
            try claims(backend, "an end before 1970", ["exp": "-1"]),
            try claims(backend, "from the future", ["iat": "\(now + 120)", "exp": "\(now + 300)"]),
            try claims(
                backend, "from the future, by a day",
                ["iat": "\(now + 86_400)", "exp": "\(now + 86_700)"]),
            try claims(backend, "a date that is a text", ["iat": "\"today\""]),
            try claims(backend, "not valid yet", ["nbf": "\(now + 240)"]),
            try claims(backend, "two ends", ["exp": "\(now - 1),\"exp\":\(now + 300)"]),
            try claims(backend, "a huge payload", ["x": "\"\(long)\""]),
        ]
    }

    private static func texts(_ backend: Backend) throws -> [Forgery] {
        let token = backend.token()
        let good = try token.text
        let parts = good.split(separator: ".").map(String.init)
        func signed(_ header: String, _ claims: String) throws -> String {
            "Bearer "
                + (try Backend.Token(header: header, claims: claims, key: backend.key).text)
        }
        let bytes = Backend.Token.encoded("{\"alg\":\"ES256\"\u{0}}")
        let flipped = (parts[2].hasPrefix("A") ? "B" : "A") + parts[2].dropFirst()
        let other = try backend.token(claims: ["n": "1"]).text.split(separator: ".")[2]
        let der = try backend.key.signature(for: Data((parts[0] + "." + parts[1]).utf8))
            .derRepresentation.base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
        return [
            ("no field", nil),
            ("an empty field", ""),
            ("only the scheme", "Bearer"),
            ("no token", "Bearer "),
            ("another scheme", "Basic \(good)"),
            ("no scheme", good),
            ("two tokens", "Bearer \(good) \(good)"),
            ("a space before", "Bearer  \(good)"),
            ("a space after", "Bearer \(good) "),
            ("one part", "Bearer \(parts[0])"),
            ("two parts", "Bearer \(parts[0]).\(parts[1])"),
            ("no signature", "Bearer \(parts[0]).\(parts[1])."),
            ("four parts", "Bearer \(good).\(parts[2])"),
            ("five parts, as a JWE has", "Bearer a.b.c.d.e"),
            ("padding", "Bearer \(good)="),
            ("no Base64", "Bearer \(parts[0]).%%%.\(parts[2])"),
            ("the signature of another token", "Bearer \(parts[0]).\(parts[1]).\(other)"),
            ("a changed payload", "Bearer \(parts[0]).\(Backend.Token.encoded("{}")).\(parts[2])"),
            ("a changed header", "Bearer \(bytes).\(parts[1]).\(parts[2])"),
            ("a changed signature", "Bearer \(parts[0]).\(parts[1]).\(flipped)"),
            ("a short signature", "Bearer \(parts[0]).\(parts[1]).\(parts[2].dropLast(4))"),
            ("a signature in DER", "Bearer \(parts[0]).\(parts[1]).\(der)"),
            ("a header that is no JSON", try signed("header", token.claims)),
            ("a header that is a list", try signed("[]", token.claims)),
            ("a payload that is no object", try signed(token.header, "\"claims\"")),
            (
                "a payload that is cut off",
                try signed(token.header, String(token.claims.dropLast()))
            ),
            ("an empty payload", try signed(token.header, "")),
            ("a deep payload", try signed(token.header, String(repeating: "[", count: 5_000))),
            ("a huge text", "Bearer " + String(repeating: "a", count: 100_000)),
            ("a header that is not UTF-8", "Bearer \(Self.notUTF8).\(parts[1]).\(parts[2])"),
        ]
    }

    /// `{"alg":"ES256","kid":"` and a byte that no UTF-8 has.
    private static let notUTF8 =
        Data(Array("{\"alg\":\"ES256\",\"kid\":\"".utf8) + [0xFF, 0x22, 0x7D]).base64EncodedString()
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "=", with: "")

    @Test("forged and damaged tokens are refused, each with nothing said [G1]")
    func forged() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let target = "/inApps/v1/transactions/\(id)"
        let all =
            try Self.headers(backend) + Self.claimSets(backend) + Self.texts(backend)
        #expect(all.count >= 60 && Set(all.map(\.name)).count == all.count)
        for forgery in all {
            let answer = await backend.ask(target, authorization: forgery.field)
            #expect(answer.status == 401, "\(forgery.name)")
            #expect(answer.text.isEmpty && answer["Content-Type"] == nil, "\(forgery.name)")
            #expect(answer.tokenRefusal != nil, "\(forgery.name)")
        }
        let good = try await backend.ask(target)
        #expect(good.status == 200 && good.tokenRefusal == nil)
    }

    @Test("the server's own side learns why a token was refused")
    func reasons() async throws {
        let backend = try await Backend()
        let target = "/inApps/v1/transactions/\(try await backend.buy())"
        let now = backend.now
        let second = NewAPIKey(name: "second", at: backend.store.clock.now())
        _ = try await backend.store.engine.servedStore.change(second.change)
        _ = try await backend.store.engine.servedStore.change(.revoke(second.id))
        let tokens: [(TokenRefusal, Backend.Token)] = [
            (.unknownKey, backend.token(header: ["kid": "\"ABCDEFGHJK\""])),
            (.revokedKey, backend.token(header: ["kid": "\"\(second.id)\""])),
            (.otherIssuer, backend.token(claims: ["iss": "\"\(UUID().uuidString)\""])),
            (.otherBundle, backend.token(claims: ["bid": "\"com.example.other\""])),
            (.otherAudience, backend.token(claims: ["aud": "\"another\""])),
            (.expired, backend.token(claims: ["iat": "\(now - 600)", "exp": "\(now - 1)"])),
            (.tooLong, backend.token(claims: ["exp": "\((now + 300) * 1000)"])),
            (.notYetValid, backend.token(claims: ["nbf": "\(now + 240)"])),
            (.badSignature, backend.token(key: P256.Signing.PrivateKey())),
            (.malformed, backend.token(header: ["alg": "\"none\""])),
        ]
        var found: Set<TokenRefusal> = []
        for (refusal, token) in tokens {
            let answer = await backend.ask(target, authorization: "Bearer \(try token.text)")
            #expect(answer.status == 401 && answer.tokenRefusal == refusal, "\(token.claims)")
            found.insert(refusal)
        }
        #expect(await backend.ask(target, authorization: nil).tokenRefusal == .missing)
        #expect(found.union([.missing]) == Set(TokenRefusal.allCases), "each is reached")
        // A token that was accepted before is refused for what has become of it since.
        let field = "Bearer \(try backend.token().text)"
        #expect(await backend.ask(target, authorization: field).tokenRefusal == nil)
        backend.store.clock.advance(byMilliseconds: 301_000)
        #expect(await backend.ask(target, authorization: field).tokenRefusal == .expired)
    }

    @Test("tokens as official clients and other libraries write them are accepted")
    func good() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let now = backend.now
        let tokens = [
            // Apple's Python library sends no date.
            backend.token(claims: ["iat": nil]),
            backend.token(header: ["typ": nil]),
            backend.token(claims: ["aud": "[\"appstoreconnect-v1\"]"]),
            backend.token(claims: ["iat": "\(now).5", "exp": "\(now + 60).25"]),
            backend.token(claims: ["exp": "\(now + 3_600)"]),
            backend.token(claims: ["iat": "\(now + 30)", "nbf": "\(now)"]),
            backend.token(claims: ["iss": "\"\(backend.issuer.uppercased())\"", "nonce": "\"n\""]),
        ]
        for token in tokens {
            for scheme in ["Bearer", "bearer"] {
                let answer = await backend.ask(
                    "/inApps/v1/transactions/\(id)",
                    authorization: "\(scheme) \(try token.text)")
                #expect(answer.status == 200, "\(token.claims)")
            }
        }
    }

    @Test("a token ends at its end, and with its key, in every process at once")
    func ends() async throws {
        let backend = try await Backend()
        let target = "/inApps/v1/transactions/\(try await backend.buy())"
        let field = "Bearer \(try backend.token().text)"
        #expect(await backend.ask(target, authorization: field).status == 200)
        // The store's clock is moved by a year: tokens live by the system's time.
        try await backend.perform(Backend.days(365))
        #expect(await backend.ask(target, authorization: field).status == 200)
        // Another server on the same store has verified the token, too.
        let other = try StoreResponder(store: backend.store.engine.servedStore, host: "127.0.0.1")
        let request = ContentRequest(
            method: "GET", target: target,
            fields: ["host": "127.0.0.1", "authorization": field])
        #expect(await other.answer(request).status == 200)
        _ = try await backend.store.engine.servedStore.change(.revoke(backend.keyID))
        #expect(await backend.ask(target, authorization: field).status == 401)
        #expect(await other.answer(request).status == 401)
        let second = NewAPIKey(name: "second", at: backend.store.clock.now())
        let settings = try await backend.store.engine.servedStore.change(second.change)
        #expect(settings.issuer?.uuidString.lowercased() == backend.issuer)
        #expect(settings.keys.map { $0.revokedAt == nil } == [false, true])
        let key = try P256.Signing.PrivateKey(pemRepresentation: second.privateKey)
        let fresh = try backend.token(header: ["kid": "\"\(second.id)\""], key: key).text
        #expect(await backend.ask(target, authorization: "Bearer \(fresh)").status == 200)
        backend.store.clock.advance(byMilliseconds: 301_000)
        #expect(await backend.ask(target, authorization: "Bearer \(fresh)").status == 401)
    }

    @Test("the store keeps no private half, and refuses to revoke a key that it does not have")
    func keys() async throws {
        let backend = try await Backend()
        let entries = try await backend.store.entries()
        let recorded = String(describing: entries)
        #expect(recorded.contains(backend.keyID))
        let secret = backend.key.rawRepresentation.base64EncodedString()
        #expect(!recorded.contains(secret) && !recorded.contains("PRIVATE"))
        let error = await #expect(throws: StoreError.self) {
            _ = try await backend.store.engine.servedStore.change(.revoke("NOSUCHKEY1"))
        }
        #expect(error?.code == .invalidName && error?.expected?.text == backend.keyID)
        let again = try await backend.store.engine.servedStore.change(.revoke(backend.keyID))
        #expect(
            try await backend.store.engine.servedStore.change(.revoke(backend.keyID)) == again)
    }
}
