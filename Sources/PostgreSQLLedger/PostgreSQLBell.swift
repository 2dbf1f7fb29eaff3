#if PostgreSQL
import Foundation
import Glibc
import StoreModel
import Synchronization

/// Wakes a process's subscribers after the commits of all processes, by LISTEN.
///
/// A notification says only that there is something new. It is part of the transaction that it tells
/// of. Listening needs a connection of its own, which begins with the first subscriber. Whenever it
/// begins, and begins again after it was lost, subscribers are woken once, and read what they may
/// have missed.
final class PostgreSQLBell: Sendable {
    private let listeners: ChangeSignal
    private let address: PostgreSQLAddress
    private let channel: String
    /// Whether a notification is this process's own, by the server's process that sent it.
    private let isOwn: @Sendable (Int32) -> Bool
    /// Nil until the first subscriber; then the end of a pipe whose closing stops the thread.
    private let stop = Mutex<Int32?>(nil)

    /// - Parameter listeners: also notified by this process's own commits.
    init(
        _ address: PostgreSQLAddress, channel: String, listeners: ChangeSignal,
        isOwn: @escaping @Sendable (Int32) -> Bool
    ) {
        self.listeners = listeners
        self.address = address
        self.channel = channel
        self.isOwn = isOwn
    }

    deinit {
        if let stop = stop.withLock({ $0 }) { close(stop) }
    }

    /// Wakes at once, then after every commit of any process, this one included.
    func subscribe() -> AsyncStream<Void> {
        let subscription = listeners.subscribe()
        stop.withLock { stop in
            guard stop == nil, let ends = Self.pipe() else { return }
            stop = ends.write
            let listening = Listening(
                address: address, channel: channel, isOwn: isOwn, listeners: listeners,
                stop: ends.read)
            Thread.detachNewThread { listening.run() }
        }
        return subscription
    }

    /// No program that this one starts keeps an end open.
    private static func pipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// The work of a bell's thread. It does not keep the bell.
private struct Listening: Sendable {
    var address: PostgreSQLAddress
    var channel: String
    var isOwn: @Sendable (Int32) -> Bool
    var listeners: ChangeSignal
    var stop: Int32

    /// Until the other end of `stop` is closed.
    func run() {
        defer { close(stop) }
        while !isStopped(within: 0) {
            do {
                if try listen() { return }
            } catch {
                if isStopped(within: PostgreSQLLimits.listenPause) { return }
            }
        }
    }

    /// - Returns: true where the bell is gone. Throws where the connection could not be made, or was
    ///   lost.
    private func listen() throws -> Bool {
        let connection = try PostgreSQLConnection(address)
        try connection.run("LISTEN \(channel)", isKept: false)
        listeners.notify()
        while let notifiers = try connection.notifiers(orStop: stop) {
            if !notifiers.allSatisfy(isOwn) { listeners.notify() }
        }
        return true
    }

    private func isStopped(within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, milliseconds) > 0
    }
}
#endif
