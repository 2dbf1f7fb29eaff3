import Foundation
@testable import Shop
@testable import StoreModel

/// What the store's own server has answered and sends, always the same.
enum SampleServer {
    static let address = "http://127.0.0.1:3000/apple/notifications"

    static func id(_ number: UInt8) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }

    private static func hours(_ count: Int64) -> Timestamp {
        SampleShop.now.advanced(byMilliseconds: count * 3_600_000)
    }

    static func item(
        _ number: UInt8, _ kind: NotificationKind, at: Timestamp = SampleShop.now,
        next: Timestamp? = nil, _ attempts: [OutboxAttempt] = []
    ) -> OutboxItem {
        var contents = NotificationContents()
        if kind.type != .test { contents.transaction = SampleShop.payload("book.two", 1_000_002) }
        let notification = QueuedNotification(
            id: id(number), kind: kind, at: at, contents: contents, next: next)
        var item = OutboxItem(
            ordinal: OutboxItem.ordinal(Int64(number), 0), notification,
            changedAt: Int64(number))
        item.attempts = attempts
        return item
    }

    static let waiting = item(
        4, NotificationKind(.didChangeRenewalStatus, .autoRenewDisabled), next: SampleShop.now)
    static let failing = item(
        3, NotificationKind(.subscribed, .initialBuy), at: hours(-2), next: hours(11),
        [
            OutboxAttempt(at: hours(-2), result: .socketIssue, milliseconds: 3, status: nil),
            OutboxAttempt(
                at: hours(-1), result: .unsuccessfulStatus, milliseconds: 12, status: 503),
        ])
    static let sent = item(
        2, NotificationKind(.didRenew), at: hours(-30),
        [OutboxAttempt(at: hours(-30), result: .success, milliseconds: 8, status: 200)])
    static let unsent = item(1, NotificationKind(.test), at: hours(-31))

    static let requests = [
        ("GET", "/inApps/v1/transactions/1000002", 200, 0.8),
        ("POST", "/inApps/v1/notifications/test", 500, 4.2),
        ("GET", "/inApps/v2/history/1000002?revision=abc", 401, 0.3),
    ].enumerated().map { number, request in
        ServerRequest(
            at: SampleShop.now.advanced(byMilliseconds: Int64(-1_000 * number)),
            method: request.0, path: request.1, status: request.2, milliseconds: request.3)
    }

    static let settings: NotificationSettings = {
        var settings = NotificationSettings()
        settings.url = address
        settings.host = "here"
        settings.retriesInSandbox = true
        return settings
    }()

    static let snapshot: ServerSnapshot = {
        var snapshot = ServerSnapshot()
        snapshot.requests = requests
        snapshot.notifications = [waiting, failing, sent, unsent]
        snapshot.settings = settings
        snapshot.obstacle = nil
        return snapshot
    }()

    static let details = NotificationDetails(
        notification: failing.notification, problem: nil,
        payload: [
            "{", "  \"notificationType\" : \"SUBSCRIBED\",", "  \"subtype\" : \"INITIAL_BUY\"", "}",
        ],
        transaction: ["{", "  \"productId\" : \"book.two\"", "}"])
}
