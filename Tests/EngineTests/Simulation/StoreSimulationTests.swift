import Foundation
import StoreEngine
import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StoreSimulationTests {
    /// Seeds that once failed, and arbitrary ones. A failure prints its seed: add it here.
    static let seeds: [UInt64] =
        Array(1...18) + [
            2_026, 771_177, 10_030, 10_045, 100_012, 100_058, 100_068, 100_316,
            100_040, 100_153, 100_320,
        ]

    @Test("the store agrees with the auditor through random actions [D2, F1, F2]", arguments: seeds)
    func whateverHappensTheStoreStaysRight(_ seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        var simulation = StoreSimulation(
            seed: seed, handles: try LedgerKind.memory.handles(in: folder))
        try await simulation.run(steps: 220)
    }

    @Test(
        "the same seed gives the same entries in memory and in SQLite", arguments: seeds.prefix(4))
    func theSameSeedGivesTheSameLedgerWhateverItIsKeptIn(_ seed: UInt64) async throws {
        var ledgers: [[RecordedEntry]] = []
        for kind in [LedgerKind.memory, .memory, .sqlite] {
            let folder = try TemporaryFolder()
            let handles = try kind.handles(in: folder)
            var simulation = StoreSimulation(seed: seed, handles: handles)
            try await simulation.run(steps: 150)
            ledgers.append(try await handles.ledger.allEntries())
        }
        #expect(ledgers[0] == ledgers[1], "seed \(seed)")
        #expect(ledgers[0] == ledgers[2], "seed \(seed)")
        #expect(ledgers[0].count > 50)
    }
}

/// A run of any length, on the ledger in memory.
@Suite(.timeLimit(.minutes(240))) struct LongSimulationTests {
    /// The number of all steps: `STOREFRONT_STEPS`, a million in `make simulation`.
    private static let steps =
        ProcessInfo.processInfo.environment["STOREFRONT_STEPS"].flatMap { Int($0) } ?? 2_000

    @Test("the store agrees with the auditor for as many steps as were asked for")
    func aLongRun() async throws {
        let stepsEach = 200
        let environment = ProcessInfo.processInfo.environment
        // `STOREFRONT_SEED` repeats the one history whose seed a failure has reported.
        let seeds =
            environment["STOREFRONT_SEED"].flatMap { UInt64($0) }.map { [$0] }
            ?? (1...max(1, Self.steps / stepsEach)).map { UInt64(100_000 + $0) }
        // Each of two workers takes every other seed.
        try await withThrowingTaskGroup { group in
            for worker in 0..<2 {
                group.addTask {
                    for seed in seeds where seed % 2 == UInt64(worker) {
                        let folder = try TemporaryFolder()
                        var simulation = StoreSimulation(
                            seed: seed, handles: try LedgerKind.memory.handles(in: folder))
                        // A failure is reported with its seed, and the other histories continue.
                        do { try await simulation.run(steps: stepsEach) } catch {
                            Issue.record(error, "seed \(seed)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        print("Simulation: \(seeds.count) histories of \(stepsEach) steps")
    }
}
