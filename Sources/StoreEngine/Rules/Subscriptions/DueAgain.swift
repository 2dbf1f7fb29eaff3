import StoreModel

/// The subscriptions that pages of due items have moved on and that are due again in the same run, as
/// the recorded entries left them: the next page decides from these rows instead of reading them again
/// (`make bench`: "a year of monthly renewals", 1.4 times as fast).
///
/// The rows of an account are kept with the version of its stream, and are used with it. Where
/// somebody else has changed the account meanwhile, the page's decision is a conflict and nothing of
/// it is recorded; the caller then forgets all rows and reads them again. Accounts that a family
/// shares with, or that have facts this program does not know, are read for each page.
struct DueAgain {
    /// One account, as of a version of its stream.
    private struct Account {
        var version: Int64
        var settings: AccountSettings?
        /// Few: an account has one chain in a group. In a dictionary they would take twice the memory.
        var chains: [Chain] = []
    }

    private struct Chain {
        /// The next step.
        var item: DueItem
        var subscription: SubscriptionRow
        var latest: TransactionRow
    }

    private var accounts: [AccountName: Account] = [:]

    /// Those items whose rows must be read: the others are decided from the kept rows.
    func unknown(_ items: [DueItem]) -> [DueItem] { items.filter { chain(of: $0) == nil } }

    /// The context, with the rows of the items' accounts replaced by the kept ones.
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

    /// Keeps the rows of a page's items as its entries leave them, where they are due by an instant,
    /// and forgets all else of their accounts. Keeps at most `StoreLimits.dueAgainAccountsKept`
    /// accounts.
    ///
    /// - Parameters:
    ///   - entries: all that was recorded, in order, for the decision that `context` led to.
    ///   - context: as the decision was made from.
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

    /// The kept chain that an item is the next step of.
    private func chain(of item: DueItem) -> Chain? {
        accounts[item.account]?.chains.first { $0.item == item }
    }
}
