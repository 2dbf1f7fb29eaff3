package import StoreModel

/// Guides a person through a purchase in the roles of customer and operator. It only reads the
/// shop's state: the person presses the shop's own keys, all of which keep their actions.
package struct Tour: Hashable, Sendable {
    /// Nil until the shop can sell.
    package internal(set) var step: TourStep?
    /// The first buyable product with content to download, otherwise the first that the account
    /// keeps, chosen when the shop can sell. Nil if there is none.
    package internal(set) var product: ProductID?

    package init() {}

    /// Advances past every completed step, or returns to the step on which the present one depends.
    /// Must be called after each action: a state that lasts only between two calls is missed.
    package mutating func follow(_ state: ShopState) {
        if step == nil {
            guard state.isReady else { return }
            product = Self.product(in: state)
            step = .open
        }
        while let now = step, now.isDone(in: state, buying: product), let next = now.next {
            step = next
        }
        while let now = step, now.dependsOnPrevious, let previous = now.previous,
            !previous.isDone(in: state, buying: product)
        {
            step = previous
        }
    }

    private static func product(in state: ShopState) -> ProductID? {
        let buyable = state.productList.products.lazy.filter { product in
            guard product.type == .nonConsumable else { return false }
            return if case .buyable = state.status(of: product) { true } else { false }
        }
        let hosted = buyable.first { if case .hosted = $0.delivery { true } else { false } }
        return (hosted ?? buyable.first)?.id
    }
}

extension TourStep {
    fileprivate var next: TourStep? { TourStep(rawValue: rawValue + 1) }
    fileprivate var previous: TourStep? { TourStep(rawValue: rawValue - 1) }
}
