import Basics
import StoreCatalog
import StoreModel

/// Reads what a notification tells of: a transaction and its subscription as they were at an entry
/// of the ledger, whatever has happened since. The catalog is the one in force now.
struct MomentReader {
    let engine: StoreEngine
    let entry: RecordedEntry

    /// A transaction, and its subscription if it renews, as of the entry.
    struct Moment {
        var before = NotificationRules.Before()
        var transaction: TransactionRow
        var status: StatusRules?
    }

    /// A subscription as of the entry: its last two periods, and the last entry about it as a whole.
    fileprivate struct Chain {
        var latest: TransactionRow?
        var previous: TransactionRow?
        var change: (autoRenews: Bool, state: SubscriptionState, next: DueItem?)?
        /// Of transactions that changed after their sale.
        var states: [TransactionID: TransactionState] = [:]
        /// When a charge for the period after `latest` last failed.
        var failedAt: Timestamp?
    }

    /// How many entries of an account are looked through for one subscription.
    private static let entriesMax = 2_000
    private static let readMax = 50

    private var at: Timestamp { entry.entry.effectiveAt }

    /// Nil for an entry about no transaction, and about a deleted one.
    func moment() async throws(StoreError) -> Moment? {
        guard let account = entry.entry.account else { return nil }
        switch entry.entry.fact {
        case .autoRenewChanged(let change): return try await moment(of: change.chain, account)
        case .subscriptionChanged(let change):
            return try await moment(of: change.event.chain, account)
        case .sold:
            guard let row = entry.soldRow else { return nil }
            return try await moment(of: row)
        case .revised, .refundRequested, .refundDeclined:
            guard let id = entry.number, let row = try await row(id) else { return nil }
            return try await moment(of: row)
        default: return nil
        }
    }

    /// A transaction as of the entry.
    private func row(_ id: TransactionID) async throws(StoreError) -> TransactionRow? {
        let query = LedgerQuery { $0.sales = [id] }
        guard var row = try await engine.ledger.snapshot(query).transactions[id] else { return nil }
        if case .revised(let revision) = entry.entry.fact, entry.number == id {
            row.state = revision.state
        } else if row.changedAt > entry.position {
            row.state = try await state(of: row)
        }
        return row.state.isDeleted ? nil : row
    }

    private func state(of row: TransactionRow) async throws(StoreError) -> TransactionState {
        var state = TransactionState.asSold
        try await entries(
            of: row.account, Set(RevisionKind.allCases.map { EventKind($0) }),
            product: row.sale.productID
        ) { found in
            guard found.number == row.id, case .revised(let revision) = found.entry.fact else {
                return false
            }
            state = revision.state
            return true
        }
        return state
    }

    private func moment(of row: TransactionRow) async throws(StoreError) -> Moment {
        var moment = Moment(transaction: row)
        let sale = row.sale
        moment.before.isShare = sale.sharedTransaction != nil
        guard sale.type == .autoRenewable else { return moment }
        let owner = sale.share?.owner ?? row.account
        let first = sale.sharedTransaction.map { sale.share?.chain ?? $0 } ?? row.originalID
        let chain = try await chain(first, of: owner)
        moment.before.isRecovery = chain.isRecovery(at)
        moment.before.endedAnotherPlan = try await endedAnotherPlan(row)
        // A free subscription does not renew.
        let latest = moment.before.isShare ? nil : chain.latest
        let current = latest == nil ? row : chain.current(at)
        moment.status = try await status(latest ?? row, current, chain, first, owner)
        return moment
    }

    /// Of a subscription by its first transaction, whoever it belongs to.
    func moment(of first: TransactionID) async throws(StoreError) -> Moment? {
        let query = LedgerQuery { $0.sales = [first] }
        let account = try await engine.ledger.snapshot(query).transactions[first]?.account
        guard let account else { return nil }
        return try await moment(of: first, account)
    }

    /// Of a subscription as a whole: the period that contains the instant, or the last one.
    private func moment(
        of first: TransactionID, _ account: AccountName
    ) async throws(StoreError) -> Moment? {
        let chain = try await chain(first, of: account)
        guard let latest = chain.latest else { return nil }
        let current = chain.current(at) ?? latest
        return Moment(
            transaction: current,
            status: try await status(latest, current, chain, first, account))
    }

    /// Whether the purchase of this plan has ended another one: the account's last entry of these
    /// kinds before it did, in the same decision.
    private func endedAnotherPlan(_ row: TransactionRow) async throws(StoreError) -> Bool {
        guard case .sold = entry.entry.fact, row.sale.original != nil,
            row.sale.cause != .renewal
        else { return false }
        var isEnded = false
        try await entries(of: row.account, [.upgraded, .sold]) { found in
            guard found.position < entry.position else { return false }
            if case .revised = found.entry.fact { isEnded = true }
            return true
        }
        return isEnded
    }

