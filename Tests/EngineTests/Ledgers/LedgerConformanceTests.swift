import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LedgerConformanceTests {
    @Test(
        "every ledger passes each conformance check", arguments: LedgerKind.allCases,
        LedgerConformance.checks)
    func everyLedgerKeepsItsPromises(
        _ kind: LedgerKind, _ check: LedgerConformance.Check
    ) async throws {
        let folder = try TemporaryFolder()
        try await check.run(kind.handles(in: folder))
    }
}
