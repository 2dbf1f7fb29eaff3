#if PostgreSQL
import BenchTable
import Foundation
import PostgreSQLLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import Synchronization

/// The work on a store of ten million transactions (`postgresql_bench.py --scale`).
extension PostgreSQLBench {
    /// Throws unless the rows of all tables are those that the entries give.
    func check(_ name: String) async throws {
        let ledger: any Ledger = try self.ledger(name)
        let entries = try await ledger.allEntries()
        guard try await Projections(folding: entries) == ledger.allRows() else {
            throw StoreError(.storeUnreadable, subject: name)
        }
        print(entries.count)
    }

    /// The median, and the slowest.
    func purchases(_ name: String, _ count: Int) async throws {
        let session = try await store(name).session(account: "alone")
        var times: [Double] = []
        for round in -20..<count {
            let seconds = try await Measure.seconds {
                _ = try await session.purchase(.of(SampleCatalog.coins))
            }
            if round >= 0 { times.append(seconds) }
        }
        print(Measure.median(times), times.max() ?? 0)
    }

    /// A page of an account's history, and one of the whole store's, each at a random place: the
    /// medians.
    ///
    /// - Parameter accounts: how many accounts `OthersSales` have.
    func pages(_ name: String, accounts: Int) async throws {
        let ledger: any Ledger = try self.ledger(name)
        let head = try await ledger.head()
        let (one, all) = try await Measure.inTurn(rounds: 300) {
            let account = AccountName("other-\(Int.random(in: 0..<accounts))")
            _ = try await ledger.entries(
                before: head, filter: HistoryFilter(account: account), limit: 50)
        } _: {
            let place = FeedCursor(
                epoch: head.epoch, position: Int64.random(in: 50...max(50, head.position)))
            _ = try await ledger.entries(before: place, filter: HistoryFilter(), limit: 50)
        }
        print(one, all)
    }

    /// 64 engines with a connection each, as 64 processes have, whose customers buy until standard
    /// input ends. Prints when they have begun; then the sales, how often a wait for the others was
    /// given up, and the seconds.
    func connections(_ name: String) async throws {
        var stores: [TestStore] = []
        for _ in 0..<64 { stores.append(try await store(name)) }
        let counter = ConnectionSales(stores)
        _ = try await counter.sell { $0 == 0 }
        FileHandle.standardOutput.write(Data("begun\n".utf8))
        let end = EndOfInput()
        let clock = ContinuousClock()
        let start = clock.now
        let (sales, busy) = try await counter.sell { _ in !end.isReached }
        print(sales, busy, start.duration(to: clock.now) / .seconds(1))
    }
}

private struct ConnectionSales: Sendable {
    private let stores: [TestStore]

    init(_ stores: [TestStore]) { self.stores = stores }

    /// - Parameter wantsMore: gets the number of an engine's sales.
    func sell(
        while wantsMore: @escaping @Sendable (Int) -> Bool
    ) async throws -> (sales: Int, busy: Int) {
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for (number, store) in stores.enumerated() {
                let session = store.session(account: AccountName("connection-\(number)"))
                group.addTask { try await Self.sell(in: session, while: wantsMore) }
            }
            return try await group.reduce(into: (0, 0)) { sum, counts in
                sum.0 += counts.0
                sum.1 += counts.1
            }
        }
    }

    private static func sell(
        in session: some Store, while wantsMore: @Sendable (Int) -> Bool
    ) async throws -> (Int, Int) {
        var sales = 0
        var busy = 0
        while wantsMore(sales) {
            do {
                _ = try await session.purchase(.of(SampleCatalog.coins))
                sales += 1
            } catch {
                guard error.code == .storeBusy else { throw error }
                busy += 1
            }
        }
        return (sales, busy)
    }
}

/// Whether whoever started this program has closed its standard input.
private final class EndOfInput: Sendable {
    private let reached = Atomic(false)

    init() {
        Thread.detachNewThread { [self] in
            while !FileHandle.standardInput.availableData.isEmpty {}
            reached.store(true, ordering: .relaxed)
        }
    }

    var isReached: Bool { reached.load(ordering: .relaxed) }
}
#endif
