#if os(Linux)
import Foundation
package import StoreModel
import Synchronization

/// The store of this process: the newest test session that lives, else what the app has configured,
/// else an ephemeral one over the configuration found. A task may be bound to a session of its own.
package enum AppStoreProcess {
    private typealias Opening = Task<Result<AppStoreSession, StoreError>, Never>

    private struct State {
        var tests: [WeakSession] = []
        /// Nil for an ephemeral store over the configuration that is found.
        var choice: AppStoreSession.Choice?
        /// How often the app has chosen.
        var choices = 0
        /// Of the store that was chosen; nil before the first use, and again once it has failed.
        var opening: Opening?
        /// The chosen store, once it is open.
        var opened: AppStoreSession?
        /// The number of the session whose updates are the process's.
        var followed: Int?

        var session: AppStoreSession? { newestTest ?? opened }
        var newestTest: AppStoreSession? { tests.last { $0.session != nil }?.session }
    }

    private struct WeakSession {
        weak var session: AppStoreSession?
    }

    private static let state = Mutex(State())
    /// Of readers that are bound to no session: it follows the store of the process.
    private static let board = UpdateBoard<SessionUpdate>()
    private static let process = getpid()

    /// The session of the present task; nil for that of the process.
    @TaskLocal package static var bound: AppStoreSession?

    /// The session that a call of StoreKit asks now. A store that could not be opened is tried again
    /// by the next call.
    ///
    /// - Throws: errors of opening the store; `systemError` in a child of `fork` without `exec`,
    ///   which has none of the threads that a session needs.
    package static func current() async throws(StoreError) -> AppStoreSession {
        if let bound { return bound }
        guard getpid() == process else {
            throw StoreError(
                .systemError, subject: "fork",
                cause:
                    "A child process that was forked cannot use its parent's store. Start it anew.")
        }
        if let test = state.withLock({ $0.newestTest }) { return test }
        let opening = state.withLock { state in
            let opening = state.opening ?? open(state.choice, state.choices)
            state.opening = opening
            return opening
        }
        do { return try await opening.value.get() } catch {
            state.withLock { if $0.opening == opening { $0.opening = nil } }
            throw error
        }
    }

    /// Whether a test's session lives, or the task is bound to one.
    static var isTesting: Bool {
        bound != nil || state.withLock { $0.newestTest != nil }
    }

    /// As `current()`, as far as one is open: nothing is opened for it.
    package static var openSession: AppStoreSession? { bound ?? state.withLock { $0.session } }

    /// A new reader. It misses nothing from now on; a store that is not open yet is opened meanwhile.
    package static func updates() -> AppUpdateReader {
        if let bound { return AppUpdateReader(bound.board, isBound: true) }
        let reader = AppUpdateReader(board, isBound: false)
        if openSession == nil { Task { _ = try? await current() } }
        return reader
    }

    /// Makes a test's session the process's.
    package static func begin(_ session: AppStoreSession) {
        state.withLock { state in
            state.tests.append(WeakSession(session: session))
            follow(&state)
        }
    }

    /// Ends a test's session for this process: an older one that still lives is the process's again.
    package static func end(_ session: AppStoreSession) {
        state.withLock { state in
            state.tests.removeAll { $0.session == nil || $0.session === session }
            follow(&state)
        }
    }

    /// Chooses the store of the process where no test's session lives; it is opened at the first use.
    package static func configure(_ choice: AppStoreSession.Choice) {
        state.withLock { state in
            state.choice = choice
            state.choices += 1
            state.opening = nil
            state.opened = nil
            follow(&state)
        }
    }

    private static func open(_ choice: AppStoreSession.Choice?, _ choices: Int) -> Opening {
        Task {
            do throws(StoreError) {
                let choice =
                    if let choice { choice } else {
                        AppStoreSession.Choice(file: try ConfigurationFile.find())
                    }
                let session = try await AppStoreSession.open(choice)
                state.withLock { state in
                    // The app may have chosen another meanwhile.
                    guard state.choices == choices else { return }
                    state.opened = session
                    follow(&state)
                }
                return .success(session)
            } catch { return .failure(error) }
        }
    }

    /// Tells readers and StoreKit 1's queue of the process's session, if it is another than before.
    /// Under one lock with `publish`, so that no update falls between two sessions.
    private static func follow(_ state: inout State) {
        let session = state.session
        guard session?.number != state.followed else { return }
        state.followed = session?.number
        PaymentQueue.shared.begin(with: session)
        board.begin(with: session?.board.unfinished ?? [:])
    }

    /// Whether the session with this number is the process's.
    static func follows(_ number: Int) -> Bool { state.withLock { $0.followed == number } }

    /// Tells readers of the process of an update of the session with this number.
    static func publish(_ update: AppUpdate, of number: Int, on device: DeviceName) {
        state.withLock { state in
            guard state.followed == number else { return }
            PaymentQueue.shared.receive(update)
            board.publish(update, of: number, on: device)
        }
    }
}
#endif
