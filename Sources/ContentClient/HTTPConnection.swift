import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import StoreModel
import Synchronization

/// A connection to one server, kept open between exchanges. It carries one exchange at a time.
final class HTTPConnection: Sendable {
    private let address: ServerAddress
    private let patience: TimeAmount
    private let kept = Mutex<(any Channel)?>(nil)

    init(_ address: ServerAddress, patience: Duration) {
        self.address = address
        self.patience = Self.amount(patience)
    }

    private static func amount(_ duration: Duration) -> TimeAmount {
        let parts = duration.components
        return .nanoseconds(parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
    }

    private static let headLimits: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = 64 << 10
        return limits
    }()

    deinit { kept.withLock { $0?.close(promise: nil) } }

    /// If the server has closed the kept connection meanwhile, opens a new one and tries once more.
    ///
    /// - Parameters:
    ///   - body: JSON that is sent (POST); nil asks (GET).
    ///   - bytesMax: for the answer's body.
    ///   - time: for the whole exchange, also with a server that sends a byte now and then; nil for
    ///     any.
    ///   - onSent: called when no later request can overtake this one: on a new connection when it
    ///     was written, and not if it could not be; on a kept one when it stands in the queue of the
    ///     thread that all connections share.
    func ask(
        _ target: String, _ fields: [(String, String)], body: Data? = nil, bytesMax: Int,
        within time: Duration? = nil, onSent: @escaping @Sendable () -> Void = {}
    ) async throws(ContentServerFailure) -> HTTPAnswer {
        let now = NIODeadline.now()
        let ask = Ask(
            target: target, fields: fields, body: body, bytesMax: bytesMax,
            end: time.map { now + Self.amount($0) }, onSent: onSent)
        if let channel = kept.withLock({ $0 }), channel.isActive {
            do throws(ContentServerFailure) {
                return try await exchange(on: channel, isKept: true, ask)
            } catch {
                guard error == .connectionLost, !Task.isCancelled else { throw error }
            }
        }
        let channel = try await connect(by: ask.end)
        kept.withLock { $0 = channel }
        return try await exchange(on: channel, isKept: false, ask)
    }

    private struct Ask {
        var target: String
        var fields: [(String, String)]
        var body: Data?
        var bytesMax: Int
        var end: NIODeadline?
        var onSent: @Sendable () -> Void
    }

    private func connect(by end: NIODeadline?) async throws(ContentServerFailure) -> any Channel {
        let left = end.map { $0 - NIODeadline.now() } ?? patience
        guard left > .zero else { throw .stalled }
        do {
            return try await ClientBootstrap(group: ClientThread.group)
                .connectTimeout(min(patience, left))
                .channelOption(ChannelOptions.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { [patience] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHTTPClientHandlers(
                            decoderLimitConfiguration: Self.headLimits)
                        try pipeline.addHandler(HTTPExchangeHandler(patience: patience))
                    }
                }
                .connect(to: address.socket).get()
        } catch { throw .unreachable }
    }

    private func exchange(
        on channel: any Channel, isKept: Bool, _ ask: Ask
    ) async throws(ContentServerFailure) -> HTTPAnswer {
        var head = HTTPRequestHead(
            version: .http1_1, method: ask.body == nil ? .GET : .POST, uri: ask.target)
        head.headers.add(name: "Host", value: address.host)
        for (name, value) in ask.fields { head.headers.add(name: name, value: value) }
        if let body = ask.body {
            head.headers.add(name: "Content-Type", value: "application/json")
            head.headers.add(name: "Content-Length", value: "\(body.count)")
        }
        let answer = channel.eventLoop.makePromise(of: HTTPAnswer.self)
        let exchange = HTTPExchange(
            head: head, body: ask.body.map { ByteBuffer(bytes: $0) }, bytesMax: ask.bytesMax,
            answer: answer)
        let end = ask.end.map { end in
            channel.eventLoop.scheduleTask(deadline: end) {
                answer.fail(ContentServerFailure.stalled)
                channel.close(promise: nil)
            }
        }
        defer { end?.cancel() }
        do {
            return try await withTaskCancellationHandler {
                let written: EventLoopFuture<Void> = channel.writeAndFlush(exchange)
                // To wait until each is written takes longer (`make bench`: "notifications sent
                // and recorded, beside the HTTP client", 1.2 times).
                if isKept { ask.onSent() }
                written.whenComplete { result in
                    switch result {
                    case .success: if !isKept { ask.onSent() }
                    case .failure(let error): answer.fail(error)
                    }
                }
                return try await answer.futureResult.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch { throw error as? ContentServerFailure ?? .connectionLost }
    }
}
