import Foundation
import StoreCatalog
import StoreModel

/// Remarks about payments whose sender has ended.
enum PastPaymentNotice {
    /// Says that one is sent again or held; silent about everything else.
    static func tell(_ update: DeviceUpdate, _ opened: OpenStore) async {
        let store = opened.session
        let now = opened.now
        switch update {
        case .resending(let queued):
            Output.note(
                await
                    "Sending again: \(what(queued, store)), asked for \(age(queued, at: now)) ago by a "
                    + "process that ended before its answer.")
        case .held(let queued):
            Output.note(
                await
                    "Not sent: \(what(queued, store)), asked for \(age(queued, at: now)) ago by a "
                    + "process that ended before its answer. Nothing was charged for it. "
                    + advice(queued.payment))
        default: break
        }
    }

    /// How to send a payment that waits, and how to drop it.
    static func advice(_ payment: Payment) -> String {
        let many = payment.quantity > 1 ? " --quantity \(payment.quantity)" : ""
        let token = payment.appAccountToken.map {
            " --app-account-token \($0.uuidString.lowercased())"
        }
        return "Buy it with: storefront buy \(payment.productID)\(many) --payment \(payment.id)"
            + (token ?? "") + "; drop it with: storefront payments drop \(payment.id)"
    }

    static func what(_ queued: QueuedPayment, _ store: any Store) async -> String {
        let payment = queued.payment
        let product = try? await store.products([payment.productID]).products.first
        let name = product?.displayName ?? payment.productID.rawValue
        let many = payment.quantity > 1 ? "\(payment.quantity) × " : ""
        let price = payment.shownPrice.multiplied(by: payment.quantity)
            .formatted(locale: Locale(identifier: product?.priceLocale ?? "en_US"))
        return "\(many)\(UntrustedText.clean(name)) for \(price)"
    }

    /// By the store's time, in its largest unit: 20 s, 5 min, 3 h, 2 days.
    static func age(_ queued: QueuedPayment, at now: Timestamp) -> String {
        let seconds = max(0, (now.milliseconds - queued.queuedAt.milliseconds) / 1000)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) days"
        }
    }
}
