import BenchTable
import Foundation
import SQLLedger
import SQLiteLedger
import StoreDevice
import StoreEngine
import StoreModel

/// Refunds and renewals: the time of an account's own work in a store with many refunds and
/// renewals of other accounts, and the time to record and to fold one, compared with a plain sale.
enum AfterSaleBench {
    private static let refunds = 10_000
    private static let renewals = 100_000
    private static let renewalsAChain = 20

    static func run(_ table: inout Table) async throws {
        // Both stores are reopened, so that neither has cached the entries that it recorded.
        let plain = try await owner("plain").reopened()
        let busy = try await filledOwner("busy").reopened()
        try await compare("open", plain, busy, &table) { store in
            {
                let ledger = try SQLiteLedger(path: store.folder + "/store.sqlite")
                _ = try await BenchStore.engine(on: ledger, keys: store.keys)
            }
        }
        try await compare("purchase", plain, busy, &table) { store in
            let session = store.session("owner")
            return { _ = try await session.purchase(BenchStore.payment()) }
        }
        try await compare("entitlements", plain, busy, &table) { store in
            let session = store.session("owner")
            return { _ = try await session.entitlements() }
        }
        try await compare("restore", plain, busy, &table) { store in
            {
                let device = try await store.device("owner")
                _ = try await device.restore()
                await device.close()
            }
        }
        try await fold(&table)
        try await record(&table)
    }

    private static func compare(
        _ what: String, _ plain: BenchStore, _ busy: BenchStore, _ table: inout Table,
        _ prepare: (BenchStore) async throws -> () async throws -> Void
    ) async throws {
        try await BenchStore.compare(
            "\(what) beside 10000 refunds and 100000 renewals, not none", plain, busy, &table,
            times: 60, prepare)
    }

    // MARK: - Stores

    /// A store whose account "owner" has nine themes and a subscription.
    private static func owner(_ name: String) async throws -> BenchStore {
        let store = try await BenchStore(name)
        let session = store.session("owner")
        for number in 0..<9 {
            _ = try await session.purchase(
                BenchStore.payment(ProductID("\(BenchStore.theme).\(number)")))
        }
        _ = try await session.purchase(BenchStore.payment(BenchStore.plan))
        return store
    }

    private static func filledOwner(_ name: String) async throws -> BenchStore {
        let store = try await owner(name)
        try await fill(store)
        return store
    }

    /// Appends refunded sales of coins, and subscriptions with renewals, of other accounts.
    private static func fill(_ store: BenchStore) async throws {
        try await OthersSales.append(refunds, to: store.ledger)
        let sold = try await store.ledger.allSales()
        try await append(sold.map(refund), to: store.ledger)
        let chains = renewals / renewalsAChain
        let firsts = try await append((0..<chains).map(firstPeriod), to: store.ledger)
        for period in 1...renewalsAChain {
            try await append(
                firsts.enumerated().map { renewal($1, chain: $0, period: period) },
                to: store.ledger)
        }
    }

    @discardableResult
    private static func append(
        _ decisions: [Decision], to ledger: SQLiteLedger
    ) async throws -> [TransactionID] {
        var ids: [TransactionID] = []
        for start in stride(from: 0, to: decisions.count, by: 5_000) {
            let page = Array(decisions[start..<min(start + 5_000, decisions.count)])
            for result in try await ledger.append(page, at: Timestamp(Date())) {
                if case .recorded(let entries) = result, let id = entries.first?.number {
                    ids.append(id)
                }
            }
        }
        return ids
    }

    // MARK: - Entries

    private static let start = Timestamp(Date()).advanced(
        byMilliseconds: -Int64(renewalsAChain) * 30 * 86_400_000)
    private static let price = Money(milliunits: 990, currency: "USD")

    private static func refund(_ row: (id: TransactionID, account: AccountName)) -> Decision {
        let revocation = Revocation(
            date: Timestamp(Date()), reason: .other, takenBack: .all, refunded: .all,
            refundedMilliunits: price.milliunits)
        let revision = TransactionRevision(
            state: TransactionState(revision: 1, revocation: revocation),
            change: .refunded(price), productID: BenchStore.coins, type: .consumable)
        return Decision(
            reads: [:],
            entries: [
                Entry(
                    account: row.account, device: nil, effectiveAt: revocation.date,
                    number: .existing(row.id), fact: .revised(revision))
            ])
    }

    private static func sale(_ cause: Sale.Cause, _ period: Int, _ chain: TransactionID?) -> Sale {
        let term = SubscriptionTerm(
            period: SubscriptionPeriod(unit: .month, value: 1), rate: .realTime, anchor: start,
            index: period, ordinal: period + 1)
        let begins =
            period == 0
            ? start
            : RenewalSchedule.end(
                ofPeriod: period, of: term.period, from: start, rate: .realTime)
        return Sale(
            cause: cause, productID: BenchStore.plan, type: .autoRenewable,
            groupID: BenchStore.group,
            original: chain.map { Sale.Original(id: $0, purchaseDate: start) },
            purchaseDate: begins, expiresDate: term.end, storefront: "USA", price: price,
            term: term)
    }

