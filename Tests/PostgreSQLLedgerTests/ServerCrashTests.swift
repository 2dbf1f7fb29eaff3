#if PostgreSQL
import Foundation
import StoreTestSupport
import TestBasics
import Testing

/// The server syncs what it is told, as a team's does. `make postgresql-test` has many more crashes.
@Suite(
    .timeLimit(.minutes(180)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct ServerCrashTests {
    private static let crashes =
        ProcessInfo.processInfo.environment["STOREFRONT_POSTGRESQL_CRASHES"].flatMap { Int($0) }
        ?? 10

    @Test("a server that crashes or ends connections loses and doubles nothing; no answer lies")
    func crashes() async throws {
        let server = try #require(PrivateServer.start(["max_connections=100"]))
        defer { server.end() }
        let store = ServedStore(server)
        let busy = try await BusyStore { try store.open() }
        try await busy.run(seed: 35) { told in
            var random = SplitMix64(seed: 35)
            for crash in 0..<Self.crashes {
                await told.answers(1 + random.below(16))
                if crash.isMultiple(of: 2) {
                    try store.terminate()
                } else {
                    await told.set(isUp: false)
                    try await server.carryOut("--restart")
                    await told.set(isUp: true)
                }
            }
            await told.answers(8)
        }
        try await busy.audit(store.open())
    }
}

/// Every commit waits for the standby, so a promotion loses none that was told.
@Suite(
    .timeLimit(.minutes(180)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct PromotionTests {
    private static let promotions =
        ProcessInfo.processInfo.environment["STOREFRONT_POSTGRESQL_PROMOTIONS"].flatMap { Int($0) }
        ?? 2

    @Test("a standby that takes a server's place has all that was told, once, and no answer lies")
    func promotions() async throws {
        let server = try #require(
            PrivateServer.start(["max_connections=100", "wal_keep_size=64MB"]))
        defer { server.end() }
        try await server.carryOut("--standby", PrivateServer.ports[1])
        let store = ServedStore(server)
        let busy = try await BusyStore { try store.openOnPrimary() }
        try await busy.run(seed: 36) { told in
            var random = SplitMix64(seed: 36)
            for promotion in 0..<Self.promotions {
                await told.answers(1 + random.below(40))
                let next = PrivateServer.ports[(promotion + 1) % 2]
                await told.set(isUp: false)
                try await server.carryOut("--promote", next)
                await told.set(isUp: true)
                // Until it has a standby again, the new primary answers no commit.
                try await server.carryOut("--standby", PrivateServer.ports[promotion % 2])
            }
            await told.answers(8)
        }
        try await busy.audit(store.openOnPrimary())
    }
}
#endif
