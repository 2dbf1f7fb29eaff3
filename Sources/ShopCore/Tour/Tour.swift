package import StoreModel

/// Follows a person through a purchase as the customer and as the operator. It only reads the shop's state:
/// the person presses the shop's own keys, all of which work as always.
package struct Tour: Hashable, Sendable {
    /// The step to be done next; nil until the shop can sell.
    package internal(set) var step: TourStep?
    /// The product that the tour buys, chosen when the shop can sell: the first one with content to
    /// download that can be bought, else the first that is kept. Nil if there is none.
    package internal(set) var product: ProductID?

    /// A tour before its first step.
    package init() {}

    /// Goes on past every step that is done, or back to the step that the present one depends on.
    /// Must be called after each action: a state that lasted only between two calls is not noticed.
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
