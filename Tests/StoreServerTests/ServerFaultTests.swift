import Basics
import ContentServer
import Foundation
import StoreEngine
import StoreModel
@testable import StoreServer
import StoreSigning
import StoreTestSupport
import Testing

/// Failures on purpose of what an app's backend asks for and is sent.
@Suite("failures of the server on purpose", .timeLimit(.minutes(10))) struct ServerFaultTests {
    // MARK: - Answers

    /// A request of each endpoint.
    private static let requests: [Fault.Call: (method: String, path: String)] = [
        .transactionInfo: ("GET", "v1/transactions/1"),
        .transactionHistory: ("GET", "v2/history/1"),
        .subscriptionStatuses: ("GET", "v1/subscriptions/1"),
        .orderLookup: ("GET", "v1/lookup/M1"),
        .refundHistory: ("GET", "v2/refund/lookup/1"),
        .appTransactionInfo: ("GET", "v1/transactions/appTransactions/1"),
        .finishTransaction: ("POST", "v1/transactions/1/finish"),
        .setAppAccountToken: ("PUT", "v1/transactions/1/appAccountToken"),
        .extendRenewalDate: ("PUT", "v1/subscriptions/extend/1"),
        .extendForAll: ("POST", "v1/subscriptions/extend/mass"),
        .extensionStatus: ("GET", "v1/subscriptions/extend/mass/a/b"),
        .consumption: ("PUT", "v2/transactions/consumption/1"),
        .testNotification: ("POST", "v1/notifications/test"),
        .testNotificationStatus: ("GET", "v1/notifications/test/x"),
        .notificationHistory: ("POST", "v1/notifications/history"),
    ]

    private func faults(_ backend: Backend) async throws -> [Fault] {
        try await backend.store.console.faults()
    }

    @Test("each endpoint answers with each of its errors, once", arguments: Fault.Call.endpoints)
    func errors(_ call: Fault.Call) async throws {
        let backend = try await Backend()
        let request = try #require(Self.requests[call == .anyEndpoint ? .orderLookup : call])
        let codes = call.errors.compactMap(\.apiError)
        #expect(Set(codes).isSuperset(of: [4_040_002, 4_290_000, 5_000_000, 5_000_001]))
        #expect(Set(call.errors).isSuperset(of: [.lateAnswer, .cutOffAnswer]))
        #expect(codes.count == call.errors.count - 2 && Set(codes).count == codes.count)
        for code in codes {
            try await backend.perform(.failNext(call, error: StoreError.Code("\(code)"), count: 1))
            let answer = try await backend.ask("/inApps/" + request.path, method: request.method)
            #expect(answer.status == code / 10_000 && answer["Content-Type"] == "application/json")
            #expect(try answer.members["errorCode"] == .integer(Int64(code)))
            let minute = backend.store.clock.now().milliseconds + 60_000
            #expect(answer["Retry-After"] == (answer.status == 429 ? "\(minute)" : nil), "\(code)")
            #expect(try await faults(backend).isEmpty)
        }
    }

    @Test("every endpoint can be made to fail [G1]")
    func endpoints() {
        #expect(Set(Self.requests.keys) == Set(Fault.Call.endpoints.dropFirst()))
        #expect(Set(APIRoute.all.map(\.endpoint)) == Set(Self.requests.keys))
    }

    @Test("only a call that its token lets in uses up a failure, the oldest that concerns it")
    func order() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let info = "/inApps/v1/transactions/\(id)"
        try await backend.perform(
            .failNext(.refundHistory, error: "4000005", count: 1),
            .failNext(.anyEndpoint, error: "5000001", count: 2),
            .failNext(.transactionInfo, error: "4040002", count: 1))
        #expect(await backend.ask(info, authorization: nil).status == 401)
        #expect(try await faults(backend).map(\.remaining) == [1, 2, 1])
        for status in [500, 500, 404, 200] {
            #expect(try await backend.ask(info).status == status)
        }
        #expect(try await faults(backend).map(\.call) == [.refundHistory])
    }

    @Test("an answer comes late, or is cut off, and is otherwise the one that was asked for")
    func lateAndCutOff() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let info = "/inApps/v1/transactions/\(id)"
        try await backend.perform(
            .failNext(.transactionInfo, error: .lateAnswer, count: 1, delayMilliseconds: 1))
        let late = try await backend.ask(info)
        #expect(late.status == 200 && !late.isCutOff)
        try await backend.perform(.failNext(.transactionInfo, error: .cutOffAnswer, count: 1))
        let half = try await backend.ask(info)
        #expect(half.status == 200 && half.isCutOff)
        #expect(try await faults(backend).isEmpty)
    }

    // MARK: - Notifications

    private static let hour = SendingStore.hour

    private func set(
        _ error: StoreError.Code, count: Int? = 1, hours: Int64? = nil, in shop: SendingStore
    ) async throws {
        _ = try await shop.store.console.perform(
            .failNext(
                .notification, error: error, count: count,
                delayMilliseconds: hours.map { $0 * Self.hour }))
    }

    private func faults(_ shop: SendingStore) async throws -> [Fault] {
        try await shop.store.console.faults()
    }

    @Test(
        "an attempt ends with any result, also with those that cannot arise here, and is made again",
        arguments: SendAttemptResult.allCases.filter { $0 != .success })
    func results(_ result: SendAttemptResult) async throws {
        let shop = try await SendingStore()
        try await set(StoreError.Code(result.rawValue), in: shop)
        try await shop.buy(SampleCatalog.coins)
        try await shop.sender.sendDue()
        #expect(try await shop.items().first?.attempts.map(\.result) == [result])
        #expect(shop.backend.got.isEmpty)
        _ = try await shop.advance(hours: 1)
        #expect(try await shop.items().first?.attempts.map(\.result) == [result, .success])
        #expect(try await faults(shop).isEmpty)
    }

    @Test("a notification comes twice")
    func twice() async throws {
        let shop = try await SendingStore()
        try await set(.deliveredTwice, in: shop)
        for _ in 0..<2 { try await shop.buy(SampleCatalog.coins) }
        try await shop.sender.sendDue()
        let items = try await shop.items()
        #expect(shop.backend.got == [items[0].id, items[0].id, items[1].id])
        #expect(items.allSatisfy { $0.attempts.map(\.result) == [.success] })
    }

    @Test(
        "a notification comes after the next one, for which it waits",
        arguments: [StoreError.Code.deliveredOutOfOrder, .deliveredLate])
    func outOfOrder(_ error: StoreError.Code) async throws {
        let shop = try await SendingStore()
        try await set(error, in: shop)
        try await shop.buy(SampleCatalog.coins)
        try await shop.sender.sendDue()
        #expect(shop.backend.got.isEmpty)
        #expect(try await shop.advance(hours: 3).waiting == 0, "it is held back, not due")
        #expect(try await faults(shop).count == 1)
        for _ in 0..<2 { try await shop.buy(SampleCatalog.coins) }
        try await shop.sender.sendDue()
        let ids = try await shop.items().map(\.id)
        #expect(shop.backend.got == [ids[1], ids[0], ids[2]])
        #expect(try await faults(shop).isEmpty)
    }

    @Test("each notification comes late by some hours of the store's clock, once")
    func late() async throws {
        let shop = try await SendingStore()
        try await set(.deliveredLate, count: nil, hours: 5, in: shop)
        try await shop.buy(SampleCatalog.coins)
        let start = shop.outbox.now
        _ = try await shop.advance(hours: 4)
        #expect(shop.backend.got.isEmpty)
        _ = try await shop.advance(hours: 2)
        let attempts = try #require(try await shop.items().first).attempts
        #expect(attempts.map { $0.at.milliseconds(since: start) } == [5 * Self.hour])
        #expect(attempts.map(\.result) == [.success] && shop.backend.got.count == 1)
        #expect(try await faults(shop).count == 1)
    }

    @Test("notifications are lost until a date, and the store takes them for received")
    func lost() async throws {
        let shop = try await SendingStore()
        try await set(.notDelivered, count: nil, hours: 48, in: shop)
        let end = shop.outbox.now.advanced(byMilliseconds: 48 * Self.hour)
        #expect(try await faults(shop).map(\.until) == [end])
        for hours in [1, 30, 30] as [Int64] {
            _ = try await shop.advance(hours: hours)
            try await shop.buy(SampleCatalog.coins)
            try await shop.sender.sendDue()
        }
        let items = try await shop.items()
        #expect(items.allSatisfy { $0.state == .sent })
        #expect(shop.backend.got == [items[2].id])
        #expect(try await faults(shop).isEmpty)
    }

    @Test("a backend that is away until a date gets what is tried again afterwards")
    func away() async throws {
        let shop = try await SendingStore()
        try await set("TIMED_OUT", count: nil, hours: 30, in: shop)
        try await shop.buy(SampleCatalog.coins)
        _ = try await shop.advance(hours: 40)
        let results = try await shop.items().first?.attempts.map(\.result)
        #expect(results == [.timedOut, .timedOut, .timedOut, .success])
    }

    @Test(
        "a notification does not verify, for the reason that was set",
        arguments: [
            VerificationError.revokedCertificate, .invalidCertificateChain, .wrongApp,
            .wrongEnvironment,
        ])
    func signatures(_ reason: VerificationError) async throws {
        let shop = try await SendingStore()
        try await shop.buy(SampleCatalog.monthly)
        _ = try await shop.outbox.deriveNotifications()
        let told = try #require(try await shop.items().first).notification
        let verifier = try TestStore.verifier()
        _ = try await verifier.use(TestStore.revocationList(at: shop.outbox.now))
        let signed = try shop.outbox.signed(told, broken: reason)
        await #expect(throws: reason) { _ = try await verifier.verify(signed) }
        #expect(try await verifier.verify(shop.outbox.signed(told)).notificationUUID == told.id)
        guard reason != .revokedCertificate else { return }
        // The scripted backend knows no list of revoked certificates.
        try await set(StoreError.Code(reason.rawValue), in: shop)
        try await shop.sender.sendDue()
        #expect(try await shop.items().first?.attempts.map(\.result) == [.other])
    }
}
