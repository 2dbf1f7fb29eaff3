import StoreModel

/// One step of the tour through a purchase, in order. Its words and its keys are in `ShopTUI`.
package enum TourStep: Int, Hashable, Sendable, CaseIterable {
    /// Opens the page of the product that the tour buys.
    case open
    /// Opens its payment sheet.
    case buy
    /// Presses the button that pays.
    case pay
    /// Shows the console, once the purchase is delivered or waits for approval.
    case console
    /// Answers the request that waits for approval.
    case approve
    /// Leaves the console for the list.
    case shop
    /// Shows the library.
    case library
    /// Opens a book; done if nothing was ever downloaded.
    case read
    /// Closes it.
    case closeBook
    /// Refunds a purchase.
    case refund
    /// Leaves the program; the last step.
    case leave

    /// Whether the shop is where this step leads to.
    ///
    /// - Parameter product: the product that the tour buys; nil if nothing can be bought, and the
    ///   steps that buy are then done.
    func isDone(in state: ShopState, buying product: ProductID?) -> Bool {
        switch self {
        case .open:
            state.screen == product.map(Screen.product)
                || Self.buy.isDone(in: state, buying: product)
        case .buy:
            Self.isPaying(for: product, in: state) || Self.pay.isDone(in: state, buying: product)
        case .pay: Self.isPaid(product, in: state)
        case .console:
            state.navigation.view == .console && Self.isAnswered(product, in: state)
        case .approve: !state.snapshot.queued.values.contains { $0.state == .deferred }
        case .shop: state.navigation.view != .console && state.navigation.isAtRoot
        case .library: state.navigation.view == .library
        case .read:
            state.screen.component == .reader || state.snapshot.downloads.isEmpty
        case .closeBook: state.screen.component != .reader
        case .refund:
            !state.purchasing.revised.isEmpty
        case .leave: false
        }
    }

    /// Whether this step's keys do what it says only while the step before it holds. If that does
    /// not hold any more, the tour goes back to it.
    var dependsOnPrevious: Bool {
        switch self {
        case .buy, .pay, .console, .approve, .read, .refund: true
        case .open, .shop, .library, .closeBook, .leave: false
        }
    }

    private static func isPaying(for product: ProductID?, in state: ShopState) -> Bool {
        guard case .payment(let sheet) = state.sheet else { return false }
        return sheet.product.id == product
    }

    private static func isPaid(_ product: ProductID?, in state: ShopState) -> Bool {
        guard let product else { return true }
        return state.purchasing.underWay[product] != nil || state.snapshot.queued[product] != nil
            || state.snapshot.delivered.contains(product)
    }

    private static func isAnswered(_ product: ProductID?, in state: ShopState) -> Bool {
        guard let product else { return true }
        return state.snapshot.delivered.contains(product)
            || state.snapshot.queued[product]?.state == .deferred
    }
}
