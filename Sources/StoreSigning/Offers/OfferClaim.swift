package import Foundation
package import StoreModel

/// The app, product, offer and customer that the signature of a promotional offer is bound to.
package struct OfferClaim: Hashable, Sendable {
    package var bundleID: String
    package var productID: ProductID
    package var offerID: OfferID
    /// The payment's `appAccountToken` in lower case, else the digest of its user name
    /// (`Payment.applicationUsernameHash`), else empty.
    package var customer: String

    package init(bundleID: String, productID: ProductID, offerID: OfferID, customer: String) {
        self.bundleID = bundleID
        self.productID = productID
        self.offerID = offerID
        self.customer = customer
    }

    /// Nil for a payment without an offer.
    package init?(_ payment: Payment, bundleID: String) {
        guard let offer = payment.offer else { return nil }
        self.init(
            bundleID: bundleID, productID: payment.productID, offerID: offer.id,
            customer: payment.appAccountToken?.uuidString.lowercased()
                ?? payment.applicationUsernameHash ?? "")
    }

    /// In the form `OfferSignature.parameters`: the parameters with an invisible separator (U+2063)
    /// between them, in the order of Apple's documentation ("Generating a signature for promotional
    /// offers").
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
    case refused(OfferSignatureFault)
}

extension OfferProof {
    /// Nil for a refused signature.
    package var nonce: UUID? {
        if case .good(let nonce, _) = self { nonce } else { nil }
    }
}

/// The app, product and customer that the app's statement on an introductory offer is bound to.
package struct EligibilityClaim: Hashable, Sendable {
    package var bundleID: String
    package var productID: ProductID
    /// The `appTransactionId` in this app.
    package var customer: String

    package init(bundleID: String, productID: ProductID, customer: String) {
        self.bundleID = bundleID
        self.productID = productID
        self.customer = customer
    }
}

extension EligibilityClaim {
    /// Without verifying the statement: for a text that was accepted before. Nil for a text of
    /// another form.
    package static func isAllowed(in text: String) -> Bool? {
        OfferJWS.Signed(text)?.claims.allowIntroductoryOffer
    }

    /// Without verifying the text; nil for a text of another form.
    package static func nonce(in text: String) -> UUID? { OfferJWS.Signed(text)?.claims.nonce }
}

/// The result of verifying the app's statement on an introductory offer. The store checks its age,
/// and that it is unused, later.
package enum EligibilityProof: Hashable, Sendable {
    /// A key of the store has signed it for this purchase.
    case good(isAllowed: Bool, nonce: UUID, signedAt: Timestamp)
    case refused(OfferSignatureFault)

    /// Nil for a refused statement.
    package var nonce: UUID? {
        if case .good(_, let nonce, _) = self { nonce } else { nil }
    }
}

extension OfferSignature {
    /// Without verifying the signature: for one that was accepted before. Nil for a text of another
    /// form.
    package var claimedNonce: UUID? {
        switch self {
        case .parameters(_, let nonce, _, _): nonce
        case .jws(let text): OfferJWS.Signed(text)?.claims.nonce
        }
    }
}
