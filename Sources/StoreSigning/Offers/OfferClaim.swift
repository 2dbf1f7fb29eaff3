package import Foundation
package import StoreModel

/// The app, product, offer and customer that the signature of a promotional offer is bound to.
package struct OfferClaim: Hashable, Sendable {
    /// The app.
    package var bundleID: String
    /// The product.
    package var productID: ProductID
    /// The offer.
    package var offerID: OfferID
    /// Whose purchase it is for: the payment's `appAccountToken` in lower case, else the digest of its
    /// user name (`Payment.applicationUsernameHash`), else empty.
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

    /// The bytes that are signed in the first form: the parameters with an invisible separator
    /// (U+2063) between them, in the order of Apple's documentation ("Generating a signature for
    /// promotional offers").
    func signedBytes(keyID: String, nonce: UUID, timestamp: Timestamp) -> Data {
        Data(
            [
                bundleID, keyID, productID.rawValue, offerID.rawValue, customer,
                nonce.uuidString.lowercased(), String(timestamp.milliseconds),
            ].joined(separator: "\u{2063}").utf8)
    }
}

/// Why the signature of a promotional offer is not accepted.
package enum OfferSignatureFault: String, Codable, Hashable, Sendable, CaseIterable {
    /// It names a key that the store does not have.
    case unknownKey
    /// The key has not signed this for this app, product, offer and customer.
    case forged
    /// It cannot be read.
    case unreadable
    /// It was signed for another app, product, offer or customer.
    case signedForOther
    /// It is more than 24 hours old.
    case expired
    /// Its time is more than 24 hours ahead.
    case notYetValid
    /// Another payment has used it.
    case replayed
}

/// The result of verifying a signature; its age and whether it was used are still to be decided.
package enum OfferProof: Hashable, Sendable {
    /// A key of the store has signed it for this purchase.
    case good(nonce: UUID, signedAt: Timestamp)
    /// It is not accepted.
    case refused(OfferSignatureFault)
}

extension OfferProof {
    /// The nonce of a signature that is good; nil for another.
    package var nonce: UUID? {
        if case .good(let nonce, _) = self { nonce } else { nil }
    }
}

/// The app, product and customer that the app's word on an introductory offer is bound to.
package struct EligibilityClaim: Hashable, Sendable {
    /// The app.
    package var bundleID: String
    /// The product.
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
    /// Whether a text allows the offer, without verifying it: for a text that was accepted before.
    /// Nil for a text of another form.
    package static func isAllowed(in text: String) -> Bool? {
        OfferJWS.Signed(text)?.claims.allowIntroductoryOffer
    }

    /// The nonce that a text claims, without verifying it; nil for a text of another form.
    package static func nonce(in text: String) -> UUID? { OfferJWS.Signed(text)?.claims.nonce }
}

/// The result of verifying the app's word on an introductory offer; its age and whether it was used
/// are still to be decided.
package enum EligibilityProof: Hashable, Sendable {
    /// A key of the store has signed it for this purchase.
    case good(isAllowed: Bool, nonce: UUID, signedAt: Timestamp)
    /// It is not accepted.
    case refused(OfferSignatureFault)

    /// The nonce of a text that is good; nil for another.
    package var nonce: UUID? {
        if case .good(_, let nonce, _) = self { nonce } else { nil }
    }
}

extension OfferSignature {
    /// The nonce that it claims, without verifying it: for a signature that was accepted before. Nil
    /// for a text of another form.
    package var claimedNonce: UUID? {
        switch self {
        case .parameters(_, let nonce, _, _): nonce
        case .jws(let text): OfferJWS.Signed(text)?.claims.nonce
        }
    }
}
