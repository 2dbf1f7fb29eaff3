import Foundation
package import StoreCatalog
package import StoreModel
import StoreSigning

extension StoreSession {
    func offers(of id: ProductID) async throws(StoreError) -> [OfferAnswer] {
        let found = try await engine.committer.snapshotAfterDue(account)
        try found.refuseUnknownFacts(of: account)
        let lookup = try await engine.committer.lookUp { lookup in
            Eligibility.addKeys(on: id, of: account, to: &lookup)
            OfferRules.addKeys(onOffersOf: id, for: account, to: &lookup)
        }
        guard let product = lookup.catalog.product(id) else {
            throw StoreError(.productUnavailable, productID: id)
        }
        let context = RuleContext(
            snapshot: lookup.found, catalog: lookup.catalog, now: engine.clock.now())
        let storefront = try await storefront(in: found)
        let history = OfferHistory(product, of: account, in: context)
        return product.offers.compactMap { offer in
            offer.offer(in: storefront).map {
                OfferAnswer(
                    offer: $0, refusal: OfferEligibility.refusal(of: offer, to: history),
                    codes: (offer.codes ?? []).map(\.code))
            }
        }
    }

    func redemption(of code: String) async throws(StoreError) -> CodeRedemption {
        let found = try await engine.committer.snapshotAfterDue(account)
        try await failIfAsked(.offerCodeRedeem, found.faults)
        let index = try await engine.catalogs.catalog(found.catalog).index
        let storefront = try await storefront(in: found)
        guard let redemption = index.catalog.redemption(of: code),
            let offer = redemption.offer.offer(in: storefront)
        else { throw StoreError(.invalidOfferIdentifier, found: code) }
        return CodeRedemption(
            productID: redemption.product.id, offer: offer, code: redemption.code.code,
            isStackable: redemption.offer.isStackable == true)
    }

    private func storefront(in found: LedgerSnapshot) async throws(StoreError) -> Storefront {
        let territory = try await engine.settings(of: account, in: found).territory
        guard let storefront = Storefront.find(territory) else {
            throw StoreError(.notAvailableInStorefront, found: territory)
        }
        return storefront
    }

    /// Those whose introductory offers the account cannot have. The cost grows with the number of
    /// groups that have one.
    func groupsWithoutIntroductory(
        of index: CatalogIndex
    ) async throws(StoreError) -> Set<SubscriptionGroupID> {
        guard !index.introductoryGroups.isEmpty else { return [] }
        // Whether a subscription is over is known only when what is due is recorded.
        _ = try await engine.committer.snapshotAfterDue(account)
        let groups = index.introductoryGroups
        let lookup = try await engine.committer.lookUp { lookup in
            for group in groups {
                Eligibility.addKeys(inGroup: group, of: account, to: &lookup)
                lookup.query.offerUses.insert(OfferUse.Key(.introductory(group), by: account))
            }
        }
        let context = RuleContext(
            snapshot: lookup.found, catalog: lookup.catalog, now: engine.clock.now())
        return groups.filter { group in
            let history = OfferHistory(of: account, in: group, context)
            return OfferEligibility.refusal(ofIntroductoryTo: history) != nil
        }
    }

    /// Nil for a payment without an offer.
    func proof(of payment: Payment) async throws(StoreError) -> OfferProof? {
        guard let signature = payment.offer?.signature,
            let claim = OfferClaim(payment, bundleID: identity.bundleID)
        else { return nil }
        return try await engine.offerKeys.verify(signature, of: claim)
    }
}

extension StoreSession {
    /// Nil for a payment without the app's statement.
    func eligibility(of payment: Payment) async throws(StoreError) -> EligibilityProof? {
        guard let text = payment.introductoryEligibility else { return nil }
        return try await engine.offerKeys.verifyEligibility(
            text,
            of: EligibilityClaim(
                bundleID: identity.bundleID, productID: payment.productID,
                customer: engine.payloads.appTransactionID(of: account)))
    }
}

extension StoreEngine: OfferSigner {
    package func sign(_ payment: Payment) async throws(StoreError) -> OfferSignature {
        try await signOffer(of: payment)
    }

    /// Signs a statement on a customer's introductory offer, as the app's own server would.
    ///
    /// - Parameter isAllowed: whether the customer gets the offer.
    /// - Throws: `productUnavailable`; errors of reading and making keys.
    package func signEligibility(
        of product: ProductID, for account: AccountName, isAllowed: Bool
    ) async throws(StoreError) -> String {
        let known = try await ledger.snapshot(LedgerQuery())
        clock.update(from: known)
        guard try await catalogs.catalog(known.catalog).index.product(product) != nil else {
            throw StoreError(.productUnavailable, productID: product, reason: .operator)
        }
        return try await offerKeys.signEligibility(
            EligibilityClaim(
                bundleID: identity.bundleID, productID: product,
                customer: payloads.appTransactionID(of: account)),
            isAllowed: isAllowed, nonce: UUID(), at: clock.now())
    }
}

extension StoreEngine {
    /// Keeps the key pair from a catalog's file as the store's key for signing promotional offers.
    /// Throws errors of writing it.
    package func keep(_ pair: OfferKeyPair) async throws(StoreError) {
        try await offerKeys.add(id: pair.id, pem: pair.privateKeyPEM)
    }

    /// Signs a promotional offer for one payment, as the app's own server would.
    ///
    /// - Parameters:
    ///   - payment: the payment with its offer; an existing signature is ignored.
    ///   - isJWS: whether the signature is a JWS; otherwise it has StoreKit's original form.
    /// - Throws: `invalidOfferIdentifier` if the product has no such promotional offer;
    ///   `missingOfferParameters` for a payment without an offer; errors of reading and making
    ///   keys.
    package func signOffer(
        of payment: Payment, isJWS: Bool = false
    ) async throws(StoreError) -> OfferSignature {
        guard let claim = OfferClaim(payment, bundleID: identity.bundleID) else {
            throw StoreError(.missingOfferParameters, productID: payment.productID)
        }
        let known = try await ledger.snapshot(LedgerQuery())
        clock.update(from: known)
        let product = try await catalogs.catalog(known.catalog).index.product(payment.productID)
        guard product?.offer(.promotional, claim.offerID) != nil else {
            throw StoreError(
                .invalidOfferIdentifier, productID: payment.productID,
                found: claim.offerID.rawValue)
        }
        return try await offerKeys.sign(claim, nonce: UUID(), at: clock.now(), isJWS: isJWS)
    }
}
