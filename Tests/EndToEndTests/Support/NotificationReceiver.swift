import Foundation
import Synchronization

/// An app's backend in the test's process: it answers notifications as it is told, and keeps what
/// arrived. Each connection carries one request, and connections are taken in the order in which they
/// were made, which is the order in which the requests were sent.
final class NotificationReceiver: Sendable {
    /// How it answers a notification.
    enum Behaviour: String, CaseIterable, Sendable {
        case succeeds
        /// It answers with an error.
        case fails
        /// It does not answer until it behaves otherwise.
        case hangs
        /// It closes the connection without an answer.
        case closes
    }

    private struct State {
        var behaviour = Behaviour.succeeds
        var arrived: [String] = []
        var accepted: Set<String> = []
        var hanging: [Int32] = []
    }

    struct Failure: Error { var code: Int32 }

    private let port: Int
    private let socket: Int32
    private let state = Mutex(State())

    var address: String { "http://127.0.0.1:\(port)/apple/notifications" }
    /// The number of each notification that arrived (notificationUUID), in order.
    var arrived: [String] { state.withLock { $0.arrived } }
    /// The numbers of those that it answered with success.
    var accepted: Set<String> { state.withLock { $0.accepted } }

    init() throws {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && listen(socket, 128) == 0
                    && getsockname(socket, pointer, &length) == 0
            }
        }
        guard isListening else {
            close(socket)
            throw Failure(code: errno)
        }
        self.socket = socket
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [weak self] in
            // Only this thread closes it, so that its number is no other socket's while it accepts.
            defer { close(socket) }
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                let isKept = self?.answer(connection) ?? false
                if !isKept { close(connection) }
            }
        }
    }

    /// Ends the wait of the thread that accepts connections.
    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        for connection in state.withLock({ $0.hanging }) { close(connection) }
    }

    /// From now on; it ends the connections that hang.
    func behave(_ behaviour: Behaviour) {
        let hanging = state.withLock { state -> [Int32] in
            let hanging = state.hanging
            state.hanging = []
            state.behaviour = behaviour
            return hanging
        }
        for connection in hanging { close(connection) }
    }

    /// Returns whether the connection is to stay open.
    private func answer(_ connection: Int32) -> Bool {
        guard let body = Self.body(connection), let id = Self.number(of: body) else { return false }
        let behaviour = state.withLock { state -> Behaviour in
            state.arrived.append(id)
            switch state.behaviour {
            case .succeeds: state.accepted.insert(id)
            case .hangs: state.hanging.append(connection)
            case .fails, .closes: break
            }
            return state.behaviour
        }
        switch behaviour {
        case .succeeds: Self.answer("200 OK", on: connection)
        case .fails: Self.answer("503 Service Unavailable", on: connection)
        case .hangs: return true
        case .closes: break
        }
        return false
    }

    private static func answer(_ status: String, on connection: Int32) {
        let text = "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        _ = Array(text.utf8).withUnsafeBytes {
            send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Nil if the sender ends before the end of its request.
    private static func body(_ connection: Int32) -> Data? {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = received.range(of: Data("\r\n\r\n".utf8)) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                let length =
                    head.split(separator: "\r\n")
                    .first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
                let body = received[end.upperBound...]
                if body.count >= length { return Data(body.prefix(length)) }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received += buffer[..<count]
        }
    }

    /// The notificationUUID that a body has signed (JWS); nil for another body.
    private static func number(of body: Data) -> String? {
        let signed = JSON(line: String(decoding: body, as: UTF8.self))["signedPayload"].text ?? ""
        let parts = signed.split(separator: ".")
        guard parts.count == 3 else { return nil }
        var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let payload = Data(base64Encoded: String(text)) else { return nil }
        return JSON(line: String(decoding: payload, as: UTF8.self))["notificationUUID"].text
    }
}
