package import StoreEngine
package import StoreModel
import Synchronization

/// A ledger in which another process wins a race: it calls `meanwhile` once, before an append.
package final class OverrunLedger: LedgerOverLedger {
    private struct State {
        var hasHappened = false
        var salesRead = 0
        var snapshots = 0
    }

    package let inner: any Ledger
    private let isBefore: @Sendable ([Decision]) -> Bool
    private let meanwhile: @Sendable () async -> Void
    private let state = Mutex(State())

    package var hasHappened: Bool { state.withLock { $0.hasHappened } }

    /// How many sales were read by their numbers so far (`LedgerQuery.sales`).
    package var salesRead: Int { state.withLock { $0.salesRead } }

    /// How many snapshots were read so far.
    package var snapshots: Int { state.withLock { $0.snapshots } }

    /// - Parameter isBefore: the append before which `meanwhile` runs; by default one of several.
    package init(
        _ inner: any Ledger,
        before isBefore: @escaping @Sendable ([Decision]) -> Bool = { $0.count > 1 },
        meanwhile: @escaping @Sendable () async -> Void
    ) {
        self.inner = inner
        self.isBefore = isBefore
        self.meanwhile = meanwhile
    }

    package func append(_ decisions: [Decision], at now: Timestamp) async throws(StoreError)
        -> [AppendResult]
    {
        let isFirst = state.withLock { state in
            guard !state.hasHappened, isBefore(decisions) else { return false }
            state.hasHappened = true
            return true
        }
        if isFirst { await meanwhile() }
        return try await inner.append(decisions, at: now)
    }

    package func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot {
        state.withLock { state in
            state.salesRead += query.sales.count
            state.snapshots += 1
        }
        return try await inner.snapshot(query)
    }

    package func call<Value: Sendable>(
        isWrite: Bool, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value { try await body() }
}
