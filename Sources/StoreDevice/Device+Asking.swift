import Basics
import DurableFiles
package import StoreModel
import Synchronization

/// An app asks the person at a shop that is open on the same device, in whichever process.
extension Device {
    /// Until `suspend` or `close`, and again after the next `launch`: apps ask here.
    package func openShop() {
        shop.withLock { $0 = OpenedShop(presence: Presence(path: folder.shopPath)) }
    }

    /// Asks whether a payment is to be sent, as long as a shop is open. Sends nothing.
    ///
    /// - Returns: nil without an answer: no shop is open, or is left, or it cannot show the product.
    /// - Throws: as `buy`, before anybody is asked: `notSignedIn`, `networkError`.
    package func ask(_ payment: Payment) async throws(StoreError) -> Bool? {
        let path = folder.shopPath
        guard Presence.isHeld(path: path) else { return nil }
        try await refuseSignedOut(payment)
        try await refuseWithoutNetwork(payment)
        // The shop shows it as long as this process lives and holds it.
        ownership.hold(payment.id)
        defer { ownership.release(payment.id) }
        try await database.writeTogether { [ownership] db in
            try DeviceRecords(db).ask(payment, besides: ownership.isHeld)
        }
        while try await isUnanswered(payment.id), Presence.isHeld(path: path), !Task.isCancelled {
            try? await Task.sleep(for: DeviceLimits.answerPollInterval)
        }
        // An answer that came meanwhile counts.
        let answer = try await database.writeTogether {
            try DeviceRecords($0).endAsking(payment.id)
        }
        switch answer {
        case .confirmed: return true
        case .cancelled: return false
        case .passed, nil: return Task.isCancelled ? false : nil
        }
    }

    private func isUnanswered(_ id: PaymentID) async throws(StoreError) -> Bool {
        try await database.read { db in
            try DeviceRecords(db).askedPayments().contains {
                $0.payment.id == id && $0.answer == nil
            }
        }
    }

    package func askedPayments() async throws(StoreError) -> [Payment] {
        let asked = try await database.read { try DeviceRecords($0).askedPayments() }
        return asked.filter { $0.answer == nil && ownership.isHeld($0.payment.id) }
            .map(\.payment)
    }

    package func answer(
        _ payment: PaymentID, _ answer: AskedPayment.Answer
    ) async throws(StoreError) {
        try await database.writeTogether { try DeviceRecords($0).answer(payment, answer) }
    }
}

/// That this process is a shop on its device.
struct OpenedShop {
    /// Nil while the shop is suspended, and where the lock's file cannot be made.
    var presence: Presence?
}
