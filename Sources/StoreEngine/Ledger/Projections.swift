package import Foundation
package import StoreModel

/// All lookup rows of a ledger as values. Tests rebuild them from the entries and compare them with
/// those of any ledger.
package struct Projections: Hashable, Sendable {
    package var identity: AppIdentity?
    /// Of cursors; nil for the first, which every store has that is no copy.
    package var epoch: Int64?
    package var catalog: CatalogRevision?
    /// Including deleted ones.
    package var transactions: [TransactionID: TransactionRow] = [:]
    /// With their transactions in the state of their sale.
    package var payments: [PaymentID: PaymentRow] = [:]
    package var unfinished: [TransactionID: UnfinishedRow] = [:]
    package var pending: [TransactionID: ApprovalRequest] = [:]
    /// By number.
    package var requestEnds: [TransactionID: RequestEnd] = [:]
    /// By transaction.
    package var refundRequests: [TransactionID: RefundRequest] = [:]
    package var accounts: [AccountName: AccountSettings] = [:]
    package var families: [AccountName: Family] = [:]
    /// Of each account by key; an account without values is absent.
    package var values: [AccountName: [String: String]] = [:]
    /// The accounts that have paid with the same token or user name or from the same device, the
    /// first `AccountNotice.accountsMax` of each.
    package var uses: [AccountUse.Means: Set<AccountName>] = [:]
    /// Including revoked ones, by their own number.
    package var shares: [TransactionID: ShareRow] = [:]
    package var offerUses: [OfferUse.Key: OfferUse] = [:]
    /// When each was first requested, by identifier.
    package var extensions: [UUID: Timestamp] = [:]
    /// Those in force, by id.
    package var faults: [Int64: Fault] = [:]
    /// By currency.
    package var takings: [String: SalesTotals] = [:]
    package var soldProducts: [ProductID: SoldProduct] = [:]
    /// Subscriptions that renew or have renewed, by the chain's first transaction.
    package var subscriptions: [TransactionID: SubscriptionRow] = [:]
    /// The next item of each kind for each chain.
    package var due: [DueKey: DueItem] = [:]
    package var clock: ClockState?
    package var renewals: RenewalSettings?
    package var server: ServerSettings?
    /// By number (`notificationUUID`).
    package var outbox: [UUID: OutboxItem] = [:]
    /// The position up to which entries have been told; nil if none was looked at yet.
    package var outboxThrough: Int64?
    /// The search keys of histories, by position. Entries that are no events have none.
    package var history: [Int64: HistoryRow] = [:]

    /// The key of a due item: a chain has at most one of each kind.
    package struct DueKey: Hashable, Sendable {
        package var chain: TransactionID
        package var kind: DueItem.Kind

        package init(chain: TransactionID, kind: DueItem.Kind) {
            self.chain = chain
            self.kind = kind
        }
    }

    package init() {}

    /// With the present state of its transaction or of the request it waits under.
    package func payment(_ id: PaymentID) -> PaymentRow? {
        guard var row = payments[id] else { return nil }
        switch row.state {
        case .sold(let sold): row.state = .sold(transactions[sold.id] ?? sold)
        case .deferred(let request, _):
            switch requestEnds[request] {
            case .sold: if let sold = transactions[request] { row.state = .sold(sold) }
            case .answered(let id): row.state = .answered(with: id)
            case .failed(let error): row.state = .failed(error, request: request)
            case nil: break
            }
        case .answered, .failed: break
        }
        return row
    }

    /// - Parameter entries: all entries of a ledger, in order.
    /// - Throws: `storeUnreadable` for an entry that contradicts itself.
    package init(folding entries: some Sequence<RecordedEntry>) throws(StoreError) {
        for entry in entries { try apply(entry) }
    }

    /// Throws as `LedgerFold.changes`.
    package mutating func apply(_ entry: RecordedEntry) throws(StoreError) {
        for change in try LedgerFold.changes(of: entry) { apply(change, at: entry.position) }
    }

    private mutating func apply(_ change: RowChange, at position: Int64) {
        switch change {
        case .insertTransaction(let row): transactions[row.id] = row
        case .putPayment(let row): payments[row.payment.id] = row
        case .insertUnfinished(let row): unfinished[row.id] = row
        case .moveUnfinished(let id, _, let device): unfinished[id]?.device = device
        case .removeUnfinished(let id, _): unfinished[id] = nil
        case .insertPending(let row): pending[row.number] = row
        case .removePending(let number, let end):
            pending[number] = nil
            requestEnds[number] = end
        case .putRefundRequest(let request): refundRequests[request.transactionID] = request
        case .removeRefundRequest(let id): refundRequests[id] = nil
        case .putAccount(let settings): accounts[settings.name] = settings
        case .putFamily(let account, let family): families[account] = family
        case .putValue(let account, let change):
            let after = change.applied(to: values[account, default: [:]])
            values[account] = after.isEmpty ? nil : after
        case .noteUse(let use):
            if uses[use.means, default: []].count < AccountNotice.accountsMax {
                uses[use.means, default: []].insert(use.account)
            }
        case .noteOfferUse(let use): offerUses[use.key] = offerUses[use.key] ?? use
        case .removeOfferUses(let id): offerUses = offerUses.filter { $0.value.transaction != id }
        case .insertShare(let row): shares[row.id] = row
        case .putFault(let fault): faults[fault.id] = fault
        case .removeFault(let id): faults[id] = nil
        case .noteSoldProduct(let product):
            soldProducts[product.id] = soldProducts[product.id] ?? product
        case .addSalesTotals(let change): takings.add(change)
        case .putState(let id, _, let state):
            transactions[id]?.state = state
            transactions[id]?.changedAt = position
        case .putSubscription(var row):
            row.previous = subscriptions[row.chain]?.latest
            subscriptions[row.chain] = row
        case .putSubscriptionState(let chain, _, let autoRenews, let state):
            subscriptions[chain]?.autoRenews = autoRenews
            subscriptions[chain]?.state = state
        case .putDue(let item): due[DueKey(chain: item.chain, kind: item.kind)] = item
        case .removeDue(let chain, _, let kind): due[DueKey(chain: chain, kind: kind)] = nil
        case .putClock(let state): clock = state
        case .putRenewals(let settings): renewals = settings
        case .putServer(let settings): server = settings
        case .noteExtension(let id, let at): extensions[id] = extensions[id] ?? at
        case .outbox(let fact): apply(fact, at: position)
        case .putCatalog(let revision): catalog = revision
        case .putIdentity(let identity): self.identity = identity
        case .putEpoch(let epoch): self.epoch = epoch
        case .insertHistory(var row, let sold):
            if let sold, let transaction = transactions[sold], transaction.account == row.account {
                row.product = transaction.sale.productID
            }
            history[row.position] = row
        }
    }
}
