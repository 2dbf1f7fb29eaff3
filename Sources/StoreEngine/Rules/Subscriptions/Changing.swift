import Basics
import StoreModel

/// A subscription under change: its rows, and functions that make the entries of each change.
struct Changing {
    let subscription: SubscriptionRow
    let latest: TransactionRow
    /// When the change takes effect.
    let at: Timestamp
    /// The payment that makes the change without a charge; nil if no payment does.
    var answered: AnsweredPayment?
    /// Whether it plans a change to a lower level.
    var isDowngrade = false

    init(_ subscription: SubscriptionRow, _ latest: TransactionRow, at: Timestamp) {
        self.subscription = subscription
        self.latest = latest
        self.at = at
    }

    /// The change takes effect now.
    ///
    /// - Throws: `transactionNotFound`, `storeNewer`; `noSubscription` if the transaction belongs
    ///   to no subscription that renews.
    init(of id: TransactionID, in context: RuleContext) throws(StoreError) {
        guard let row = context.snapshot.transactions[id], !row.state.isDeleted else {
            throw StoreError(.transactionNotFound, transactionID: id)
        }
        try context.snapshot.refuseUnknownFacts(of: row.account)
        guard let subscription = context.snapshot.subscriptions[row.originalID],
            let latest = context.snapshot.transactions[subscription.latest]
        else {
            throw StoreError(
                .noSubscription, productID: row.sale.productID, transactionID: id,
                subject: SubscriptionObstacle.neverRenews.rawValue)
        }
        self.init(subscription, latest, at: context.now)
    }

    var account: AccountName { subscription.account }
    var chain: TransactionID { subscription.chain }
    var productID: ProductID { latest.sale.productID }

    /// Whether the subscription has expired or its last period was revoked, so that it must be
    /// bought again. A subscription in billing retry is not over.
    var isOver: Bool {
        if subscription.state.expired != nil || latest.state.isRevoked { return true }
        return subscription.state.billing == nil && !latest.isActive(at: at)
    }

    func refuseIfOver() throws(StoreError) {
        guard isOver else { return }
        throw obstacle(.over, latest.id)
    }

    func obstacle(_ obstacle: SubscriptionObstacle, _ id: TransactionID) -> StoreError {
        StoreError(
            .noSubscription, productID: productID, transactionID: id, subject: obstacle.rawValue)
    }

    // MARK: - Entries

    /// A change of the subscription as a whole.
    ///
    /// - Parameter dueAt: when the next step is due; nil if none is.
    func entry(
        _ kind: SubscriptionEvent.Kind, _ state: SubscriptionState, autoRenews: Bool = true,
        until: Timestamp? = nil, reason: ExpirationReason? = nil, isAtRenewalLimit: Bool = false,
        dueAt: Timestamp?
    ) -> Entry {
        var event = SubscriptionEvent(kind: kind, chain: chain, productID: productID)
        event.until = until
        event.nextProductID = state.nextProductID ?? state.afterCommitment?.productID
        event.reason = reason
        event.isAtRenewalLimit = isAtRenewalLimit ? true : nil
        event.isDowngrade = isDowngrade ? true : nil
        if kind == .planChangePlanned {
            event.nextBillingPlan = state.nextBillingPlan ?? state.afterCommitment?.billingPlan
        }
        return Entry(
            account: account, device: nil, effectiveAt: at,
            fact: .subscriptionChanged(
                SubscriptionChange(
                    event: event, autoRenews: autoRenews, state: state,
                    next: dueAt.map { item(at: $0) }, answered: answered)))
    }

    /// The entry for an expiry because auto-renew was off, or would have been turned off.
    func expired(off reason: AutoRenewChange.Reason?) -> Entry {
        expired(reason.expiration, isAtRenewalLimit: reason == .renewalLimit)
    }

    func expired(_ reason: ExpirationReason, isAtRenewalLimit: Bool = false) -> Entry {
        entry(
            .expired,
            SubscriptionState(
                offReason: subscription.state.offReason
                    ?? (isAtRenewalLimit ? .renewalLimit : .expired), expired: reason),
            autoRenews: false, reason: reason, isAtRenewalLimit: isAtRenewalLimit, dueAt: nil)
    }

