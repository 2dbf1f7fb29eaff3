import Basics
import Foundation
package import StoreModel

/// Sends a store's notifications to its address: what is due, in order, several at a time, so that a
/// slow receiver delays no other notification. An attempt is recorded before the next one of the
/// same notification begins; a kill between sending and recording sends again.
package actor Sender {
    private let store: any OutboxStore
    private let poster: any NotificationPoster
    private let host: String
    private var underWay: Set<UUID> = []
    /// Why an attempt could not be recorded, until it is told.
    private var failure: StoreError?
    /// After an attempt that could not be recorded; it doubles until one is.
    private var pause = Sender.tick
    private let wakes = ChangeSignal()

    /// Attempts at the same time.
    package static let atOnce = 16
    /// How often it looks whether something became due, or the lease free.
    private static let tick = Duration.seconds(1)
    private static let pauseMax = Duration.seconds(60)

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

    /// Sends everything that is due now, and returns when all attempts have ended. The caller has
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

    /// Begins the attempts that are due, as many as may be under way.
    private func beginDue() async throws(StoreError) {
        if let failure {
            self.failure = nil
            throw failure
        }
        _ = try await store.deriveNotifications()
        while underWay.count < Self.atOnce {
            let server = try await store.server()
            guard server.obstacle(on: host) == nil, let url = server.notifications?.url else {
                return
            }
            let due = try await store.outbox(
                OutboxQuery(.due(through: store.now), limit: Self.atOnce + underWay.count)
            ).items.filter { !underWay.contains($0.id) }
            guard !due.isEmpty else { return }
            if let fault = try await store.nextFault() {
                guard try await begin(due, to: url, under: fault) else { return }
            } else {
                for item in due.prefix(Self.atOnce - underWay.count) { await begin(item, to: url) }
            }
        }
    }

    /// Begins the next attempt as a fault says that was set on purpose. False if it waits for
    /// another notification.
    private func begin(
        _ due: [OutboxItem], to url: String, under fault: Fault
    ) async throws(StoreError) -> Bool {
        let item = due[0]
        if fault.waitsForNext {
            guard due.count > 1 else { return false }
            if try await store.spend(fault) { await begin(due[1], to: url) }
            await begin(item, to: url)
        } else if fault.error == .deliveredLate, let delay = fault.delayMilliseconds {
            // Only a first attempt is late, and only once.
            if item.next != item.notification.next {
                await begin(item, to: url)
            } else if try await store.spend(fault) {
                try await store.postpone(item.id, byMilliseconds: delay)
            }
        } else if try await store.spend(fault) {
            await begin(item, to: url, under: fault.error)
        }
        return true
    }

    /// Returns when the request was written, so that the next one cannot overtake it.
    private func begin(
        _ item: OutboxItem, to url: String, under fault: StoreError.Code? = nil
    ) async {
        underWay.insert(item.id)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Task { await self.attempt(item, to: url, under: fault) { continuation.resume() } }
        }
    }

    /// - Parameter onSent: called once, unless it throws.
    private func post(
        _ item: OutboxItem, to url: String, under fault: StoreError.Code?,
        _ onSent: @escaping @Sendable () -> Void
    ) async throws(StoreError) -> PostOutcome {
        // Nothing is sent.
        let result = fault == .notDelivered ? SendAttemptResult.success : fault?.attemptResult
        if let result {
            onSent()
            return PostOutcome(result)
        }
        let body = try store.body(of: item.notification, broken: fault?.verificationError)
        if fault == .deliveredTwice { _ = await poster.post(body, to: url) {} }
        return await poster.post(body, to: url, onSent: onSent)
    }

    /// - Parameter onSent: called once.
    private func attempt(
        _ item: OutboxItem, to url: String, under fault: StoreError.Code?,
        _ onSent: @escaping @Sendable () -> Void
    ) async {
        defer {
            underWay.remove(item.id)
            wakes.notify()
        }
        let begun = store.now
        let watch = Stopwatch(ContinuousClock())
        let outcome: PostOutcome
        do throws(StoreError) {
            outcome = try await post(item, to: url, under: fault, onSent)
        } catch {
            failure = error
            return onSent()
        }
        do throws(StoreError) {
            let attempt = OutboxAttempt(
                at: begun, result: outcome.result,
                milliseconds: Int(watch.elapsed / .milliseconds(1)),
                status: outcome.status)
            try await store.record(attempt, of: item)
            pause = Self.tick
        } catch {
            failure = error
            pause = min(pause * 2, Self.pauseMax)
        }
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
