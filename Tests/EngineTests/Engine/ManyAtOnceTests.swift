import Foundation
import SQLiteLedger
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ManyAtOnceTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/store.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    /// All outcomes, in no particular order.
    private func buyAtOnce(
        _ payments: [Payment], by sessions: [any Store]
    ) async throws -> [PurchaseOutcome] {
        try await withThrowingTaskGroup(of: PurchaseOutcome.self) { group in
            for (index, payment) in payments.enumerated() {
                let session = sessions[index % sessions.count]
                group.addTask { try await session.purchase(payment) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("64 concurrent payments share commits")
    func sixtyFourPaymentsShareCommits() async throws {
        let ledger = try SQLiteLedger(path: path)
        let store = try await TestStore(ledger: ledger)
        let before = ledger.commits
        let payments = (0..<64).map { _ in Payment.of(SampleCatalog.coins) }
        let outcomes = try await buyAtOnce(payments, by: [store.session()])
        #expect(outcomes.allSatisfy { $0.isPurchased })
        #expect(Set(outcomes.compactMap(\.number)).count == 64)
        #expect(ledger.commits - before < 32, "\(ledger.commits - before) commits")
        let rows = try await ledger.allRows()
        #expect(Set(rows.payments.keys) == Set(payments.map(\.id)))
    }

    @Test("concurrent payments share what is read for them: none reads for itself")
    func sixtyFourPaymentsShareReads() async throws {
        let ledger = OverrunLedger(InMemoryLedger(), before: { _ in false }) {}
        let store = try await TestStore(ledger: ledger)
        let session = store.session()
        _ = try await session.purchase(.of(SampleCatalog.coins))
        let before = ledger.snapshots
        let payments = (0..<64).map { _ in Payment.of(SampleCatalog.coins) }
        let outcomes = try await buyAtOnce(payments, by: [session])
        #expect(outcomes.allSatisfy { $0.isPurchased })
        #expect(ledger.snapshots - before < 64, "\(ledger.snapshots - before) reads")
    }

    @Test("every caller gets the answer to its own payment", arguments: LedgerKind.allCases)
    func everyCallerGetsTheAnswerToItsOwnPayment(_ kind: LedgerKind) async throws {
        let store = try await TestStore(ledger: kind.make(in: folder))
        let session = store.session()
        let products = [
            SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.monthly, SampleCatalog.pass,
            "test.unheard",
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                let payment = Payment.of(products[index % products.count])
                group.addTask {
                    do {
                        let outcome = try await session.purchase(payment)
                        guard case .purchased(let signed, _, let isOwned) = outcome,
                            case .verified(let transaction) = try await TestStore.verifier()
                                .verify(signed)
                        else {
                            Issue.record("\(payment.productID): \(outcome)")
                            return
                        }
                        #expect(transaction.payload.productId == payment.productID)
                        #expect(
                            !isOwned
                                || [SampleCatalog.theme, SampleCatalog.monthly].contains(
                                    payment.productID)
                        )
                    } catch let error as StoreError {
                        #expect(error.code == .productUnavailable)
                        #expect(error.productID == payment.productID)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "two quick buys of a consumable are two transactions [C2]", arguments: LedgerKind.allCases)
    func twoQuickBuysOfAConsumableAreTwoTransactions(_ kind: LedgerKind) async throws {
        let store = try await TestStore(ledger: kind.make(in: folder))
        let outcomes = try await buyAtOnce(
            [.of(SampleCatalog.coins), .of(SampleCatalog.coins)], by: [store.session()])
        #expect(Set(outcomes.compactMap(\.number)).count == 2)
    }

    @Test(
        "two concurrent purchases of a non-consumable are one sale", arguments: LedgerKind.allCases)
    func twoBuysOfANonConsumableAtOnceAreOneSale(_ kind: LedgerKind) async throws {
        let store = try await TestStore(ledger: kind.make(in: folder))
        let outcomes = try await buyAtOnce(
            [.of(SampleCatalog.theme), .of(SampleCatalog.theme)], by: [store.session()])
        #expect(Set(outcomes.compactMap(\.number)).count == 1)
        let wasOwned = outcomes.map { outcome in
            if case .purchased(_, _, let alreadyOwned) = outcome { alreadyOwned } else { false }
        }
        #expect(wasOwned.count { $0 } == 1)
        #expect(try await store.console.takings().map(\.sales) == [1])
    }

    @Test("one payment sent twenty times at once is one sale [C2]", arguments: LedgerKind.allCases)
    func onePaymentSentTwentyTimesAtOnceIsOneSale(_ kind: LedgerKind) async throws {
        let store = try await TestStore(ledger: kind.make(in: folder))
        let payment = Payment.of(SampleCatalog.coins)
        let outcomes = try await buyAtOnce(
            Array(repeating: payment, count: 20), by: [store.session()])
        #expect(Set(outcomes.compactMap(\.number)).count == 1)
        #expect(try await store.console.takings().map(\.sales) == [1])
    }

    @Test("two processes never sell a non-consumable twice")
    func twoProcessesNeverSellANonConsumableTwice() async throws {
        let first = try await TestStore(ledger: SQLiteLedger(path: path))
        let second = try await TestStore(ledger: SQLiteLedger(path: path))
        let sessions: [any Store] = [first.session(), second.session()]
        // Coins in between give the batches of one process several versions of the account.
        let products = [SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.otherTheme]
        let payments = (0..<60).map { Payment.of(products[$0 % 3]) }
        let outcomes = try await buyAtOnce(payments, by: sessions)
        #expect(outcomes.allSatisfy { $0.isPurchased })
        let rows = try await second.ledger.allRows()
        let sold = rows.transactions.values.map(\.sale.productID)
        #expect(sold.count { $0 == SampleCatalog.theme } == 1)
        #expect(sold.count { $0 == SampleCatalog.otherTheme } == 1)
        #expect(sold.count { $0 == SampleCatalog.coins } == 20)
    }

    @Test("a batch that conflicts with another process's commit is decided again")
    func aBatchOverrunByAnotherProcessIsDecidedAnew() async throws {
        // The scheduler decides which requests share a batch: try new stores until some did.
        for _ in 0..<100 {
            let shared = InMemoryLedger()
            let other = try await TestStore(ledger: shared)
            _ = try await other.session().purchase(.of(SampleCatalog.coins))
            let overrun = OverrunLedger(shared) {
                _ = try? await other.session().purchase(.of(SampleCatalog.theme))
            }
            let store = try await TestStore(ledger: overrun)
            let products = Array(repeating: SampleCatalog.coins, count: 9) + [SampleCatalog.theme]
            let outcomes = try await buyAtOnce(
                products.map { Payment.of($0) }, by: [store.session()])
            #expect(outcomes.allSatisfy { $0.isPurchased })
            guard overrun.hasHappened else { continue }
            let rows = try await shared.allRows()
            let themes = rows.transactions.values.filter {
                $0.sale.productID == SampleCatalog.theme
            }
            #expect(themes.count == 1)
            return
        }
        Issue.record("No two of ten requests were decided together, in 100 tries.")
    }
}
