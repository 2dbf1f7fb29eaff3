import Basics
import Foundation
import ShopText
import StoreCatalog
import StoreModel

/// Remarks about payments whose sender has ended.
enum PastPaymentNotice {
    /// Notes that a payment is sent again, with the store's answer, or held; ignores the rest.
    static func tell(_ update: DeviceUpdate, _ opened: OpenStore) async {
        let store = opened.session
        let now = opened.now
        switch update {
        case .resending(let queued):
            Output.note(
                .sendingAgainLine(
                    item: await item(queued, store), age: age(queued, at: now)))
        case .resent(let queued, let outcome):
            let item = await item(queued, store)
            switch outcome {
            case .purchased(_, let id, _):
                Output.note(.sentAgainSold(item: item, transaction: id.description))
            case .pending(let request, let reason):
                Output.note(.pendingLine(name: item, request: request.description, reason))
            case .failed(let error): Output.note(Output.strings.message(for: error).line)
            }
        case .held(let queued):
            Output.note(
                .notSentLine(
                    item: await item(queued, store), age: age(queued, at: now),
                    advice: advice(queued.payment)))
        default: break
        }
    }

    /// The commands that send a held payment and that drop it.
    static func advice(_ payment: Payment) -> PurchaseLineText {
        let many = payment.quantity > 1 ? " --quantity \(payment.quantity)" : ""
        let token = payment.appAccountToken.map {
            " --app-account-token \($0.uuidString.lowercased())"
        }
        return .buyOrDrop(
            buy: "storefront buy \(payment.productID)\(many) --payment \(payment.id)"
                + (token ?? "")
                + (payment.applicationUsernameHash.map { " --username-hash \($0)" } ?? ""),
            drop: "storefront payments drop \(payment.id)")
    }

    static func item(_ queued: QueuedPayment, _ store: any Store) async -> String {
        let payment = queued.payment
        let answer = try? await store.products([payment.productID])
        let product = answer?.products.first
        let name = answer?.names[payment.productID] ?? payment.productID.rawValue
        let price = Price(
            money: payment.shownPrice.multiplied(by: payment.quantity),
            locale: product?.priceLocale ?? "en_US")
        let strings = Output.strings
        return strings[
            .itemFor(
                item: strings.items(payment.quantity, UntrustedText.clean(name)),
                price: strings.price(price))]
    }

    /// The age of a payment by the store's time, in its largest unit: 20 s, 5 min, 3 h, 2 d.
    static func age(_ queued: QueuedPayment, at now: Timestamp) -> String {
        Output.strings.roughly(seconds: now.milliseconds(since: queued.queuedAt) / 1000)
    }
}
