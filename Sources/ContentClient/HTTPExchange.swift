import NIOCore
import NIOHTTP1
import StoreModel

/// A request, with the limits for its answer.
struct HTTPExchange: Sendable {
    var head: HTTPRequestHead
    /// Nil for a request without one.
    var body: ByteBuffer?
    /// Of the answer's body.
    var bytesMax: Int
    /// Fulfilled with the answer, or fails with `ContentServerFailure`.
    var answer: EventLoopPromise<HTTPAnswer>
}

/// A complete answer.
struct HTTPAnswer: Sendable {
    var head: HTTPResponseHead
    var body: ByteBuffer
}

extension ContentServerFailure: Error {}

/// Carries out one exchange after another on a connection. Any unexpected answer closes the
/// connection. Confined to the connection's event loop.
final class HTTPExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPExchange
    typealias OutboundOut = HTTPClientRequestPart

    private struct Waiting {
        var exchange: HTTPExchange
        var head: HTTPResponseHead?
        var body = ByteBuffer()
    }

    private let patience: TimeAmount
    private var waiting: Waiting?
    private var timer: Scheduled<Void>?

    /// Without data during an exchange.
    init(patience: TimeAmount) { self.patience = patience }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        guard waiting == nil, context.channel.isActive else {
            exchange.answer.fail(ContentServerFailure.connectionLost)
            promise?.fail(ContentServerFailure.connectionLost)
            return
        }
        waiting = Waiting(exchange: exchange)
        startTimer(context)
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if let body = exchange.body {
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard waiting != nil else {
            // The connection to a server that sends data without a request is closed.
            context.close(promise: nil)
            return
        }
        startTimer(context)
        switch unwrapInboundIn(data) {
        case .head(let head):
            waiting?.head = head
            guard let length = head.headers.first(name: "content-length").flatMap({ Int($0) })
            else { return }
            guard (0...(waiting?.exchange.bytesMax ?? 0)).contains(length) else {
                return fail(.tooMuch, context)
            }
            waiting?.body.reserveCapacity(length)
        case .body(let part):
            guard let waiting,
                waiting.body.readableBytes + part.readableBytes <= waiting.exchange.bytesMax
            else { return fail(.tooMuch, context) }
            self.waiting?.body.writeImmutableBuffer(part)
        case .end:
            guard let done = waiting, let head = done.head else {
                return fail(.wrongAnswer, context)
            }
            waiting = nil
            timer?.cancel()
            done.exchange.answer.succeed(HTTPAnswer(head: head, body: done.body))
            if !head.isKeepAlive { context.close(promise: nil) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(waiting?.head == nil ? .connectionLost : .wrongLength, context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.invalidEOFState:
            fail(waiting?.head == nil ? .wrongAnswer : .wrongLength, context)
        case is HTTPParserError: fail(.wrongAnswer, context)
        default: fail(.connectionLost, context)
        }
    }

    private func startTimer(_ context: ChannelHandlerContext) {
        timer?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: patience) {
            let (handler, context) = bound.value
            handler.fail(.stalled, context)
        }
    }

    /// Fails the exchange under way, if any, and closes the connection.
    private func fail(_ failure: ContentServerFailure, _ context: ChannelHandlerContext) {
        timer?.cancel()
        let ended = waiting
        waiting = nil
        ended?.exchange.answer.fail(failure)
        context.close(promise: nil)
    }
}
