#if PostgreSQL
import PostgreSQLLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

/// A store that four processes use at once: each has an engine, a ledger and connections of its own,
/// and an account that subscribes.
struct BusyStore: Sendable {
    let told = Told()
    private let processes: [UsingProcess]

    /// - Parameter open: opens the ledger as another process would.
    init(_ open: () throws -> PostgreSQLLedger) async throws {
        let clock = ManualClock()
        var processes: [UsingProcess] = []
        for number in 0..<4 {
            let store = try await TestStore(ledger: open(), clock: clock)
            let account = AccountName("customer-\(number)")
            let outcome = try await store.session(account: account)
                .purchase(.of(SampleCatalog.monthly))
            try #require(outcome.isPurchased)
            processes.append(UsingProcess(store: store, account: account, told: told))
        }
        self.processes = processes
    }

    /// Purchases, renewals and refunds by all processes, until `disturb` returns.
    func run(seed: UInt64, while disturb: @escaping @Sendable (Told) async throws -> Void)
        async throws
    {
        let told = told
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, process) in processes.enumerated() {
                group.addTask {
                    do { try await process.run(seed: seed &+ UInt64(number)) } catch {
                        await told.finish()
                        throw error
                    }
                }
            }
            group.addTask {
                do { try await disturb(told) } catch {
                    await told.finish()
                    throw error
                }
                await told.finish()
            }
            for try await _ in group {}
        }
    }

    /// Compares what was told with what is in the ledger: nothing is lost, nothing is there twice,
    /// and nothing is there that was told as not recorded.
    func audit(_ ledger: PostgreSQLLedger) async throws {
        let store = try await TestStore(ledger: ledger)
        _ = try await store.console.perform(
            .clock(.advance(.calendar(SubscriptionPeriod(unit: .month, value: 1)))))
        let entries = try await ledger.allEntries()
        let rows = try await ledger.allRows()
        #expect(entries.map(\.position) == entries.indices.map { Int64($0) + 1 })
        #expect(try Projections(folding: entries) == rows)
        try await auditPayments(entries, rows)
        try await auditRefunds(entries, rows)
        auditRenewals(rows)
        let (sold, unsold) = await (told.sold.count, told.unsold.count)
        let (refunded, unrefunded) = await (told.refunded.count, told.unrefunded.count)
        let unknown = await told.unknown
        print(
            "PostgreSQL: \(sold) sold, \(unsold) not recorded, \(refunded) refunded,",
            "\(unrefunded) not refunded, \(unknown) unknown at first,",
            "\(rows.transactions.count) transactions")
    }

    private func auditPayments(_ entries: [RecordedEntry], _ rows: Projections) async throws {
        let told = await (sold: told.sold, unsold: told.unsold)
        let lost = told.sold.filter { payment, id in
            guard case .sold(let row)? = rows.payments[payment]?.state else { return true }
            return row.id != id
        }
        #expect(lost.isEmpty, "told as sold, and lost")
        let wrong = told.unsold.filter { rows.payments[$0] != nil }
        #expect(wrong.isEmpty, "told as not recorded, and sold")
        #expect(!told.sold.isEmpty)
        let paid = entries.compactMap { entry -> PaymentID? in
            guard case .sold(let sale) = entry.entry.fact, case .payment(let id, _) = sale.cause
            else { return nil }
            return id
        }
        #expect(paid.count == Set(paid).count, "sold twice")
    }

    private func auditRefunds(_ entries: [RecordedEntry], _ rows: Projections) async throws {
        let told = await (refunded: told.refunded, unrefunded: told.unrefunded)
        let lost = told.refunded.filter { rows.transactions[$0]?.state.revocation == nil }
        #expect(lost.isEmpty, "told as refunded, and lost")
        let wrong = told.unrefunded.filter { rows.transactions[$0]?.state.revocation != nil }
        #expect(wrong.isEmpty, "told as not refunded, and refunded")
        #expect(!told.refunded.isEmpty)
        let revised = entries.compactMap { entry -> TransactionID? in
            if case .revised = entry.entry.fact { entry.number } else { nil }
        }
        #expect(revised.count == Set(revised).count, "refunded twice")
    }

    /// Each period begins where the one before it ends, up to now.
    private func auditRenewals(_ rows: Projections) {
        let chains = Dictionary(
            grouping: rows.transactions.values.filter { $0.expiresDate != nil }, by: \.originalID)
        #expect(chains.count == processes.count)
        for chain in chains.values {
            let periods = chain.sorted { $0.sale.purchaseDate < $1.sale.purchaseDate }
            #expect(periods.count > 1, "it was renewed")
            for (earlier, later) in zip(periods, periods.dropFirst()) {
                #expect(later.sale.purchaseDate == earlier.expiresDate, "\(later.id)")
            }
        }
    }
}

/// The actions of one process.
private struct UsingProcess: Sendable {
    let store: TestStore
    let account: AccountName
    let told: Told

    func run(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var refundable: [TransactionID] = []
        while await !told.isOver {
            switch random.below(10) {
            case 0: try await advance()
            case 1, 2:
                if let id = refundable.popLast() { try await refund(id) }
            default:
                if let id = try await buy() { refundable.append(id) }
            }
        }
    }

    private func buy() async throws -> TransactionID? {
        let payment = Payment.of(SampleCatalog.coins)
        let session = store.session(account: account)
        let outcome = try await known { () async throws(StoreError) in
            try await session.purchase(payment)
        }
        if let outcome { try #require(outcome.isPurchased, "\(outcome)") }
        await told.note(payment.id, soldAs: outcome?.number)
        return outcome?.number
    }

    private func refund(_ id: TransactionID) async throws {
        let isRefunded: Bool
        do throws(StoreError) {
            isRefunded = try await perform(.refund(id, .rest, reason: .other))
        } catch {
            // By the call whose outcome was unknown.
            guard error.code == .alreadyRefunded else { throw error }
            isRefunded = true
        }
        await told.note(id, isRefunded: isRefunded)
    }

    /// Moves the clock of all processes by a week, which renews what is due. Not in the last years
    /// before the clock's end, where a long run comes to.
    private func advance() async throws {
        let years: Int64 = 10 * 365 * 86_400_000
        let last = Timestamp.recordable.upperBound.advanced(byMilliseconds: -years)
        guard store.engine.clock.now() < last else { return }
        let action = OperatorAction.clock(
            .advance(.calendar(SubscriptionPeriod(unit: .week, value: 1))))
        do throws(StoreError) { _ = try await perform(action) } catch {
            // The next call that depends on what is due records it.
            guard error.code == .dueNotRecorded else { throw error }
        }
    }

    private func perform(_ action: OperatorAction) async throws(StoreError) -> Bool {
        let console = store.console
        let events = try await known { () async throws(StoreError) in
            try await console.perform(action)
        }
        return events != nil
    }

    /// Makes a call, and the same call again for as long as its outcome is unknown.
    ///
    /// - Returns: nil for a call of which nothing was recorded, as its error said.
    private func known<Value: Sendable>(
        _ call: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value? {
        var isUnknown = false
        while true {
            do throws(StoreError) { return try await call() } catch {
                switch error.code {
                case .outcomeUnknown:
                    if !isUnknown { await told.noteUnknown() }
                    isUnknown = true
                case .storeUnreachable, .storeBusy:
                    await told.serverIsUp()
                    if !isUnknown { return nil }
                default: throw error
                }
                await told.serverIsUp()
            }
        }
    }
}
#endif
