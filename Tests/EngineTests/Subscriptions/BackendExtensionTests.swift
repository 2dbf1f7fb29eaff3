import Foundation
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Extensions by the app's backend (App Store Server API: `Extend a Subscription Renewal Date`).
@Suite("extensions by the backend") struct BackendExtensionTests {
    /// What happens to the subscription before its backend extends it once more.
    enum Step: Sendable {
        case backend
        case backendForAll
        case console
        case consoleForAll
        case days(Int)
        /// It ends, and is bought again.
        case boughtAgain
    }

    struct Example: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var steps: [Step]
        var isRefused: Bool
    }

    private static let examples: [Example] = [
        Example(testDescription: "never before", steps: [], isRefused: false),
        Example(testDescription: "once before", steps: [.backend], isRefused: false),
        Example(testDescription: "twice before", steps: [.backend, .backend], isRefused: true),
        Example(
            testDescription: "the first 364 days ago",
            steps: [.backend, .days(364), .backend], isRefused: true),
        Example(
            testDescription: "the first 366 days ago",
            steps: [.backend, .days(366), .backend], isRefused: false),
        Example(
            testDescription: "both 366 days ago", steps: [.backend, .backend, .days(366)],
            isRefused: false),
        Example(
            testDescription: "once alone and once with all", steps: [.backend, .backendForAll],
            isRefused: true),
        Example(
            testDescription: "twice with all", steps: [.backendForAll, .backendForAll],
            isRefused: true),
        Example(
            testDescription: "often by the operator",
            steps: [.console, .console, .console, .consoleForAll, .consoleForAll],
            isRefused: false),
        Example(
            testDescription: "twice, and by the operator between",
            steps: [.backend, .console, .consoleForAll, .backend], isRefused: true),
        Example(
            testDescription: "twice before it was bought again",
            steps: [.backend, .backend, .boughtAgain], isRefused: true),
    ]

    private func carryOut(_ step: Step, in shop: SubscriptionStore) async throws {
        let backend = shop.store.engine.servedStore
        switch step {
        case .backend: _ = try await backend.extend(shop.id, days: 1)
        case .backendForAll: #expect(try await backend.extendAll(requestForAll()))
        case .console: try await shop.perform(.extend(shop.id, days: 1))
        case .consoleForAll: try await shop.perform(.extendAll(SampleCatalog.monthly, days: 1))
        case .days(let count): _ = try await shop.days(count)
        case .boughtAgain:
            try await shop.perform(.expire(shop.id))
            _ = try await shop.days(1)
            _ = try await shop.store.session().purchase(.of(SampleCatalog.monthly))
        }
    }

    private func requestForAll() -> ExtensionRequest {
        ExtensionRequest(id: UUID(), productID: SampleCatalog.monthly, days: 1, reason: 3)
    }

    @Test(
        "a backend extends a subscription twice in 365 days, and the operator at any time [G1]",
        arguments: examples)
    func limit(_ example: Example) async throws {
        let shop = try await SubscriptionStore()
        for step in example.steps { try await carryOut(step, in: shop) }
        func end() async throws -> Timestamp {
            try #require(try await shop.periods().last?.expiresDate)
        }
        let before = try await end()
        var refusal: StoreError?
        do throws(StoreError) {
            _ = try await shop.store.engine.servedStore.extend(shop.id, days: 1)
        } catch { refusal = error }
        let expected: SubscriptionObstacle? = example.isRefused ? .extendedTwice : nil
        #expect(refusal?.subject.flatMap(SubscriptionObstacle.init) == expected)
        #expect((refusal?.code == .noSubscription) == example.isRefused)
        let day: Int64 = 86_400_000
        let after = before.advanced(byMilliseconds: example.isRefused ? 0 : day)
        #expect(try await end() == after)
        try await shop.perform(.extend(shop.id, days: 1))
        #expect(try await end() == after.advanced(byMilliseconds: day))
    }

    @Test("an extension for all by a backend fails for whom it has extended twice in 365 days [G1]")
    func failures() async throws {
        let shop = try await SubscriptionStore()
        _ = try await shop.store.session(account: "kai").purchase(.of(SampleCatalog.monthly))
        for _ in 1...2 { try await carryOut(.backend, in: shop) }
        let request = requestForAll()
        let backend = shop.store.engine.servedStore
        #expect(try await backend.extendAll(request))
        let status = try await backend.extensionStatus(of: request.id, request.productID)
        #expect(status.outcome?.succeeded == 1 && status.outcome?.failed == 1)
        #expect(status.outcome?.failures == [shop.id])
        let all = try await shop.perform(.extendAll(SampleCatalog.monthly, days: 1))
        #expect(all.count { $0.kind == .expiryMoved } == 2, "the operator extends both")
    }

    @Test("a request for all that came to its end changes nothing again, nor does one like it")
    func repeated() async throws {
        let shop = try await SubscriptionStore()
        let backend = shop.store.engine.servedStore
        try await shop.perform(.setRenewals(RenewalsChange(failsBilling: true)))
        _ = try await shop.days(40)
        var request = requestForAll()
        #expect(try await backend.extendAll(request))
        try await shop.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        try await shop.perform(.resolveBilling(shop.id))
        let entries = try await shop.store.entries().count
        // The subscription failed, and could be extended now.
        #expect(try await backend.extendAll(request))
        request.days = 2
        #expect(try await backend.extendAll(request) == false)
        #expect(try await shop.store.entries().count == entries)
    }
}
