import Basics
import DurableFiles
import Foundation
import StoreModel

extension DeviceRecords {
    /// Replaces the queued payment with the same id.
    func enqueue(_ queued: QueuedPayment) throws {
        try db.execute(
            "INSERT OR REPLACE INTO queue (id, queued_at, body) VALUES (?, ?, ?)",
            .uuid(queued.payment.id.uuid), .integer(queued.queuedAt.milliseconds),
            .bytes(try JSONWriter.bytes(of: queued)))
    }

    func dequeue(_ id: PaymentID) throws {
        try db.execute("DELETE FROM queue WHERE id = ?", .uuid(id.uuid))
    }

    /// Removes the payments that wait under a request's number, when the request is sold, declined
    /// or withdrawn. That includes a payment of this device that joined another device's request.
    func dequeue(waitingUnder request: TransactionID) throws {
        try db.execute(
            "DELETE FROM queue WHERE CAST(body AS TEXT) ->> '$.request' = ?",
            .text(request.description))
    }

    /// Removes the payment whose sale is finished without having been delivered here.
    func dequeue(purchasedAs id: TransactionID) throws {
        try db.execute(
            "DELETE FROM queue WHERE CAST(body AS TEXT) ->> '$.transaction' = ?",
            .text(id.description))
    }

    func queued(_ id: PaymentID) throws -> QueuedPayment? {
        try db.fetchOne("SELECT body FROM queue WHERE id = ?", .uuid(id.uuid), read: Self.queued)
    }

    func isQueued(_ id: PaymentID) throws -> Bool {
        try db.fetchOne("SELECT 1 FROM queue WHERE id = ?", .uuid(id.uuid)) { _ in } != nil
    }

    /// Oldest first.
    func queue() throws -> [QueuedPayment] {
        try db.fetchAll("SELECT body FROM queue ORDER BY queued_at, id", read: Self.queued)
    }

    private static func queued(_ row: any SQLRow) throws -> QueuedPayment {
        try JSONDecoder().decode(QueuedPayment.self, from: row.data(0))
    }
}
