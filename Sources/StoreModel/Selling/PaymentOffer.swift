package import Foundation

/// The offer that a payment asks for (StoreKit: `Product.PurchaseOption.promotionalOffer`,
/// `.winBackOffer`; an offer code that was redeemed). No payment names an introductory offer: it
/// applies by itself.
package struct PaymentOffer: Codable, Hashable, Sendable {
    /// Identifiers are looked up among the offers of this kind.
    package var kind: OfferKind
    package var id: OfferID
    /// Nil unless the offer is for a code.
    package var code: String?
    /// Nil unless the offer is promotional.
    package var signature: OfferSignature?

    package init(
        kind: OfferKind, id: OfferID, code: String? = nil, signature: OfferSignature? = nil
    ) {
        self.kind = kind
        self.id = id
        self.code = code
        self.signature = signature
    }

    /// Kind, identifier and code, for messages: `promotional plus.half`.
    package var inWords: String { "\(kind.rawValue) \(id)" + (code.map { " \($0)" } ?? "") }
}

/// The signature of a promotional offer, in one of the two forms that StoreKit takes. Untrusted:
/// nothing in it is verified.
package enum OfferSignature: Hashable, Sendable, TextCoded {
    /// The form of StoreKit 1 and of the first promotional offers of StoreKit 2
    /// (`SKPaymentDiscount`): an ECDSA signature, DER, over the joined parameters.
    case parameters(keyID: String, nonce: UUID, timestamp: Timestamp, signature: Data)
    /// A compact JWS with the parameters as claims.
    case jws(String)

    /// Reads a text that `text` has written; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 1, text.split(separator: ".").count == 3 {
            self = .jws(text)
            return
        }
        guard parts.count == 4, !parts[0].isEmpty, let nonce = UUID(uuidString: String(parts[1])),
            let timestamp = Int64(parts[2]), let signature = Data(base64Encoded: String(parts[3]))
        else { return nil }
        self = .parameters(
            keyID: String(parts[0]), nonce: nonce,
            timestamp: Timestamp(milliseconds: timestamp), signature: signature)
    }

    /// The signature as a text without spaces: the JWS, or key id, nonce, milliseconds and Base64
    /// with colons between them.
    package var text: String {
        switch self {
        case .jws(let text): text
        case .parameters(let keyID, let nonce, let timestamp, let signature):
            "\(keyID):\(nonce.uuidString.lowercased()):\(timestamp.milliseconds):"
                + signature.base64EncodedString()
        }
    }

    package var description: String { text }
}
