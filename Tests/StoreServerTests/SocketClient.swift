@testable import ContentServer
import Foundation
import StoreModel
import StoreServer
import Synchronization
import Testing

/// A connection of a backend. It never blocks a thread: it yields while the server is not ready.
final class SocketClient {
    private let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    private var received: [UInt8] = []
    private(set) var isClosed = false

    /// The connection may be made only later: what is sent waits for it.
    init(port: Int) throws {
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBegun = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, length) == 0 || errno == EINPROGRESS
            }
        }
        try #require(isBegun)
    }

    deinit { close(socket) }

    /// What has arrived of an answer that did not end.
    var rest: String { String(decoding: received, as: UTF8.self) }

    /// Returns early if the server has closed.
    func send(_ text: String) async throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                // The server has answered and closed, or its buffer is full.
                guard errno == EAGAIN else {
                    isClosed = true
                    return
                }
                await Task.yield()
                continue
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a text again and again until the server closes.
    ///
    /// - Parameter pause: between two of them. A client that is slow is the subject of the test,
    ///   which waits for the server's end of the connection.
    func repeating(_ text: String, pause: Duration) async throws {
        while !isClosed {
            try await send(text)
            receive()
            try await Task.sleep(for: pause)
        }
    }

    /// Ends the client's side of the connection.
    func endSending() { shutdown(socket, Int32(SHUT_WR)) }

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
            if isClosed { return ("", "") }
            if !receive() { await Task.yield() }
        }
    }

    /// Whether something arrived, or the end of the connection.
    @discardableResult private func receive() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, 0)
        if count > 0 {
            received += bytes[..<count]
        } else if count < 0, errno == EAGAIN || errno == EINTR {
            return false
        } else {
            isClosed = true
        }
        return true
    }
}

extension Backend {
    /// Answers over HTTP while `body` runs.
    ///
    /// - Parameter patience: how long the server waits for a client.
    /// - Returns: what was answered, in order.
    func serving(
        patience: Duration = .seconds(30), _ body: (_ port: Int) async throws -> Void
    ) async throws -> [ServedRequest] {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let answered = Answered()
        var server = try HTTPServer(self.server, port: 0)
        server.patience = patience
        let serving = Task { [server] in
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
}
