import Basics
import Crypto
import Foundation
import StoreModel
import StoreSigning

/// A backend's token (JWT, RFC 7519), as it signs one for each request of the App Store Server API.
struct APIToken: Sendable {
    /// As claimed, until `isSigned` has proven it.
    let keyID: String
    let issuer: String
    let bundleID: String
    let audiences: [String]
    /// Seconds since 1970; nil without one.
    let issuedAt: Double?
    let notBefore: Double?
    let expires: Double
    private let signed: Data
    private let signature: P256.Signing.ECDSASignature

    static let audience = "appstoreconnect-v1"
    /// Of the whole text. It bounds the memory that a text of unknown origin can take.
    static let byteCountMax = 16 * 1024
    /// From a token's date to its end, in seconds.
    static let lifetimeMax: Double = 60 * 60
    /// By which a backend's clock may be ahead.
    static let leeway: Double = 60

    private struct Header: Decodable {
        var alg: String
        var kid: String
        var typ: String?
        var crit: [String]?
    }

    private struct Claims: Decodable {
        var iss: String
        var bid: String
        var aud: Audience
        var iat: Double?
        var nbf: Double?
        var exp: Double
    }

    /// One text, or a list of them (RFC 7519, 4.1.3).
    private struct Audience: Decodable {
        var texts: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            texts =
                if let text = try? container.decode(String.self) { [text] } else {
                    try container.decode([String].self)
                }
        }
    }

    /// Nil for a text of another form, or not signed with ES256.
    init?(_ text: String) {
        guard text.utf8.count <= Self.byteCountMax else { return nil }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false
        ).map { Array($0) }
        guard parts.count == 3, let header = Self.decoded(parts[0]),
            let payload = Self.decoded(parts[1]), let bytes = Self.decoded(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            let head: Header = Self.object(header), head.alg == "ES256", head.crit == nil,
            head.typ.map({ $0.uppercased() == "JWT" }) ?? true,
            let claims: Claims = Self.object(payload)
        else { return nil }
        keyID = head.kid
        issuer = claims.iss
        bundleID = claims.bid
        audiences = claims.aud.texts
        issuedAt = claims.iat
        notBefore = claims.nbf
        expires = claims.exp
        signed = Data(parts[0] + [UInt8(ascii: ".")] + parts[1])
        self.signature = signature
    }

    private static func decoded(_ part: [UInt8]) -> [UInt8]? { Base64URL.decode(part.span) }

    /// Nil unless it is an object in UTF-8 in which no name occurs twice: of two, each reader could
    /// believe another one (RFC 7515, 4).
    private static func object<Value: Decodable>(_ json: [UInt8]) -> Value? {
        guard String(validating: json, as: UTF8.self) != nil else { return nil }
        let names = self.names(in: json)
        guard Set(names).count == names.count else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(json))
    }

    /// The names of the members of a JSON object, but not of the objects in it.
    private static func names(in json: [UInt8]) -> [String] {
        var names: [String] = []
        var depth = 0
        var index = 0
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let start = index
                index += 1
                while index < json.count, json[index] != UInt8(ascii: "\"") {
                    index += json[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                let next = json.dropFirst(index + 1).first { !" \t\r\n".utf8.contains($0) }
                if depth == 1, next == UInt8(ascii: ":"), index < json.count {
                    let text = Data(json[start...index])
                    names.append((try? JSONDecoder().decode(String.self, from: text)) ?? "")
                }
            default: break
            }
            index += 1
        }
        return names
    }

    /// Whether the key has signed it. `key` is Base64 of the form of ANSI X9.63.
    func isSigned(by key: String) -> Bool {
        guard let bytes = Data(base64Encoded: key),
            let key = try? P256.Signing.PublicKey(x963Representation: bytes)
        else { return false }
        return key.isValidSignature(signature, for: signed)
    }

    /// Why it is not meant for this store, or not valid now; nil if it is both.
    func refusal(for app: String, of team: UUID?, at now: Timestamp) -> TokenRefusal? {
        let now = Double(now.milliseconds) / 1000
        guard let team, UUID(uuidString: issuer) == team else { return .otherIssuer }
        guard bundleID == app else { return .otherBundle }
        guard audiences == [Self.audience] else { return .otherAudience }
        guard expires > now else { return .expired }
        guard expires - (issuedAt ?? now) <= Self.lifetimeMax else { return .tooLong }
        guard issuedAt.map({ $0 <= now + Self.leeway && $0 <= expires }) ?? true,
            notBefore.map({ $0 <= now + Self.leeway }) ?? true
        else { return .notYetValid }
        return nil
    }
}

/// Checks the tokens of requests. A signature is verified once; key and dates are looked at each
/// time, so that a revoked key is refused at once.
final class TokenCheck: Sendable {
    private let known = Memo<Known, APIToken>(limit: 256)

    /// A token that this key has signed.
    private struct Known: Hashable {
        var text: String
        var publicKey: String
    }

    /// - Parameters:
    ///   - text: nil for a request without a token.
    ///   - app: the bundle id.
    ///   - now: the system's time.
    /// - Returns: nil for a token that is accepted.
    func refusal(
        of text: String?, server: ServerSettings, app: String, at now: Timestamp
    ) -> TokenRefusal? {
        guard let text else { return .missing }
        // Only a key that is in force has tokens among the known ones that can be found.
        for key in server.keys where key.revokedAt == nil {
            if let token = known[Known(text: text, publicKey: key.publicKey)] {
                return token.refusal(for: app, of: server.issuer, at: now)
            }
        }
        guard let token = APIToken(text) else { return .malformed }
        guard let key = server.validKey(token.keyID) else {
            return server.keys.contains { $0.id == token.keyID } ? .revokedKey : .unknownKey
        }
        if let refusal = token.refusal(for: app, of: server.issuer, at: now) { return refusal }
        guard token.isSigned(by: key.publicKey) else { return .badSignature }
        known[Known(text: text, publicKey: key.publicKey)] = token
        return nil
    }
}
