import Foundation
import StoreCatalog
import StoreModel

/// Decides the operator's changes of a subscription. Any of its transactions identifies it.
enum SubscriptionRules {
    /// The days by which one extension may extend (App Store Server API: `extendByDays`).
    static let extensionDays = 1...90

    /// How often the app's backend may extend a subscription in `extensionYear` (App Store Server
    /// API: `SUBSCRIPTION_MAX_EXTENSION`). The operator may extend it any number of times.
    static let backendExtensionsMax = 2
    /// 365 days.
    static let extensionYear: Int64 = 365 * 86_400_000

    /// StoreKit Test: `expireSubscription`. A next period that was charged already is refunded.
    ///
    /// - Throws: `transactionNotFound`, `storeNewer`, `noSubscription`.
    static func expire(_ id: TransactionID, in context: RuleContext) throws(StoreError) -> Decision
    {
        let change = try Changing(of: id, in: context)
        try change.refuseIfOver()
        var entries: [Entry] = []
        if change.latest.sale.purchaseDate > change.at {
            entries.append(
                RefundRules.refunded(change.latest, .all, reason: .other, in: context))
            if let current = current(change, in: context) {
                entries.append(moved(current, to: change.at))
            }
        } else if change.latest.isActive(at: change.at) {
            entries.append(moved(change.latest, to: change.at))
        }
        entries.append(change.expired(.other))
        return Decision(reads: context.reads(change.account), entries: entries)
    }

    /// Its period ends and the next one begins (StoreKit Test: `forceRenewalOfSubscription`), or,
    /// while payments are set to fail, the charge for it fails. Turns auto-renew on if it was off.
    ///
    /// - Throws: as `expire`; `productUnavailable` if the subscription cannot be renewed;
    ///   `periodJustBegun` if its period began at this same time; `nextPeriodCharged` if the next
    ///   period is recorded and has not begun, because its transaction is signed with its dates.
    static func renew(_ id: TransactionID, in context: RuleContext) throws(StoreError) -> Decision {
        let change = try Changing(of: id, in: context)
        try change.refuseIfOver()
        guard change.latest.sale.purchaseDate <= change.at else {
            throw StoreError(
                .nextPeriodCharged, productID: change.productID, transactionID: id,
                found: change.latest.sale.purchaseDate)
        }
        guard change.latest.sale.purchaseDate < change.at else {
            throw StoreError(.periodJustBegun, productID: change.productID, transactionID: id)
        }
        var (subscription, latest) = (change.subscription, change.latest)
        var entries: [Entry] = []
        if !change.renewsInTheEnd {
            entries.append(change.autoRenewOn())
            subscription.state.renewAgain(after: latest.sale)
        }
        if latest.isActive(at: change.at) {
            entries.append(moved(latest, to: change.at))
            latest.state.expiresDate = change.at
        }
        let sale = try charged(latest, change, in: context)
        entries.append(
            RenewalRules.charge(
                sale, of: Changing(subscription, latest, at: change.at), in: context))
        return Decision(reads: context.reads(change.account), entries: entries)
    }

    /// Charges for the next period even while payments are set to fail (StoreKit Test:
    /// `resolveIssueForTransaction`).
    ///
    /// - Throws: as `renew`; `noBillingIssue`.
    static func resolveBilling(
        _ id: TransactionID, in context: RuleContext
    ) throws(StoreError) -> Decision {
        let change = try Changing(of: id, in: context)
        guard change.subscription.state.billing != nil, change.subscription.autoRenews else {
            throw StoreError(.noBillingIssue, productID: change.productID, transactionID: id)
        }
        let sale = try charged(change.latest, change, in: context)
        return Decision(reads: context.reads(change.account), entries: [change.sold(sale)])
    }

    private static func charged(
        _ latest: TransactionRow, _ change: Changing, in context: RuleContext
    ) throws(StoreError) -> Sale {
        var state = change.subscription.state
        // A subscription that was to end continues, with an offer that was redeemed for its
        // renewal.
        if !change.renewsInTheEnd { state.renewAgain(after: latest.sale) }
        switch RenewalRules.renewal(of: latest, state, at: change.at, in: context) {
        case .success(let sale): return sale
        case .failure:
            throw StoreError(
                .productUnavailable, productID: change.productID, transactionID: latest.id)
        }
    }

