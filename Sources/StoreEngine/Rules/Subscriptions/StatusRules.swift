import StoreCatalog
import StoreModel

/// The status of a subscription and its next step. It decides and records nothing: each read
/// computes it.
struct StatusRules {
    /// Nil for a free subscription, which does not renew.
    let subscription: SubscriptionRow?
    /// The last period that was sold to the account, or shared with it.
    let latest: TransactionRow
    /// The period that contains now, or the last one.
    let current: TransactionRow
    let context: RuleContext

    var state: RenewalState {
        let now = context.now
        if current.state.isRevoked { return .revoked }
        if let issue = subscription?.state.billing, issue.isOverdue, !current.isActive(at: now) {
            return issue.graceUntil.map { $0 > now } == true
                ? .inGracePeriod : .inBillingRetryPeriod
        }
        return current.isActive(at: now) ? .subscribed : .expired
    }

    /// The problem that will prevent the renewal unless somebody acts; nil for none. A failing
    /// charge is reported from 10 days before the renewal, an unavailable product at once.
    var problem: SubscriptionProblem? {
        guard let subscription, subscription.autoRenews, let term = latest.sale.term,
            let end = latest.expiresDate
        else { return nil }
        if subscription.state.billing != nil { return .billingFailed }
        if priceIncrease == .pending { return .priceConsentNeeded }
        let next = RenewalRules.renewal(
            of: latest, subscription.state, at: max(context.now, end), in: context)
        if case .failure(let ended) = next, ended.reason == .productUnavailable {
            return .productUnavailable
        }
        guard context.now >= latest.check(of: term, to: end) else { return nil }
        return context.snapshot.renewals?.failsBilling == true ? .billingFailed : nil
    }

    /// The customer's answer to a higher price: the recorded one, and from 10 days before the
    /// renewal also what the store will record for a higher price of the catalog. Nil for none.
    var priceIncrease: PriceIncrease? {
        let known = subscription?.state.priceIncrease
        guard known != .pending, let term = latest.sale.term, let end = latest.expiresDate,
            context.now >= latest.check(of: term, to: end)
        else { return known }
        return rise?.answer ?? known
    }

    /// The higher price that the customer has yet to be told of or to consent to; nil for none. At
    /// the end of the period the store charges what the customer was told, and asks no more.
    var rise: PriceRise? {
        guard let subscription, subscription.autoRenews, subscription.state.billing == nil,
            subscription.state.priceIncrease != .agreed
                || context.snapshot.due[subscription.chain]?.at != latest.expiresDate,
            let next, !next.isTold
        else { return nil }
        return next.rise
    }

    /// What a customer learns who is asked or notified now: the higher price, or the catalog's where
    /// there is no rise, such as after an offer. Nil if no period can follow.
    var toldPrice: Money? { next.map { $0.rise?.to ?? $0.catalogPrice } }

    private var next: NextTerms? {
        guard let subscription, let end = latest.expiresDate else { return nil }
        return try? NextTerms.make(
            of: latest, subscription.state, at: max(context.now, end), in: context
        ).get()
    }

    /// The effects of buying each plan of the group now. Empty unless the account has an active
    /// period that it bought itself.
    var plans: [PlanChange] {
        guard let group = latest.sale.groupID, latest.isActive(at: context.now) else { return [] }
        if case .familyShare = latest.sale.cause { return [] }
        return context.catalog.catalog.products.filter { $0.subscription?.groupID == group }
            .compactMap { PlanChangeRules(product: $0, latest: latest, context: context).preview }
    }

    /// When the last period that was paid and not taken back ends.
    var paidUntil: Timestamp? {
        [current, latest].filter { !$0.state.isRevoked }.compactMap(\.expiresDate).max()
    }

    /// The next time at which `state` or `problem` changes without an entry; nil for none.
    var changesAt: Timestamp? {
        var instants = [current.expiresDate, subscription?.state.billing?.graceUntil]
        if subscription?.autoRenews == true, let term = latest.sale.term,
            let end = latest.expiresDate
        {
            instants.append(latest.check(of: term, to: end))
        }
        return instants.compactMap(\.self).filter { $0 > context.now }.min()
    }

    /// Whether the subscription has ended for good. A renewal that the store could not record yet,
    /// because its disk is full, is late and does not end it.
    private var hasEnded: Bool {
        state == .expired
            && !(subscription?.autoRenews == true && subscription?.state.expired == nil)
    }

    /// True if the subscription ended because it reached the store's limit of renewals; otherwise
    /// nil.
    var isAtRenewalLimit: Bool? {
        hasEnded && subscription?.state.offReason == .renewalLimit ? true : nil
    }

