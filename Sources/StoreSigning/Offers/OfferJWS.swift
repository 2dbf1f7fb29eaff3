import Crypto
import Foundation
import StoreModel

/// A promotional offer, or the app's statement whether a customer gets an introductory one, as a
/// compact JWS (App Store: `promotional-offer`, `introductory-offer-eligibility`), signed with
/// ES256 by a key that its header names.
struct OfferJWS {
    /// The claims of the JWS. `transactionId` binds a statement on an introductory offer to its
    /// customer; in a promotional offer, which may have it too, it binds nothing.
    struct Claims: Codable {
        var aud: String
        var iss: String?
        var bid: String
        var iat: Int64
        var nonce: UUID
        var productId: ProductID
        /// Nil in a statement on an introductory offer.
        var offerIdentifier: OfferID?
        var allowIntroductoryOffer: Bool?
        /// A transaction of the customer's, here the `appTransactionId`.
        var transactionId: String?
        /// The customer, as in `OfferClaim`; without one the text is valid for every customer.
        var sub: String?

        func isBound(to claim: EligibilityClaim) -> Bool {
            aud == OfferJWS.eligibilityAudience && bid == claim.bundleID
                && productId == claim.productID && transactionId == claim.customer
        }

        func isBound(to claim: OfferClaim) -> Bool {
            aud == OfferJWS.audience && bid == claim.bundleID && productId == claim.productID
                && offerIdentifier == claim.offerID && (sub == nil || sub == claim.customer)
        }
    }

    private struct Header: Codable {
        var alg: String
        var kid: String
        var typ: String?
        var crit: [String]?
    }

    static let audience = "promotional-offer"
    static let eligibilityAudience = "introductory-offer-eligibility"

    private let claims: Claims

    init(_ claim: OfferClaim, nonce: UUID, issuedAt now: Timestamp) {
        claims = Claims(
            aud: Self.audience, iss: claim.bundleID, bid: claim.bundleID,
            iat: now.milliseconds / 1000, nonce: nonce, productId: claim.productID,
            offerIdentifier: claim.offerID, sub: claim.customer.isEmpty ? nil : claim.customer)
    }

    init(_ claim: EligibilityClaim, isAllowed: Bool, nonce: UUID, issuedAt now: Timestamp) {
        claims = Claims(
            aud: Self.eligibilityAudience, iss: claim.bundleID, bid: claim.bundleID,
            iat: now.milliseconds / 1000, nonce: nonce, productId: claim.productID,
            allowIntroductoryOffer: isAllowed, transactionId: claim.customer)
    }

    func signed(by key: P256.Signing.PrivateKey, keyID: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = Header(alg: "ES256", kid: keyID, typ: "JWT")
        let parts = [try encoder.encode(header), try encoder.encode(claims)].map {
            Self.encoded(Array($0))
        }
        let text = parts.joined(separator: ".")
        let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
        return text + "." + Self.encoded(Array(signature))
    }

    private static func encoded(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes.span) }

    /// A signed text whose parts were decoded. Nothing in it is verified.
    struct Signed {
        let keyID: String
        let claims: Claims
        private let signed: Data
        private let signature: P256.Signing.ECDSASignature

        init?(_ text: String) {
            let parts = text.utf8.split(separator: UInt8(ascii: "."))
                .map { Array($0) }
            guard text.utf8.count <= Self.byteCountMax, parts.count == 3,
                let header = Self.decoded(parts[0]), let payload = Self.decoded(parts[1]),
                let bytes = Self.decoded(parts[2]),
                let head = try? JSONDecoder().decode(Header.self, from: Data(header)),
                head.alg == "ES256", head.crit == nil,
                let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload)),
                claims.iat > 0, claims.iat < 1 << 40,
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
            else { return nil }
            keyID = head.kid
            self.claims = claims
            signed = Data(parts[0] + [UInt8(ascii: ".")] + parts[1])
            self.signature = signature
        }

        func isSigned(by key: P256.Signing.PublicKey) -> Bool {
            key.isValidSignature(signature, for: signed)
        }

        private static func decoded(_ part: [UInt8]) -> [UInt8]? { Base64URL.decode(part.span) }

        /// Far more than such a text has. It bounds the memory that a text of unknown origin can
        /// take.
        private static let byteCountMax = 16 * 1024
    }
}
