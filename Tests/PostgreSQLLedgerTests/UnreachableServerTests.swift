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

/// Servers that are not there, or do not answer.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct UnreachableServerTests {
    private func code(_ work: () async throws -> Void) async -> StoreError.Code? {
        do { try await work() } catch { return (error as? StoreError)?.code }
        return nil
    }

    @Test("a store whose server is away or silent is not opened, and that may be tried again")
    func away() async throws {
        let silent = try SilentServer()
        let addresses = [
            "postgresql://aoi@127.0.0.1:1/shop", "postgresql:///shop?host=/nowhere",
            "postgresql://aoi@127.0.0.1:\(silent.port)/shop?connect_timeout=1&store=team",
        ]
        for text in addresses {
            let address = try DatabaseAddress(text)
            for isMade in [true, false] {
                let error = await #expect(throws: StoreError.self) {
                    _ = try await PostgreSQLDatabases().open(address, isMade: isMade)
                }
                #expect(error?.code == .storeUnreachable && error?.isRetryable == true)
                #expect(error?.subject == address.text)
            }
        }
    }

    @Test("of the servers of an address one that is silent is left out")
    func silentServer() async throws {
        let server = try #require(PrivateServer.shared)
        let silent = try SilentServer()
        let address = try PostgreSQLAddress(
            "postgresql:///storefront?user=storefront&host=127.0.0.1,\(server.folder)"
                + "&port=\(silent.port),5432&connect_timeout=1&target_session_attrs=read-write")
        let schema = "store_" + UUID().uuidString.lowercased()
        let ledger = try PostgreSQLLedger(address, schema: schema)
        _ = try await ledger.append([.value("one")], at: .earliest)
        #expect(try await ledger.head().position == 1)
    }

    @Test("once its server is gone, a store reads and records nothing, and says so")
    func gone() async throws {
        let server = try #require(PrivateServer.start())
        let ledger = try ServedStore(server).open()
        _ = try await ledger.append([.value("one")], at: .earliest)
        server.end()
        // It takes the server a moment.
        while (try? await ledger.head()) != nil {}
        #expect(await code { _ = try await ledger.head() } == .storeUnreachable)
        #expect(
            await code { _ = try await ledger.append([.value("two")], at: .earliest) }
                == .storeUnreachable)
    }

    /// A program that was stopped in the middle of an append holds the lock.
    @Test("an append waits a bounded time for another's, and then records nothing")
    func heldLock() async throws {
        let store = try ServedStore()
        let (holder, other) = (try store.open(), try store.open())
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        let holding = Task {
            try await holder.write { db in
                // The lock was taken with it.
                _ = try db.fetchOne("SELECT count(*) FROM entries") { $0.integer(0) }
                hold.yield()
                end.wait()
            }
        }
        for await _ in held { break }
        let refusal = await code { _ = try await other.append([.value("one")], at: .earliest) }
        end.signal()
        try await holding.value
        #expect(refusal == .storeBusy)
        #expect(try await other.head().position == 0)
        _ = try await other.append([.value("one")], at: .earliest)
        #expect(try await holder.head().position == 1)
    }
}

/// Servers whose processes are stopped: their sockets are open, and nobody answers. Each test has a
/// server of its own.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct StoppedServerTests {
    private let store: ServedStore
    private var server: PrivateServer { store.server }

    init() throws { store = ServedStore(try #require(PrivateServer.start())) }

    /// A handle that waits two seconds where a store's waits longer than a test should, and is known to
    /// the server by this name.
    private func impatient() throws -> PostgreSQLLedger {
        var address = try server.address("&connect_timeout=2&application_name=impatient")
        address.silence = 2_000
        return try PostgreSQLLedger(address, schema: store.schema)
    }

    private func code(_ work: () async throws -> Void) async -> StoreError.Code? {
        do { try await work() } catch { return (error as? StoreError)?.code }
        return nil
    }

    @Test("a server that is stopped before a commit was sent records nothing, and that is told")
    func beforeCommit() async throws {
        defer { server.end() }
        let ledger = try store.open()
        _ = try await ledger.append([.value("one")], at: .earliest)
        let (reader, writer) = try (impatient(), impatient())
        try await server.carryOut("--signal", "STOP")
        async let read = code { _ = try await reader.head() }
        async let append = code { _ = try await writer.append([.value("two")], at: .earliest) }
        let told = await [read, append]
        try await server.carryOut("--signal", "CONT")
        #expect(told == [.storeUnreachable, .storeUnreachable])
        _ = try await ledger.append([.value("three")], at: .earliest)
        let values = try await ledger.allEntries().compactMap { entry -> String? in
            if case .valueChanged(let value) = entry.entry.fact { value.value } else { nil }
        }
        #expect(values == ["one", "three"])
    }

    @Test("where one process of a server is stopped, another one answers, and nothing is doubled")
    func oneProcess() async throws {
        defer { server.end() }
        let ledger = try store.open()
        let writer = try impatient()
        let process = try server.sql(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'impatient'")
        let stopped = try #require(pid_t(process))
        #expect(kill(stopped, SIGSTOP) == 0)
        _ = try await writer.append([.value("one")], at: .earliest)
        #expect(try await ledger.head().position == 1)
        #expect(kill(stopped, SIGCONT) == 0)
        // It finds that nobody is there who would commit what it was sent.
        let count = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(stopped)"
        while try server.sql(count) != "0" {}
        #expect(try await ledger.allEntries().count == 1)
    }

    /// The server's process stops itself while it commits.
    @Test("a server that is stopped in a commit leaves a sale unknown, and later answers its id")
    func inCommit() async throws {
        defer { server.end() }
        let patient = try await TestStore(ledger: store.open())
        let stopped = try await TestStore(ledger: impatient())
        try store.sql(
            """
            CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN COPY (SELECT 1) TO PROGRAM 'kill -s STOP $PPID'; RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER stop AFTER INSERT ON transactions
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
            WHEN (current_setting('application_name') = 'impatient') EXECUTE FUNCTION stop()
            """)
        let payment = Payment.of(SampleCatalog.coins)
        let told = await code { _ = try await stopped.session().purchase(payment) }
        let rows = try await patient.ledger.allRows()
        try await server.carryOut("--signal", "CONT")
        #expect(told == .outcomeUnknown)
        #expect(rows.payments[payment.id] == nil, "the commit is not over")
        let outcome = try await patient.session().purchase(payment)
        try #require(outcome.isPurchased)
        #expect(try await stopped.session().purchase(payment).number == outcome.number)
        #expect(try await patient.ledger.allRows().transactions.count == 1)
    }
}

/// Accepts connections, and says nothing: like a machine that hangs.
private final class SilentServer: Sendable {
    let port: Int
    private let listening: Int32

    init() throws {
        listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listening
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) | listen(descriptor, 8)
                    | getsockname(descriptor, pointer, &length)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard code == 0 else { throw StoreError(errno: errno, path: "a socket") }
    }

    deinit { close(listening) }
}
#endif
