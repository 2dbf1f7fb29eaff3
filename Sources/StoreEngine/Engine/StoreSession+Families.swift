import StoreModel

extension StoreSession {
    /// The sales that entitle the account now, in the order in which they were sold, and the
    /// snapshot that was read before them. Of each product, the account's own sale, or else its
    /// latest share.
    ///
    /// - Throws: `storeUnreadable` for a share that contradicts the sale it shares, or the family.
    func entitled() async throws(StoreError) -> (found: LedgerSnapshot, periods: [CurrentPeriod]) {
        let found = try await snapshotAfterDueOfFamily()
        try found.refuseUnknownFacts(of: account)
        // The store's time never goes back, so an expired sale stays expired.
        let now = engine.clock.now()
        let all = try await currentPeriods().filter { $0.entitles(at: now) }
        let shares = try await engine.checkedShares(among: all.map(\.row), of: account)
        guard !shares.isEmpty else { return (found, all) }
        let own = Set(all.filter { !$0.isShare }.map(\.row.sale.productID))
        let usable = all.filter { period in
            guard let owner = period.row.sale.share?.owner else { return true }
            let product = period.row.sale.productID
            // A share that was revoked since it was read does not entitle. A grace period is the
            // owner's; it entitles a member while the owner shares the product.
            let isShared = found.families[account]?.member(owner)?.shares(product) == true
            return shares[period.row.id]?.state.isRevoked == false && !own.contains(product)
                && (period.row.entitles(at: now) || isShared)
        }
        // Compared by number: the list places a subscription by its last renewal, whose period may
        // not have begun.
        let latest = Dictionary(
            usable.filter(\.isShare).map { ($0.row.sale.productID, $0.row.id) },
            uniquingKeysWith: max)
        let periods = usable.filter { period in
            !period.isShare || latest[period.row.sale.productID] == period.row.id
        }
        return (found, periods)
    }

    /// A snapshot of the account after recording due items of the account and of its family
    /// members, whose subscriptions it may share. So a subscription that renews does not appear as
    /// expired.
    func snapshotAfterDueOfFamily() async throws(StoreError) -> LedgerSnapshot {
        let found = try await engine.committer.snapshotAfterDue(account)
        let others = found.families[account]?.members.filter { $0.account != account } ?? []
        guard !others.isEmpty else { return found }
        for member in others {
            _ = try await engine.committer.snapshotAfterDue(member.account)
        }
        return try await engine.committer.snapshotAfterDue(account)
    }

    /// The subscriptions that family members share or have shared with the account, in the order in
    /// which they were sold. Of each, the period that contains now, or the last one, even if
    /// revoked.
    ///
    /// - Parameter found: a snapshot with the account's family.
    /// - Throws: `storeUnreadable` for a share that contradicts the sale it shares, or the family.
    func sharedSubscriptions(
        _ found: LedgerSnapshot
    ) async throws(StoreError) -> [SharedPeriod] {
        let last = try await engine.ledger.lastShares(of: account)
        let periods = try await currentPeriods(of: last, includingRevoked: true)
        let shares = try await engine.checkedShares(among: periods.map(\.row), of: account)
        return periods.map { period in
            // The row from the same commit as the check.
            var period = period
            period.row = shares[period.row.id] ?? period.row
            let owner = period.row.sale.share.flatMap { found.families[account]?.member($0.owner) }
            return SharedPeriod(
                period: period,
                isShared: !period.row.state.isRevoked
                    && owner?.shares(period.row.sale.productID) == true)
        }
    }

    /// The sales that may entitle the account, with their subscriptions. Of each subscription, its
    /// own or shared, the period that contains now.
    private func currentPeriods() async throws(StoreError) -> [CurrentPeriod] {
        try await currentPeriods(
            of: engine.ledger.entitling(of: account), includingRevoked: false)
    }

