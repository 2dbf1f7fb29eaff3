import Foundation
import StoreCatalog
import StoreModel

/// Decides purchases that are made or begun outside the app.
enum OutsideRules {
    /// Sells a product without a device (StoreKit Test: `buyProduct`). The sale is delivered on
    /// every device of the account; a consumable is delivered on the account's only device, or on
    /// the one that claims it. A change of plan for the next renewal is only planned, and nothing is
    /// charged.
    ///
    /// - Parameters:
    ///   - offer: the offer of the sale; if nil, only an introductory offer may apply.
    ///   - token: the app's token for its user (`appAccountToken`); nil for none.
    ///   - territory: the territory of an account that has no settings yet.
    /// - Throws: the errors of a purchase.
    static func sell(
        _ id: ProductID, to account: AccountName, quantity: Int, offer: OfferID? = nil,
        token: UUID? = nil, home territory: String, in context: RuleContext
    ) throws(StoreError) -> Decision {
        try context.snapshot.refuseUnknownFacts(of: account)
        guard let product = context.catalog.product(id) else {
            throw StoreError(.productUnavailable, productID: id)
        }
        let settings = context.settings(of: account, home: territory)
        guard let storefront = Storefront.find(settings.territory),
            let billing = BillingTerms(nil, of: product, in: storefront, at: context.now)
        else {
            throw StoreError(
                .notAvailableInStorefront, productID: id, found: settings.territory)
        }
        if let error = PurchaseRules.mistake(inQuantity: quantity, of: product) { throw error }
        var later: (change: PlanChangeRules, present: StoreError)?
        switch Eligibility.obstacle(to: product, for: account, in: context) {
        case .owned(let row):
            throw StoreError(.alreadyOwned, productID: id, transactionID: row.id)
        case .subscribed(let row, let until):
            let change = PlanChangeRules(product: product, latest: row, context: context)
            let present = PurchaseRules.subscribed(to: row, until: until, insteadOf: product)
            switch change.moment {
            case .now: break
            // The change is planned already, so the sale would change nothing.
            case .atRenewal where offer == nil && change.later(nil, nil) == nil: throw present
            case .atRenewal: later = (change, present)
            case .some(.none) where offer != nil: later = (change, present)
            case .some(.none), nil: throw present
            }
        case nil: break
        }
        let endings = PlanChangeRules.endings(before: product, for: account, in: context)
        if let reason = product.reasonNotForSale(at: context.now, in: context.environment) {
            throw StoreError(reason, productID: id)
        }
        guard settings.canMakePayments else {
            throw StoreError(.purchaseNotAllowed, productID: id)
        }
        var asked: PaymentOffer?
        if let offer { asked = try Self.asked(offer, of: product) }
        let selection = try OfferRules.selection(
            asked, by: nil, proof: .acceptedBefore, of: product, for: account, in: storefront,
            paid: billing.type, begins: later == nil, context: context)
        if let later {
            guard let entry = later.change.later(selection.next, nil) else { throw later.present }
            return Decision(reads: context.reads(account), entries: [entry])
                .redeeming(selection, in: context)
        }
        var sale = PurchaseRules.sale(
            of: product, cause: .outsideApp, quantity: quantity, billing, selection,
            account: account, territory: settings.territory, in: context)
        sale.appAccountToken = token
        let isNew = context.snapshot.accounts[account] == nil
        return Decision(
            reads: context.reads(account),
            entries: (isNew ? [context.entry(.accountChanged(settings), of: account)] : [])
                + endings + [context.entry(.sold(sale), of: account, number: .next)]
        ).redeeming(selection, in: context)
    }

    /// Without a signature, because the store sells the offer itself.
    private static func asked(
        _ id: OfferID, of product: CatalogProduct
    ) throws(StoreError) -> PaymentOffer {
        guard let offer = product.offers.first(where: { $0.id == id }) else {
            throw StoreError(
                .invalidOfferIdentifier, productID: product.id, found: id.rawValue)
        }
        return PaymentOffer(kind: offer.kind, id: id, code: offer.codes?.first?.code)
    }

    /// Tells the account's devices about a promoted purchase (begun outside the app). Throws
    /// `productUnavailable`.
    static func promote(
        _ id: ProductID, to account: AccountName, in context: RuleContext
    ) throws(StoreError) -> Decision {
        guard let product = context.catalog.product(id) else {
            throw StoreError(.productUnavailable, productID: id, reason: .operator)
        }
        if let reason = product.reasonNotForSale(at: context.now, in: context.environment) {
            throw StoreError(reason, productID: id)
        }
        return Decision(
            reads: context.reads(account), entries: [context.entry(.promoted(id), of: account)])
    }
}
