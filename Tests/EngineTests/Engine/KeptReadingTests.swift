import Foundation
import SQLLedger
import SQLiteLedger
@testable import StoreEngine
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// What a server keeps of a transaction between two requests.
@Suite(.timeLimit(.minutes(10))) struct KeptReadingTests {
    /// Counts the calls of a ledger, whose stamps it passes on.
    private final class CountingLedger: LedgerOverLedger, StampedLedger {
        private let ledger: SQLiteLedger
        private let count = Mutex(0)

        init(_ ledger: SQLiteLedger) { self.ledger = ledger }

        var inner: any Ledger { ledger }
        var stamp: CommitStamp? { ledger.stamp }
        var calls: Int { count.withLock { $0 } }

        func call<Value: Sendable>(
            isWrite: Bool, _ body: () async throws(StoreError) -> Value
        ) async throws(StoreError) -> Value {
            count.withLock { $0 += 1 }
            return try await body()
        }

        func append(
            _ decisions: [Decision], at now: Timestamp
        ) async throws(StoreError) -> [AppendResult] {
            try await call(isWrite: true) { () async throws(StoreError) in
                try await ledger.append(decisions, at: now)
            }
        }
    }

    private let folder: TemporaryFolder
    private let clock = ManualClock()

    init() throws { folder = try TemporaryFolder() }

    private func ledger() throws -> SQLiteLedger {
        try SQLiteLedger(path: folder.path + "/store.sqlite")
    }

    @Test("a request is answered without a read until something is recorded by any process")
    func reads() async throws {
        let counting = CountingLedger(try ledger())
        let store = try await TestStore(ledger: counting, clock: clock, elapsed: nil)
        let other = try await TestStore(ledger: try ledger(), clock: clock, elapsed: nil)
        let id = try #require(try await store.session().purchase(.of(SampleCatalog.theme)).number)
        let served = store.engine.servedStore
        #expect(try await served.served(id) != nil)
        func read() async throws -> (ServerReading, ServedTransaction, calls: Int) {
            let before = counting.calls
            let reading = try await served.server(along: id)
            let transaction = try #require(try reading.transaction?())
            return (reading, transaction, counting.calls - before)
        }
        let first = try await read()
        let second = try await read()
        #expect(first.calls == 1 && second.calls == 0)
        #expect(first.1 == second.1)

        let key = APIKey(id: "K", name: "k", publicKey: "", createdAt: clock.now())
        _ = try await other.engine.servedStore.change(.create(key, issuer: UUID()))
        #expect(try await read().0.settings.validKey("K") != nil)
        _ = try await other.engine.servedStore.change(.revoke("K"))
        #expect(try await read().0.settings.validKey("K") == nil, "it holds at once")
        _ = try await other.console.perform(
            .failNext(.transactionInfo, error: .lateAnswer, count: 1, delayMilliseconds: 1))
        #expect(try await read().0.faults.map(\.call) == [.transactionInfo])
        _ = try await other.console.perform(.refund(id, .rest, reason: .app))
        let refunded = try await read()
        #expect(refunded.1.payload.revocationDate != nil && refunded.1.signed != first.1.signed)
        #expect(try await read().calls == 0)
    }

    @Test("what was read of a subscription is not kept beyond the time at which it renews")
    func due() async throws {
        let store = try await TestStore(ledger: try ledger(), clock: clock, elapsed: nil)
        let id = try #require(
            try await store.session().purchase(.of(SampleCatalog.monthly)).number)
        let served = store.engine.servedStore
        #expect(try await served.served(id) != nil)
        func isRead() async throws -> Bool {
            try await served.server(along: id).transaction?() != nil
        }
        for _ in 0..<2 { #expect(try await isRead()) }
        clock.advance(byMilliseconds: 40 * 86_400_000)
        #expect(try await !isRead(), "the renewal has to be recorded first")
        #expect(try await served.statuses(of: "aoi").first?.state == .subscribed)
        #expect(try await isRead())
    }
}
