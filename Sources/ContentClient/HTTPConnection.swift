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
        let parts = patience.components
        self.patience = .nanoseconds(
            parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
    }

    private static let headLimits: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = 64 << 10
        return limits
    }()

    deinit { kept.withLock { $0?.close(promise: nil) } }

    /// If the server has closed the kept connection meanwhile, opens a new one and tries once more.
    /// `bytesMax` is for the answer's body.
    func get(
        _ target: String, _ fields: [(String, String)], bytesMax: Int
    ) async throws(ContentServerFailure) -> HTTPAnswer {
        if let channel = kept.withLock({ $0 }), channel.isActive {
            do throws(ContentServerFailure) {
                return try await exchange(on: channel, target, fields, bytesMax)
            } catch {
                guard error == .connectionLost, !Task.isCancelled else { throw error }
            }
        }
        let channel = try await connect()
        kept.withLock { $0 = channel }
        return try await exchange(on: channel, target, fields, bytesMax)
    }

    private func connect() async throws(ContentServerFailure) -> any Channel {
        do {
            return try await ClientBootstrap(group: ClientThread.group)
                .connectTimeout(patience)
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
        on channel: any Channel, _ target: String, _ fields: [(String, String)], _ bytesMax: Int
    ) async throws(ContentServerFailure) -> HTTPAnswer {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target)
        head.headers.add(name: "Host", value: address.host)
        for (name, value) in fields { head.headers.add(name: name, value: value) }
        let answer = channel.eventLoop.makePromise(of: HTTPAnswer.self)
        let exchange = HTTPExchange(head: head, bytesMax: bytesMax, answer: answer)
        do {
            return try await withTaskCancellationHandler {
                channel.writeAndFlush(exchange).whenFailure { answer.fail($0) }
                return try await answer.futureResult.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch { throw error as? ContentServerFailure ?? .connectionLost }
    }
}
