package import Foundation
package import StoreModel

/// The app, product, offer and customer that the signature of a promotional offer is bound to.
package struct OfferClaim: Hashable, Sendable {
    /// The app's bundle identifier.
    package var bundleID: String
    /// The product to buy.
    package var productID: ProductID
    /// The promotional offer of the product.
    package var offerID: OfferID
    /// The customer of the purchase: the payment's `appAccountToken` in lower case, else the digest
    /// of its user name (`Payment.applicationUsernameHash`), else empty.
    package var customer: String

    /// Memberwise: the values are not checked.
    package init(bundleID: String, productID: ProductID, offerID: OfferID, customer: String) {
        self.bundleID = bundleID
        self.productID = productID
        self.offerID = offerID
        self.customer = customer
    }

    /// The claim that a payment's signature must be bound to; nil for a payment without an offer.
    package init?(_ payment: Payment, bundleID: String) {
        guard let offer = payment.offer else { return nil }
        self.init(
            bundleID: bundleID, productID: payment.productID, offerID: offer.id,
            customer: payment.appAccountToken?.uuidString.lowercased()
                ?? payment.applicationUsernameHash ?? "")
    }

    /// The bytes that are signed in the form `OfferSignature.parameters`: the parameters with an
    /// invisible separator (U+2063) between them, in the order of Apple's documentation
    /// ("Generating a signature for promotional offers").
    func signedBytes(keyID: String, nonce: UUID, timestamp: Timestamp) -> Data {
        Data(
            [
                bundleID, keyID, productID.rawValue, offerID.rawValue, customer,
                nonce.uuidString.lowercased(), String(timestamp.milliseconds),
            ].joined(separator: "\u{2063}").utf8)
    }
}

/// The result of verifying a signature. The store checks its age, and that it is unused, later.
package enum OfferProof: Hashable, Sendable {
    /// A key of the store has signed it for this purchase.
    case good(nonce: UUID, signedAt: Timestamp)
    /// The signature is not accepted.
    case refused(OfferSignatureFault)
}

extension OfferProof {
    /// The nonce of a good signature; nil for a refused one.
    package var nonce: UUID? {
        if case .good(let nonce, _) = self { nonce } else { nil }
    }
}

/// The app, product and customer that the app's statement on an introductory offer is bound to.
package struct EligibilityClaim: Hashable, Sendable {
    /// The app's bundle identifier.
    package var bundleID: String
    /// The product with the introductory offer.
    package var productID: ProductID
    /// The customer's `appTransactionId` in this app.
    package var customer: String

    /// Memberwise: the values are not checked.
    package init(bundleID: String, productID: ProductID, customer: String) {
        self.bundleID = bundleID
        self.productID = productID
        self.customer = customer
    }
}

extension EligibilityClaim {
    /// Whether a statement allows the offer, without verifying it: for a text that was accepted
    /// before. Nil for a text of another form.
    package static func isAllowed(in text: String) -> Bool? {
        OfferJWS.Signed(text)?.claims.allowIntroductoryOffer
    }

    /// The nonce that a text claims, without verifying it; nil for a text of another form.
    package static func nonce(in text: String) -> UUID? { OfferJWS.Signed(text)?.claims.nonce }
}

/// The result of verifying the app's statement on an introductory offer. The store checks its age,
/// and that it is unused, later.
package enum EligibilityProof: Hashable, Sendable {
    /// A key of the store has signed it for this purchase.
    case good(isAllowed: Bool, nonce: UUID, signedAt: Timestamp)
    /// The statement is not accepted.
    case refused(OfferSignatureFault)

    /// The nonce of a good statement; nil for a refused one.
    package var nonce: UUID? {
        if case .good(_, let nonce, _) = self { nonce } else { nil }
    }
}

extension OfferSignature {
    /// The nonce that the signature claims, without verifying it: for a signature that was accepted
    /// before. Nil for a text of another form.
    package var claimedNonce: UUID? {
        switch self {
        case .parameters(_, let nonce, _, _): nonce
        case .jws(let text): OfferJWS.Signed(text)?.claims.nonce
        }
    }
}
