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
