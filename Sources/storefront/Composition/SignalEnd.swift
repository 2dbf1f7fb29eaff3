import Foundation
import Synchronization

/// Runs work before a signal ends or stops the process. The work runs in a thread that the handler
/// wakes, because few functions are safe in a handler (signal-safety(7)). Afterwards the process
/// ends or stops by that signal, as its parent process expects.
enum SignalEnd {
    /// The signals by which a person or a service manager ends a command.
    static let requests = [SIGHUP, SIGINT, SIGTERM]

    private struct State {
        var works: [@Sendable (Int32) -> Void] = []
        var handled: Set<Int32> = []
        var isListening = false
        /// Before the process stops; returns what is done once it continues.
        var stopping: (@Sendable () -> @Sendable () -> Void)?
    }

    private static let state = Mutex(State())
    /// The write end of a pipe, for the handler.
    private static let wakeDescriptor = Atomic<Int32>(-1)

    /// Runs work before one of these signals, or of those of earlier calls, ends the process; the
    /// work of later calls runs first. Ignored signals, as under nohup(1), stay ignored.
    ///
    /// - Parameter work: gets the signal's number, on its own thread.
    static func before(_ signals: [Int32], _ work: @escaping @Sendable (Int32) -> Void) {
        state.withLock { state in
            state.works.insert(work, at: 0)
            guard isListening(&state) else { return }
            for number in signals where !state.handled.contains(number) && handle(number) {
                state.handled.insert(number)
            }
        }
    }

    /// Runs work before each stop by SIGTSTP (Ctrl-Z), and what it returns once the process
    /// continues.
    static func aroundStop(_ work: @escaping @Sendable () -> @Sendable () -> Void) {
        state.withLock { state in
            state.stopping = work
            if isListening(&state) { _ = handle(SIGTSTP) }
        }
    }

    /// Returns false if no pipe can be made.
    private static func isListening(_ state: inout State) -> Bool {
        if !state.isListening { state.isListening = listen() }
        return state.isListening
    }

    /// Returns false for a signal that is ignored.
    private static func handle(_ number: Int32) -> Bool {
        let before = signal(number) { number in
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(SignalEnd.wakeDescriptor.load(ordering: .relaxed), &byte, 1)
        }
        let wasIgnored =
            unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if wasIgnored { _ = signal(number, SIG_IGN) }
        return !wasIgnored
    }

    /// Starts the thread that waits for the handler. Returns false if no pipe can be made.
    private static func listen() -> Bool {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let listening = ends[0]
        wakeDescriptor.store(ends[1], ordering: .relaxed)
        Thread.detachNewThread {
            var number: UInt8 = 0
            while true {
                while read(listening, &number, 1) < 0 && errno == EINTR {}
                guard number == UInt8(SIGTSTP) else { break }
                stop()
            }
            let (works, handled) = state.withLock { ($0.works, $0.handled) }
            // A second signal ends the process at once.
            for other in handled { _ = signal(other, SIG_DFL) }
            // Two seconds each, on its own thread: one may block on output that nobody reads.
            for work in works {
                let isDone = DispatchSemaphore(value: 0)
                let ending = Int32(number)
                Thread.detachNewThread {
                    work(ending)
                    isDone.signal()
                }
                _ = isDone.wait(timeout: .now() + .seconds(2))
            }
            kill(getpid(), Int32(number))
        }
        return true
    }

    /// Returns when the process continues.
    private static func stop() {
        let stopping = state.withLock { $0.stopping }
        let after = stopping?()
        _ = signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        _ = handle(SIGTSTP)
        after?()
    }
}
