import Basics
import Foundation
package import StoreModel
import Synchronization

/// Sends a store's notifications to its address: what is due, in order, several at a time, so that a
/// slow receiver delays no other notification. An attempt is recorded before the next one of the
/// same notification begins; a kill between sending and recording sends again.
///
/// Due notifications are read by pages, texts are signed while others are sent, and results are recorded
/// together (`make bench`: "notifications sent and recorded, beside the HTTP client", five times as
/// long without that).
package actor Sender {
    private let store: any OutboxStore
    private let poster: any NotificationPoster
    private let host: String
    /// Notifications with an attempt that has begun and is not recorded.
    private var underWay: Set<UUID> = []
    /// Attempts that have begun and not ended.
    private var openCount = 0
    /// Attempts that have ended, until they are recorded.
    private var ended: [EndedAttempt] = []
    private var isRecording = false
    /// Whether they wait for more to end.
    private var isGathering = false
    /// The due notifications, in order, as they were read last, without those that have begun since.
    private var due: ArraySlice<OutboxItem> = []
    /// Whether more was due when it was read.
    private var mayHaveMore = false
    private var terms: Terms?
    private let turns = Turns()
    /// Why an attempt could not be recorded, until it is told.
    private var failure: StoreError?
    /// After an attempt that could not be recorded; it doubles until one is.
    private var pause = Sender.tick
    private let wakes = ChangeSignal()

    /// Attempts at the same time.
    package static let atOnce = 16
    /// Attempts that are not recorded: the most that a kill makes again.
    private static let underWayMax = 256
    /// The most notifications that are read at once.
    private static let readMax = 512
    /// Attempts that have ended are recorded at once if there are so many, or if no other has begun.
    private static let togetherMin = 64
    /// How long others wait, for more to end.
    private static let gatheringMax = Duration.milliseconds(5)
    /// How often it looks whether something became due, or the lease free.
    private static let tick = Duration.seconds(1)
    private static let pauseMax = Duration.seconds(60)

    /// On what attempts depend, as it was read last.
    private struct Terms {
        /// Nil if nothing is sent from here.
        var url: String?
        /// Set on purpose, for the next attempt.
        var fault: Fault?
        private let age = Stopwatch(ContinuousClock())

        init(_ terms: (server: ServerSettings, fault: Fault?), on host: String) {
            let isReachable = terms.server.obstacle(on: host) == nil
            url = isReachable ? terms.server.notifications?.url : nil
            fault = terms.fault
        }

        /// Whether they are read again, before the next attempt begins.
        var isOld: Bool { age.elapsed > .milliseconds(100) }
    }

    /// - Parameter host: this machine, as it is kept with the address.
    package init(store: any OutboxStore, poster: any NotificationPoster, host: String) {
        self.store = store
        self.poster = poster
        self.host = host
    }

    /// Sends what becomes due while it has the store's lease, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - folder: the store's.
    ///   - onFailure: called for an error of the store, such as a full disk, once; it continues.
    package func run(
        inStoreAt folder: String, onFailure: @Sendable (StoreError) -> Void
    ) async {
        let waking = OutboxWakes(store.changes(), pause: Self.tick, in: wakes)
        defer { waking.end() }
        var lease: SenderLease?
        var told: StoreError?
        while await waking.stream.nextWake(), !Task.isCancelled {
            lease = lease ?? SenderLease(storeFolder: folder)
            guard lease != nil else { continue }
            do throws(StoreError) {
                try await beginDue()
                told = nil
            } catch {
                if error != told { onFailure(error) }
                told = error
                // An attempt that cannot be recorded would be made again and again.
                try? await Task.sleep(for: pause)
            }
        }
        lease?.release()
    }

    /// Sends everything that is due now, and returns when all attempts are recorded. The caller has
    /// the lease.
    package func sendDue() async throws(StoreError) {
        let stream = wakes.subscribe()
        var failed: StoreError?
        while await stream.nextWake() {
            if failed == nil {
                do throws(StoreError) { try await beginDue() } catch { failed = error }
            }
            guard underWay.isEmpty else { continue }
            if let failed { throw failed }
            return
        }
    }

    // MARK: - What is due

    /// Begins the attempts that are due, as many as may be under way.
    private func beginDue() async throws(StoreError) {
        if let failure {
            self.failure = nil
            forgetDue()
            throw failure
        }
        while failure == nil, openCount < Self.atOnce, underWay.count < Self.underWayMax {
            if due.isEmpty || terms?.isOld ?? true {
                terms = Terms(try await store.terms(), on: host)
            }
            guard let url = terms?.url else {
                // Made without an address, they are kept, and never sent.
                _ = try await store.deriveNotifications()
                return forgetDue()
            }
            if due.isEmpty { try await readDue() }
            guard !due.isEmpty else { return }
            if let fault = terms?.fault {
                // Each attempt looks anew.
                let items = Array(due)
                forgetDue()
                guard try await begin(items, to: url, under: fault) else { return }
            } else {
                let next = due.prefix(
                    min(Self.atOnce - openCount, Self.underWayMax - underWay.count))
                let requests = try await requests(of: next)
                due.removeFirst(next.count)
                for request in requests { begin(request, to: url) }
            }
        }
    }

    /// A notification, signed. What else it has is not copied: texts of many notifications are the
    /// same objects, for whose counts of references the processors would wait.
    private struct Request {
        var id: UUID
        var changedAt: Int64
        var body: Data
    }

    /// Attempts end meanwhile: the next ones begin together.
    @concurrent
    private nonisolated func requests(
        of items: ArraySlice<OutboxItem>
    ) async throws(StoreError) -> [Request] {
        try items.map { item throws(StoreError) in try request(of: item) }
    }

    private nonisolated func request(
        of item: OutboxItem, broken: VerificationError? = nil
    ) throws(StoreError) -> Request {
        Request(
            id: item.id, changedAt: item.changedAt,
            body: try store.body(of: item.notification, broken: broken))
    }

    private func forgetDue() {
        due = []
        mayHaveMore = false
    }

    /// Tells the events up to now first, unless more was due than could be read at once.
    private func readDue() async throws(StoreError) {
        if !mayHaveMore { _ = try await store.deriveNotifications() }
        // An attempt may be recorded while this reads what was due before that.
        let begun = underWay
        // Under a failure on purpose each attempt reads anew.
        let limit = (terms?.fault == nil ? Self.readMax : Self.atOnce) + begun.count
        let found = try await store.outbox(OutboxQuery(.due(through: store.now), limit: limit))
            .items
        mayHaveMore = found.count == limit
        due = found.filter { !begun.contains($0.id) }[...]
    }

    /// Begins the next attempt as a fault says that was set on purpose. False if it waits for
    /// another notification.
    private func begin(
        _ due: [OutboxItem], to url: String, under fault: Fault
    ) async throws(StoreError) -> Bool {
        let item = due[0]
        if fault.waitsForNext {
            guard due.count > 1 else { return false }
            if try await store.spend(fault) { try begin(due[1], to: url) }
            try begin(item, to: url)
        } else if fault.error == .deliveredLate, let delay = fault.delayMilliseconds {
            // Only a first attempt is late, and only once.
            if item.next != item.notification.next {
                try begin(item, to: url)
            } else if try await store.spend(fault) {
                try await store.postpone(item.id, byMilliseconds: delay)
            }
        } else if try await store.spend(fault) {
            try begin(item, to: url, under: fault.error)
        }
        return true
    }

    private func begin(
        _ item: OutboxItem, to url: String, under fault: StoreError.Code? = nil
    ) throws(StoreError) {
        begin(try request(of: item, broken: fault?.verificationError), to: url, under: fault)
    }

    // MARK: - One attempt

    /// Its request is written after those of all attempts that have begun before.
    private func begin(
        _ request: Request, to url: String, under fault: StoreError.Code? = nil
    ) {
        underWay.insert(request.id)
        openCount += 1
        let turn = turns.take()
        Task { @concurrent in await attempt(request, to: url, under: fault, at: turn) }
    }

    @concurrent
    private nonisolated func attempt(
        _ request: Request, to url: String, under fault: StoreError.Code?, at turn: Int
    ) async {
        await turns.reach(turn)
        let begun = store.now
        let watch = Stopwatch(ContinuousClock())
        let outcome: PostOutcome
        // Nothing is sent.
        let result = fault == .notDelivered ? SendAttemptResult.success : fault?.attemptResult
        if let result {
            turns.end(turn)
            outcome = PostOutcome(result)
        } else {
            if fault == .deliveredTwice { _ = await poster.post(request.body, to: url) {} }
            outcome = await poster.post(request.body, to: url) { [turns] in turns.end(turn) }
        }
        let attempt = OutboxAttempt(
            at: begun, result: outcome.result,
            milliseconds: Int(watch.elapsed / .milliseconds(1)), status: outcome.status)
        await end(EndedAttempt(attempt, of: request.id, seen: request.changedAt))
    }

    private func end(_ attempt: EndedAttempt) {
        openCount -= 1
        ended.append(attempt)
        recordSoon()
        wakes.notify()
    }

    /// At once if many have ended, or if no other has begun.
    private func recordSoon() {
        if openCount == 0 || ended.count >= Self.togetherMin { return record() }
        guard !isGathering else { return }
        isGathering = true
        Task {
            try? await Task.sleep(for: Self.gatheringMax)
            isGathering = false
            record()
        }
    }

    private func record() {
        guard !isRecording, !ended.isEmpty else { return }
        isRecording = true
        let attempts = ended
        ended = []
        Task {
            do throws(StoreError) {
                try await store.record(attempts)
                pause = Self.tick
            } catch {
                failure = error
                pause = min(pause * 2, Self.pauseMax)
            }
            underWay.subtract(attempts.map(\.id))
            isRecording = false
            if !ended.isEmpty { recordSoon() }
            wakes.notify()
        }
    }
}