    private static func firstPeriod(_ chain: Int) -> Decision {
        let payment = PaymentID(UUID())
        return Decision(
            reads: [:], newPayments: [payment],
            entries: [
                Entry(
                    account: AccountName("plan-\(chain)"), device: "phone", effectiveAt: start,
                    number: .next, fact: .sold(sale(.payment(payment, shownPrice: price), 0, nil)))
            ])
    }

    private static func renewal(
        _ first: TransactionID, chain: Int, period: Int
    ) -> Decision {
        let sale = sale(.renewal, period, first)
        return Decision(
            reads: [:],
            entries: [
                Entry(
                    account: AccountName("plan-\(chain)"), device: nil,
                    effectiveAt: sale.purchaseDate, number: .next, fact: .sold(sale))
            ])
    }

    // MARK: - One entry

    private static func recorded(_ entry: Entry) -> RecordedEntry {
        RecordedEntry(
            position: 7, recordedAt: entry.effectiveAt, number: TransactionID(1_000_007),
            entry: entry)
    }

    private static func fold(_ table: inout Table) async throws {
        let plain = recorded(plainSale(0).entries[0])
        let kinds = [
            ("refund", recorded(refund((TransactionID(1_000_007), "other")).entries[0])),
            (
                "renewal",
                recorded(renewal(TransactionID(1_000_001), chain: 1, period: 1).entries[0])
            ),
        ]
        for (name, entry) in kinds {
            let (it, sale) = try await Measure.inTurn(rounds: 40) {
                for _ in 0..<5_000 { _ = try LedgerFold.changes(of: entry) }
            } _: {
                for _ in 0..<5_000 { _ = try? LedgerFold.changes(of: plain) }
            }
            table.add(
                "folding a \(name), beside a plain sale", it / 5_000 * 1e6, sale / 5_000 * 1e6,
                unit: "us", ratio: it / sale, goal: .atMost(1.3))
        }
    }

    private static func plainSale(_ number: Int) -> Decision {
        let payment = BenchStore.payment()
        let sale = Sale(
            payment: payment, type: .consumable, purchaseDate: start, storefront: "USA",
            price: price)
        return Decision(
            reads: [:], newPayments: [payment.id],
            entries: [
                Entry(
                    account: AccountName("other-\(number)"), device: "phone", effectiveAt: start,
                    number: .next, fact: .sold(sale))
            ])
    }

    /// 500 entries per commit: the entry, its lookup rows and indexes.
    private static func record(_ table: inout Table) async throws {
        let store = try await BenchStore("recording")
        var plain: [Double] = []
        var refunded: [Double] = []
        var renewed: [Double] = []
        let many = 500
        for round in 0..<20 {
            let sales = (0..<many).map { plainSale(round * many + $0) }
            var ids: [TransactionID] = []
            plain.append(
                try await Measure.seconds { ids = try await append(sales, to: store.ledger) })
            let refunds = ids.enumerated().map {
                refund(($1, AccountName("other-\(round * many + $0)")))
            }
            refunded.append(
                try await Measure.seconds { try await append(refunds, to: store.ledger) })
            let firsts = try await append(
                (0..<many).map { firstPeriod(round * many + $0) }, to: store.ledger)
            let renewals = firsts.enumerated().map {
                renewal($1, chain: round * many + $0, period: 1)
            }
            renewed.append(
                try await Measure.seconds { try await append(renewals, to: store.ledger) })
        }
        let sale = Measure.median(plain) / Double(many) * 1e6
        for (name, times) in [("refund", refunded), ("renewal", renewed)] {
            let each = Measure.median(times) / Double(many) * 1e6
            table.add(
                "recording a \(name), 500 a commit, beside a plain sale", each, sale, unit: "us",
                ratio: each / sale)
        }
    }
}

extension SQLiteLedger {
    /// The number and account of every consumable sold.
    fileprivate func allSales() async throws -> [(id: TransactionID, account: AccountName)] {
        var sales: [(id: TransactionID, account: AccountName)] = []
        var cursor = FeedCursor(epoch: 1, position: 0)
        while true {
            let page = try await entries(after: cursor, account: nil, limit: 5_000)
            for recorded in page.entries {
                guard case .sold(let sale) = recorded.entry.fact, sale.type == .consumable,
                    let id = recorded.number, let account = recorded.entry.account
                else { continue }
                sales.append((id, account))
            }
            guard page.cursor != cursor else { return sales }
            cursor = page.cursor
        }
    }
}
