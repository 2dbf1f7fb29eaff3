import ShopCore
import ShopText
import StoreDevice
import StoreModel
import Synchronization

/// Tells when a device may have changed: an update of its observer, or a download that moved. A wake
/// says "look", so nothing can be missed by looking late; the updates themselves are kept until they
/// are taken.
final class DeviceWatcher: Sendable {
    private struct Received {
        var updates: [DeviceUpdate] = []
        /// The error that keeps the observer from going on: it has ended, or a person must act. Nil
        /// for none.
        var trouble: StoreError?
        var isOver = false
        /// The payments that this command sends itself, and reports on.
        var own: Set<PaymentID> = []
    }

    private let wakes = ChangeSignal()
    private let received = Mutex(Received())
    private let device: Device
    /// Reads the updates until they end.
    private let reading = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter store: makes remarks about payments of processes that have ended; nil makes none.
    init(_ device: Device, remarksOf store: OpenStore? = nil) {
        self.device = device
        let updates = device.updates()
        let downloads = device.downloadWakes()
        let reading = Task { [wakes, weak self] in
            for await update in updates {
                if let store, self?.isAboutOwnPayment(update) != true {
                    await PastPaymentNotice.tell(update, store)
                }
                if store != nil, case .trouble(let error, in: .unlocks, ended: _) = update {
                    // The command goes on: its purchases and downloads need no such record.
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
    }

    /// Makes no remarks about a payment from now on, because this command sends it and reports its
    /// outcome itself.
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

    /// Returns when everything the device has told until now was read, and each remark is written.
    /// Nothing more is received afterwards.
    func end() async {
        device.endUpdates()
        await reading.withLock { $0 }?.value
    }

    private func note(_ update: DeviceUpdate) {
        received.withLock { received in
            received.updates.append(update)
            if case .trouble(let error, in: .delivery, ended: let hasEnded) = update,
                hasEnded || PurchaseProgress.needsPerson.contains(error.code)
            {
                received.trouble = error
            }
        }
    }

    /// Wakes the readers as after a change: something else that they read has changed.
    func wake() { wakes.notify() }

    /// Wakes after each change, beginning with one wake. The wakes carry no value: the reader reads
    /// what it needs.
    func wakesOnly() -> AsyncStream<Void> { wakes.subscribe() }

    /// The updates since the last call, in order, and whether there will be no more. One reader.
    func take() -> (updates: [DeviceUpdate], isOver: Bool) {
        received.withLock { received in
            defer { received.updates = [] }
            return (received.updates, received.isOver)
        }
    }

    /// Begins with one wake. Throws when the observer has ended with an error, or met one that
    /// waits for a person.
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
