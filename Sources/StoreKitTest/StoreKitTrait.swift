#if os(Linux)
public import Foundation
import StoreKit
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
#endif
