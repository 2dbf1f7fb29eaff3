import Basics
import ContentServer
import Foundation
import StoreModel

// Notifications: one to test the address, and what was sent.

extension APIResponder {
    private struct Attempt: Encodable {
        var attemptDate: Timestamp
        var sendAttemptResult: SendAttemptResult
    }

    private struct Sent: Encodable {
        var sendAttempts: [Attempt]
        var signedPayload: Signed<NotificationPayload>
    }

    private struct History: Encodable {
        var hasMore: Bool
        var notificationHistory: [Sent]
        var paginationToken: String?
    }

    static let notificationsOfPage = 20
    private static let historyMilliseconds: Int64 = 180 * 86_400_000

    private func sent(_ item: OutboxItem) throws(StoreError) -> Sent {
        Sent(
            sendAttempts: item.attempts.map {
                Attempt(attemptDate: $0.at, sendAttemptResult: $0.result)
            }, signedPayload: try store.outbox.signed(item.notification))
    }

    // MARK: - Test

    func testNotification() async throws -> ContentAnswer {
        guard let item = try await store.outbox.queueTest() else {
            throw APIError.serverNotificationURLNotFound
        }
        return try .ok(["testNotificationToken": token(of: item.id)])
    }

    func testNotificationStatus(_ call: APICall) async throws -> ContentAnswer {
        let parts = call.values[0].split(separator: "_")
        guard let text = parts.first, let id = UUID(uuidString: String(text)),
            call.values[0] == token(of: id)
        else { throw APIError.invalidTestNotificationToken }
        guard let item = try await store.outbox.item(id), item.notification.kind.type == .test
        else { throw APIError.testNotificationNotFound }
        return try .ok(try sent(item))
    }

    /// Of this store: another one's is recognized.
    private func token(of id: UUID) -> String {
        let number = id.uuidString.lowercased()
        let place = RevisionPlace(
            [], endpoint: Fault.Call.testNotification.rawValue, root: store.rootCertificate)
        return number + "_" + HexText.of(place.tag(Array(number.utf8)))
    }

    // MARK: - History

    func notificationHistory(_ call: APICall) async throws -> ContentAnswer {
        let members = try call.members()
        var query = OutboxQuery(.oldest(after: nil), limit: Self.notificationsOfPage + 1)
        query.since = try members.date("startDate", or: .invalidStartDate)
        query.until = try members.date("endDate", or: .invalidEndDate)
        if let since = query.since, let until = query.until {
            guard since <= until else { throw APIError.startDateAfterEndDate }
            guard store.now.milliseconds(since: since) <= Self.historyMilliseconds else {
                throw APIError.startDateTooFarInPast
            }
        }
        try await addFilters(members, to: &query)
        let place = place(of: query)
        if let text = try call.one("paginationToken", or: .invalidPaginationToken) {
            guard let revision = Revision(text, at: place) else {
                throw APIError.invalidPaginationToken
            }
            query.selection = .oldest(after: revision.position)
        }
        let found = try await store.outbox.outbox(query).items
        let shown = found.prefix(Self.notificationsOfPage)
        let hasMore = found.count > shown.count
        return try .ok(
            History(
                hasMore: hasMore, notificationHistory: try shown.map { try sent($0) },
                paginationToken: hasMore
                    ? shown.last.map { Revision(position: $0.ordinal, head: nil).text(at: place) }
                    : nil))
    }

    private func addFilters(
        _ members: [String: AnyJSON], to query: inout OutboxQuery
    ) async throws {
        if !members.lacks("notificationType") {
            let text = try members.text("notificationType", or: .invalidNotificationType)
            guard let type = NotificationType(rawValue: text) else {
                throw APIError.invalidNotificationType
            }
            query.type = type
        }
        if !members.lacks("notificationSubtype") {
            let text = try members.text("notificationSubtype", or: .invalidNotificationType)
            guard let subtype = NotificationSubtype(rawValue: text),
                query.type?.subtypes.contains(subtype) == true
            else { throw APIError.invalidNotificationType }
            query.subtype = subtype
        }
        if !members.lacks("transactionId") {
            let text = try members.text("transactionId", or: .invalidTransactionID)
            guard query.type == nil else { throw APIError.multipleFiltersSupplied }
            query.account = try await account(ofAny: text)
        }
        if !members.lacks("onlyFailures") {
            query.isFailed = try members.flag("onlyFailures", or: .generalBadRequest)
        }
    }

    /// The store and the filters that a token for the next page belongs to.
    private func place(of query: OutboxQuery) -> RevisionPlace {
        let filters = [
            query.type?.rawValue, query.subtype?.rawValue, query.account?.rawValue,
            "\(query.isFailed)", query.since?.milliseconds.description,
            query.until?.milliseconds.description,
        ].map { $0 ?? "" }
        return RevisionPlace(
            filters, endpoint: Fault.Call.notificationHistory.rawValue,
            root: store.rootCertificate)
    }
}

extension [String: AnyJSON] {
    /// In milliseconds since 1970. Throws `error` for a missing value, and for another one.
    fileprivate func date(_ name: String, or error: APIError) throws(APIError) -> Timestamp {
        guard case .integer(let value)? = self[name], value >= 0 else { throw error }
        return Timestamp(milliseconds: value)
    }
}