    /// The periods that contain now, for the last transactions of subscriptions. They may differ,
    /// because a renewal is recorded before its period begins.
    ///
    /// - Parameter includingRevoked: whether a present period that was revoked counts.
    private func currentPeriods(
        of rows: [TransactionRow], includingRevoked: Bool
    ) async throws(StoreError) -> [CurrentPeriod] {
        let now = engine.clock.now()
        guard rows.contains(where: { $0.renewingChain != nil }) else {
            return rows.map { CurrentPeriod(row: $0) }
        }
        let found = try await engine.committer.lookUp { lookup in
            for row in rows {
                guard let chain = row.renewingChain else { continue }
                lookup.query.subscriptions.insert(chain)
                guard row.sale.purchaseDate > now,
                    let previous = lookup.found.subscriptions[chain.id]?.previous
                else { continue }
                lookup.query.sales.insert(previous)
                lookup.query.shares.insert(previous)
            }
        }.found
        return rows.map { row in
            let subscription = row.renewingChain.flatMap { found.subscriptions[$0.id] }
            let period = CurrentPeriod(row: row, subscription: subscription)
            guard row.sale.purchaseDate > now, let previous = subscription?.previous else {
                return period
            }
            let earlier =
                period.isShare
                ? found.shares[previous]?.first { $0.account == account }
                : found.transactions[previous]
            guard let earlier, !earlier.state.isDeleted,
                includingRevoked || !earlier.state.isRevoked
            else { return period }
            return CurrentPeriod(row: earlier, latest: row, subscription: subscription)
        }
    }

    /// Throws `storeUnreadable` for a share that contradicts the sale it shares.
    func check(_ rows: some Sequence<TransactionRow>) async throws(StoreError) {
        _ = try await engine.checkedShares(among: rows, of: account)
    }
}

/// A subscription that a family member shares or has shared with an account.
struct SharedPeriod {
    /// Of the present period, or of the last one.
    var period: CurrentPeriod
    /// Whether the owner still shares it.
    var isShared: Bool
}

/// A transaction that may entitle an account, with its subscription.
struct CurrentPeriod {
    var row: TransactionRow
    /// The account's last transaction of the same subscription: the next period if that was charged
    /// ahead.
    var latest: TransactionRow
    /// The subscription of the account, or of the member who shares it; nil for a sale that does
    /// not renew.
    var subscription: SubscriptionRow?

    /// - Parameter latest: nil if the transaction is the latest itself.
    init(
        row: TransactionRow, latest: TransactionRow? = nil, subscription: SubscriptionRow? = nil
    ) {
        self.row = row
        self.latest = latest ?? row
        self.subscription = subscription
    }

    var isShare: Bool { row.sale.sharedTransaction != nil }

    var isLast: Bool { (row.sale.sharedTransaction ?? row.id) == subscription?.latest }

    /// Nil without a failed charge.
    var grace: Timestamp? {
        guard !row.state.isRevoked, isLast else { return nil }
        return subscription?.state.billing?.graceUntil
    }

    /// Including a grace period.
    func entitles(at now: Timestamp) -> Bool {
        row.entitles(at: now) || grace.map { $0 > now } ?? false
    }
}

extension StoreEngine {
    /// Nil if the account is in no family.
    func family(of account: AccountName) async throws(StoreError) -> Family? {
        try await ledger.snapshot(LedgerQuery { $0.accounts = [account] }).families[account]
    }

    /// The family shares among an account's transactions, in their present state, by number. Each
    /// share is compared, as of one commit, with the sale it shares.
    ///
    /// - Throws: `storeUnreadable` for a share that contradicts that sale or, while it entitles,
    ///   the family. No decision records such a share, so another program has changed the ledger's
    ///   file.
    func checkedShares(
        among rows: some Sequence<TransactionRow>, of account: AccountName
    ) async throws(StoreError) -> [TransactionID: TransactionRow] {
        let shares = rows.filter { $0.sale.sharedTransaction != nil }
        guard !shares.isEmpty else { return [:] }
        let found = try await ledger.snapshot(
            LedgerQuery { query in
                query.accounts = [account]
                query.shares = Set(shares.compactMap(\.sale.sharedTransaction))
                query.sales = query.shares.union(shares.map(\.id))
            })
        var checked: [TransactionID: TransactionRow] = [:]
        for share in shares {
            let current = found.transactions[share.id] ?? share
            if let words = current.contradiction(as: account, in: found, at: clock.now()) {
                throw StoreError(
                    .storeUnreadable, productID: share.sale.productID, transactionID: share.id,
                    subject: "family share", found: words)
            }
            checked[share.id] = current
        }
        return checked
    }
}

