import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The connections of a server. A connection over a limit is accepted, and the one for whose client
/// the server has waited longest is closed instead: idle and slow clients keep nobody else out.
final class ConnectionLimits: Sendable {
    private let total: Int
    /// Connections of one address.
    private let perPeer: Int

    private struct Connection {
        var channel: any Channel
        var peer: String?
        /// Nil while the client waits for the server.
        var waitingSince: NIODeadline?
    }

    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    init(total: Int, perPeer: Int) {
        self.total = total
        self.perPeer = perPeer
    }

    fileprivate func admit(_ channel: any Channel, at now: NIODeadline) {
        let new = Connection(
            channel: channel, peer: channel.remoteAddress?.ipAddress, waitingSince: now)
        let closed = connections.withLock { connections in
            let ofPeer = connections.filter { $0.value.peer == new.peer }
            let full =
                ofPeer.count >= perPeer ? ofPeer : connections.count >= total ? connections : [:]
            let longest = full.filter { $0.value.waitingSince != nil }
                .min { ($0.value.waitingSince ?? now) < ($1.value.waitingSince ?? now) }
            if let longest { connections[longest.key] = nil }
            connections[ObjectIdentifier(channel)] = new
            return longest?.value.channel
        }
        closed?.close(promise: nil)
    }

    fileprivate func update(_ channel: any Channel, waitingSince: NIODeadline?) {
        connections.withLock { $0[ObjectIdentifier(channel)]?.waitingSince = waitingSince }
    }

    fileprivate func remove(_ channel: any Channel) {
        connections.withLock { $0[ObjectIdentifier(channel)] = nil }
    }
}

/// Watches one connection for its limits, and closes it after `patience` of waiting for its client:
/// for a head (also of a first request), for the rest of a body, or to take what was written.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart

    private let limits: ConnectionLimits
    private let patience: TimeAmount
    private var deadline: Scheduled<Void>?
    private var pendingWrites = 0
    private var isRemoved = false
    /// Whether the server ends.
    private var isEnding = false
    /// Whether the connection is to be closed once everything is written.
    private var isCloseHeld = false

    init(_ limits: ConnectionLimits, patience: TimeAmount) {
        self.limits = limits
        self.patience = patience
    }

    func handlerAdded(context: ChannelHandlerContext) {
        limits.admit(context.channel, at: context.eventLoop.now)
        waitForClient(context)
    }

    /// Also called for a channel that never became active.
    func handlerRemoved(context: ChannelHandlerContext) {
        isRemoved = true
        deadline?.cancel()
        limits.remove(context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        // The limit is for the whole body: its bytes do not prolong it.
        case .head: waitForClient(context)
        case .body: break
        case .end: stopWaiting(context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
        let written = promise ?? context.eventLoop.makePromise()
        pendingWrites += 1
        waitForClient(context)
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let guardian = NIOLoopBound(self, eventLoop: context.value.eventLoop)
        written.futureResult.whenComplete { _ in
            guardian.value.hasWritten(context.value, isEnd: isEnd)
        }
        context.value.write(data, promise: written)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { isEnding = true }
        context.fireUserInboundEventTriggered(event)
    }

    /// At the server's end the HTTP library closes a connection as soon as it has passed on the end of
    /// the last answer: that waits until the client has taken it. Another close does not wait.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        let waits = isEnding && !isCloseHeld && pendingWrites > 0 && mode == .all && promise == nil
        guard waits else { return context.close(mode: mode, promise: promise) }
        isCloseHeld = true
    }

    private func hasWritten(_ context: ChannelHandlerContext, isEnd: Bool) {
        pendingWrites -= 1
        guard !isRemoved else { return }
        guard pendingWrites > 0 || !isCloseHeld else { return context.close(promise: nil) }
        if pendingWrites > 0 || isEnd { waitForClient(context) } else { stopWaiting(context) }
    }

    private func waitForClient(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        limits.update(context.channel, waitingSince: context.eventLoop.now)
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }

    private func stopWaiting(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        limits.update(context.channel, waitingSince: nil)
    }
}
