import BenchTable
import Foundation
import StoreEngine
import StoreModel

/// How soon another process learns of a sale.
enum EventBench {
    private static let count = 50
    private static let millisecondsMax = 100.0

    static func run(_ table: inout Table) async throws {
        let store = try await BenchStore("events")
        let session = store.session()
        let reader = try OtherProcess(["--follow", store.folder])
        defer { reader.end() }
        try reader.wait()
        let clock = ContinuousClock()
        var all: [Double] = []
        for _ in 0..<count {
            // With the decision and the commit, because the event cannot exist before them.
            let start = clock.now
            _ = try await session.purchase(BenchStore.payment())
            try reader.wait()
            all.append(start.duration(to: clock.now) / .milliseconds(1))
        }
        let median = Measure.median(all)
        table.add(
            "a sale reaches another process, median of \(count), beside 100 ms", median,
            millisecondsMax, unit: "ms", ratio: median / millisecondsMax, goal: .atMost(1))
    }

    /// The other process.
    static func follow(_ folder: String) async throws {
        let store = try await BenchStore.opened(folder)
        try await OtherProcess.tellSales(of: store.engine.storeOperator)
    }
}