/// Lets tasks do a part of their work one after the other, in the order in which they took turns.
private final class Turns: Sendable {
    private struct State {
        var taken = 0
        /// The one whose turn it is.
        var present = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }
    private let state = Mutex(State())

    func take() -> Int {
        state.withLock { state in
            defer { state.taken += 1 }
            return state.taken
        }
    }

    /// Waits until all turns before have ended.
    func reach(_ turn: Int) async {
        await withCheckedContinuation { continuation in
            let isPresent = state.withLock { state in
                guard state.present != turn else { return true }
                state.waiting[turn] = continuation
                return false
            }
            if isPresent { continuation.resume() }
        }
    }

    /// Must be called once for every turn that was taken, after it was reached.
    func end(_ turn: Int) {
        let next = state.withLock { state in
            state.present = turn + 1
            return state.waiting.removeValue(forKey: turn + 1)
        }
        next?.resume()
    }
}

extension OutboxStore {
    /// The body of a request to a backend (App Store Server Notifications V2: `responseBodyV2`).
    func body(
        of notification: QueuedNotification, broken: VerificationError? = nil
    ) throws(StoreError) -> Data {
        // A compact JWS has no character that JSON escapes.
        let text = try signed(notification, broken: broken).rawValue
        return Data(#"{"signedPayload":"\#(text)"}"#.utf8)
    }
}
