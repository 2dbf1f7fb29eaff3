import StoreCatalog
import StoreModel

/// The terms on which the next period of a subscription is sold, without its dates.
struct NextTerms {
    var productID: ProductID
    var territory: String
    var price: Money
    /// The length of time that the price pays for.
    var period: SubscriptionPeriod
    /// The product's own period.
    var regularPeriod: SubscriptionPeriod
    var isHosted: Bool
    var offer: SoldOffer?
    var billingPlan: BillingPlanType?
    /// Which payment of a commitment the period is; nil for none.
    var commitment: SoldCommitment?
    /// What the customer knows that the plan costs without an offer.
    var agreedPrice: Money
    /// What the catalog asks for the plan, without an offer or a campaign.
    var catalogPrice: Money
    /// The higher price of the catalog; nil for none, and where subscribers keep their price.
    /// `price` is the higher one only after the customer was told.
    var rise: PriceRise?
    /// Whether the customer was told of the catalog's price, or has consented to it.
    var isTold = false

    /// While payments of a commitment are owed, the terms of the next payment. Otherwise the
    /// product at its present price in the account's territory, with the customer's billing plan.
    ///
    /// - Parameter instant: the time of the charge.
    static func make(
        of latest: TransactionRow, _ state: SubscriptionState, at instant: Timestamp,
        in context: RuleContext
    ) -> Result<NextTerms, RenewalRules.Ended> {
        let sale = latest.sale
        guard let term = sale.term else {
            return .failure(RenewalRules.Ended(reason: .productUnavailable))
        }
        if let next = sale.commitment?.next {
            return .success(
                NextTerms(
                    productID: sale.productID, territory: sale.storefront, price: next.payment,
                    period: term.period, regularPeriod: sale.regularPeriod ?? term.period,
                    isHosted: sale.isHosted, billingPlan: sale.billingPlan, commitment: next,
                    agreedPrice: next.payment, catalogPrice: next.payment))
        }
        if sale.commitment != nil, state.offReason == nil,
            let reason = state.afterCommitment(of: sale).offReason
        {
            return .failure(RenewalRules.Ended(reason: reason))
        }
        let state = state.due(after: sale)
        let territory = context.snapshot.accounts[latest.account]?.territory ?? sale.storefront
        let id = state.nextProductID ?? sale.productID
        let plan = state.nextBillingPlan ?? (id == sale.productID ? sale.billingPlan : nil)
        // A subscription that is free in the catalog now has no period, so it cannot renew.
        guard let product = context.catalog.product(id),
            let period = product.subscription?.period,
            product.reasonNotForSale(at: instant, in: context.environment) == nil,
            let storefront = Storefront.find(territory),
            let billing = BillingTerms(
                plan ?? (id == sale.productID ? .upFront : nil), of: product, in: storefront,
                at: instant)
        else { return .failure(RenewalRules.Ended(reason: .productUnavailable)) }
        let offer = RenewalRules.offer(of: id, after: sale, state, at: billing.price.currency)
        let rise =
            offer == nil
            ? PriceRise(after: sale, to: billing, of: product, in: storefront, at: instant) : nil
        let keepsPrice = product.subscription?.preservesPrice == true
        let isAgreed = state.priceIncrease == .agreed && !keepsPrice
        let outdated =
            isAgreed ? billing.outdated(state.toldPrice, in: storefront, after: sale) : nil
        let isTold = isAgreed && outdated == nil
        let price = isTold ? billing.price : outdated ?? rise?.from ?? billing.price
        let regular = id == sale.productID ? sale.regularPeriod ?? term.period : period
        return .success(
            NextTerms(
                productID: id, territory: territory, price: offer?.price ?? price,
                period: offer?.period ?? (billing.commitment == nil ? regular : billing.period)
                    ?? regular,
                regularPeriod: regular, isHosted: product.delivery.isHosted, offer: offer,
                billingPlan: billing.type, commitment: offer == nil ? billing.commitment : nil,
                agreedPrice: isTold
                    ? billing.regularPrice
                    : outdated
                        ?? billing.agreedPrice(of: product, in: storefront, after: sale),
                catalogPrice: billing.regularPrice, rise: keepsPrice ? nil : rise, isTold: isTold))
    }
}

/// The price and period of a product with a billing plan.
struct BillingTerms {
    /// Nil if the catalog gives the product no billing plan.
    var type: BillingPlanType?
    /// The price of one payment.
    var price: Money
    /// The price of one payment without a campaign.
    var regularPrice: Money
    /// The length of time that one payment pays for; nil for a subscription that does not renew.
    var period: SubscriptionPeriod?
    /// The first payment of a commitment; nil for a plan without one.
    var commitment: SoldCommitment?

    /// Nil if the product is not sold in the territory, or not with the requested billing plan.
    ///
    /// - Parameter asked: the requested plan; nil for up-front payment, or the only plan of the
    ///   product.
    init?(
        _ asked: BillingPlanType?, of product: CatalogProduct, in storefront: Storefront,
        at instant: Timestamp
    ) {
        guard let price = product.price(in: storefront, at: instant) else { return nil }
        let plans = product.billingPlans(in: storefront, at: instant)
        self.price = price
        regularPrice = product.price(in: storefront) ?? price
        period = product.subscription?.period
        guard !plans.isEmpty else {
            guard asked != .monthly else { return nil }
            return
        }
        let usual = plans.contains { $0.type == .upFront } ? .upFront : plans.first?.type
        guard let plan = plans.first(where: { $0.type == asked ?? usual }) else { return nil }
        type = plan.type
        self.price = plan.price
        if plan.type == .monthly { regularPrice = plan.price }
        period = plan.period
        commitment = plan.commitment.map {
            SoldCommitment(count: $0.paymentCount, price: $0.price, payment: plan.price)
        }
    }

    /// What the customer knows that one payment of this plan costs. Nil if the sale was of another
    /// plan, whose payments may be for another length of time, or in another territory or currency,
    /// or a free trial in a store that is older than records of regular prices.
    func knownPrice(
        of product: CatalogProduct, in storefront: Storefront, after sale: Sale
    ) -> Money? {
        let isSamePlan =
            product.id == sale.productID && (type ?? .upFront) == (sale.billingPlan ?? .upFront)
        let known = sale.agreedPrice
        let isRecorded = known.milliunits > 0 || sale.offer == nil
        return isSamePlan && isRecorded && sale.storefront == storefront.countryCode
            && known.currency == regularPrice.currency ? known : nil
    }

    /// The price that the customer was told, if the catalog's has risen again since. Nil otherwise,
    /// and in another territory than that of the last sale.
    func outdated(_ told: Money?, in storefront: Storefront, after sale: Sale) -> Money? {
        guard let told, sale.storefront == storefront.countryCode,
            told.currency == price.currency, told.milliunits < price.milliunits
        else { return nil }
        return told
    }

    /// As `knownPrice`, for a customer who has not been told of a higher one.
    fileprivate func agreedPrice(
        of product: CatalogProduct, in storefront: Storefront, after sale: Sale
    ) -> Money {
        guard let known = knownPrice(of: product, in: storefront, after: sale),
            known.milliunits < regularPrice.milliunits
        else { return regularPrice }
        return known
    }
}
