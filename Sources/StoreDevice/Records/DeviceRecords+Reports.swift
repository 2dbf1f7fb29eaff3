import Basics
import DurableFiles
import Foundation
import StoreModel
import StoreSigning

/// A transaction that is to be reported to the app's own backend.
struct QueuedReport: Sendable {
    /// Reports are sent in the order of their numbers.
    var number: Int64
    /// Verified again before it is sent.
    var signed: SignedTransaction
}

/// The app's own backend, and what is to be reported to it: each verified transaction that was
/// delivered or changed here, in the order in which that was recorded.
extension DeviceRecords {
    /// A row that this program cannot read counts as none: deliveries do not wait for a backend.
    var backend: AppBackend? {
        get throws {
            try db.fetchOne("SELECT value FROM meta WHERE name = 'backend'") {
                try? JSONDecoder().decode(AppBackend.self, from: $0.data(0))
            } ?? nil
        }
    }

    /// A new backend gets the present state of every delivery first. What another one was still to
    /// get, and its list of products, is forgotten.
    func set(_ backend: AppBackend?) throws {
        guard backend != (try self.backend) else { return }
        try db.execute("DELETE FROM reports")
        try db.execute(
            "DELETE FROM meta WHERE name = ? OR name = 'backend' OR name LIKE 'backendFailure/%'",
            .text(Self.name(of: .backendList)))
        guard let backend else { return }
        try set("backend", backend)
        try db.execute(
            """
            INSERT INTO reports (id) SELECT id FROM deliveries
            WHERE id > 0 AND is_void = 0
            AND NOT EXISTS (SELECT 1 FROM revisions
                            WHERE id = deliveries.id AND is_deleted = 1)
            ORDER BY id
            """)
    }

    /// Queues a report, in the write that records what it is about; nothing without a backend.
    func report(_ transaction: Transaction) throws {
        guard try backend != nil else { return }
        try db.execute(
            "INSERT INTO reports (id, signed) VALUES (?, ?)",
            .integer(transaction.payload.transactionId.number),
            .text(transaction.signed.rawValue))
    }

    /// Nil if there is none. One about a delivery that is not here any more is left out.
    func report(after number: Int64) throws -> QueuedReport? {
        try db.fetchOne(
            """
            SELECT number, coalesce(reports.signed, revisions.signed, deliveries.signed) AS text
            FROM reports LEFT JOIN revisions ON revisions.id = reports.id
            LEFT JOIN deliveries ON deliveries.id = reports.id
            WHERE number > ? AND text IS NOT NULL ORDER BY number LIMIT 1
            """, .integer(number)
        ) { QueuedReport(number: $0.integer(0), signed: SignedTransaction($0.text(1))) }
    }

    var reportsCount: Int {
        get throws {
            try db.fetchOne("SELECT count(*) FROM reports") { Int($0.integer(0)) } ?? 0
        }
    }

    /// The backend has them.
    func removeReports(through number: Int64) throws {
        try db.execute("DELETE FROM reports WHERE number <= ?", .integer(number))
    }

    /// Notes the first failure of a run of them, and logs it.
    func note(_ failure: StoreError, of call: AppBackend.Call, at now: Timestamp) throws {
        guard try self.failure(of: call) == nil else { return }
        try set(Self.failureName(call), failure)
        try log(.trouble(failure), at: now)
    }

    /// Nil if the last call succeeded.
    func failure(of call: AppBackend.Call) throws -> StoreError? {
        try value(Self.failureName(call), as: StoreError.self)
    }

    func removeFailure(of call: AppBackend.Call) throws {
        try db.execute("DELETE FROM meta WHERE name = ?", .text(Self.failureName(call)))
    }

    private static func failureName(_ call: AppBackend.Call) -> String {
        "backendFailure/" + call.rawValue
    }
}
