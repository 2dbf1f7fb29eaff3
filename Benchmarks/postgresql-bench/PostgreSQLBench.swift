#if PostgreSQL
import BenchTable
import Foundation
import PostgreSQLLedger
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport

/// Work on stores of one PostgreSQL database, for Benchmarks/postgresql_bench.py: it measures the
/// same server by other means in between, and compares. What is printed are numbers, in seconds.
///
///     postgresql-bench ADDRESS sales STORE COUNT
///     postgresql-bench ADDRESS crowd STORE ROUNDS
///     postgresql-bench ADDRESS fill STORE SALES
///     postgresql-bench ADDRESS size SMALL LARGE
///     postgresql-bench ADDRESS events STORE COUNT
///     postgresql-bench ADDRESS check STORE
///     postgresql-bench ADDRESS purchases STORE COUNT
///     postgresql-bench ADDRESS pages STORE ACCOUNTS
///     postgresql-bench ADDRESS connections STORE
@main
struct PostgreSQLBench {
    let address: PostgreSQLAddress

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3 else { throw StoreError(.invalidName, subject: "arguments") }
        let bench = PostgreSQLBench(address: try PostgreSQLAddress(words[0]))
        let last = words.count > 3 ? words[3] : ""
        let count = Int(last) ?? 0
        switch words[1] {
        case "sales": try await bench.sales(words[2], count)
        case "crowd": try await bench.crowd(words[2], rounds: count)
        case "fill":
            // It also opens the store.
            let ledger = try await bench.store(words[2]).ledger
            try await OthersSales.append(count, of: SampleCatalog.coins, to: ledger)
        case "size": try await bench.size(words[2], last)
        case "events": try await bench.events(words[0], words[2], count)
        case "check": try await bench.check(words[2])
        case "purchases": try await bench.purchases(words[2], count)
        case "pages": try await bench.pages(words[2], accounts: count)
        case "connections": try await bench.connections(words[2])
        case "follow": try await bench.follow(words[2])
        case "listen": try BareConnection(words[0]).listen()
        default: throw StoreError(.invalidName, subject: words[1])
        }
    }

    func ledger(_ name: String) throws -> PostgreSQLLedger {
        try PostgreSQLLedger(address, schema: name)
    }

    func store(_ name: String) async throws -> TestStore {
        try await TestStore(ledger: ledger(name))
    }

    /// One after the other, each durable before the next.
    private func sales(_ name: String, _ count: Int) async throws {
        let session = try await store(name).session(account: "alone")
        for _ in 0..<20 { _ = try await session.purchase(.of(SampleCatalog.coins)) }
        print(
            try await Measure.seconds {
                for _ in 0..<count { _ = try await session.purchase(.of(SampleCatalog.coins)) }
            })
    }

    /// 64 customers, each with one purchase under way at any time.
    private func crowd(_ name: String, rounds: Int) async throws {
        let store = try await store(name)
        let buy: @Sendable (Int) async throws -> Void = { rounds in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    let session = store.session(account: AccountName("customer-\(number)"))
                    group.addTask {
                        for _ in 0..<rounds {
                            _ = try await session.purchase(.of(SampleCatalog.coins))
                        }
                    }
                }
                for try await _ in group {}
            }
        }
        try await buy(2)
        print(try await Measure.seconds { try await buy(rounds) })
    }

    // MARK: - Size

    /// A purchase, a launch and a restore: the median in the small store and that in the large one.
    private func size(_ small: String, _ large: String) async throws {
        let stores = try await (self.store(small), self.store(large))
        for store in [stores.0, stores.1] {
            for product in [SampleCatalog.theme, SampleCatalog.otherTheme, SampleCatalog.book] {
                _ = try await store.session(account: "owner").purchase(.of(product))
            }
        }
        let folder = try TemporaryFolder()
        let names = [ObjectIdentifier(stores.0.engine): "small"]
        let device: (TestStore, AccountName) async throws -> Device = { store, account in
            let name = names[ObjectIdentifier(store.engine)] ?? "large"
            return try await Self.device(store, account, folder.path + "/" + name)
        }
        try await compare("purchase", stores, times: 200) { store in
            let session = store.session(account: "owner")
            return { _ = try await session.purchase(.of(SampleCatalog.coins)) }
        }
        try await compare("launch", stores, times: 40) { store in
            // Leaves one transaction unfinished. The launch has ended once it is finished.
            _ = try await store.session(account: "launcher").purchase(.of(SampleCatalog.coins))
            return {
                let device = try await device(store, "launcher")
                let updates = device.updates()
                try await device.launch()
                for await update in updates {
                    if case .event(.finished) = update { break }
                }
                await device.close()
            }
        }
        try await compare("restore", stores, times: 40) { store in
            {
                let device = try await device(store, "owner")
                _ = try await device.restore()
                await device.close()
            }
        }
    }

    private static func device(
        _ store: TestStore, _ account: AccountName, _ folder: String
    ) async throws -> Device {
        try await Device(
            store: store.session(account: account), storeFolder: folder, clock: store.clock,
            elapsed: ContinuousClock(),
            pacer: BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()))
    }

    /// The work that `prepare` returns, on two stores in turn.
    private func compare(
        _ what: String, _ stores: (TestStore, TestStore), times: Int,
        _ prepare: (TestStore) async throws -> () async throws -> Void
    ) async throws {
        var (smallTimes, largeTimes): ([Double], [Double]) = ([], [])
        for round in -5..<times {
            let small = try await Measure.seconds(try await prepare(stores.0))
            let large = try await Measure.seconds(try await prepare(stores.1))
            guard round >= 0 else { continue }
            smallTimes.append(small)
            largeTimes.append(large)
        }
        print(what, Measure.median(smallTimes), Measure.median(largeTimes))
    }

    // MARK: - Events

    /// From the beginning of a purchase until another process has its event, and from the beginning
    /// of a bare NOTIFY until another process has it: the medians.
    private func events(_ text: String, _ name: String, _ count: Int) async throws {
        let session = try await store(name).session(account: "alone")
        let reader = try OtherProcess([text, "follow", name])
        defer { reader.end() }
        let listener = try OtherProcess([text, "listen", name])
        defer { listener.end() }
        try reader.wait()
        try listener.wait()
        let bare = try BareConnection(text)
        let clock = ContinuousClock()
        var events: [Double] = []
        var notifications: [Double] = []
        for _ in 0..<count {
            _ = try await session.purchase(.of(SampleCatalog.coins))
            // The event exists since the commit, of which this answer tells.
            let answered = clock.now
            try reader.wait()
            events.append(answered.duration(to: clock.now) / .seconds(1))
            let begun = clock.now
            try bare.run("NOTIFY bare")
            try listener.wait()
            notifications.append(begun.duration(to: clock.now) / .seconds(1))
        }
        print(Measure.median(events), Measure.median(notifications))
    }

    private func follow(_ name: String) async throws {
        try await OtherProcess.tellSales(of: store(name).console)
    }
}
#else
@main
struct PostgreSQLBench {
    static func main() {
        print("This program was built without the trait PostgreSQL: make bench-postgresql")
    }
}
#endif
