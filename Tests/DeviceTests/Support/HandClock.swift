import Synchronization

/// Elapsed time that passes only when a test calls `pass`, which also wakes sleepers that are due.
final class HandClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Swift.Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }
    private struct State {
        var now = Instant(offset: .zero)
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }
    private let state = Mutex(State())
    let minimumResolution = Swift.Duration.nanoseconds(1)

    var now: Instant { state.withLock { $0.now } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(id, Sleeper(deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func add(_ id: Int, _ sleeper: Sleeper) {
        enum Answer { case sleeps([CheckedContinuation<Void, Never>]), isOver, isCancelled }
        let answer = state.withLock { state -> Answer in
            if state.cancelled.contains(id) { return .isCancelled }
            if sleeper.deadline <= state.now { return .isOver }
            state.sleepers[id] = sleeper
            defer { state.waiting = [:] }
            return .sleeps(Array(state.waiting.values))
        }
        switch answer {
        case .isCancelled: sleeper.continuation.resume(throwing: CancellationError())
        case .isOver: sleeper.continuation.resume()
        case .sleeps(let waiting): for one in waiting { one.resume() }
        }
    }

    /// Waits until a task sleeps on this clock, or the test is cancelled.
    func untilSleeping() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.sleepers.isEmpty || state.cancelled.contains(id) { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.cancelled.insert(id)
                return state.waiting.removeValue(forKey: id)
            }
            waiting?.resume()
        }
    }

    func pass(_ duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for one in woken { one.resume() }
    }
}
