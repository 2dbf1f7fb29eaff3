#if PostgreSQL
import Foundation
import PostgreSQLLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

/// What a store in a database keeps beside its ledger, as several machines see it.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct PostgreSQLAttachmentsTests {
    private let store: ServedStore

    init() throws { store = try ServedStore() }

    private func address() throws -> DatabaseAddress { try store.databaseAddress() }

    /// As another machine would open it.
    private func open() async throws -> StoreDatabase {
        try #require(try await PostgreSQLDatabases().open(address(), isMade: true))
    }

    @Test("a store that is not there is made only if it is to be, and is one for every spelling")
    func making() async throws {
        #expect(try await PostgreSQLDatabases().open(address(), isMade: false)?.id == nil)
        let made = try await open()
        let again = try #require(try await PostgreSQLDatabases().open(address(), isMade: false))
        #expect(made.id == again.id && made.server == again.server)
        #expect(made.server.version.hasPrefix("PostgreSQL 1") && !made.server.isStandby)
        #expect(made.server.unsafeSettings == ["fsync"])
        let other = try DatabaseAddress(address().text + "2")
        #expect(try await PostgreSQLDatabases().open(other, isMade: false)?.id == nil)
    }

    @Test("of many machines that make signing keys at once, all get those of one")
    func signingKeys() async throws {
        let machines = try await [open(), open(), open(), open()]
        #expect(try await machines[0].attachments.signingKeys() == nil)
        let made = try await withThrowingTaskGroup(of: [String: String].self) { group in
            for (number, machine) in machines.enumerated() {
                group.addTask {
                    try await machine.attachments.signingKeys { () throws(StoreError) in
                        ["b.pem": "b\(number)", "a.pem": "a\(number)"]
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(made.count == 1 && made.first?.count == 2)
        let numbers = Set(try #require(made.first).values.map { $0.dropFirst() })
        #expect(numbers.count == 1, "a mixture of two machines' keys")
        #expect(try await machines[3].attachments.signingKeys() == made.first)
    }

    @Test("the key that was written last signs, on every machine")
    func offerKeys() async throws {
        let (one, other) = (try await open().attachments, try await open().attachments)
        #expect(try await one.latest() == nil)
        for (id, text) in [("A", "a"), ("B", "b"), ("A", "a2")] {
            try await one.write(text, as: id)
        }
        #expect(try await other.latest() == "A")
        #expect(try await other.ids() == ["B", "A"])
        #expect(try await other.read("A") == "a2")
        #expect(try await other.read("B") == "b")
        #expect(try await other.read("C") == nil)
        #expect(other.path(of: "A").hasPrefix("postgresql://"))
    }

    @Test("files come back in chunks; those that nobody names go after a day")
    func chunks() async throws {
        let (one, other) = (try await open().attachments, try await open().attachments)
        let chunk = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for file in ["a", "b"] {
            try await one.keep(chunk, 0, of: file)
            try await one.keep(Data([0, 1, 255]), 1, of: file)
        }
        try await one.keep(chunk, 0, of: "a")
        #expect(try await other.chunk(0, of: "a") == chunk)
        #expect(try await other.chunk(1, of: "a") == Data([0, 1, 255]))
        #expect(try await other.chunk(2, of: "a") == nil)
        try await one.removeChunks(except: ["a"])
        #expect(try await other.chunk(1, of: "b") != nil, "it may belong to what is being hosted")
        try store.sql("UPDATE chunks SET kept_at = now() - interval '2 days'")
        try await one.removeChunks(except: ["a"])
        #expect(try await other.chunk(1, of: "b") == nil)
        #expect(try await other.chunk(1, of: "a") != nil)
    }

    @Test("a server that is away is told as such, and nothing is made")
    func away() async throws {
        let address = try DatabaseAddress("postgresql://127.0.0.1:1/shop?store=a")
        for isMade in [true, false] {
            let error = await #expect(throws: StoreError.self) {
                _ = try await PostgreSQLDatabases().open(address, isMade: isMade)
            }
            #expect(error?.code == .storeUnreachable)
            #expect(error?.subject == "postgresql://127.0.0.1:1/shop?store=a")
        }
    }
}
#endif
