import Synchronization
import Testing

/// Runs four tests at a time, so that the programs they start do not starve each other.
struct Turns: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    private static let semaphore = AsyncSemaphore(count: 4)

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await body() }
        await Self.semaphore.acquire()
        defer { Self.semaphore.release() }
        try await body()
    }
}

/// Admits `count` tasks at a time, in order of arrival.
private final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(free: count)) }

    func acquire() async {
        await withCheckedContinuation { continuation in
            let isIn = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isIn { continuation.resume() }
        }
    }

    func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a suite if there is no program to test.
    static var withProgram: Self {
        .enabled(
            if: Program.path != nil,
            "There is no program to test: build it with `make release`, or set STOREFRONT_PROGRAM.")
    }
}

extension Trait where Self == Turns {
    static var inTurn: Self { Turns() }
}