    /// The customer is told of a higher price before it is charged, when the period ends.
    func told(of rise: PriceRise, until end: Timestamp) -> Entry {
        var state = subscription.state
        state.priceIncrease = rise.answer
        state.toldPrice = rise.to
        return entry(
            rise.needsConsent ? .priceIncreaseAsked : .priceIncreaseNotified, state, until: end,
            dueAt: end)
    }

    func sold(_ sale: Sale) -> Entry {
        Entry(
            account: account, device: nil, effectiveAt: at, number: .next, fact: .sold(sale))
    }

    func autoRenewOn() -> Entry {
        var state = subscription.state
        state.renewAgain(after: latest.sale)
        return autoRenew(true, .chosen, state, next: nextStep(state))
    }

    /// Whether the subscription renews after its last period, or after the commitment whose
    /// payments are owed.
    var renewsInTheEnd: Bool {
        guard subscription.autoRenews else { return false }
        guard latest.sale.commitment != nil else { return true }
        return subscription.state.afterCommitment(of: latest.sale).offReason == nil
    }

    /// Also cancels a waiting change of plan, and puts aside an offer for the next renewal of the
    /// present plan. The subscription expires when its last period ends, or with the grace period
    /// that has begun. While payments of a commitment are owed, it expires when the commitment
    /// ends.
    ///
    /// - Parameters:
    ///   - dueAt: when the subscription expires, if not at these times.
    ///   - over: whether the subscription is over now, so that no step is due.
    func autoRenewOff(
        _ reason: AutoRenewChange.Reason, dueAt: Timestamp? = nil, over: Bool = false
    ) -> Entry {
        var state = subscription.state
        let offer = state.offerOfPresentPlan(after: latest.sale)
        if latest.sale.owesPayments, dueAt == nil, !over {
            state.afterCommitment = AfterCommitment(offReason: reason, offerAside: offer)
            return autoRenew(
                false, reason, state, next: nextStep(state),
                commitmentEnds: latest.commitmentEnd)
        }
        state.offReason = reason
        state.nextBillingPlan = nil
        state.nextProductID = nil
        state.nextOffer = nil
        state.offerAside = offer
        if latest.sale.commitment != nil { state.afterCommitment = .same }
        state.forgetPriceIncrease()
        let end = [latest.expiresDate, state.billing?.graceUntil].compactMap { $0 }.max()
            .map { max($0, at) }
        return autoRenew(false, reason, state, next: over ? nil : dueAt ?? end)
    }

    private func autoRenew(
        _ isOn: Bool, _ reason: AutoRenewChange.Reason, _ state: SubscriptionState,
        next: Timestamp?, commitmentEnds: Timestamp? = nil
    ) -> Entry {
        Entry(
            account: account, device: nil, effectiveAt: at,
            fact: .autoRenewChanged(
                AutoRenewChange(
                    chain: chain, productID: productID, isOn: isOn, reason: reason,
                    next: next.map { item(at: $0) }, state: state, answered: answered,
                    commitmentEnds: commitmentEnds)))
    }

    /// At the earliest now.
    func nextStep(_ state: SubscriptionState) -> Timestamp? {
        guard let term = latest.sale.term, let end = latest.expiresDate else { return nil }
        if state.priceIncrease == .pending { return max(at, end) }
        if let issue = state.billing {
            return RenewalSchedule.nextAttempt(
                after: at, end: end, issue: issue, of: term.period, rate: term.rate) ?? at
        }
        return latest.sale.firstStep(state, until: end, at: at)
    }

    /// The subscription after the change, for an entry about one of its periods that also records
    /// the change of the subscription.
    func renewal() -> TransactionRevision.Renewal {
        let state = subscription.state
        let due = subscription.autoRenews ? nextStep(state) : latest.expiresDate.map { max($0, at) }
        return TransactionRevision.Renewal(
            chain: chain, autoRenews: subscription.autoRenews, state: state,
            next: due.map { item(at: $0) })
    }

    private func item(at instant: Timestamp) -> DueItem {
        DueItem(
            account: account, chain: chain, kind: .renewal,
            period: subscription.ordinal.addingClamped(1),
            at: instant)
    }
}
