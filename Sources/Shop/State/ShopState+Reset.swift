import ShopText

/// Empties the store and opens it anew; a demo begins again.
package enum ResetAction: ComponentAction, Hashable {
    /// From the palette, or in a demo by its key.
    case asked

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
        if let actor = shop.shop.actor { return shop.refuse(.operatorOnly(actor), moment) }
        guard shop.shop.isDemo || shop.shop.hasConsole else {
            return shop.refuse(.noConsole, moment)
        }
        shop.help = nil
        return shop.openQuestion(.reset)
    }
}

extension ShopAction {
    package static let resetAsked: ShopAction = .component(ResetAction.asked)
}

extension ShopState {
    /// As at the first opening: nothing that is known of the store is true any more.
    mutating func reset() -> [ShopEffect] {
        var fresh = ShopState(shop: shop)
        fresh.tour = tour.map { _ in Tour() }
        fresh.isPointerOn = isPointerOn
        fresh.viewport = viewport
        fresh.now = now
        self = fresh
        return [.reset]
    }
}
