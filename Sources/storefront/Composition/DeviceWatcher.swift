import Shop
import ShopText
import StoreDevice
import StoreModel
import Synchronization

/// Wakes its readers when a device may have changed: after an update of its observer, and after a
/// change of its downloads. Wakes carry no value and may be merged; the updates are kept, in order,
/// until `take` returns them.
final class DeviceWatcher: Sendable {
    private struct Received {
        var updates: [DeviceUpdate] = []
        /// The error for which the observer has ended or waits for a person; nil for none.
        var trouble: StoreError?
        var isOver = false
        /// The payments that this command sends and reports on itself.
        var own: Set<PaymentID> = []
        var changedAt = ContinuousClock.now
        /// The bytes of all downloads, when they were last compared.
        var bytes: Int64?
    }

    /// How long a command waits beside another process that delivers for the device and brings no
    /// change: that process may be stopped (SIGSTOP), and then never brings one.
    private static let patience = Duration.seconds(10)

    private let wakes = ChangeSignal()
    private let received = Mutex(Received())
    private let device: Device
    private let reading = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter store: for remarks about payments whose sender has ended; nil makes none.
    init(_ device: Device, remarksOf store: OpenStore? = nil) {
        self.device = device
        let updates = device.updates()
        let downloads = device.downloadWakes()
        let reading = Task { [wakes, weak self] in
            for await update in updates {
                if let store, self?.isAboutOwnPayment(update) != true {
                    await PastPaymentNotice.tell(update, store)
                }
                if store != nil, case .trouble(let error, in: let part, ended: _) = update,
                    part == .unlocks || part == .backend
                {
                    // The command goes on: its purchases need neither the record of unlocks nor
                    // the app's backend.
                    Output.note(Output.strings.message(for: error).line)
                }
                self?.note(update)
                wakes.notify()
            }
            self?.received.withLock { $0.isOver = true }
            wakes.notify()
        }
        self.reading.withLock { $0 = reading }
        Task { [wakes] in for await _ in downloads { wakes.notify() } }
        Task { [weak self] in
            while let end = self?.received.withLock({ $0.changedAt + Self.patience }) {
                try? await Task.sleep(until: end)
                await self?.noteStandstill(since: end)
            }
        }
    }

    /// Notes as trouble that the lease's holder brings no change: the command then ends its wait.
    private func noteStandstill(since end: ContinuousClock.Instant) async {
        let holder = await device.otherDeliverer()
        let bytes = try? await device.downloads().reduce(0) { $0 + $1.bytesReceived }
        let isStill = received.withLock { received in
            guard received.changedAt + Self.patience <= end else { return false }
            received.changedAt = .now
            defer { received.bytes = bytes }
            return received.bytes == bytes || bytes == 0
        }
        guard isStill, let holder else { return }
        note(.trouble(holder, in: .delivery, ended: false))
        wakes.notify()
    }

    /// Makes no more remarks about a payment, because this command reports its outcome itself.
    func leaveOut(_ payment: PaymentID) {
        _ = received.withLock { $0.own.insert(payment) }
    }

    private func isAboutOwnPayment(_ update: DeviceUpdate) -> Bool {
        switch update {
        case .resending(let queued), .resent(let queued, _), .held(let queued):
            received.withLock { $0.own.contains(queued.payment.id) }
        default: false
        }
    }

    /// Returns once every update that the device had sent was read, and its remark written.
    func end() async {
        device.endUpdates()
        await reading.withLock { $0 }?.value
    }

    private func note(_ update: DeviceUpdate) {
        received.withLock { received in
            received.changedAt = .now
            received.updates.append(update)
            if case .trouble(let error, in: .delivery, ended: let hasEnded) = update,
                hasEnded || PurchaseProgress.needsPerson.contains(error.code)
            {
                received.trouble = error
            }
        }
    }

    /// Wakes the readers for a change, outside the device, of something that they read.
    func wake() { wakes.notify() }

    /// One wake at once, then one after each change.
    func wakesOnly() -> AsyncStream<Void> { wakes.subscribe() }

    /// The updates since the last call, in order, and whether these were all. For one reader.
    func take() -> (updates: [DeviceUpdate], isOver: Bool) {
        received.withLock { received in
            defer { received.updates = [] }
            return (received.updates, received.isOver)
        }
    }

    /// The wakes, beginning with one at once. Discards the updates. Throws when the observer has
    /// ended with an error or waits for a person.
    func changes() -> AsyncThrowingStream<Void, any Error> {
        let wakes = wakes.subscribe()
        return AsyncThrowingStream { [self] in
            guard await wakes.nextWake() else { return nil }
            _ = take()
            if let error = received.withLock({ $0.trouble }) { throw error }
            return ()
        }
    }
}
