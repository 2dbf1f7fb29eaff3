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
    package var takings: [String: Takings] = [:]
    /// Every product that was ever sold, as what.
    package var soldProducts: [ProductID: SoldProduct] = [:]

    package init() {}

    /// What all the entries together say.
    package init(folding entries: some Sequence<RecordedEntry>) {
        for entry in entries { apply(entry) }
    }

    package mutating func apply(_ entry: RecordedEntry) {
        for change in LedgerFold.changes(of: entry) { apply(change) }
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
        case .addTakings(let currency, let milliunits):
            var sum =
                takings[currency] ?? Takings(currency: currency, soldMilliunits: 0, sales: 0)
            sum.soldMilliunits += milliunits
            sum.sales += 1
            takings[currency] = sum
        case .noteSoldProduct(let product):
            if let known = soldProducts[product.id] {
                soldProducts[product.id]?.isHosted = known.isHosted ?? product.isHosted
            } else {
                soldProducts[product.id] = product
            }
        case .putCatalog(let revision): catalog = revision
        case .putIdentity(let identity): self.identity = identity
        }
    }
}
