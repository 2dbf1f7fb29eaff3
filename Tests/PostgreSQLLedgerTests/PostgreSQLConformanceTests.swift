#if PostgreSQL
import StoreEngine
import StoreTestSupport
import TestBasics
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct PostgreSQLConformanceTests {
    @Test(
        "the ledger on PostgreSQL passes each conformance check",
        arguments: LedgerConformance.checks)
    func theLedgerKeepsItsPromises(_ check: LedgerConformance.Check) async throws {
        try await check.run(ServedStore().handles())
    }

    @Test(
        "the store on PostgreSQL agrees with the auditor through random actions",
        arguments: [1, 2_026, 100_316] as [UInt64])
    func whateverHappensTheStoreStaysRight(_ seed: UInt64) async throws {
        let handles = try ServedStore().handles()
        var simulation = StoreSimulation(seed: seed, handles: handles)
        try await simulation.run(steps: 220)
        let rows = try await handles.ledger.allRows()
        #expect(try await Projections(folding: handles.other.allEntries()) == rows)
    }

    @Test("the same seed gives the same entries in memory and on PostgreSQL")
    func theSameSeedGivesTheSameLedger() async throws {
        var ledgers: [[RecordedEntry]] = []
        let memory = InMemoryLedger()
        for handles in [.init(ledger: memory, other: memory), try ServedStore().handles()] {
            var simulation = StoreSimulation(seed: 7, handles: handles)
            try await simulation.run(steps: 150)
            ledgers.append(try await handles.ledger.allEntries())
        }
        #expect(ledgers[0] == ledgers[1])
        #expect(ledgers[0].count > 50)
    }
}
#endif
