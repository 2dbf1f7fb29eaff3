import Basics
import StoreModel

/// Decides refunds, revocations, their reversal, and deletions of transactions.
enum RefundRules {
    /// All refunds of a transaction together never exceed its price. Any refund revokes the
    /// transaction; of a consumable's grant, the same share is taken back as of the price.
    ///
    /// - Throws: `transactionNotFound`, `storeNewer`, `alreadyRefunded`, `refundTooLarge`,
    ///   `nothingUnused` (prorated).
    static func refund(
        _ id: TransactionID, _ amount: RefundAmount, reason: RevocationReason,
        in context: RuleContext
    ) throws(StoreError) -> Decision {
        let row = try sold(id, in: context)
        let refundedBefore = row.state.revocation?.refunded ?? .none
        guard refundedBefore < .all else {
            throw StoreError(
                .alreadyRefunded, productID: row.sale.productID, transactionID: id)
        }
        let asked = try share(amount, of: row, in: context)
        guard asked <= refundedBefore.rest else {
            throw StoreError(
                .refundTooLarge, productID: row.sale.productID, transactionID: id,
                found: asked.percentText, expected: refundedBefore.rest.percentText)
        }
        let refunded = Share(millipercent: refundedBefore.millipercent + asked.millipercent)
        var entries = [Self.refunded(row, refunded, reason: reason, in: context)]
        entries += endings(after: row, in: context)
        return Decision(reads: context.reads(row.account), entries: entries)
    }

    /// The refund by which `refunded` of the price has been given back in all.
    ///
    /// - Parameter isUpgrade: whether the refund is part of a change to another plan.
    static func refunded(
        _ row: TransactionRow, _ refunded: Share, reason: RevocationReason,
        isUpgrade: Bool = false, in context: RuleContext
    ) -> Entry {
        let before = row.state.revocation
        // Rounds the total and not each refund, so that partial refunds never exceed the price.
        let sum = refunded.refund(of: row.sale.price).milliunits
        let revocation = Revocation(
            date: before?.date ?? context.now, reason: reason,
            takenBack: isUpgrade ? .all : max(before?.takenBack ?? .none, refunded),
            refunded: refunded, refundedMilliunits: sum)
        let money = Money(
            milliunits: sum.subtractingClamped(before?.refundedMilliunits ?? 0),
            currency: row.sale.price.currency)
        var row = row
        row.state.revocation = revocation
        row.state.isUpgraded = row.state.isUpgraded || isUpgrade
        return row.revised(isUpgrade ? .upgraded(money) : .refunded(money), at: context.now)
    }

    private static func share(
        _ amount: RefundAmount, of row: TransactionRow, in context: RuleContext
    ) throws(StoreError) -> Share {
        switch amount {
        case .rest: return (row.state.revocation?.refunded ?? .none).rest
        case .percent(let percent):
            guard (1...100).contains(percent) else {
                throw StoreError(
                    .refundTooLarge, productID: row.sale.productID, transactionID: row.id,
                    found: "\(percent) %", expected: "1 to 100 %")
            }
            return Share(percent: percent)
        case .prorated:
            let unused = row.unused(at: context.now)
            guard unused > .none else {
                throw StoreError(
                    .nothingUnused, productID: row.sale.productID, transactionID: row.id)
            }
            return unused
        }
    }

    /// Nil if the transaction is wholly revoked already. Throws `transactionNotFound`,
    /// `storeNewer`.
    static func revoke(
        _ id: TransactionID, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        let row = try sold(id, in: context)
        let before = row.state.revocation
        guard before?.takenBack != .all else { return nil }
        var revoked = row
        revoked.state.revocation = Revocation(
            date: before?.date ?? context.now, reason: before?.reason ?? .other,
            takenBack: .all, refunded: before?.refunded ?? .none,
            refundedMilliunits: before?.refundedMilliunits ?? 0)
        return Decision(
            reads: context.reads(row.account),
            entries: [revoked.revised(.revoked, at: context.now)]
                + endings(after: row, in: context))
    }

