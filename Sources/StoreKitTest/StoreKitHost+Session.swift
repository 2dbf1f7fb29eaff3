#if os(Linux)
public import StoreKit

extension StoreKitHost {
    /// Runs work whose calls of StoreKit go to a session, whatever the process's store is; so do
    /// those of its child tasks and of `Task { }` in it. Detached tasks, and StoreKit 1's queue,
    /// follow the process's store.
    public static func with<Value>(
        _ session: SKTestSession, isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Value
    ) async rethrows -> Value {
        try await AppStoreProcess.$bound.withValue(
            session.store,
            operation: {
                try await SKTestSession.$bound.withValue(
                    WeakSession(session: session), operation: work, isolation: isolation)
            }, isolation: isolation)
    }

    /// As for work that awaits.
    public static func with<Value>(
        _ session: SKTestSession, _ work: () throws -> Value
    ) rethrows -> Value {
        try SKTestSession.$bound.withValue(WeakSession(session: session)) {
            try AppStoreProcess.$bound.withValue(session.store, operation: work)
        }
    }
}

/// A task that listens must not keep a session that its test has left.
struct WeakSession: Sendable {
    weak var session: SKTestSession?
}

extension SKTestSession {
    @TaskLocal static var bound: WeakSession?

    /// The session that the task is bound to, by `StoreKitHost.with` or a trait; nil for none.
    public static var current: SKTestSession? { bound?.session }
}
#endif