extension TransactionRow {
    /// How a family share contradicts the ledger, in words; nil if it does not.
    ///
    /// - Parameters:
    ///   - account: the account to which the share should belong.
    ///   - found: a snapshot with the shared sale, its shares, and the account's family.
    fileprivate func contradiction(
        as account: AccountName, in found: LedgerSnapshot, at now: Timestamp
    ) -> String? {
        guard let shared = sale.sharedTransaction else { return nil }
        guard self.account == account,
            found.shares[shared]?.contains(where: { $0.id == id && $0.account == account }) == true
        else { return "is not a share of \(account)" }
        guard let owner = found.transactions[shared] else { return "shares no sale" }
        guard owner.account == sale.share?.owner, owner.account != account,
            ShareRules.canBeShared(owner), owner.sale.productID == sale.productID,
            owner.sale.type == sale.type, owner.sale.expiresDate == sale.expiresDate,
            owner.sale.original?.id == sale.share?.chain
        else { return "differs from the sale \(shared)" }
        guard entitles(at: now) else { return nil }
        if owner.state.isRevoked { return "shares what was revoked" }
        guard let family = found.families[account],
            family.member(owner.account)?.shares(sale.productID) == true
        else { return "is not shared with \(account)" }
        return nil
    }
}

extension TransactionRow {
    /// The subscription that renews this entitlement: the account's own, or that of the member who
    /// shares it. Nil for a sale that does not renew.
    var renewingChain: LedgerQuery.Sold? {
        if sale.term != nil { return LedgerQuery.Sold(account: account, id: originalID) }
        guard let shared = sale.sharedTransaction, let share = sale.share,
            sale.expiresDate != nil
        else { return nil }
        return LedgerQuery.Sold(account: share.owner, id: share.chain ?? shared)
    }
}

// MARK: - Events of shared subscriptions

extension StoreSession {
    /// The kinds of an owner's events that may affect a member's access.
    static let sharedKinds: Set<EventKind> = [.billingFailed, .expired]

    /// The subscriptions of others that are or were shared with the account. The cost grows with
    /// the account's shares.
    ///
    /// - Parameter known: a snapshot with the account's family; nil to read it.
    func sharedChains(_ known: LedgerSnapshot?) async throws(StoreError) -> [SharedChain] {
        let last = try await engine.ledger.lastShares(of: account)
        guard !last.isEmpty else { return [] }
        let found: LedgerSnapshot
        if let known { found = known } else { found = try await accountSnapshot() }
        return last.compactMap { row in
            guard let owner = row.sale.share?.owner, let chain = row.renewingChain else {
                return nil
            }
            let isShared =
                found.families[account]?.member(owner)?.shares(row.sale.productID) == true
            return SharedChain(
                owner: owner, chain: chain.id, own: row.originalID,
                from: row.sale.original?.purchaseDate ?? row.sale.purchaseDate,
                until: row.state.revocation?.date ?? (isShared ? nil : row.expiresDate))
        }
    }
}

/// An owner's subscription from the view of a member with whom it is shared.
struct SharedChain {
    var owner: AccountName
    var chain: TransactionID
    /// The member's first share of it, which is the member's `originalID`.
    var own: TransactionID
    /// When the sharing began.
    var from: Timestamp
    /// Nil if the sharing has not ended.
    var until: Timestamp?

    /// An owner's event as an event of the member. Nil if the event does not change the member's
    /// access, or occurred while the subscription was not shared.
    static func shown(
        _ event: StoreEvent, to member: AccountName, _ chains: [SharedChain]
    ) -> StoreEvent? {
        guard case .subscriptionChanged(let change) = event.change,
            let shared = chains.first(where: {
                $0.owner == event.account && $0.chain == change.chain
            }),
            event.happenedAt >= shared.from, shared.until.map({ event.happenedAt < $0 }) ?? true
        else { return nil }
        switch change.kind {
        case .graceBegan, .graceEnded, .billingRetryBegan, .expired: break
        case .billingFailed, .billingRetryFailed, .priceIncreaseAsked, .priceIncreaseAgreed,
            .priceIncreaseNotified, .planChangePlanned, .planChangeTakenBack, .offerRedeemed:
            return nil
        }
        var own = event
        own.account = member
        var shown = SubscriptionEvent(
            kind: change.kind, chain: shared.own, productID: change.productID)
        shown.until = change.until
        shown.reason = change.reason
        shown.isAtRenewalLimit = change.isAtRenewalLimit
        own.change = .subscriptionChanged(shown)
        return own
    }
}
