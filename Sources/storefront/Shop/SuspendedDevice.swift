import Foundation
import Shop
import StoreDevice
import StoreModel

/// The device of a shop that is stopped (Ctrl-Z): suspended, so that another process can deliver.
struct SuspendedDevice: Sendable {
    private let device: Device
    private let suspending: Task<Void, Never>

    init(_ device: Device) {
        self.device = device
        suspending = Self.waitAMoment { await device.suspend() }
    }

    /// Delivers again, once the program continues.
    func resume(_ mailbox: Mailbox) {
        Task.detached {
            // Suspending may have taken longer than `waitAMoment` waits: let it end first.
            await suspending.value
            do throws(StoreError) {
                try await device.launch()
                mailbox.put(.action(.relaunched(holdsLease: await device.holdsLease)))
            } catch { mailbox.put(.action(.attemptFailed(error))) }
        }
    }

    /// Starts some work and waits for its end, but only for a moment, because the person waits.
    static func waitAMoment(
        for work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        let isDone = DispatchSemaphore(value: 0)
        let task = Task.detached {
            await work()
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + .milliseconds(150))
        return task
    }
}