    /// Without the fields that only the signer fills.
    func payload(
        appTransactionID: String, environment: StoreEnvironment
    ) -> RenewalInfoPayload {
        let known = subscription?.state
        let sale = latest.sale
        let isOwed = sale.owesPayments
        let after = sale.commitment.map { _ in (known ?? .renewing).afterCommitment(of: sale) }
        let isOn = subscription?.autoRenews ?? !current.state.isRevoked
        let autoRenews = isOn && (isOwed || after?.offReason == nil)
        let due = (known ?? .renewing).due(after: sale)
        let next = isOwed ? sale.productID : due.nextProductID ?? sale.productID
        let plan = due.nextBillingPlan ?? (next == sale.productID ? sale.billingPlan : nil)
        // The owner of a shared subscription is charged, not the member.
        let isCharged = autoRenews && sale.sharedTransaction == nil
        let regular = isCharged ? sale.commitment?.next?.payment ?? price(of: next, plan) : nil
        let offer = regular.flatMap { regular in
            isOwed ? nil : RenewalRules.offer(of: next, after: sale, due, at: regular.currency)
        }
        let price = offer?.price ?? regular
        let isRetrying = known?.billing?.isOverdue == true && autoRenews
        let isOver = state == .expired || state == .revoked
        var payload = RenewalInfoPayload(
            originalTransactionId: latest.originalID, productId: current.sale.productID,
            autoRenewProductId: next, autoRenewStatus: autoRenews ? 1 : 0,
            recentSubscriptionStartDate: latest.sale.term?.seriesStart
                ?? latest.sale.term?.anchor
                ?? (sale.sharedTransaction == nil ? nil : sale.original?.purchaseDate)
                    ?? sale.purchaseDate,
            environment: environment, signedDate: context.now)
        if hasEnded {
            payload.expirationIntent = (known?.expired ?? (known?.offReason).expiration).rawValue
        }
        payload.isInBillingRetryPeriod =
            isRetrying ? true : known?.expired == .billingError ? false : nil
        // A backend takes a date of grace for access, so one that has passed is left out.
        if state == .inGracePeriod { payload.gracePeriodExpiresDate = known?.billing?.graceUntil }
        if !isOver { payload.priceIncreaseStatus = priceIncrease.map { $0 == .agreed ? 1 : 0 } }
        payload.offerType = offer?.kind.number
        payload.offerIdentifier = offer?.id?.rawValue
        payload.offerDiscountType = offer?.mode.rawValue
        payload.offerPeriod = offer?.period.iso8601
        payload.renewalPrice = price?.milliunits
        payload.currency = price?.currency
        payload.eligibleWinBackOfferIds = eligibleWinBackOffers
        payload.appAccountToken = current.appAccountToken
        payload.appTransactionId = appTransactionID
        if autoRenews && !isOver {
            payload.renewalDate = latest.expiresDate
            payload.renewalBillingPlanType = plan?.rawValue
        }
        if !isOver { payload.commitmentInfo = after.map { commitmentInfo($0, isOn: isOn) } }
        return payload
    }

    /// - Parameter isOn: whether the subscription renews after the commitment.
    private func commitmentInfo(_ after: AfterCommitment, isOn: Bool) -> RenewalCommitmentInfo {
        let sale = latest.sale
        let next = after.productID ?? sale.productID
        var info = RenewalCommitmentInfo(
            commitmentAutoRenewProductId: next,
            commitmentAutoRenewStatus: isOn && after.offReason == nil ? 1 : 0)
        guard info.commitmentAutoRenewStatus == 1 else { return info }
        let plan = after.billingPlan ?? (next == sale.productID ? sale.billingPlan : nil)
        info.commitmentRenewalDate = latest.commitmentEnd
        info.commitmentRenewalPrice = (after.offer?.price ?? price(of: next, plan))?.milliunits
        info.commitmentRenewalBillingPlanType = plan?.rawValue
        return info
    }

    /// The win-back offers that the account can have, the best first (`WinBackRank`); of equal ones
    /// those of its last product, then in the catalog's order. Nil for none, and while the account
    /// subscribes.
    private var eligibleWinBackOffers: [String]? {
        guard hasEnded, let group = latest.sale.groupID,
            latest.sale.sharedTransaction == nil, let storefront
        else { return nil }
        let products = context.catalog.catalog.products.filter {
            $0.subscription?.groupID == group
        }
        let own = products.filter { $0.id == latest.sale.productID }
        let eligible = (own + products.filter { $0.id != latest.sale.productID }).flatMap {
            product in
            let history = OfferHistory(product, of: latest.account, in: context)
            return product.offers.compactMap { offer -> (id: OfferID, rank: WinBackRank)? in
                guard let id = offer.id, offer.kind == .winBack,
                    OfferEligibility.refusal(of: offer, to: history) == nil,
                    let rank = WinBackRank(offer, of: product, in: storefront, at: context.now)
                else { return nil }
                return (id, rank)
            }
        }
        let ranked = eligible.enumerated().sorted {
            ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset)
        }
        return ranked.isEmpty ? nil : ranked.map(\.element.id.rawValue)
    }

    private var storefront: Storefront? {
        Storefront.find(
            context.snapshot.accounts[latest.account]?.territory ?? latest.sale.storefront)
    }

    /// In the account's territory when the next period begins.
    private func price(of id: ProductID, _ plan: BillingPlanType?) -> Money? {
        let begin = max(context.now, latest.expiresDate ?? context.now)
        guard let storefront, let product = context.catalog.product(id) else { return nil }
        let usual: BillingPlanType? = id == latest.sale.productID ? .upFront : nil
        guard let terms = BillingTerms(plan ?? usual, of: product, in: storefront, at: begin)
        else { return nil }
        guard product.subscription?.preservesPrice == true else {
            // Too late to be told of a further rise, the customer is charged the price that was told.
            guard priceIncrease == .agreed, rise == nil else { return terms.price }
            let told = subscription?.state.toldPrice
            return terms.outdated(told, in: storefront, after: latest.sale) ?? terms.price
        }
        return PriceRise(
            after: latest.sale, to: terms, of: product, in: storefront, at: begin)?.from
            ?? terms.price
    }
}

extension TransactionRow {
    /// When the store begins to tell what stands in the way of the next period or changes its
    /// price.
    fileprivate func check(of term: SubscriptionTerm, to end: Timestamp) -> Timestamp {
        RenewalSchedule.check(
            from: sale.purchaseDate, to: end, of: term.period, rate: term.rate)
    }
}
