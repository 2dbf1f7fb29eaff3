import Basics
import Foundation
import StoreEngine
import StoreModel

/// All lookup tables at once, as the in-memory fold has them, for checks of the ledger.
extension LedgerReader {
    /// The cost grows with the whole ledger.
    func projections() throws -> Projections {
        var all = Projections()
        all.identity = try meta("identity")
        all.epoch = try meta(MetaTable.epoch)
        all.catalog = try meta("catalog")
        for id in try db.fetchAll("SELECT id FROM transactions", read: { $0.integer(0) }) {
            all.transactions[TransactionID(id)] = try transaction(TransactionID(id))
        }
        let chains = try db.fetchAll("SELECT account, chain FROM subscriptions") {
            LedgerQuery.Sold(
                account: AccountName($0.text(0)), id: TransactionID($0.integer(1)))
        }
        for chain in chains { all.subscriptions[chain.id] = try subscription(chain) }
        for item in try due(through: .latest, of: nil, limit: .max) {
            all.due[.init(chain: item.chain, kind: item.kind)] = item
        }
        all.clock = try meta("clock")
        all.renewals = try meta("renewals")
        all.server = try meta("server")
        for item in try outbox(OutboxQuery(.oldest(after: nil), limit: .max)).items {
            all.outbox[item.id] = item
        }
        all.outboxThrough = try outboxThrough()
        for id in try db.fetchAll("SELECT id FROM payments", read: { $0.uuid(0) }) {
            guard let id = id.map({ PaymentID($0) }) else { continue }
            all.payments[id] = try payment(id)
        }
        for account in try db.fetchAll(
            "SELECT DISTINCT account FROM unfinished", read: { $0.text(0) })
        {
            for (row, _) in try unfinished(of: AccountName(account)) {
                all.unfinished[row.id] = row
            }
        }
        for row in try pending() { all.pending[row.number] = row }
        let answered = try db.fetchAll(
            "SELECT number FROM requests WHERE answer_position IS NOT NULL"
        ) { TransactionID($0.integer(0)) }
        for number in answered { all.requestEnds[number] = try end(of: number) }
        for request in try refundRequests() {
            all.refundRequests[request.transactionID] = request
        }
        var found = LedgerSnapshot()
        try addAccounts(allAccounts(), to: &found)
        all.accounts = found.accounts
        let members = try db.fetchAll("SELECT account FROM families") { AccountName($0.text(0)) }
        try addAccounts(members, to: &found)
        all.families = found.families
        for name in try db.fetchAll(
            "SELECT DISTINCT account FROM account_values", read: { AccountName($0.text(0)) })
        {
            all.values[name] = try values(of: name)
        }
        all.uses = try uses("")
        let extensions = try db.fetchAll("SELECT id, asked_at FROM extensions") {
            (id: $0.uuid(0), at: Timestamp(milliseconds: $0.integer(1)))
        }
        for use in extensions {
            if let id = use.id { all.extensions[id] = use.at }
        }
        let offerUses = try db.fetchAll(
            "SELECT \(Self.offerUseColumns) FROM offer_uses", read: offerUse)
        for use in offerUses.compactMap({ $0 }) { all.offerUses[use.key] = use }
        let shares = try db.fetchAll("SELECT shared, chain, account, id FROM shares") {
            ShareRow(
                shared: TransactionID($0.integer(0)), chain: TransactionID($0.integer(1)),
                account: AccountName($0.text(2)), id: TransactionID($0.integer(3)))
        }
        for row in shares { all.shares[row.id] = row }
        for fault in try faults() { all.faults[fault.id] = fault }
        for sum in try takings() { all.takings[sum.currency] = sum }
        all.soldProducts = try soldProducts()
        for row in try HistoryTable.rows(db) { all.history[row.position] = row }
        return all
    }
}