    private func status(
        _ latest: TransactionRow, _ current: TransactionRow?, _ chain: Chain,
        _ first: TransactionID, _ owner: AccountName
    ) async throws(StoreError) -> StatusRules {
        let account = latest.account
        let now = at
        let lookup = try await engine.committer.lookUp { lookup in
            lookup.query.accounts.insert(account)
            guard let group = latest.sale.groupID,
                lookup.catalog.catalog.products.contains(where: { product in
                    product.subscription?.groupID == group
                        && product.offers.contains { $0.kind == .winBack }
                })
            else { return }
            lookup.query.wholeGroups.insert(.init(account: account, group: group))
        }
        var found = lookup.found
        var subscription: SubscriptionRow?
        if let change = chain.change, let last = chain.latest {
            var row = SubscriptionRow(
                chain: first, account: owner, autoRenews: change.autoRenews,
                ordinal: last.sale.term?.ordinal ?? 1, latest: last.id,
                previous: chain.previous?.id)
            row.state = change.state
            // A member's subscription goes on while the owner's does, and is shared.
            let isShare = latest.sale.sharedTransaction != nil
            subscription = isShare && latest.state.isRevoked ? row.withoutRenewal : row
            found.subscriptions[first] = row
            found.due[first] = change.next
        }
        if let group = latest.sale.groupID {
            found.subscribed[.init(account: account, group: group)] = latest
        }
        return StatusRules(
            subscription: subscription, latest: latest, current: current ?? latest,
            context: RuleContext(snapshot: found, catalog: lookup.catalog, now: now))
    }

    /// Every kind of event that changes a subscription or one of its periods.
    private static let kinds: Set<EventKind> = Set(RevisionKind.allCases.map { EventKind($0) })
        .union([
            .sold, .deleted, .autoRenewEnabled, .autoRenewDisabled, .expired, .billingFailed,
            .priceIncrease, .planChange, .offerRedeemed,
        ])

    private func chain(
        _ first: TransactionID, of owner: AccountName
    ) async throws(StoreError) -> Chain {
        var chain = Chain()
        try await entries(of: owner, Self.kinds) { found in
            chain.add(found, first)
            guard let latest = chain.latest else { return false }
            let needsPrevious =
                !latest.hasBegun(at: at)
                || latest.sale.cause == .renewal && chain.latestIsNew(entry)
            return latest.id == first || !needsPrevious || chain.previous != nil
        }
        guard chain.latest != nil else { return try await chainNow(first, of: owner) }
        return chain
    }

    /// The subscription as it is now, for one whose last sale is further back than is looked.
    private func chainNow(
        _ first: TransactionID, of owner: AccountName
    ) async throws(StoreError) -> Chain {
        let found = try await engine.committer.lookUp { lookup in
            lookup.query.subscriptions.insert(.init(account: owner, id: first))
            guard let row = lookup.found.subscriptions[first] else { return }
            lookup.query.sales.formUnion([row.latest, row.previous ?? row.latest])
        }.found
        var chain = Chain()
        guard let row = found.subscriptions[first] else { return chain }
        chain.latest = found.transactions[row.latest]
        chain.previous = row.previous.flatMap { found.transactions[$0] }
        chain.change = (row.autoRenews, row.state, found.due[first])
        return chain
    }

    /// Reads an account's entries backwards from this one, until `read` returns true.
    private func entries(
        of account: AccountName, _ kinds: Set<EventKind>, product: ProductID? = nil,
        _ read: (RecordedEntry) -> Bool
    ) async throws(StoreError) {
        let filter = HistoryFilter(kinds: kinds, product: product, account: account)
        var cursor = FeedCursor(epoch: engine.epoch, position: entry.position)
        var count = 0
        while cursor.position > 0, count < Self.entriesMax {
            let limit = count == 0 ? 8 : Self.readMax
            let page = try await engine.ledger.entries(
                before: cursor, filter: filter, limit: limit)
            for found in page.entries where read(found) { return }
            count += limit
            cursor = page.cursor
        }
    }
}

extension MomentReader.Chain {
    /// - Parameter found: older than all that were added before.
    fileprivate mutating func add(_ found: RecordedEntry, _ first: TransactionID) {
        switch found.entry.fact {
        case .sold(let sale):
            guard sale.term != nil, var row = found.soldRow, row.originalID == first else { return }
            row.state = states[row.id] ?? .asSold
            guard !row.state.isDeleted else { return }
            if change == nil {
                let due = sale.firstStep(soldAt: found.entry.effectiveAt).map {
                    DueItem(
                        account: row.account, chain: first, kind: .renewal,
                        period: (sale.term?.ordinal ?? 0).addingClamped(1), at: $0)
                }
                change = (true, .renewing, due)
            }
            if latest == nil {
                latest = row
            } else if previous == nil {
                previous = row
            }
        case .revised(let revision):
            if let id = found.number, states[id] == nil { states[id] = revision.state }
            if change == nil, let renewal = revision.renewal, renewal.chain == first {
                change = (renewal.autoRenews, renewal.state, renewal.next)
            }
        case .autoRenewChanged(let to) where to.chain == first && change == nil:
            change = (to.isOn || to.commitmentEnds != nil, to.state, to.next)
        case .subscriptionChanged(let to) where to.event.chain == first:
            if latest != nil, previous == nil, failedAt == nil, to.event.eventKind == .billingFailed
            {
                failedAt = found.entry.effectiveAt
            }
            if change == nil { change = (to.autoRenews, to.state, to.next) }
        default: break
        }
    }

    /// Whether the entry sold the last period, or shares it.
    fileprivate func latestIsNew(_ entry: RecordedEntry) -> Bool {
        guard case .sold(let sale) = entry.entry.fact else { return false }
        return latest?.id == sale.sharedTransaction ?? entry.number
    }

    /// The period that contains an instant, or the last one; nil if none was found.
    fileprivate func current(_ at: Timestamp) -> TransactionRow? {
        guard let latest, !latest.hasBegun(at: at) else { return latest }
        return previous ?? latest
    }

    /// Whether the last period was charged after the one before had ended without one.
    fileprivate func isRecovery(_ at: Timestamp) -> Bool {
        guard failedAt != nil, let end = previous?.expiresDate else { return false }
        return at >= end
    }
}
