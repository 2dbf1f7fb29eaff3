/// The life of a subscription as a list of dated lines, computed from the store's history.
package struct SubscriptionTimeline: Hashable, Sendable {
    /// One line of the timeline.
    package struct Item: Hashable, Sendable {
        /// When the step happened, in store time: for a sale when it was charged, for a gap when it
        /// began.
        package var at: Timestamp
        package var productID: ProductID
        package var what: What
        /// When the sold period begins, if not at `at`: a renewal is charged up to a day ahead, and
        /// a renewal that failed is paid later.
        package var from: Timestamp?
        /// When the sold period ends, or the date that an event names (`SubscriptionEvent.until`),
        /// if any.
        package var until: Timestamp?
        /// Charged or given back; nil for a step without money.
        package var money: Money?
        /// The product that a planned change of plan leads to, at `until`.
        package var nextProductID: ProductID?
        /// The billing plan from the planned change on; nil if the customer chose none.
        package var nextBillingPlan: BillingPlanType?
        package var isAtRenewalLimit = false
        /// Whether the line is a planned change, of the plan or the billing plan, which begins at
        /// `until`.
        package var isPlannedChange: Bool { nextProductID != nil || nextBillingPlan != nil }
        /// Of the period's offer; nil without an offer.
        package var offerMode: OfferMode?
    }

    /// A step of a subscription's life.
    package enum What: Hashable, Sendable {
        /// The first period was bought.
        case subscribed
        case resubscribed
        /// At once, to another plan of the group.
        case changedPlan
        /// The next period was paid in time.
        case renewed
        /// The next period was paid after a failed charge.
        case recovered
        /// Whole days without access. An unpaid grace period counts as access.
        case gap(days: Int)
        case autoRenew(isOn: Bool)
        case event(SubscriptionEvent.Kind)
        case expired(ExpirationReason?)
        case revised(RevisionKind)
    }

    /// A stretch of time without a break.
    package struct Interval: Hashable, Sendable, Codable {
        package var from: Timestamp
        /// Nil without an end, as for a free subscription.
        package var until: Timestamp?
    }

    /// A timeline is computed from them.
    package static let kinds: Set<EventKind> = [
        .sold, .refunded, .revoked, .refundReversed, .expiryMoved, .upgraded, .autoRenewEnabled,
        .autoRenewDisabled, .expired, .billingFailed, .priceIncrease, .planChange,
        .offerRedeemed,
    ]

    /// In order of time; lines of one instant in the order of the ledger.
    package private(set) var items: [Item] = []
    /// When the subscription was active, in order: the periods that are not revoked, and the grace
    /// periods after them, as far as they were used.
    package private(set) var active: [Interval] = []

    /// - Parameters:
    ///   - events: of one account, oldest first; events of other subscriptions are ignored.
    ///   - chain: the first transaction of the subscription.
    package init(_ events: [StoreEvent], of chain: TransactionID) {
        var periods: [TransactionID: (sale: PastSale, isRevoked: Bool)] = [:]
        var order: [TransactionID] = []
        var (hasFailed, hasExpired) = (false, false)
        var last: PastSale?
        /// The end of the grace period after `last`; nil for none.
        var graceEnd: Timestamp?
        var graces: [Interval] = []
        for event in events {
            switch event.change {
            case .sold(let sale) where sale.originalID == chain && sale.type == .autoRenewable:
                let end = last.flatMap { periods[$0.id]?.sale.expiresAt }
                let lastAccess = end.map { max($0, graceEnd ?? $0) }
                let gap = Self.gap(from: lastAccess, to: sale.purchasedAt)
                if let gap, let last, let lastAccess {
                    items.append(
                        Item(at: lastAccess, productID: last.productID, what: .gap(days: gap)))
                }
                items.append(
                    Item(
                        at: event.happenedAt, productID: sale.productID,
                        what: Self.what(
                            sale, after: last, hasFailed: hasFailed,
                            isAnew: hasExpired || (gap != nil && !hasFailed),
                            hasGap: gap != nil),
                        from: sale.purchasedAt == event.happenedAt ? nil : sale.purchasedAt,
                        until: sale.expiresAt, money: sale.price, offerMode: sale.offerMode))
                periods[sale.id] = (sale, false)
                order.append(sale.id)
                (hasFailed, hasExpired) = (false, false)
                Self.end(&graces, at: event.happenedAt)
                (last, graceEnd) = (sale, nil)
            case .revised(let revision) where periods[revision.id] != nil:
                if let until = revision.sale?.expiresAt {
                    periods[revision.id]?.sale.expiresAt = until
                }
                periods[revision.id]?.isRevoked = revision.revocation != nil
                if revision.revocation != nil, revision.id == last?.id {
                    Self.end(&graces, at: event.happenedAt)
                }
                if revision.revocation != nil, revision.kind == .upgraded {
                    periods[revision.id]?.isRevoked = false
                    periods[revision.id]?.sale.expiresAt = event.happenedAt
                }
                if last?.id == revision.id { last = periods[revision.id]?.sale }
                items.append(
                    Item(
                        at: event.happenedAt, productID: revision.productID,
                        what: .revised(revision.kind),
                        until: revision.kind == .expiryMoved ? revision.sale?.expiresAt : nil,
                        money: revision.money))
            case .autoRenewChanged(chain, let product, let isOn, _):
                items.append(
                    Item(at: event.happenedAt, productID: product, what: .autoRenew(isOn: isOn)))
            case .subscriptionChanged(let change) where change.chain == chain:
                if change.eventKind == .billingFailed { hasFailed = true }
                if change.kind == .expired {
                    hasExpired = true
                    Self.end(&graces, at: event.happenedAt)
                }
                if change.kind == .graceBegan, let until = change.until {
                    graceEnd = until
                    graces.append(Interval(from: event.happenedAt, until: until))
                }
                items.append(
                    Item(
                        at: event.happenedAt, productID: change.productID,
                        what: change.kind == .expired
                            ? .expired(change.reason) : .event(change.kind),
                        until: change.until,
                        nextProductID: change.kind == .planChangePlanned
                            ? change.nextProductID : nil,
                        nextBillingPlan: change.nextBillingPlan,
                        isAtRenewalLimit: change.isAtRenewalLimit == true))
            default: break
            }
        }
        // The gap is found at a later sale, so the lines are sorted. Lines of one instant keep the
        // order of the ledger.
        items = items.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        let paid = order.compactMap { periods[$0] }.filter { !$0.isRevoked }.map {
            Interval(from: $0.sale.purchasedAt, until: $0.sale.expiresAt)
        }
        for interval in (paid + graces).sorted(by: { $0.from < $1.from }) {
            let (from, until) = (interval.from, interval.until)
            if let until, until <= from { continue }
            if let last = active.last, last.until.map({ from <= $0 }) ?? true {
                active[active.count - 1].until = last.until.flatMap { end in
                    until.map { max(end, $0) }
                }
            } else {
                active.append(Interval(from: from, until: until))
            }
        }
    }

    /// - Parameters:
    ///   - hasFailed: whether charging for the period had failed before.
    ///   - isAnew: whether the subscription was over before.
    ///   - hasGap: whether it begins after the end of the last period.
    private static func what(
        _ sale: PastSale, after last: PastSale?, hasFailed: Bool, isAnew: Bool, hasGap: Bool
    ) -> What {
        guard let last else { return .subscribed }
        // A family member gets no event when charging the owner fails. A shared renewal after a gap
        // is therefore taken for one that was paid late.
        if sale.sharedBy != nil, sale.reason == .renewal, hasGap { return .recovered }
        if isAnew { return .resubscribed }
        if sale.productID != last.productID { return .changedPlan }
        if hasFailed { return .recovered }
        return sale.reason == .renewal ? .renewed : .resubscribed
    }

    private static func end(_ graces: inout [Interval], at instant: Timestamp) {
        guard let until = graces.last?.until, until > instant else { return }
        graces[graces.count - 1].until = instant
    }

    /// Whole days; nil if there is no gap.
    private static func gap(from end: Timestamp?, to begin: Timestamp) -> Int? {
        guard let end, begin > end else { return nil }
        return Int(begin.milliseconds(since: end) / 86_400_000)
    }
}
