import Foundation
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Every call of the ledger fails once, in turn, during a whole sale. Each operation happens
/// completely or not at all, and repeating it leads to the same end as without a failure.
@Suite(.timeLimit(.minutes(10))) struct FailingStepTests {
    /// Purchases and their finishes. Each step may throw; repeating all leads to the same end.
    private struct Flow {
        let theme = Payment.of(SampleCatalog.theme)
        let coins = Payment.of(SampleCatalog.coins, quantity: 2)

        func run(on store: TestStore) async throws {
            let session = store.session()
            _ = try await store.console.changeAccount(
                "aoi", askToBuy: true, canMakePayments: nil, territory: nil)
            if case .pending(let request, _) = try await session.purchase(theme) {
                _ = try await store.console.approve(request)
            }
            _ = try await store.console.changeAccount(
                "aoi", askToBuy: false, canMakePayments: nil, territory: nil)
            guard case .purchased(_, let id, _) = try await session.purchase(coins) else {
                throw StoreError(.unknown, cause: "the coins were not sold")
            }
            _ = try await session.finish(id)
        }
    }

    @Test(
        "a sale survives the failure of any ledger call", arguments: LedgerKind.allCases,
        FaultyLedger.Moment.allCases)
    func aSaleSurvivesTheFailureOfAnyStep(
        _ kind: LedgerKind, _ moment: FaultyLedger.Moment
    ) async throws {
        var failures = 0
        while true {
            let folder = try TemporaryFolder()
            let ledger = try kind.make(in: folder)
            let flow = Flow()
            let faulty = FaultyLedger(ledger, failAt: failures + 1, moment: moment)
            do {
                try await flow.run(on: TestStore(ledger: faulty))
                #expect(!faulty.hasFired, "a failure that was not reported: call \(failures + 1)")
            } catch let error as StoreError {
                #expect(error.cause == "on purpose", "call \(failures + 1)")
            }
            try await expectWhole(ledger, "after call \(failures + 1)")
            guard faulty.hasFired else { break }
            try await flow.run(on: TestStore(ledger: ledger))
            try await expectEnd(of: flow, ledger, "after call \(failures + 1) and again")
            failures += 1
        }
        #expect(failures > 12, "the flow makes more calls than that")
    }

    /// Expects rows and entries to agree, and no payment to be recorded in part.
    private func expectWhole(_ ledger: any Ledger, _ when: Comment) async throws {
        let entries = try await ledger.allEntries()
        let rows = try await ledger.allRows()
        #expect(try rows == Projections(folding: entries), when)
        for row in rows.payments.values {
            switch row.state {
            case .sold(let sold): #expect(rows.transactions[sold.id] == sold, when)
            case .deferred(let request, _): #expect(rows.pending[request] != nil, when)
            case .failed, .answered: Issue.record("nothing fails in this flow: \(when)")
            }
        }
        let sold = rows.transactions.values.reduce(0) { $0 + $1.sale.price.milliunits }
        #expect(rows.takings["USD"]?.soldMilliunits ?? 0 == sold, when)
    }

    private func expectEnd(of flow: Flow, _ ledger: any Ledger, _ when: Comment) async throws {
        try await expectWhole(ledger, when)
        let rows = try await ledger.allRows()
        let products = rows.transactions.values.map(\.sale.productID).sorted()
        #expect(products == [SampleCatalog.coins, SampleCatalog.theme], when)
        #expect(rows.pending.isEmpty, when)
        let waiting = rows.unfinished.keys.compactMap { rows.transactions[$0]?.sale.type }
        #expect(waiting == [.nonConsumable], when)
        #expect(rows.takings["USD"]?.soldMilliunits == 3_970, when)
    }

    @Test("a refund that was recorded is never told as one that was not")
    func recordedRefund() async throws {
        var failures = 0
        while true {
            let ledger = InMemoryLedger()
            let outcome = try await TestStore(ledger: ledger).session()
                .purchase(.of(SampleCatalog.coins))
            let id = try #require(outcome.number)
            let before = await ledger.head()
            let faulty = FaultyLedger(
                ledger, failAt: failures + 1, moment: .before,
                error: StoreError(.storeUnreachable))
            do {
                let store = try await TestStore(ledger: faulty)
                _ = try await store.console.perform(.refund(id, .rest, reason: .other))
            } catch let error as StoreError {
                let isRecorded = await ledger.head() != before
                let expected: StoreError.Code = isRecorded ? .outcomeUnknown : .storeUnreachable
                #expect(error.code == expected, "call \(failures + 1)")
            }
            guard faulty.hasFired else { break }
            failures += 1
        }
        #expect(failures > 3, "the last call reads what was refunded, after it was recorded")
    }

    @Test("a purchase whose commit fails gets the commit's error", arguments: LedgerKind.allCases)
    func everyAnswerWaitingForAFailedCommitIsTheFailure(_ kind: LedgerKind) async throws {
        let folder = try TemporaryFolder()
        let ledger = try kind.make(in: folder)
        _ = try await TestStore(ledger: ledger)
        let before = try await ledger.head()
        // The first call opens the store, the second reads the snapshot: the third commits.
        let faulty = FaultyLedger(
            ledger, failAt: 3, moment: .before, error: StoreError(.storeFull))
        let store = try await TestStore(ledger: faulty)
        let error = await #expect(throws: StoreError.self) {
            try await store.session().purchase(.of(SampleCatalog.coins))
        }
        #expect(error?.code == .storeFull)
        #expect(try await ledger.head() == before)
        #expect(try await store.session().purchase(.of(SampleCatalog.coins)).isPurchased)
    }
}
