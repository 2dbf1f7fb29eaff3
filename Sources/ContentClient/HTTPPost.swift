package import Foundation
import NIOHTTP1
package import StoreModel
import Synchronization

/// Sends notifications to an app's backend over HTTP/1.1, on this machine only. Redirects are not
/// followed. It keeps connections open for the next ones.
package final class HTTPPost: NotificationPoster {
    private let time: Duration
    /// By address.
    private let idle = Mutex<[String: [HTTPConnection]]>([:])

    /// For a whole exchange.
    package static let time = Duration.seconds(30)
    /// Of an answer's body, of which nothing but the length matters.
    static let answerBytesMax = 64 << 10
    private static let idleMax = 16

    package init(time: Duration = HTTPPost.time) { self.time = time }

    package func post(
        _ body: Data, to url: String, onSent: @escaping @Sendable () -> Void
    ) async -> PostOutcome {
        let once = Once(onSent)
        defer { once.call() }
        guard let address = try? ServerAddress(url) else { return PostOutcome(.socketIssue) }
        let connection =
            idle.withLock { $0[url]?.popLast() } ?? HTTPConnection(address, patience: time)
        do throws(ContentServerFailure) {
            let answer = try await connection.ask(
                address.target, [], body: body, bytesMax: Self.answerBytesMax, within: time,
                onSent: { once.call() })
            idle.withLock { idle in
                // One that the backend ends is about to close: a request on it would be lost, and
                // made again after later ones.
                guard answer.head.isKeepAlive, idle[url, default: []].count < Self.idleMax
                else { return }
                idle[url, default: []].append(connection)
            }
            return Self.outcome(of: answer.head)
        } catch { return PostOutcome(Self.result(of: error)) }
    }

    private static func outcome(of head: HTTPResponseHead) -> PostOutcome {
        let status = Int(head.status.code)
        guard (200...206).contains(status) else {
            return PostOutcome(.unsuccessfulStatus, status: status)
        }
        let type = head.headers.first(name: "content-type")?.lowercased() ?? ""
        let charset = type.split(separator: ";").lazy
            .map { $0.filter { $0 != " " && $0 != "\"" } }
            .first { $0.hasPrefix("charset=") }
        let isReadable = charset.map { $0 == "charset=utf-8" } ?? true
        return PostOutcome(isReadable ? .success : .unsupportedCharset, status: status)
    }

    private static func result(of failure: ContentServerFailure) -> SendAttemptResult {
        switch failure {
        case .unreachable, .addressRefused: .socketIssue
        case .connectionLost: .noResponse
        case .stalled: .timedOut
        case .wrongLength: .prematureClose
        case .wrongAnswer, .tooMuch, .wrongRange, .redirected, .serverError: .invalidResponse
        case .portTaken, .hostRefused, .portForbidden, .startFailed: .other
        }
    }
}

/// Calls a function once, however often it is asked to.
private final class Once: Sendable {
    private let function: Mutex<(@Sendable () -> Void)?>

    init(_ function: @escaping @Sendable () -> Void) { self.function = Mutex(function) }

    func call() {
        let taken = function.withLock { function in
            defer { function = nil }
            return function
        }
        taken?()
    }
}
