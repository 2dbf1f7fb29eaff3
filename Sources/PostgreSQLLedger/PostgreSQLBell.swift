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
    /// Of this process's own notifications, which it need not be woken by.
    private let token: String
    /// Nil until the first subscriber; then the end of a pipe whose closing stops the thread.
    private let stop = Mutex<Int32?>(nil)

    /// - Parameter listeners: also notified by this process's own commits.
    init(
        _ address: PostgreSQLAddress, channel: String, listeners: ChangeSignal,
        token: String
    ) {
        self.listeners = listeners
        self.address = address
        self.channel = channel
        self.token = token
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
                address: address, channel: channel, token: token, listeners: listeners,
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
    var token: String
    var listeners: ChangeSignal
    var stop: Int32

    /// Until the other end of `stop` is closed.
    func run() {
        defer { close(stop) }
        var pause: Int32 = 0
        while !isStopped(within: pause) {
            pause = PostgreSQLLimits.listenPause
            do {
                let connection = try PostgreSQLConnection(address)
                try connection.run("LISTEN \(channel)", isKept: false)
                listeners.notify()
                pause = 0
                // Readers find out for themselves that the server is gone.
                defer { listeners.notify() }
                try follow(connection)
                return
            } catch let failure as PostgreSQLFailure where !failure.isLost {
                // A standby lets nobody listen: its readers look from time to time.
                listeners.notify()
            } catch {
                continue
            }
        }
    }

    private func follow(_ connection: PostgreSQLConnection) throws {
        while let senders = try connection.notifications(orStop: stop) {
            if senders.contains(where: { $0 != token }) { listeners.notify() }
        }
    }

    private func isStopped(within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, milliseconds) > 0
    }
}
#endif
