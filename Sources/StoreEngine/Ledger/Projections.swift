package import StoreModel

/// Every row the lookups see, as plain values: what the in-memory ledger keeps, and what a test
/// rebuilds from the entries to compare any ledger with.
package struct Projections: Hashable, Sendable {
    package var identity: AppIdentity?
    package var catalog: CatalogRevision?
    package var transactions: [TransactionID: TransactionRow] = [:]
    package var payments: [PaymentID: PaymentRow] = [:]
    package var unfinished: [TransactionID: UnfinishedRow] = [:]
    package var pending: [TransactionID: PendingRow] = [:]
    package var accounts: [AccountName: AccountSettings] = [:]
    package var faults: [Int64: Fault] = [:]
    package var takings: [String: SalesTotals] = [:]
    /// Every product that was ever sold, as what.
    package var soldProducts: [ProductID: SoldProduct] = [:]
    package var subscriptions: [TransactionID: SubscriptionRow] = [:]
    package var due: [DueKey: DueItem] = [:]
    package var clock: ClockState?
    package var renewals: RenewalSettings?

    /// What a due item can be recorded once by.
    package struct DueKey: Hashable, Sendable {
        package var chain: TransactionID
        package var kind: DueItem.Kind

        package init(chain: TransactionID, kind: DueItem.Kind) {
            self.chain = chain
            self.kind = kind
        }
    }

    package init() {}

    /// What all the entries together say.
    ///
    /// - Throws: `storeUnreadable` for an entry that contradicts itself.
    package init(folding entries: some Sequence<RecordedEntry>) throws(StoreError) {
        for entry in entries { try apply(entry) }
    }

    package mutating func apply(_ entry: RecordedEntry) throws(StoreError) {
        for change in try LedgerFold.changes(of: entry) { apply(change) }
    }

    private mutating func apply(_ change: RowChange) {
        switch change {
        case .insertTransaction(let row): transactions[row.id] = row
        case .putPayment(let row): payments[row.payment.id] = row
        case .insertUnfinished(let row): unfinished[row.id] = row
        case .moveUnfinished(let id, _, let device): unfinished[id]?.device = device
        case .removeUnfinished(let id, _): unfinished[id] = nil
        case .insertPending(let row): pending[row.number] = row
        case .removePending(let number): pending[number] = nil
        case .putAccount(let settings): accounts[settings.name] = settings
        case .putFault(let fault): faults[fault.id] = fault
        case .removeFault(let id): faults[id] = nil
        case .noteSoldProduct(let product):
            if let known = soldProducts[product.id] {
                soldProducts[product.id]?.isHosted = known.isHosted ?? product.isHosted
            } else {
                soldProducts[product.id] = product
            }
        case .addSalesTotals(let change):
            var sum = takings[change.currency] ?? SalesTotals(currency: change.currency)
            sum.soldMilliunits += change.soldMilliunits
            sum.sales += change.sales
            sum.refundedMilliunits += change.refundedMilliunits
            takings[change.currency] = sum
        case .putState(let id, _, let state): transactions[id]?.state = state
        case .putSubscription(let row): subscriptions[row.chain] = row
        case .setAutoRenew(let chain, _, let isOn): subscriptions[chain]?.autoRenews = isOn
        case .putDue(let item): due[DueKey(chain: item.chain, kind: item.kind)] = item
        case .removeDue(let chain, _, let kind): due[DueKey(chain: chain, kind: kind)] = nil
        case .putClock(let state): clock = state
        case .putRenewals(let settings): renewals = settings
        case .putCatalog(let revision): catalog = revision
        case .putIdentity(let identity): self.identity = identity
        }
    }
}
