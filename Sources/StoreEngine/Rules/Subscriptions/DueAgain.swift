import StoreModel

/// A cache for recording due items page by page. It keeps the subscriptions that earlier pages have
/// changed and that are due again in the same run, as the recorded entries left them. The next page
/// decides from these rows instead of reading them (`make bench`: "a year of monthly renewals", 1.4
/// times as fast).
///
/// An account's rows are kept and used with the version of its stream. If another process changes
/// the account meanwhile, the page's decision is a conflict and none of it is recorded; the caller
/// then clears the cache and reads again. Accounts of families that share, and accounts with facts
/// that this program does not know, are not cached.
struct DueAgain {
    /// One account's rows, as of a version of its stream.
    private struct Account {
        var version: Int64
        var settings: AccountSettings?
        /// An array, because an account has one chain per group. A dictionary would take twice the
        /// memory.
        var chains: [Chain] = []
    }

    private struct Chain {
        var item: DueItem
        var subscription: SubscriptionRow
        var latest: TransactionRow
    }

    private var accounts: [AccountName: Account] = [:]

    /// Their rows must be read.
    func unknown(_ items: [DueItem]) -> [DueItem] { items.filter { chain(of: $0) == nil } }

    /// The context, with the cached rows of the items' accounts in place of its own.
    func adding(_ items: [DueItem], to context: RuleContext) -> RuleContext {
        var context = context
        for item in items {
            guard let account = accounts[item.account], let chain = chain(of: item) else {
                continue
            }
            context.snapshot.versions[.account(item.account)] = account.version
            context.snapshot.accounts[item.account] = account.settings
            context.snapshot.subscriptions[item.chain] = chain.subscription
            context.snapshot.due[item.chain] = chain.item
            context.snapshot.transactions[chain.latest.id] = chain.latest
        }
        return context
    }

    /// Caches the rows of a page's items as the page's entries leave them, if they are due by
    /// `instant`. Removes everything else of these accounts. At most
    /// `StoreLimits.dueAgainAccountsKept` accounts are cached.
    /// - Parameters:
    ///   - entries: all entries that were recorded for the decision, in order.
    ///   - context: the context from which the decision was made.
    /// - Throws: `storeUnreadable` for an entry that contradicts itself.
    mutating func keep(
        _ items: [DueItem], after entries: [RecordedEntry], in context: RuleContext,
        dueBy instant: Timestamp
    ) throws(StoreError) {
        let found = context.snapshot
        var rows = Projections()
        var versions: [AccountName: Int64] = [:]
        for item in items {
            accounts[item.account] = nil
            versions[item.account] = found.version(.account(item.account))
            guard let subscription = found.subscriptions[item.chain] else { continue }
            rows.subscriptions[item.chain] = subscription
            rows.transactions[subscription.latest] = found.transactions[subscription.latest]
            rows.due[.init(chain: item.chain, kind: item.kind)] = found.due[item.chain]
        }
        for entry in entries {
            try rows.apply(entry)
            if let account = entry.entry.account { versions[account] = entry.position }
        }
        for item in items {
            guard let version = versions[item.account], found.families[item.account] == nil,
                !found.accountsWithUnknownFacts.contains(item.account),
                let next = rows.due[.init(chain: item.chain, kind: item.kind)],
                next.at <= instant, let subscription = rows.subscriptions[item.chain],
                let latest = rows.transactions[subscription.latest]
            else { continue }
            var account =
                accounts[item.account]
                ?? Account(version: version, settings: found.accounts[item.account])
            guard !account.chains.isEmpty || accounts.count < StoreLimits.dueAgainAccountsKept
            else { continue }
            account.chains.append(Chain(item: next, subscription: subscription, latest: latest))
            accounts[item.account] = account
        }
    }

    /// The chain whose next due item this is; nil if none is cached.
    private func chain(of item: DueItem) -> Chain? {
        accounts[item.account]?.chains.first { $0.item == item }
    }
}
