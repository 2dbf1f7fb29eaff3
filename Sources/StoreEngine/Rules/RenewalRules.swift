import StoreCatalog
import StoreModel

/// Decides renewals of subscriptions, and changes of auto-renew.
package enum RenewalRules {
    /// Entries for due items, each in effect at its own instant, in order of time. Stops early
    /// where a renewal makes another one due no later than the next item: the remaining items come
    /// with the next page. Skips items that another process has recorded meanwhile. Nil if nothing
    /// is left to record.
    ///
    /// - Parameter items: in order of time, with their subscriptions and latest transactions in the
    ///   snapshot.
    package static func carryOut(_ items: [DueItem], in context: RuleContext) -> Decision? {
        var entries: [Entry] = []
        var streams: Set<StreamID> = [.store]
        var soonest: Timestamp?
        for item in items {
            if let soonest, item.at >= soonest { break }
            guard let subscription = context.snapshot.subscriptions[item.chain],
                subscription.autoRenews, subscription.ordinal + 1 == item.period,
                let latest = context.snapshot.transactions[subscription.latest]
            else { continue }
            streams.insert(.account(item.account))
            let entry = entry(item, latest, in: context)
            if case .sold(let sale) = entry.fact, let end = sale.expiresDate {
                soonest = min(soonest ?? end, end)
            }
            entries.append(entry)
        }
        guard !entries.isEmpty else { return nil }
        return Decision(reads: context.reads(Array(streams)), entries: entries)
    }

    private static func entry(
        _ item: DueItem, _ latest: TransactionRow, in context: RuleContext
    ) -> Entry {
        switch renewal(of: latest, item, in: context) {
        case .success(let sale):
            Entry(
                account: item.account, device: nil, effectiveAt: item.at, number: .next,
                fact: .sold(sale))
        case .failure(let ended):
            Entry(
                account: item.account, device: nil, effectiveAt: item.at,
                fact: .autoRenewChanged(
                    AutoRenewChange(
                        chain: item.chain, productID: latest.sale.productID, isOn: false,
                        reason: ended.reason)))
        }
    }

    /// Why a subscription ends instead of renewing.
    private struct Ended: Error { var reason: AutoRenewChange.Reason }

    /// The sale of the next period, at the product's present price in the account's territory.
    private static func renewal(
        of latest: TransactionRow, _ item: DueItem, in context: RuleContext
    ) -> Result<Sale, Ended> {
        let sale = latest.sale
        let settings = context.snapshot.renewals ?? .standard
        guard let term = sale.term, let begins = sale.expiresDate else {
            return .failure(Ended(reason: .productUnavailable))
        }
        if let limit = settings.limit ?? settings.rate.standardLimit, term.index >= limit {
            return .failure(Ended(reason: .renewalLimit))
        }
        let territory = context.snapshot.accounts[item.account]?.territory ?? sale.storefront
        // A subscription that is free in the catalog now has no period to renew by.
        guard let product = context.catalog.product(sale.productID),
            product.subscription?.period != nil,
            product.reasonNotForSale(at: item.at, in: context.environment) == nil,
            let price = Storefront.find(territory).flatMap({ product.price(in: $0, at: item.at) })
        else { return .failure(Ended(reason: .productUnavailable)) }
        let next = term.next
        var renewed = Sale(
            cause: .renewal, productID: sale.productID, appAccountToken: sale.appAccountToken,
            type: sale.type, groupID: sale.groupID,
            original: Sale.Original(
                id: item.chain,
                purchaseDate: sale.original?.purchaseDate ?? sale.purchaseDate),
            purchaseDate: begins, expiresDate: next.end, storefront: territory, price: price,
            isHosted: product.delivery.isHosted,
            term: next)
        renewed.applicationUsernameHash = sale.applicationUsernameHash
        return .success(renewed)
    }

    /// Turns auto-renew of a transaction's subscription on or off. Nil where it is so already.
    ///
    /// - Throws: `transactionNotFound`, `storeNewer`; `noSubscription` where it belongs to none
    ///   that renews, or to turn on one that is over: that must be bought again.
    static func setAutoRenew(
        of id: TransactionID, _ isOn: Bool, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        guard let row = context.snapshot.transactions[id], !row.state.isDeleted else {
            throw StoreError(.transactionNotFound, transactionID: id)
        }
        try context.snapshot.refuseUnknownFacts(of: row.account)
        guard let subscription = context.snapshot.subscriptions[row.originalID],
            let latest = context.snapshot.transactions[subscription.latest]
        else {
            throw StoreError(.noSubscription, productID: row.sale.productID, transactionID: id)
        }
        guard subscription.autoRenews != isOn else { return nil }
        var next: DueItem?
        if isOn {
            guard let end = latest.sale.expiresDate, latest.isActive(at: context.now) else {
                throw StoreError(
                    .noSubscription, productID: row.sale.productID, transactionID: id)
            }
            next = DueItem(
                account: row.account, chain: row.originalID, kind: .renewal,
                period: subscription.ordinal + 1, at: end)
        }
        let change = AutoRenewChange(
            chain: row.originalID, productID: latest.sale.productID, isOn: isOn, reason: .chosen,
            next: next)
        return Decision(
            reads: context.reads(row.account),
            entries: [
                Entry(
                    account: row.account, device: nil, effectiveAt: context.now,
                    fact: .autoRenewChanged(change))
            ])
    }

    /// Adds the lookups of `setAutoRenew` that are known only from the found transaction.
    static func addDependencies(
        of id: TransactionID, in found: LedgerSnapshot, to query: inout LedgerQuery
    ) {
        guard let row = found.transactions[id] else { return }
        query.accounts.insert(row.account)
        let chain = LedgerQuery.Sold(account: row.account, id: row.originalID)
        query.subscriptions.insert(chain)
        if let latest = found.subscriptions[chain.id]?.latest { query.sales.insert(latest) }
    }
}

/// A request to record due items together.
struct DueRequest: Request {
    var items: [DueItem]

    func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {
        for item in items {
            query.accounts.insert(item.account)
            query.subscriptions.insert(.init(account: item.account, id: item.chain))
        }
    }

    func addDependencies(
        of found: LedgerSnapshot, to query: inout LedgerQuery, catalog: CatalogIndex
    ) {
        for item in items {
            guard let latest = found.subscriptions[item.chain]?.latest else { continue }
            query.sales.insert(latest)
        }
    }

    func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    func decide(in context: RuleContext) -> Verdict<[RecordedEntry]> {
        guard let decision = RenewalRules.carryOut(items, in: context) else { return .answer([]) }
        return .record(decision) { recorded in recorded }
    }
}