    // MARK: - Price increase

    /// Asks for the customer's consent to a higher price, notifies the customer of a price that
    /// needs no consent, or answers in the customer's place. Nil if that changes nothing.
    ///
    /// - Throws: as `expire`; `noSubscription` if the customer is to be asked or notified and the
    ///   subscription does not renew; `priceCommitted` within a commitment; `noPriceIncrease` for
    ///   an answer if no consent was asked for.
    static func priceIncrease(
        _ id: TransactionID, _ step: PriceIncreaseStep, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        let change = try Changing(of: id, in: context)
        try change.refuseIfOver()
        let status = StatusRules(
            subscription: change.subscription, latest: change.latest, current: change.latest,
            context: context)
        var state = change.subscription.state
        let entry: Entry
        switch step {
        case .ask, .notify:
            try refuseUnlessPriceChanges(change, id)
            let increase: PriceIncrease = step == .ask ? .pending : .agreed
            guard state.priceIncrease != increase else { return nil }
            state.priceIncrease = increase
            state.toldPrice = status.toldPrice
            entry = change.entry(
                step == .ask ? .priceIncreaseAsked : .priceIncreaseNotified, state,
                until: change.latest.expiresDate, dueAt: change.nextStep(state))
        case .consent:
            if state.priceIncrease == .agreed, status.priceIncrease == .agreed { return nil }
            try refuseUnlessAsked(status)
            state.priceIncrease = .agreed
            state.toldPrice = status.toldPrice
            entry = change.entry(.priceIncreaseAgreed, state, dueAt: change.nextStep(state))
        case .decline:
            try refuseUnlessAsked(status)
            entry = change.autoRenewOff(.priceDeclined)
        }
        return Decision(reads: context.reads(change.account), entries: [entry])
    }

    /// Refuses a price increase if no payment at another price can follow: auto-renew is off, the
    /// payment for a period that has begun is still owed at the present price, or a commitment
    /// fixes the price.
    private static func refuseUnlessPriceChanges(
        _ change: Changing, _ id: TransactionID
    ) throws(StoreError) {
        guard change.subscription.autoRenews else { throw change.obstacle(.renewalOff, id) }
        guard change.subscription.state.billing?.isOverdue != true else {
            throw change.obstacle(.paymentOwed, id)
        }
        // A commitment has a fixed price. Consent can be asked for in the period of its last
        // payment.
        if let commitment = change.latest.sale.commitment, commitment.owesMore {
            throw StoreError(
                .priceCommitted, productID: change.productID, transactionID: id,
                found: commitment.number, expected: commitment.count)
        }
    }

    /// The shop also shows a rise of the catalog's price for 10 days before the store asks.
    private static func refuseUnlessAsked(_ status: StatusRules) throws(StoreError) {
        guard status.priceIncrease == .pending else {
            throw StoreError(
                .noPriceIncrease, productID: status.latest.sale.productID,
                transactionID: status.latest.id)
        }
    }

    // MARK: - Extension

    /// Moves the end of the last period, and with it the dates of the run, by days of 24 hours (App
    /// Store Server API: `Extend a Subscription Renewal Date`).
    ///
    /// - Parameter isOfBackend: whether the app's backend extends it, not the operator.
    /// - Throws: as `expire`; `noSubscription` with the obstacle for a subscription in billing retry,
    ///   and for one that the backend may not extend again; `invalidName` unless `days` is 1 to 90.
    static func extend(
        _ id: TransactionID, days: Int, isOfBackend: Bool = false, in context: RuleContext
    ) throws(StoreError) -> Decision {
        try check(days)
        let change = try Changing(of: id, in: context)
        if let obstacle = obstacle(toExtending: change, isOfBackend: isOfBackend) {
            throw change.obstacle(obstacle, id)
        }
        return Decision(
            reads: context.reads(change.account),
            entries: [extended(change, days: days, isOfBackend: isOfBackend)])
    }

