@testable import ContentServer
import Foundation
import StoreModel
import Synchronization

/// An HTTP server for tests that sends any bytes, and so any false answer.
final class RawServer: Sendable {
    /// The reply to one request.
    struct Reply: Sendable {
        var bytes: Data
        /// What happens to the connection afterwards: kept for more requests, closed, or held
        /// without a byte.
        var ending: Ending = .keep

        enum Ending { case keep, close, hold }

        init(_ bytes: Data, _ ending: Ending = .keep) {
            self.bytes = bytes
            self.ending = ending
        }

        init(_ text: String, _ ending: Ending = .keep) { self.init(Data(text.utf8), ending) }

        /// A true answer, with some header fields changed.
        init(_ answer: ContentAnswer, body: Data, changing: [String: String?] = [:]) {
            var head = "HTTP/1.1 \(answer.status) Answer\r\n"
            var fields = answer.fields.map { ($0.name, $0.value) }
            fields.append(("Content-Length", String(body.count)))
            for (name, value) in changing {
                fields.removeAll { $0.0.lowercased() == name.lowercased() }
                if let value { fields.append((name, value)) }
            }
            for (name, value) in fields { head += "\(name): \(value)\r\n" }
            self.init(Data((head + "\r\n").utf8) + body)
        }
    }

    typealias Answerer = @Sendable (ContentRequest) async -> Reply

    let port: Int
    private let socket: Int32
    private let answerer: Mutex<Answerer>
    private let requests = Mutex<[ContentRequest]>([])
    private let accepted = Mutex(0)

    var url: String { "http://127.0.0.1:\(port)/charts" }
    var seen: [ContentRequest] { requests.withLock { $0 } }
    /// How many connections were made.
    var connections: Int { accepted.withLock { $0 } }

    /// Listens at once, but answers no request until `answer` is set.
    init() throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (socket, bound) = withUnsafeMutablePointer(to: &address) { [socket] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                (
                    socket,
                    bind(socket, pointer, length) == 0 && listen(socket, 16) == 0
                        && getsockname(socket, pointer, &length) == 0
                )
            }
        }
        guard bound else { throw CocoaError(.fileNoSuchFile) }
        port = Int(UInt16(bigEndian: address.sin_port))
        answerer = Mutex { _ in Reply("", .close) }
        Thread.detachNewThread { [weak self] in
            // This thread alone closes the socket, after its last `accept`. Closed elsewhere, its
            // number could already be another server's, whose connections this thread would take.
            defer { close(socket) }
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                self?.countConnection()
                Thread.detachNewThread { [weak self] in Self.serve(connection) { self } }
            }
        }
    }

    /// Ends the wait of the thread that accepts connections.
    deinit { shutdown(socket, Int32(SHUT_RDWR)) }

    func answer(_ answerer: @escaping Answerer) { self.answerer.withLock { $0 = answerer } }

    private func countConnection() { accepted.withLock { $0 += 1 } }

    private static func serve(_ connection: Int32, _ server: () -> RawServer?) {
        defer { close(connection) }
        while let request = read(connection) {
            guard let server = server() else { return }
            server.requests.withLock { $0.append(request) }
            let answerer = server.answerer.withLock { $0 }
            let reply = Mutex<Reply?>(nil)
            let isDone = DispatchSemaphore(value: 0)
            Task {
                let made = await answerer(request)
                reply.withLock { $0 = made }
                isDone.signal()
            }
            isDone.wait()
            guard let reply = reply.withLock({ $0 }) else { return }
            write(reply.bytes, to: connection)
            switch reply.ending {
            case .keep: continue
            case .close: return
            case .hold:
                // Wait until the client closes the connection.
                var byte: UInt8 = 0
                while recv(connection, &byte, 1, 0) > 0 {}
                return
            }
        }
    }

    private static func read(_ connection: Int32) -> ContentRequest? {
        var text = Data()
        let end = Data("\r\n\r\n".utf8)
        var byte: UInt8 = 0
        while text.suffix(4) != end {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            text.append(byte)
        }
        let lines = String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        // Unread bytes would end the connection before its answer is read.
        var body = Data()
        while body.count < Int(fields["content-length"] ?? "0") ?? 0 {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            body.append(byte)
        }
        return ContentRequest(method: words[0], target: words[1], fields: fields, body: body)
    }

    private static func write(_ bytes: Data, to connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

extension ContentResponder {
    func whole(_ request: ContentRequest) async -> (answer: ContentAnswer, body: Data) {
        let answer = await answer(request)
        switch answer.body {
        case .none: return (answer, Data())
        case .bytes(let bytes): return (answer, bytes)
        case .part(let file, let range):
            var body = Data()
            while body.count < range.count,
                let piece = try? await bytes(
                    of: file, at: range.lowerBound + Int64(body.count),
                    count: range.count - body.count), !piece.isEmpty
            {
                body += piece
            }
            return (answer, body)
        }
    }
}
