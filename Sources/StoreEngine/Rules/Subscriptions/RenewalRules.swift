import Basics
import StoreCatalog
import StoreModel

/// Decides the steps of a subscription that happen at their time without a request: it renews, its
/// payment fails, it recovers from that, or it expires.
///
/// A subscription has at most one due item. Its state decides the step (`step(_:_:_:in:)`):
///
/// 1. Up to a day before its period ends, the store charges for the next period. If that succeeds,
///    the next period is recorded then; it begins where the present one ends.
/// 2. If charging fails, the store tries again when the period ends. If that fails too, access
///    continues through the grace period if the store has one, and ends otherwise.
/// 3. Charging is retried until 60 days after the end. A success within the grace period keeps the
///    dates of the run. A later success begins a new run at that time. After 60 days the
///    subscription expires.
/// 4. While payments of a commitment are owed, the next one is charged at the commitment's price,
///    even if the customer has turned auto-renew off or the catalog has another price.
/// 5. A price that has risen is not charged before the customer was told: instead of the first
///    charge, the store records the notice or asks for consent, and charges when the period ends.
///    A price that rises again after that is told anew; too late for this, the price that the
///    customer was told is charged once more.
/// 6. A subscription with auto-renew off, or whose customer has not consented to a higher price,
///    expires when its period ends.
package enum RenewalRules {
    /// Entries for due items, each in effect at its own time, in order of time. Stops before the
    /// next item if an entry makes an item due at the same time or earlier; the remaining items
    /// belong to the next page. Skips items that another process has recorded meanwhile. Nil if no
    /// item is left to record.
    ///
    /// - Parameter items: due items in order of time. The snapshot must have their subscriptions,
    ///   due items and latest transactions.
    package static func carryOut(_ items: [DueItem], in context: RuleContext) -> Decision? {
        var entries: [Entry] = []
        var streams: Set<StreamID> = [.store]
        var soonest: Timestamp?
        for item in items {
            if let soonest, item.at >= soonest { break }
            guard context.snapshot.due[item.chain] == item,
                let subscription = context.snapshot.subscriptions[item.chain],
                let latest = context.snapshot.transactions[subscription.latest]
            else { continue }
            streams.insert(.account(item.account))
            let step = step(item, subscription, latest, in: context)
            if let next = step.nextDue { soonest = min(soonest ?? next, next) }
            entries.append(step)
        }
        guard !entries.isEmpty else { return nil }
        return Decision(reads: context.reads(Array(streams)), entries: entries)
    }

    /// In effect at its due time.
    static func step(
        _ item: DueItem, _ subscription: SubscriptionRow, _ latest: TransactionRow,
        in context: RuleContext
    ) -> Entry {
        let change = Changing(subscription, latest, at: item.at)
        guard let end = latest.expiresDate else { return change.expired(.other) }
        let isOver = item.at >= end
        guard subscription.autoRenews else {
            return change.expired(off: subscription.state.offReason)
        }
        if subscription.state.priceIncrease == .pending, isOver, !latest.sale.owesPayments {
            return change.expired(.didNotConsentToPriceIncrease)
        }
        if !isOver, subscription.state.priceIncrease != .pending,
            subscription.state.billing == nil,
            case .success(let next) = NextTerms.make(
                of: latest, subscription.state, at: item.at, in: context),
            let rise = next.rise, !next.isTold
        {
            return change.told(of: rise, until: end)
        }
        switch renewal(of: latest, subscription.state, at: item.at, in: context) {
        case .failure(let ended):
            return isOver
                ? change.expired(off: ended.reason)
                : change.autoRenewOff(ended.reason, dueAt: end)
        case .success(let sale):
            return charge(sale, of: change, in: context)
        }
    }

    /// The next period is sold; or, while payments are set to fail, its charge fails.
    static func charge(_ sale: Sale, of change: Changing, in context: RuleContext) -> Entry {
        let isFailing = (context.snapshot.renewals ?? .standard).failsBilling
        guard isFailing, let end = change.latest.expiresDate else { return change.sold(sale) }
        return failedCharge(change, end: end, in: context)
    }

    /// What `carryOut` reads.
    static func addKeys(ofDue items: [DueItem], to lookup: inout Lookup) {
        for item in items {
            lookup.query.subscriptions.insert(.init(account: item.account, id: item.chain))
            // The account is added only with the found row, so that it is looked up once and not
            // in every round.
            guard let latest = lookup.found.subscriptions[item.chain]?.latest else { continue }
            lookup.query.accounts.insert(item.account)
            lookup.query.sales.insert(latest)
        }
    }

    // MARK: - The next period

    /// The reason why a subscription ends instead of renewing.
    struct Ended: Error { var reason: AutoRenewChange.Reason }

    /// At the product's present price in the account's territory, but at no higher price than the
    /// customer was told.
    ///
    /// - Parameter instant: the time of the charge.
    static func renewal(
        of latest: TransactionRow, _ state: SubscriptionState, at instant: Timestamp,
        in context: RuleContext
    ) -> Result<Sale, Ended> {
        let sale = latest.sale
        let settings = context.snapshot.renewals ?? .standard
        guard let term = sale.term, let end = latest.expiresDate else {
            return .failure(Ended(reason: .productUnavailable))
        }
        if let limit = settings.renewalsMax, term.index >= limit {
            return .failure(Ended(reason: .renewalLimit))
        }
        if let limit = settings.limitPerDay, term.hasRenewed(limit, inDayBefore: end) {
            return .failure(Ended(reason: .renewalLimit))
        }
        let terms: NextTerms
        switch NextTerms.make(of: latest, state, at: instant, in: context) {
        case .success(let found): terms = found
        case .failure(let ended): return .failure(ended)
        }
        let (id, wanted) = (terms.productID, terms.period)
        // A charge within the grace period keeps the dates of the run.
        let access = max(end, state.billing?.graceUntil ?? end)
        var begin = instant <= access ? end : instant
        // A period of an offer may be shorter than the grace period. If it would already be over,
        // it begins now instead.
        let kept = RenewalSchedule.end(ofPeriod: 1, of: wanted, from: end, rate: term.rate)
        if kept < instant { begin = instant }
        var next: SubscriptionTerm
        if begin != end {
            next = term.nextRun(from: begin, after: end, period: wanted, rate: term.rate)
        } else if latest.state.expiresDate != nil || id != sale.productID || wanted != term.period {
            next = term.next(from: begin)
        } else {
            next = term.next
        }
        next.period = wanted
        guard next.end > begin else { return .failure(Ended(reason: .productUnavailable)) }
        var renewed = Sale(
            cause: .renewal, productID: id, appAccountToken: latest.appAccountToken,
            type: sale.type, groupID: sale.groupID,
            original: Sale.Original(
                id: latest.originalID,
                purchaseDate: sale.original?.purchaseDate ?? sale.purchaseDate),
            purchaseDate: begin, expiresDate: next.end, storefront: terms.territory,
            price: terms.price, isHosted: terms.isHosted, term: next)
        renewed.offer = terms.offer
        let isRaised = terms.rise.map { $0.from.milliunits < terms.price.milliunits } ?? false
        renewed.raisedAt = isRaised ? instant : id == sale.productID ? sale.raisedAt : nil
        if terms.commitment == nil, terms.agreedPrice != terms.price {
            renewed.regularPrice = terms.agreedPrice
        }
        renewed.extendedBy = latest.extensionsSoFar
        renewed.extendedAt = latest.backendExtensions(countedAt: instant)
        renewed.billingPlan = terms.billingPlan
        renewed.commitment = terms.commitment
        if sale.owesPayments {
            renewed.afterCommitment = state.afterCommitment ?? sale.afterCommitment
        }
        if wanted != terms.regularPeriod { renewed.ordinaryPeriod = terms.regularPeriod }
        if id == sale.productID, state.nextOffer == nil, sale.offer?.next != nil {
            renewed.nextOffer = sale.nextOffer
        }
        renewed.applicationUsernameHash = sale.applicationUsernameHash
        return .success(renewed)
    }

    /// The sale of the period that a purchase pays for, if its renewal could not be charged and is
    /// being retried (`BillingIssue.isOverdue`). Nil for any other purchase. Buying the plan of the
    /// last period cancels a planned change.
    static func recovery(
        of product: CatalogProduct, after latest: TransactionRow?, in context: RuleContext
    ) -> Sale? {
        guard let latest, !latest.state.isRevoked,
            let subscription = context.snapshot.subscriptions[latest.originalID],
            subscription.latest == latest.id, subscription.state.expired == nil,
            subscription.state.billing?.isOverdue == true
        else { return nil }
        var state = subscription.state
        if product.id == latest.sale.productID {
            _ = state.takePlanBack(after: latest.sale)
            state.renewAgain(after: latest.sale)
        }
        guard product.id == state.nextProductID ?? latest.sale.productID,
            case .success(let sale) = renewal(of: latest, state, at: context.now, in: context)
        else { return nil }
        return sale
    }

    /// The offer of a subscription's next period: an offer that was redeemed for it, otherwise the
    /// rest of the present offer, otherwise the offer that follows the present one. A change of
    /// plan, or of the territory to one with another currency, ends an offer.
    static func offer(
        of id: ProductID, after sale: Sale, _ state: SubscriptionState, at currency: String
    ) -> SoldOffer? {
        let offer =
            state.nextOffer?.next ?? (id == sale.productID ? sale.offerOfNext : nil)
        return offer?.price.currency == currency ? offer : nil
    }

    // MARK: - A failed charge

    private static func failedCharge(
        _ change: Changing, end: Timestamp, in context: RuleContext
    ) -> Entry {
        guard let term = change.latest.sale.term else { return change.expired(.billingError) }
        let settings = context.snapshot.renewals ?? .standard
        var state = change.subscription.state
        var issue: BillingIssue
        if let before = state.billing {
            issue = before
            issue.attempts = issue.attempts.addingClamped(1)
        } else {
            issue = BillingIssue(
                since: change.at,
                retryUntil: end.advanced(
                    byMilliseconds: term.rate.retryMilliseconds(of: term.period)))
        }
        let kind: SubscriptionEvent.Kind
        var until: Timestamp? = issue.retryUntil
        if change.at >= issue.retryUntil {
            return change.expired(.billingError)
        } else if change.at < end {
            kind = .billingFailed
            until = end
        } else if !issue.isOverdue {
            issue.isOverdue = true
            if settings.hasGracePeriod {
                issue.graceUntil = end.advanced(
                    byMilliseconds: term.rate.graceMilliseconds(
                        of: change.latest.sale.commitment == nil
                            ? change.latest.sale.regularPeriod ?? term.period : term.period))
            }
            kind = settings.hasGracePeriod ? .graceBegan : .billingRetryBegan
            until = issue.graceUntil ?? issue.retryUntil
        } else {
            kind = change.at == issue.graceUntil ? .graceEnded : .billingRetryFailed
        }
        state.billing = issue
        let next = RenewalSchedule.nextAttempt(
            after: change.at, end: end, issue: issue, of: term.period, rate: term.rate)
        return change.entry(kind, state, until: until, dueAt: next ?? issue.retryUntil)
    }

    // MARK: - Auto-renew

    /// Nil if nothing changes.
    ///
    /// - Throws: `transactionNotFound`, `storeNewer`; `noSubscription` if the transaction belongs
    ///   to no subscription that renews, or if the subscription is over and auto-renew is to be
    ///   turned on.
    static func setAutoRenew(
        of id: TransactionID, _ isOn: Bool, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        let change = try Changing(of: id, in: context)
        guard change.renewsInTheEnd != isOn else { return nil }
        if isOn { try change.refuseIfOver() }
        return Decision(
            reads: context.reads(change.account),
            entries: [isOn ? change.autoRenewOn() : change.autoRenewOff(.chosen)])
    }

    static func addKeys(of id: TransactionID, to lookup: inout Lookup) {
        lookup.query.sales.insert(id)
        guard let row = lookup.found.transactions[id] else { return }
        lookup.query.accounts.insert(row.account)
        let chain = LedgerQuery.Sold(account: row.account, id: row.originalID)
        lookup.query.subscriptions.insert(chain)
        guard let subscription = lookup.found.subscriptions[chain.id] else { return }
        lookup.query.sales.insert(subscription.latest)
        if let previous = subscription.previous { lookup.query.sales.insert(previous) }
    }
}

