import Foundation

/// Clients that send one request again and again, each on a connection and a thread of its own.
struct ServerLoad: Sendable {
    enum Failure: Error {
        case notConnected
        case connectionLost
        case refused(String)
    }

    /// Of the first answer.
    let body: [UInt8]
    private let port: Int
    private let request: [UInt8]
    /// The bytes of each answer, with its head.
    private let answerCount: Int

    /// Asks once: every answer is as long as the first one, of status 200.
    init(port: Int, target: String, token: String) throws {
        self.port = port
        request = Array(
            "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\r\n"
                .utf8)
        let first = try Connection(port: port)
        try first.send(request)
        let answer = try first.answer()
        answerCount = answer.count
        body = answer.body
    }

    /// - Parameter requests: of all clients together.
    func ask(_ requests: Int, on connections: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<connections {
                group.addTask { try await askOnThread(requests / connections) }
            }
            try await group.waitForAll()
        }
    }

    private func askOnThread(_ count: Int) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Result { try askOnConnection(count) })
            }
        }
    }

    private func askOnConnection(_ count: Int) throws {
        let connection = try Connection(port: port)
        for _ in 0..<count {
            try connection.send(request)
            try connection.skip(answerCount)
        }
    }

    /// A blocking socket.
    private final class Connection {
        private let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        private var buffer = [UInt8](repeating: 0, count: 256 * 1024)

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
            guard isConnected else { throw Failure.notConnected }
        }

        deinit { close(socket) }

        func send(_ bytes: [UInt8]) throws {
            let count = bytes.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count == bytes.count else { throw Failure.connectionLost }
        }

        func skip(_ count: Int) throws {
            var rest = count
            while rest > 0 { rest -= try receive() }
        }

        private func receive() throws -> Int {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failure.connectionLost }
            return count
        }

        /// The whole answer's length, and its body.
        func answer() throws -> (count: Int, body: [UInt8]) {
            var received: [UInt8] = []
            while true {
                let count = try receive()
                received += buffer[..<count]
                guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                guard head.hasPrefix("HTTP/1.1 200") else { throw Failure.refused(head) }
                let length =
                    head.split(separator: "\r\n")
                    .first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
                let whole = end.upperBound + length
                if received.count >= whole { return (whole, Array(received[end.upperBound...])) }
            }
        }
    }
}
