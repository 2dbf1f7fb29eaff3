package import StoreEngine
package import StoreModel
import Synchronization

/// A ledger whose n-th call fails once: either before it does anything, or after it was done, so
/// that its answer is lost. Tests loop n = 1, 2, 3 … until none fails.
package final class FaultyLedger: LedgerOverLedger {
    /// When the failing call throws: before it does anything, or after it was done.
    package enum Moment: CaseIterable, Sendable { case before, after }

    private struct State {
        var calls = 0
        var hasFired = false
        var refusal: StoreError.Code?
        var refusalOfAll: StoreError.Code?
        var isOverrun = false
    }

    package let inner: any Ledger
    private let failAt: Int
    private let moment: Moment
    private let error: StoreError
    private let state = Mutex(State())

    /// Makes the `failAt`-th call fail, counted from 1; a lost append throws `outcomeUnknown`.
    package init(
        _ inner: any Ledger, failAt: Int, moment: Moment,
        error: StoreError = StoreError(.storeUnreadable, cause: "on purpose")
    ) {
        self.inner = inner
        self.failAt = failAt
        self.moment = moment
        self.error = error
    }

    /// A ledger whose calls all succeed until `refuseWrites` is called.
    package convenience init(_ inner: any Ledger) {
        self.init(inner, failAt: .max, moment: .before)
    }

    /// Makes every later append fail with `code`; nil lets them succeed again.
    package func refuseWrites(with code: StoreError.Code?) {
        state.withLock { $0.refusal = code }
    }

    /// Makes every later call fail with `code`.
    package func refuseAll(with code: StoreError.Code) {
        state.withLock { $0.refusalOfAll = code }
    }

    /// Makes every later append a conflict, as if another process had always written just before.
    package func overrunWrites() { state.withLock { $0.isOverrun = true } }

    package var calls: Int { state.withLock { $0.calls } }
    package var hasFired: Bool { state.withLock { $0.hasFired } }

    package func call<Value: Sendable>(
        isWrite: Bool, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        if let code = state.withLock({ $0.refusalOfAll }) { throw StoreError(code) }
        let isIt = state.withLock { state in
            state.calls += 1
            if state.calls == failAt { state.hasFired = true }
            return state.calls == failAt
        }
        guard isIt else { return try await body() }
        guard moment == .after else { throw error }
        _ = try await body()
        // An embedded ledger reports a commit with an unknown result by this error.
        throw isWrite ? StoreError(.outcomeUnknown, cause: error.cause) : error
    }

    package func append(_ decisions: [Decision], at now: Timestamp) async throws(StoreError)
        -> [AppendResult]
    {
        if let code = state.withLock({ $0.refusal }) { throw StoreError(code) }
        if state.withLock({ $0.isOverrun }) { return decisions.map { _ in .conflict } }
        return try await call(isWrite: true) { () async throws(StoreError) in
            try await inner.append(decisions, at: now)
        }
    }
}
