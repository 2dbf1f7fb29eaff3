import ShopText
import StoreModel

/// Payments that apps in other processes of this device ask the person to confirm. The app sends
/// what is confirmed, and the shop hears of the sale as of any other.
extension ShopState {
    /// Opens the sheet of the payment that was asked first, unless the person is busy, and closes the
    /// sheet of one that is asked no more.
    mutating func followAsking(_ moment: ShopMoment) -> [ShopEffect] {
        if let open = paymentSheet, let payment = open.asked, !isAsked(payment) {
            sheet = nil
            _ = announce(.appGaveUp(name: open.product.displayName), moment)
        }
        guard isReady, isFree, let payment = snapshot.asked.first(where: { isAsked($0) }) else {
            return []
        }
        guard let product = productList.product(payment.productID) else {
            return answer(payment, .passed)
        }
        var open = PaymentSheet(product: product, change: planChange(to: product))
        open.asked = payment
        open.quantity = payment.quantity
        return show(open)
    }

    /// Says that an app asks, also while the sheet has to wait.
    mutating func announceAsking(since before: AccountSnapshot, _ moment: ShopMoment) {
        for payment in snapshot.asked where !before.asked.contains(payment) && isAsked(payment) {
            _ = announce(.appAsks(name: name(of: payment.productID)), moment)
        }
    }

    /// No sheet is open, and the person neither reads nor types.
    var isFree: Bool {
        sheet == nil && help == nil && screen.component != .reader && focus != .search
    }

    mutating func answer(_ payment: Payment, _ answer: AskedPayment.Answer) -> [ShopEffect] {
        purchasing.answered.insert(payment.id)
        return [.answer(payment.id, answer)]
    }

    /// An answer read before this shop's own was written still has the payment.
    private func isAsked(_ payment: Payment) -> Bool {
        snapshot.asked.contains(payment) && !purchasing.answered.contains(payment.id)
    }
}
