package import Basics
import Foundation
package import StoreModel

/// Moves a store's clock from one instant at which something is due to the next, so that every
/// notification is tried at its own time, and with the state of that time.
package struct ClockWalk: Sendable {
    private let console: any StoreOperator
    private let outbox: any OutboxStore
    private let sender: Sender
    private let host: String
    private let folder: String

    /// The result of a move.
    package struct Outcome: Sendable {
        /// The first ones, as `StoreOperator.perform` returns them.
        package var events: [StoreEvent] = []
        /// Notifications that are due and were not tried.
        package var waiting = 0
        /// Why this machine sends none; nil if it can.
        package var obstacle: NotificationObstacle?
        /// The process that has the sender's lease and tried none of them for too long; nil if none
        /// has it.
        package var holder: LockHolder?
    }

    /// How long another process that sends may take to end an attempt.
    package var silenceMax = Duration.seconds(35)
    /// Called once a move, when it has waited for the app's backend for longer than `quietMax`.
    package var onWait: @Sendable (NotificationWait) -> Void = { _ in }
    package var quietMax = Duration.seconds(1)
    private static let eventsMax = 100
    /// Between two looks whether the sender's lease is free.
    private static let pause = Duration.milliseconds(200)

    /// - Parameters:
    ///   - host: this machine, as it is kept with the address.
    ///   - folder: the store's.
    package init(
        console: any StoreOperator, outbox: any OutboxStore, poster: any NotificationPoster,
        host: String, folder: String
    ) {
        self.console = console
        self.outbox = outbox
        sender = Sender(store: outbox, poster: poster, host: host)
        self.host = host
        self.folder = folder
    }

    /// Moves the clock as `OperatorAction.clock` does, in one step if nobody is to be told.
    ///
    /// - Throws: as `StoreOperator.perform`, and the errors of the outbox; the clock then may have
    ///   moved a part of the way.
    package func move(_ action: ClockAction) async throws(StoreError) -> Outcome {
        var outcome = Outcome()
        outcome.obstacle = try await outbox.server().obstacle(on: host)
        guard outcome.obstacle == nil || SenderLease.isHeld(storeFolder: folder),
            let target = try await target(of: action)
        else {
            outcome.events = try await console.perform(.clock(action))
            if outcome.obstacle == .otherHost { outcome.waiting = try await untried() }
            return outcome
        }
        // Refused here, before anything is sent.
        if let refusal = try await console.refusal(of: .clock(action)) { throw refusal }
        var isTold = false
        while true {
            // A process that tries nothing is not waited for again: the rest is one step.
            if outcome.waiting == 0 {
                let telling = isTold ? nil : Task { await tellWait() }
                defer { telling?.cancel() }
                (outcome.waiting, outcome.holder) = try await trySending(
                    waits: outcome.obstacle == nil)
                telling?.cancel()
                if let telling { isTold = await telling.value }
            }
            let now = try await console.clock()
            guard now.now < target else { break }
            var stops = [target]
            if outcome.waiting == 0 {
                stops += [now.next?.at, try await outbox.outboxDue().next].compactMap(\.self)
            }
            let stop = stops.filter { $0 > now.now }.min() ?? target
            do throws(StoreError) {
                let events = try await console.perform(.clock(.to(min(stop, target))))
                outcome.events += events.prefix(max(0, Self.eventsMax - outcome.events.count))
            } catch  where error.code == .clockBackwards {
                // A running clock has passed it meanwhile.
            }
        }
        if outcome.waiting > 0 { outcome.waiting = try await untried() }
        return outcome
    }

    /// Tells for what the move waits, until its task is cancelled.
    ///
    /// - Returns: whether it was told.
    private func tellWait() async -> Bool {
        while true {
            try? await Task.sleep(for: quietMax)
            guard !Task.isCancelled else { return false }
            guard let count = try? await outbox.outboxDue().count, count > 0,
                let url = try? await outbox.server().notifications?.url
            else { continue }
            onWait(NotificationWait(count: count, address: url))
            return true
        }
    }

    /// How many notifications of what has happened until now are due.
    private func untried() async throws(StoreError) -> Int {
        _ = try await outbox.deriveNotifications()
        return try await outbox.outboxDue().count
    }

    /// Nil if the clock moves in one step.
    private func target(of action: ClockAction) async throws(StoreError) -> Timestamp? {
        let now = try await console.clock()
        switch action {
        case .stop, .resume: return nil
        case .advance(let step): return step.end(from: now.now)
        case .to(let instant): return instant
        case .next: return now.next?.at
        }
    }

    /// Tries everything that is due now, in this process or the one that has the lease.
    ///
    /// - Parameter waits: whether the one that has the lease can send.
    /// - Returns: how many are due and were not tried, and the process that did not try them.
    private func trySending(
        waits: Bool
    ) async throws(StoreError) -> (waiting: Int, holder: LockHolder?) {
        let watch = Stopwatch(ContinuousClock())
        var (before, since) = (-1, watch.elapsed)
        var waking: OutboxWakes?
        defer { waking?.end() }
        while true {
            if let lease = SenderLease(storeFolder: folder) {
                defer { lease.release() }
                try await sender.sendDue()
                return (try await outbox.outboxDue().count, nil)
            }
            _ = try await outbox.deriveNotifications()
            let waiting = try await outbox.outboxDue().count
            guard waiting > 0 else { return (0, nil) }
            if waiting != before { (before, since) = (waiting, watch.elapsed) }
            let wakes = waking ?? OutboxWakes(outbox.changes(), pause: Self.pause)
            waking = wakes
            guard waits, watch.elapsed - since < silenceMax, await wakes.stream.nextWake() else {
                return (waiting, SenderLease.holder(storeFolder: folder))
            }
        }
    }
}