    /// Why a subscription is not extended now; nil if it can be.
    static func obstacle(
        toExtending change: Changing, isOfBackend: Bool
    ) -> SubscriptionObstacle? {
        if change.isOver { return .over }
        if !change.latest.isActive(at: change.at) { return .paymentOwed }
        let counted = change.latest.backendExtensions(countedAt: change.at)?.count ?? 0
        return isOfBackend && counted >= backendExtensionsMax ? .extendedTwice : nil
    }

    /// Throws `invalidName` unless `days` is 1 to 90.
    static func check(_ days: Int) throws(StoreError) {
        guard extensionDays.contains(days) else {
            throw StoreError(
                .invalidName, subject: "days", found: days, expected: "1 to 90")
        }
    }

    /// Records the first use of an extension's identifier. `StoreEngine.extendAll` then extends
    /// page by page (`ExtendRequest`). Nil without an identifier, and for one that was used before.
    ///
    /// - Throws: `productUnavailable` for an unknown product; `noSubscription` for one that does
    ///   not renew; `invalidName` unless `days` is 1 to 90.
    static func extendAll(
        _ product: ProductID, days: Int, id: UUID?, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        if let id {
            return try extendAll(
                ExtensionRequest(id: id, productID: product, days: days), in: context)
        }
        try check(days)
        _ = try plan(product, in: context)
        return nil
    }

    static func extendAll(
        _ request: ExtensionRequest, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        try check(request.days)
        _ = try plan(request.productID, in: context)
        guard context.snapshot.extensions[request.id] == nil else { return nil }
        return context.storeDecision(.extensionAsked(request))
    }

    /// - Throws: `productUnavailable` for an unknown product; `noSubscription` for one that does
    ///   not renew.
    static func plan(
        _ product: ProductID, in context: RuleContext
    ) throws(StoreError) -> CatalogProduct {
        guard let found = context.catalog.product(product) else {
            throw StoreError(.productUnavailable, productID: product, reason: .operator)
        }
        guard found.type == .autoRenewable, found.subscription?.period != nil else {
            throw StoreError(
                .noSubscription, productID: product,
                subject: SubscriptionObstacle.neverRenews.rawValue)
        }
        return found
    }

    /// Extends a subscription that can be (`obstacle(toExtending:isOfBackend:)`).
    ///
    /// - Parameter request: the extension for all that this one is part of; nil for a single
    ///   extension.
    static func extended(
        _ change: Changing, days: Int, by request: UUID? = nil, isOfBackend: Bool
    ) -> Entry {
        let end = (change.latest.expiresDate ?? change.at)
            .advanced(byMilliseconds: Int64(days) * 86_400_000)
        var latest = change.latest
        latest.state.expiresDate = end
        if let request { latest.state.extensions = (latest.state.extensions ?? []) + [request] }
        if isOfBackend { latest.state.extendedAt = (latest.state.extendedAt ?? []) + [change.at] }
        var subscription = change.subscription
        // A failed attempt to charge was for a period that now begins later.
        subscription.state.billing = nil
        let renewal = Changing(subscription, latest, at: change.at).renewal()
        return latest.revised(.expiryMoved, at: change.at, renewal)
    }

    // MARK: - Cancellation

    /// Cancels the subscription, as Apple's customer service does: the present period, and a next
    /// one that was recorded already, are refunded in full, and auto-renew is off.
    ///
    /// - Throws: as `expire`.
    static func cancel(_ id: TransactionID, in context: RuleContext) throws(StoreError) -> Decision
    {
        let change = try Changing(of: id, in: context)
        try change.refuseIfOver()
        var rows = [change.latest]
        if change.latest.sale.purchaseDate > change.at,
            let current = current(change, in: context)
        {
            rows.insert(current, at: 0)
        }
        var entries: [Entry] = []
        for row in rows where row.state.revocation?.refunded != .all {
            entries.append(
                RefundRules.refunded(row, .all, reason: .other, in: context))
        }
        entries.append(change.autoRenewOff(.revoked, over: true))
        return Decision(reads: context.reads(change.account), entries: entries)
    }

    // MARK: - Periods

