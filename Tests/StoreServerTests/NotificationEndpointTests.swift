import Basics
import ContentServer
import Foundation
import StoreEngine
import StoreModel
@testable import StoreServer
import StoreSigning
import StoreTestSupport
import Testing

/// The test of an address, and the history of notifications.
@Suite("notifications of the API") struct NotificationEndpointTests {
    private static let test = "/inApps/v1/notifications/test"
    private static let history = "/inApps/v1/notifications/history"

    /// The payload of a notification in an answer, after its signature was verified.
    private func payload(_ signed: AnyJSON?) async throws -> NotificationPayload {
        try await TestStore.verifier().verify(
            Signed<NotificationPayload>(try #require(signed?.text)))
    }

    private func sends(_ backend: Backend) async throws -> any OutboxStore {
        let outbox = backend.store.engine.outboxStore
        _ = try await outbox.change(.send(to: "http://127.0.0.1:3000/", host: "here"))
        return outbox
    }

    private func body(_ members: String = "", backend: Backend) -> String {
        let now = backend.store.engine.clock.now().milliseconds
        let range = "\"startDate\":\(now - 90 * 86_400_000),\"endDate\":\(now + 86_400_000)"
        return "{\(range)\(members.isEmpty ? "" : ",")\(members)}"
    }

    @Test("a test is sent, and its token tells what came of it [G2]")
    func testNotification() async throws {
        let backend = try await Backend()
        try await backend.expect(.serverNotificationURLNotFound, Self.test, method: "POST")
        let outbox = try await sends(backend)
        let answer = try await backend.get(Self.test, method: "POST")
        let token = try #require(answer["testNotificationToken"]?.text)
        var status = try await backend.get(Self.test + "/" + token)
        #expect(status["sendAttempts"] == .list([]))
        let poster = ScriptedBackend { _ in .noResponse }
        try await Sender(store: outbox, poster: poster, host: "here").sendDue()
        status = try await backend.get(Self.test + "/" + token)
        let attempt = try #require(status["sendAttempts"]?.list.first).members
        #expect(attempt["sendAttemptResult"] == .text("NO_RESPONSE"))
        #expect(attempt["attemptDate"] == .integer(outbox.now.milliseconds))
        let payload = try await payload(status["signedPayload"])
        #expect(payload.notificationType == .test && payload.data?.signedTransactionInfo == nil)
        #expect(poster.got == [payload.notificationUUID])
        for wrong in [String(token.dropLast()), "x", UUID().uuidString, token + "0"] {
            try await backend.expect(.invalidTestNotificationToken, Self.test + "/" + wrong)
        }
    }

    @Test("the history comes in pages of 20, oldest first, and a token belongs to its filters [G2]")
    func pages() async throws {
        let backend = try await Backend()
        let outbox = try await sends(backend)
        for _ in 0..<45 { try await backend.buy() }
        _ = try await outbox.deriveNotifications()
        var token: String?
        var ids: [UUID] = []
        var pages = 0
        repeat {
            let target = Self.history + (token.map { "?paginationToken=\($0)" } ?? "")
            let page = try await backend.get(
                target, method: "POST", body: body(backend: backend))
            for item in page["notificationHistory"]?.list ?? [] {
                ids.append(try await payload(item.members["signedPayload"]).notificationUUID)
            }
            token = page["paginationToken"]?.text
            #expect(page["hasMore"] == .flag(token != nil))
            pages += 1
            if pages == 1, let token {
                try await backend.expect(
                    .invalidPaginationToken, Self.history + "?paginationToken=\(token)",
                    method: "POST", body: body("\"onlyFailures\":true", backend: backend))
            }
        } while token != nil
        let all = try await outbox.outbox(OutboxQuery(.oldest(after: nil), limit: 99)).items
        #expect(pages == 3 && ids == all.map(\.id) && ids.count == 45)
    }

    @Test("filters choose by type, subtype, customer and failure")
    func filters() async throws {
        let backend = try await Backend()
        let outbox = try await sends(backend)
        let coins = try await backend.buy()
        let monthly = try await backend.buy(SampleCatalog.monthly)
        try await backend.perform(.expire(monthly))
        let theme = try await backend.buy(SampleCatalog.theme, account: "ben")
        let poster = ScriptedBackend { $0.uuid.0 < 128 ? .timedOut : .success }
        try await Sender(store: outbox, poster: poster, host: "here").sendDue()
        let failed = try await outbox.outbox(OutboxQuery(.oldest(after: nil), limit: 9)).items
            .filter { !$0.isReceived }.map(\.notification.kind.type.rawValue)
        func types(_ members: String) async throws -> [String] {
            let page = try await backend.get(
                Self.history, method: "POST", body: body(members, backend: backend))
            var types: [String] = []
            for item in page["notificationHistory"]?.list ?? [] {
                types.append(
                    try await payload(item.members["signedPayload"]).notificationType.rawValue)
            }
            return types
        }
        let ofBuyer = ["ONE_TIME_CHARGE", "SUBSCRIBED", "EXPIRED"]
        #expect(try await types("") == ofBuyer + ["ONE_TIME_CHARGE"])
        #expect(try await types("\"notificationType\":\"EXPIRED\"") == ["EXPIRED"])
        #expect(
            try await types(
                "\"notificationType\":\"SUBSCRIBED\",\"notificationSubtype\":\"RESUBSCRIBE\""
            )
            .isEmpty)
        // Any transaction stands for its customer.
        for id in [coins, monthly] {
            #expect(try await types("\"transactionId\":\"\(id)\"") == ofBuyer)
        }
        #expect(try await types("\"transactionId\":\"\(theme)\"") == ["ONE_TIME_CHARGE"])
        #expect(try await types("\"onlyFailures\":true") == failed)
    }

    @Test("a history that cannot be is refused by its seven digits")
    func refused() async throws {
        let backend = try await Backend()
        let now = backend.store.engine.clock.now().milliseconds
        let day: Int64 = 86_400_000
        for (body, error) in [
            ("", APIError.generalBadRequest), ("[]", .generalBadRequest),
            ("{}", .invalidStartDate), ("{\"startDate\":\"x\"}", .invalidStartDate),
            ("{\"startDate\":\(now)}", .invalidEndDate),
            ("{\"startDate\":\(now),\"endDate\":-1}", .invalidEndDate),
            ("{\"startDate\":\(now),\"endDate\":\(now - 1)}", .startDateAfterEndDate),
            ("{\"startDate\":\(now - 180 * day - 1),\"endDate\":\(now)}", .startDateTooFarInPast),
            (
                self.body("\"notificationType\":\"NONE\"", backend: backend),
                .invalidNotificationType
            ),
            (
                self.body("\"notificationSubtype\":\"UPGRADE\"", backend: backend),
                .invalidNotificationType
            ),
            (self.body("\"transactionId\":\"x\"", backend: backend), .invalidTransactionID),
            (self.body("\"transactionId\":\"1\"", backend: backend), .transactionIDNotFound),
            (
                self.body(
                    "\"transactionId\":\"1\",\"notificationType\":\"REFUND\"", backend: backend),
                .multipleFiltersSupplied
            ),
        ] {
            try await backend.expect(error, Self.history, method: "POST", body: body)
        }
        try await backend.expect(
            .invalidPaginationToken, Self.history + "?paginationToken=x", method: "POST",
            body: body(backend: backend))
    }
}