    /// Reverses the revocation: the grant is restored, and the money counts as not refunded. If the
    /// present period of a subscription is restored, so is the next one that was revoked with it.
    /// Auto-renew stays off, so the subscription expires with its last period.
    ///
    /// - Throws: `transactionNotFound`, `storeNewer`, `notRevoked`; `boughtAgain` if the account
    ///   has bought the product again, or subscribed in the group, since.
    static func reverse(
        _ id: TransactionID, in context: RuleContext
    ) throws(StoreError) -> Decision {
        let row = try sold(id, in: context)
        guard let revocation = row.state.revocation else {
            throw StoreError(.notRevoked, productID: row.sale.productID, transactionID: id)
        }
        if let other = boughtAgain(row, in: context) {
            throw StoreError(
                .boughtAgain, productID: row.sale.productID, transactionID: other.id)
        }
        var rows = [row]
        if let subscription = context.snapshot.subscriptions[row.originalID],
            let next = context.snapshot.transactions[subscription.latest], next.id != id,
            isFollowed(row, by: next, in: context), !next.state.isDeleted,
            let fell = next.state.revocation, fell.date >= revocation.date
        {
            rows.append(next)
        }
        return Decision(
            reads: context.reads(row.account), entries: rows.map { reversed($0, in: context) })
    }

    /// The reversal of one revocation. For a subscription's last period it also sets when the
    /// subscription expires.
    private static func reversed(_ row: TransactionRow, in context: RuleContext) -> Entry {
        var row = row
        let money = Money(
            milliunits: row.state.revocation?.refundedMilliunits ?? 0,
            currency: row.sale.price.currency)
        row.state.revocation = nil
        row.state.isUpgraded = false
        var renewal: TransactionRevision.Renewal?
        if let subscription = context.snapshot.subscriptions[row.originalID],
            subscription.latest == row.id, subscription.state.expired == nil
        {
            renewal = Changing(subscription, row, at: context.now).renewal()
        }
        return row.revised(.refundReversed(money), at: context.now, renewal)
    }

    /// The later sale that keeps a revocation from being reversed: of the same product, or of the
    /// same group if the period to restore has not ended. Nil if there is none.
    private static func boughtAgain(
        _ row: TransactionRow, in context: RuleContext
    ) -> TransactionRow? {
        let owned = LedgerQuery.Owned(account: row.account, product: row.sale.productID)
        if row.sale.type == .nonConsumable, let other = context.snapshot.owned[owned] {
            return other
        }
        guard let group = row.sale.groupID else { return nil }
        let key = LedgerQuery.Subscribed(account: row.account, group: group)
        guard let latest = context.snapshot.subscribed[key], latest.id != row.id else { return nil }
        // A period that has not ended cannot be restored beside a later one, because two would run
        // at once. Restoring one that has ended only changes the sales totals.
        let stillRuns = row.expiresDate.map { $0 > context.now } ?? true
        return stillRuns && !isFollowed(row, by: latest, in: context) ? latest : nil
    }

    /// Whether the later period is the next one of the same run, charged ahead: it begins when this
    /// one ends.
    private static func isFollowed(
        _ row: TransactionRow, by latest: TransactionRow, in context: RuleContext
    ) -> Bool {
        guard let subscription = context.snapshot.subscriptions[row.originalID],
            subscription.latest == latest.id, subscription.previous == row.id
        else { return false }
        return row.expiresDate.map { latest.sale.purchaseDate >= $0 } ?? false
    }

    /// The number of a deleted transaction is not used again. Of a subscription, only the last
    /// period or all periods can be deleted.
    ///
    /// - Throws: `transactionNotFound`, `storeNewer`, `notLastOfChain`.
    static func delete(
        _ id: TransactionID, wholeChain: Bool, in context: RuleContext
    ) throws(StoreError) -> Decision {
        let row = try sold(id, in: context)
        let chain = chain(of: row, in: context)
        guard wholeChain || chain.count < 2 || chain.last?.id == id else {
            throw StoreError(
                .notLastOfChain, productID: row.sale.productID, transactionID: id,
                expected: chain.last?.id.description)
        }
        var entries = (wholeChain ? chain : [row]).map { row in
            var row = row
            row.state.isDeleted = true
            let refunded = Money(
                milliunits: row.state.revocation?.refundedMilliunits ?? 0,
                currency: row.sale.price.currency)
            return row.revised(
                .deleted(sold: row.sale.price, refunded: refunded), at: context.now)
        }
        let last = wholeChain ? chain.last ?? row : row
        if let end = endOfRenewal(after: last, in: context) { entries.append(end) }
        return Decision(reads: context.reads(row.account), entries: entries)
    }

