import ShopText
package import StoreModel

/// Actions on promoted purchases: those begun outside the app and held on this device.
package enum PromotedAction: ComponentAction, Hashable {
    /// Opens page and payment sheet for the selected product, or else for the oldest purchase.
    case continued
    /// Nothing is charged.
    case dropped

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard shop.sheet == nil else { return [] }
        guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
        guard let product = shop.promotedPurchase else {
            return shop.refuse(.nothingPromoted, moment)
        }
        switch self {
        case .continued: return shop.continueHeld(product, moment)
        case .dropped:
            shop.snapshot.promoted.removeAll { $0.productID == product }
            return shop.announce(.promotedDropped(name: shop.name(of: product)), moment)
                + [.dropPromoted(product)]
        }
    }
}

extension ShopAction {
    package static func promoted(_ action: PromotedAction) -> ShopAction { .component(action) }
}

extension ShopState {
    /// The product of the held purchase that the keys act on; nil if none is held.
    package var promotedPurchase: ProductID? {
        let held = snapshot.promoted.map(\.productID)
        return held.first { $0 == selectedProduct?.id } ?? held.first
    }

    package func isPromoted(_ product: ProductID) -> Bool {
        snapshot.promoted.contains { $0.productID == product }
    }

    fileprivate mutating func continueHeld(_ id: ProductID, _ moment: ShopMoment) -> [ShopEffect] {
        guard let product = productList.product(id) else {
            return announce(.trouble(StoreError(.productUnavailable, productID: id)), moment)
        }
        openPage(id)
        return openPaymentSheet(for: product, moment)
    }
}