    /// The period before the latest, which contains now if the latest has not begun; nil if it is
    /// not active.
    private static func current(_ change: Changing, in context: RuleContext) -> TransactionRow? {
        guard let id = change.subscription.previous,
            let row = context.snapshot.transactions[id], row.isActive(at: change.at)
        else { return nil }
        return row
    }

    /// Another entry has the effects on the subscription.
    private static func moved(_ row: TransactionRow, to end: Timestamp) -> Entry {
        var row = row
        row.state.expiresDate = end
        return row.revised(.expiryMoved, at: end)
    }
}

/// A request to extend one page of a product's subscriptions. The store extends all of them page by
/// page, each page in one write.
struct ExtendRequest: Request {
    /// Subscriptions of other products and storefronts are skipped, and periods that the request
    /// has already moved.
    var request: ExtensionRequest
    /// When the identifier was first used; nil for now. Accounts that subscribed later are skipped.
    var firstUse: Timestamp? = nil
    var chains: [LedgerQuery.Sold]

    func addKeys(to lookup: inout Lookup) {
        for chain in chains {
            lookup.query.accounts.insert(chain.account)
            lookup.query.subscriptions.insert(chain)
            guard let subscription = lookup.found.subscriptions[chain.id] else { continue }
            lookup.query.sales.insert(subscription.latest)
        }
    }

    func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    /// Skips subscriptions that are over, of another product or storefront, or begun after the
    /// request's first use. One in billing retry is a failure, as is one that the app's backend may
    /// not extend again.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Extended> {
        var entries: [Entry] = []
        var streams: Set<StreamID> = [.store]
        var found = Extended()
        for chain in chains {
            guard let subscription = context.snapshot.subscriptions[chain.id],
                let latest = context.snapshot.transactions[subscription.latest],
                latest.sale.productID == request.productID,
                firstUse.map({ latest.hasSubscribed(at: $0) }) ?? true,
                request.storefronts?.contains(latest.sale.storefront) != false
            else { continue }
            guard latest.extensionsSoFar?.contains(request.id) != true else {
                found.before += 1
                continue
            }
            let change = Changing(subscription, latest, at: context.now)
            if let obstacle = SubscriptionRules.obstacle(
                toExtending: change, isOfBackend: request.isOfBackend)
            {
                if obstacle != .over { found.failures.append(chain.id) }
                continue
            }
            found.now += 1
            streams.insert(.account(chain.account))
            entries.append(
                SubscriptionRules.extended(
                    change, days: request.days, by: request.id, isOfBackend: request.isOfBackend))
        }
        let page = found
        guard !entries.isEmpty else { return .answer(page) }
        return .record(
            Decision(reads: context.reads(Array(streams)), entries: entries)
        ) { recorded in
            var page = page
            page.entries = recorded
            return page
        }
    }

    /// The result of a page: the recorded entries, those of family shares among them, and the number
    /// of subscriptions.
    struct Extended {
        var entries: [RecordedEntry] = []
        /// Extended by this call.
        var now = 0
        /// Extended by an earlier call of the same request.
        var before = 0
        /// Those that could not be extended, by their first transactions.
        var failures: [TransactionID] = []
    }
}

extension TransactionRow {
    /// Whether the subscription's present series of periods, without a break of more than 60 days,
    /// had begun at `instant` (App Store Server API: `recentSubscriptionStartDate`).
    fileprivate func hasSubscribed(at instant: Timestamp) -> Bool {
        (sale.term?.seriesStart ?? sale.term?.anchor ?? sale.purchaseDate) <= instant
    }

    /// Nil for none.
    var extensionsSoFar: [UUID]? {
        let all = (sale.extendedBy ?? []) + (state.extensions ?? [])
        return all.isEmpty ? nil : all
    }

    /// When the app's backend extended the subscription in the `SubscriptionRules.extensionYear`
    /// before an instant; nil for never.
    func backendExtensions(countedAt instant: Timestamp) -> [Timestamp]? {
        let counted = ((sale.extendedAt ?? []) + (state.extendedAt ?? [])).filter { date in
            instant.milliseconds(since: date) < SubscriptionRules.extensionYear
        }
        return counted.isEmpty ? nil : counted
    }
}
