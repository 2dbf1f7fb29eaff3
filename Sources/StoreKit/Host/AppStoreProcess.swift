#if os(Linux)
import StoreModel
import Synchronization

/// The store of this process: the newest test session that lives, else the one that the app has
/// configured, else an ephemeral one over the configuration that is found. A task may be bound to
/// a session of its own.
package enum AppStoreProcess {
    private struct State {
        var tests: [WeakSession] = []
        var configured: Task<AppStoreSession, any Error>?
        /// Opened at the first use.
        var standard: Task<AppStoreSession, any Error>?
        /// The configured one, or the other, once it is open.
        var opened: AppStoreSession?
        /// Whose updates are the process's.
        var board: ObjectIdentifier?

        var newestTest: AppStoreSession? { tests.last { $0.session != nil }?.session }
    }

    private struct WeakSession {
        weak var session: AppStoreSession?
    }

    private static let state = Mutex(State())
    /// Of readers that are bound to no session: it follows the store of the process.
    private static let board = UpdateBoard()

    /// The session of the present task; nil for that of the process.
    @TaskLocal package static var bound: AppStoreSession?

    /// The session that a call of StoreKit asks now.
    ///
    /// - Throws: errors of opening the store.
    package static func current() async throws -> AppStoreSession {
        if let bound { return bound }
        if let test = state.withLock({ $0.newestTest }) { return test }
        return try await state.withLock { state in
            if let configured = state.configured { return configured }
            let standard =
                state.standard
                ?? opening { AppStoreSession.Choice(file: try ConfigurationFile.find()) }
            state.standard = standard
            return standard
        }.value
    }

    /// Whether a test's session lives, or the task is bound to one.
    static var isTesting: Bool {
        bound != nil || state.withLock { $0.newestTest != nil }
    }

    /// As `current()`, as far as one is open: nothing is opened for it.
    package static var openSession: AppStoreSession? {
        bound ?? state.withLock { $0.newestTest ?? $0.opened }
    }

    /// The stream that a new reader follows. Subscribes at once; a store that is not open yet is
    /// opened meanwhile.
    package static func subscribe() -> AsyncStream<AppUpdate> {
        if let bound { return bound.board.subscribe() }
        let stream = board.subscribe()
        if openSession == nil { Task { _ = try? await current() } }
        return stream
    }

    /// Makes a test's session the process's.
    package static func begin(_ session: AppStoreSession) {
        state.withLock { $0.tests.append(WeakSession(session: session)) }
        follow(session)
    }

    /// Ends a test's session for this process: an older one that still lives is the process's again.
    package static func end(_ session: AppStoreSession) {
        let next = state.withLock { state in
            state.tests.removeAll { $0.session == nil || $0.session === session }
            return state.newestTest ?? state.opened
        }
        if let next { return follow(next) }
        state.withLock { state in
            state.board = nil
            PaymentQueue.shared.begin(with: nil)
        }
    }

    /// Chooses the store of the process where no test's session lives; it is opened at the first use.
    package static func configure(_ choice: AppStoreSession.Choice) {
        state.withLock { $0.configured = opening { choice } }
    }

    private static func opening(
        _ choice: @escaping @Sendable () throws -> AppStoreSession.Choice
    ) -> Task<AppStoreSession, any Error> {
        Task {
            let session = try await AppStoreSession.open(try choice())
            let isProcesses = state.withLock { state in
                state.opened = session
                return state.newestTest == nil
            }
            if isProcesses { follow(session) }
            return session
        }
    }

    /// Under one lock with `publish`, so that no update falls between two sessions.
    private static func follow(_ session: AppStoreSession) {
        state.withLock { state in
            state.board = ObjectIdentifier(session.board)
            PaymentQueue.shared.begin(with: session)
            board.begin(with: session.board.unfinished)
        }
    }

    static func publish(_ update: AppUpdate, of source: UpdateBoard) {
        state.withLock { state in
            guard state.board == ObjectIdentifier(source) else { return }
            PaymentQueue.shared.receive(update)
            board.publish(update)
        }
    }
}
#endif
