import Synchronization

/// Work whose caller does not wait for it, such as writing a file that is derived from the records.
/// It starts `pause` after the first request. A later request before the start replaces the work,
/// so that many changes in a row cost one run. Safe from any task.
final class BackgroundWork: Sendable {
    typealias Work = @Sendable () async -> Void

    private struct State {
        var due: Work?
        var pause: Task<Void, Never>?
        var running: Task<Void, Never>?
    }
    private let state = Mutex(State())
    private let length: Duration

    init(after pause: Duration = DeviceLimits.backgroundPause) { length = pause }

    /// Requests work. Returns at once.
    func schedule(_ work: @escaping Work) {
        state.withLock { state in
            state.due = work
            guard state.running == nil else { return }
            let pause = Task { [length] in _ = try? await Task.sleep(for: length) }
            state.pause = pause
            state.running = Task { [weak self] in
                await pause.value
                await self?.runDue()
            }
        }
    }

    /// Runs the requested work without a further pause, and returns when it has ended.
    func runNow() async {
        let (pause, running) = state.withLock { ($0.pause, $0.running) }
        pause?.cancel()
        await running?.value
    }

    /// Drops requested work that has not begun, and returns when nothing runs.
    func cancel() async {
        state.withLock { $0.due = nil }
        await runNow()
    }

    private func runDue() async {
        while let work = takeDue() { await work() }
    }

    private func takeDue() -> Work? {
        state.withLock { state in
            if state.due == nil {
                state.running = nil
                state.pause = nil
            }
            defer { state.due = nil }
            return state.due
        }
    }
}