extension SubscriptionTerm {
    /// Whether `count` renewals of this run began within the 24 hours before `instant`.
    fileprivate func hasRenewed(_ count: Int, inDayBefore instant: Timestamp) -> Bool {
        let first = index.addingClamped(1).subtractingClamped(count)
        guard count > 0 else { return true }
        guard first >= 1, first >= anchorIndex else { return false }
        let begin =
            first == anchorIndex
            ? anchor
            : RenewalSchedule.end(
                ofPeriod: first.subtractingClamped(anchorIndex), of: period, from: anchor,
                rate: rate)
        return begin > instant.advanced(byMilliseconds: -86_400_000)
    }
}

extension Optional<AutoRenewChange.Reason> {
    /// Of a subscription whose auto-renew was turned off for this reason.
    var expiration: ExpirationReason {
        switch self {
        case nil, .chosen?: .autoRenewDisabled
        case .productUnavailable?: .productUnavailable
        case .priceDeclined?: .didNotConsentToPriceIncrease
        case .renewalLimit?, .revoked?, .expired?: .other
        }
    }
}

extension Entry {
    /// Nil if the subscription has no due item.
    fileprivate var nextDue: Timestamp? {
        if case .autoRenewChanged(let change) = fact { return change.next?.at }
        if case .subscriptionChanged(let change) = fact { return change.next?.at }
        guard case .sold(let sale) = fact else { return nil }
        return sale.firstStep(soldAt: effectiveAt)
    }
}
