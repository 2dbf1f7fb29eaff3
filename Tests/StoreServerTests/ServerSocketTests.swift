@testable import ContentServer
import Foundation
import StoreEngine
import StoreModel
import StoreServer
import Synchronization
import Testing

/// The server over a real socket.
@Suite("the store's server over HTTP", .timeLimit(.minutes(5))) struct ServerSocketTests {
    /// A connection of a backend.
    private final class Client {
        private let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        private var received: [UInt8] = []

        init(port: Int) throws {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = in_port_t(port).bigEndian
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, length) == 0
                }
            }
            try #require(isConnected)
        }

        deinit { close(socket) }

        /// What has arrived of an answer that did not end.
        var rest: String { String(decoding: received, as: UTF8.self) }

        func send(_ text: String) async throws {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(
                        socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
                }
                guard count > 0 else {
                    // The server has answered and closed, or its buffer is full.
                    guard errno == EAGAIN else { return }
                    await Task.yield()
                    continue
                }
                rest = rest.dropFirst(count)
            }
        }

        /// The head of the next answer and its body; empty texts if the server has closed.
        func answer() async -> (head: String, body: String) {
            let end = Array("\r\n\r\n".utf8)
            while true {
                if let range = received.firstRange(of: end) {
                    let head = String(decoding: received[..<range.lowerBound], as: UTF8.self)
                    let length =
                        head.split(separator: "\r\n")
                        .first { $0.lowercased().hasPrefix("content-length:") }
                        .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
                    if received.count >= range.upperBound + length {
                        let body = received[range.upperBound..<range.upperBound + length]
                        received.removeFirst(range.upperBound + length)
                        return (head, String(decoding: body, as: UTF8.self))
                    }
                }
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
                if count > 0 {
                    received += bytes[..<count]
                } else if count < 0, errno == EAGAIN || errno == EINTR {
                    await Task.yield()
                } else {
                    return ("", "")
                }
            }
        }
    }

    private func serving(
        _ backend: Backend, _ body: (_ port: Int) async throws -> Void
    ) async throws -> [ServedRequest] {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let answered = Answered()
        let server = try HTTPServer(backend.server, port: 0)
        let serving = Task {
            try await server.run {
                listening.yield($0)
            } onAnswer: {
                answered.add($0)
            }
        }
        var port = 0
        for await found in ports {
            port = found
            break
        }
        try await body(port)
        serving.cancel()
        try await serving.value
        return answered.all
    }

    private final class Answered: Sendable {
        private let requests = Mutex<[ServedRequest]>([])

        var all: [ServedRequest] { requests.withLock { $0 } }
        func add(_ request: ServedRequest) { requests.withLock { $0.append(request) } }
    }

    @Test("one connection carries many calls, each told with its method, path and status")
    func keepAlive() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let token = try backend.token().text
        let answered = try await serving(backend) { port in
            let client = try Client(port: port)
            for _ in 0..<3 {
                try await client.send(
                    "GET /inApps/v1/transactions/\(id)?a=b HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
                        + "Authorization: Bearer \(token)\r\nAccept: application/json\r\n\r\n")
                let answer = await client.answer()
                #expect(answer.head.hasPrefix("HTTP/1.1 200"))
                // Official clients read an error only if the type is exactly this.
                #expect(answer.head.lowercased().contains("\r\ncontent-type: application/json\r\n"))
                #expect(answer.body.hasPrefix("{\"signedTransactionInfo\":\""))
            }
            try await client.send(
                "PUT /inApps/v1/transactions/\(id)/appAccountToken HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Length: 2\r\n\r\n{}")
            #expect(await client.answer().body.contains("4000183"))
            // A POST without a body, as Apple's Python library sends it.
            try await client.send(
                "POST /inApps/v1/transactions/\(id)/finish HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Length: 0\r\n\r\n")
            #expect(await client.answer().head.hasPrefix("HTTP/1.1 200"))
        }
        #expect(answered.map(\.status) == [200, 200, 200, 400, 200])
        #expect(answered.first?.path == "/inApps/v1/transactions/\(id)?a=b")
        #expect(answered.map(\.method) == ["GET", "GET", "GET", "PUT", "POST"])
    }

    @Test("an answer that is cut off on purpose ends in the middle, with its connection")
    func cutOff() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let token = try backend.token().text
        try await backend.perform(.failNext(.anyEndpoint, error: .cutOffAnswer, count: 1))
        let answered = try await serving(backend) { port in
            let request =
                "GET /inApps/v1/transactions/\(id) HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer \(token)\r\n\r\n"
            let client = try Client(port: port)
            try await client.send(request)
            #expect(await client.answer().head.isEmpty, "the server has closed")
            #expect(client.rest.hasPrefix("HTTP/1.1 200"))
            #expect(client.rest.contains("{\"signedTransactionInfo\":\""))
            let other = try Client(port: port)
            try await other.send(request)
            #expect(await other.answer().body.hasSuffix("\"}"))
        }
        #expect(answered.map(\.status) == [200, 200])
    }

    @Test("a body of megabytes is refused, and the server goes on")
    func longBody() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let token = try backend.token().text
        _ = try await serving(backend) { port in
            let client = try Client(port: port)
            let body = String(repeating: "a", count: 3 << 20)
            try await client.send(
                "PUT /inApps/v1/transactions/\(id)/appAccountToken HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body)
            #expect(await client.answer().body.contains("4000000"))
            let other = try Client(port: port)
            try await other.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await other.answer().body.contains("\"status\":\"ok\""))
        }
    }

    @Test("it ends while a client keeps its connection open and silent")
    func idleClient() async throws {
        let backend = try await Backend()
        var client: Client?
        _ = try await serving(backend) { port in
            client = try Client(port: port)
            try await client?.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await client?.answer().head.hasPrefix("HTTP/1.1 200") == true)
        }
        #expect(await client?.answer().head.isEmpty == true)
    }
}
