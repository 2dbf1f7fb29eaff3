#if os(Linux)
public import Foundation
public import StoreKit
public import Testing

/// Gives each test a session of its own, bound to its task: `@Suite(.storeKit("Products"))`. The
/// test reaches it as `SKTestSession.current`. Tests may run side by side.
public struct StoreKitTrait: TestTrait, SuiteTrait, TestScoping {
    let open: @Sendable () throws -> SKTestSession

    /// Each test of a suite has a session, and not the suite.
    public var isRecursive: Bool { true }

    /// Runs a test with a session, which ends with it.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let session = try open()
        do { try await StoreKitHost.with(session) { try await function() } } catch {
            await session.close()
            throw error
        }
        await session.close()
    }
}

extension Trait where Self == StoreKitTrait {
    /// A session of each test, as by `SKTestSession(configurationFileNamed:)`.
    public static func storeKit(_ configurationFileNamed: String) -> Self {
        StoreKitTrait {
            try SKTestSession(configurationFileNamed: configurationFileNamed)
        }
    }

    /// A session of each test, as by `SKTestSession(contentsOf:)`.
    public static func storeKit(contentsOf url: URL) -> Self {
        StoreKitTrait { try SKTestSession(contentsOf: url) }
    }
}

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