    /// Those that are not deleted, oldest first. Only the transaction itself if it belongs to no
    /// subscription.
    private static func chain(
        of row: TransactionRow, in context: RuleContext
    ) -> [TransactionRow] {
        guard let group = row.sale.groupID else { return [row] }
        let key = LedgerQuery.Subscribed(account: row.account, group: group)
        return (context.snapshot.wholeGroups[key] ?? [row]).filter {
            $0.originalID == row.originalID
        }
    }

    /// The effects on a subscription of revoking one of its periods: the subscription no longer
    /// renews, and if the period is the present one and the next was charged ahead, the next one is
    /// refunded.
    private static func endings(after row: TransactionRow, in context: RuleContext) -> [Entry] {
        if let end = endOfRenewal(after: row, in: context) { return [end] }
        guard let subscription = context.snapshot.subscriptions[row.originalID],
            subscription.previous == row.id, row.expiresDate.map({ $0 > context.now }) == true,
            let next = context.snapshot.transactions[subscription.latest],
            next.sale.purchaseDate > context.now, !next.state.isRevoked, !next.state.isDeleted
        else { return [] }
        let refund = refunded(next, .all, reason: .other, in: context)
        guard subscription.autoRenews else { return [refund] }
        let change = Changing(subscription, next, at: context.now)
        return [refund, change.autoRenewOff(.revoked, over: true)]
    }

    /// Nil if the row is not its subscription's last period.
    private static func endOfRenewal(
        after row: TransactionRow, in context: RuleContext
    ) -> Entry? {
        guard let subscription = context.snapshot.subscriptions[row.originalID],
            subscription.autoRenews, row.sale.term?.ordinal == subscription.ordinal
        else { return nil }
        let change = Changing(subscription, row, at: context.now)
        // If the revoked period has not begun, the subscription ends with the present period.
        let begin = row.sale.purchaseDate
        return begin > context.now
            ? change.autoRenewOff(.revoked, dueAt: begin)
            : change.autoRenewOff(.revoked, over: true)
    }

    /// Throws `transactionNotFound` or `storeNewer`.
    private static func sold(
        _ id: TransactionID, in context: RuleContext
    ) throws(StoreError) -> TransactionRow {
        guard let row = context.snapshot.transactions[id], !row.state.isDeleted else {
            throw StoreError(.transactionNotFound, transactionID: id)
        }
        try context.snapshot.refuseUnknownFacts(of: row.account)
        return row
    }

    static func addKeys(
        of id: TransactionID, to lookup: inout Lookup, needsWholeGroup: Bool
    ) {
        RenewalRules.addKeys(of: id, to: &lookup)
        guard let row = lookup.found.transactions[id] else { return }
        lookup.query.shares.insert(id)
        if row.sale.type == .nonConsumable {
            lookup.query.owned.insert(.init(account: row.account, product: row.sale.productID))
        }
        guard let group = row.sale.groupID else { return }
        let key = LedgerQuery.Subscribed(account: row.account, group: group)
        lookup.query.subscribed.insert(key)
        if needsWholeGroup { lookup.query.wholeGroups.insert(key) }
    }

    static func collisions(on id: TransactionID, in context: RuleContext) -> [CollisionKey] {
        guard let row = context.snapshot.transactions[id] else { return [.transaction(id)] }
        var keys: [CollisionKey] = [.transaction(id)]
        if row.sale.type == .nonConsumable {
            keys.append(.product(row.account, row.sale.productID))
        }
        if let group = row.sale.groupID { keys.append(.group(row.account, group)) }
        return keys
    }
}

extension TransactionRow {
    /// The share of its period that is still to come, rounded down; none for a sale without an end.
    func unused(at now: Timestamp) -> Share {
        let begin = sale.purchaseDate
        guard let end = expiresDate, end > now, end > begin else { return .none }
        let whole = end.milliseconds(since: begin)
        let left = min(end.milliseconds(since: now), whole)
        let (quotient, _) = whole.dividingFullWidth(left.multipliedFullWidth(by: 100_000))
        return Share(millipercent: Int(quotient))
    }

    /// Whether a subscription's period is active: not expired, revoked or deleted. Only a free
    /// subscription is active without an end.
    func isActive(at now: Timestamp) -> Bool {
        !state.isRevoked && (expiresDate.map { $0 > now } ?? (sale.type == .autoRenewable))
    }
}
