#if PostgreSQL
import Basics
import Foundation
import PostgreSQLLedger
import SQLLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct PostgreSQLTransactionTests {
    private static let body = "SELECT body FROM attachments WHERE digest = ?"

    private func put(_ digest: String, _ byte: UInt8, in db: any SQLTransaction) throws {
        try db.execute(
            "INSERT INTO attachments (digest, body) VALUES (?, ?)", .text(digest), .bytes([byte]))
    }

    @Test("a query with many lists of arguments answers each, also the same list twice")
    func manyLists() async throws {
        let ledger = try ServedStore().open()
        try await ledger.write { db in
            try put("a", 1, in: db)
            try put("b", 2, in: db)
            let digests = ["b", "none", "a", "b"]
            let found = try db.fetchOne(Self.body, each: digests.map { [.text($0)] }) { $0.data(0) }
            #expect(found == [Data([2]), nil, Data([1]), Data([2])])
            #expect(try db.fetchOne(Self.body, each: []) { $0.data(0) }.isEmpty)
        }
    }

    @Test("a query that was expected before a write is asked again after it")
    func expectedBeforeWrite() async throws {
        let ledger = try ServedStore().open()
        try await ledger.write { db in
            try db.expect { expected in
                let lists: [[SQLArgument]] = [[.text("a")], [.text("b")]]
                let found = try expected.fetchOne(Self.body, each: lists) { $0.data(0) }
                #expect(found == [nil, nil])
            }
            #expect(try db.fetchOne(Self.body, .text("b")) { $0.data(0) } == nil)
            try put("a", 1, in: db)
            #expect(try db.fetchOne(Self.body, .text("a")) { $0.data(0) } == Data([1]))
        }
        let kept = try await ledger.read { db in
            try db.expect { expected in
                _ = try expected.fetchOne(Self.body, .text("a")) { $0.data(0) }
            }
            return try db.fetchOne(Self.body, each: [[.text("a")]]) { $0.data(0) }
        }
        #expect(kept == [Data([1])])
    }

    @Test("an error of a query that was only expected is told, and the next transaction works")
    func expectedError() async throws {
        let ledger = try ServedStore().open()
        await #expect(throws: (any Error).self) {
            try await ledger.read { db in
                try db.expect { expected in
                    _ = try expected.fetchAll("SELECT 1 FROM no_such_table") { $0.integer(0) }
                }
                _ = try db.fetchOne(Self.body, .text("a")) { $0.data(0) }
            }
        }
        #expect(try await ledger.head().position == 0)
    }
}
#endif
