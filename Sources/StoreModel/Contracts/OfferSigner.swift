/// The part of the app's own server that a shop needs: it signs promotional offers.
package protocol OfferSigner: Sendable {
    /// Signs the promotional offer that a payment asks for, for this payment.
    ///
    /// - Throws: `invalidOfferIdentifier` if the product has no such offer;
    ///   `missingOfferParameters` for a payment without an offer.
    func sign(_ payment: Payment) async throws(StoreError) -> OfferSignature
}
