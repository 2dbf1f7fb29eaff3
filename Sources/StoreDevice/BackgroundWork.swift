import Synchronization

/// Work whose caller does not wait for it, such as writing a file that is derived from the records.
/// It starts `pause` after the first request. A later request before the start replaces the work,
/// and one during a run starts it again after another pause: many changes in a row cost one run
/// for each pause. Safe from any task.
final class BackgroundWork: Sendable {
    typealias Work = @Sendable () async -> Void

    private struct State {
        var due: Work?
        var pause: Task<Void, Never>?
        var running: Task<Void, Never>?
        /// How many calls of `runNow` wait; runs begin without a pause until they have returned.
        var hurryCount = 0
    }
    private let state = Mutex(State())
    private let length: Duration

    init(after pause: Duration = DeviceLimits.backgroundPause) { length = pause }

    /// Returns at once.
    func schedule(_ work: @escaping Work) {
        state.withLock { state in
            state.due = work
            guard state.running == nil else { return }
            state.running = Task { [weak self] in await self?.runDue() }
        }
    }

    /// Without a further pause; returns when the work has ended.
    func runNow() async {
        let running = state.withLock { state in
            state.hurryCount += 1
            state.pause?.cancel()
            return state.running
        }
        await running?.value
        state.withLock { $0.hurryCount -= 1 }
    }

    /// Drops requested work that has not begun, and returns when nothing runs.
    func cancel() async {
        state.withLock { $0.due = nil }
        await runNow()
    }

    private func runDue() async {
        while let pause = nextPause() {
            await pause.value
            await takeDue()?()
        }
    }

    /// Before the next run; nil where no work is requested, and the task then ends.
    private func nextPause() -> Task<Void, Never>? {
        state.withLock { state in
            guard state.due != nil else {
                state.running = nil
                state.pause = nil
                return nil
            }
            let length = state.hurryCount > 0 ? .zero : length
            let pause = Task { _ = try? await Task.sleep(for: length) }
            state.pause = pause
            return pause
        }
    }

    private func takeDue() -> Work? {
        state.withLock { state in
            defer { state.due = nil }
            return state.due
        }
    }
}
