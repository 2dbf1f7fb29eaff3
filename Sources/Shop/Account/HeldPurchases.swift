import ShopText
package import StoreModel

/// Actions on the purchases that are held on this device: payments whose sender has ended, and
/// purchases that were begun outside the app.
package enum HeldPurchaseAction: ComponentAction, Hashable {
    /// Asks whether to send the payment; or opens page and payment sheet of what was begun outside.
    /// Of the selected product, or else the oldest.
    case continued
    /// Nothing is charged.
    case dropped
    /// The device has forgotten the payment: the store did not know it.
    case paymentDropped(Payment)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        if case .paymentDropped(let payment) = self {
            return shop.announce(.heldDropped(name: shop.item(of: payment)), moment)
                + shop.queries.ask(.refreshAccount)
        }
        guard shop.sheet == nil else { return [] }
        guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
        if let held = shop.heldPayment { return act(on: held, &shop, moment) }
        guard let product = shop.promotedPurchase else {
            return shop.refuse(.nothingHeld, moment)
        }
        guard self == .dropped else { return shop.continueHeld(product, moment) }
        shop.snapshot.promoted.removeAll { $0.productID == product }
        return shop.announce(.promotedDropped(name: shop.name(of: product)), moment)
            + [.dropPromoted(product)]
    }

    private func act(
        on held: QueuedPayment, _ shop: inout ShopState, _ moment: ShopMoment
    ) -> [ShopEffect] {
        guard self == .dropped else { return shop.openQuestion(.sendHeld(held)) }
        // A second press acts on the next one.
        shop.snapshot.held.removeAll { $0.payment.id == held.payment.id }
        return [.dropPayment(held.payment)]
    }
}

extension ShopAction {
    package static func heldPurchase(_ action: HeldPurchaseAction) -> ShopAction {
        .component(action)
    }
}

extension ShopState {
    /// The held payment that the keys act on: of the selected product, otherwise the oldest, unless
    /// the selected product was begun outside. Nil if none is held.
    package var heldPayment: QueuedPayment? {
        let selected = selectedProduct?.id
        let own = snapshot.held.first { $0.payment.productID == selected }
        if let own { return own }
        return selected.map { isPromoted($0) } == true ? nil : snapshot.held.first
    }

    /// The product of the purchase begun outside that the keys act on; nil if none is held.
    package var promotedPurchase: ProductID? {
        let held = snapshot.promoted.map(\.productID)
        return held.first { $0 == selectedProduct?.id } ?? held.first
    }

    package func isPromoted(_ product: ProductID) -> Bool {
        snapshot.promoted.contains { $0.productID == product }
    }

    package func isPaymentHeld(of product: ProductID) -> Bool {
        snapshot.held.contains { $0.payment.productID == product }
    }

    fileprivate mutating func continueHeld(_ id: ProductID, _ moment: ShopMoment) -> [ShopEffect] {
        guard let product = productList.product(id) else {
            return announce(.trouble(StoreError(.productUnavailable, productID: id)), moment)
        }
        openPage(id)
        return openPaymentSheet(for: product, moment)
    }

    /// Sends a held payment with its own id, so that the store never charges twice for it.
    mutating func send(held payment: Payment, _ moment: ShopMoment) -> [ShopEffect] {
        let id = payment.productID
        if let product = productList.product(id),
            let reason = refusal(toBuy: product, isRedeeming: payment.offer != nil)
        {
            return refuse(reason, moment)
        }
        snapshot.held.removeAll { $0.payment.id == payment.id }
        purchasing.underWay[id] = PurchaseInFlight(payment: payment.id)
        purchasing.failures[id] = nil
        return announce(.asking(name: item(of: payment)), moment) + [.purchase(payment)]
    }
}
