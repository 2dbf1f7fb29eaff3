import StoreModel

/// One step of the tour, in order. The tour strip has its texts and keys.
package enum TourStep: Int, Hashable, Sendable, CaseIterable {
    /// Opens the page of the product that the tour buys.
    case open
    /// Opens its payment sheet.
    case buy
    /// Presses the button that pays.
    case pay
    /// Shows the console, after the purchase is delivered or waits for approval.
    case console
    case approve
    /// Leaves the console for the list.
    case shop
    case library
    /// Opens a book; complete if no content can be read, and none is on its way.
    case read
    case closeBook
    case refund
    /// Leaves the program; the last step.
    case leave

    /// - Parameter product: nil if no product can be bought: the buying steps then are complete.
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
            state.screen.component == .reader || !Self.mayRead(in: state)
        case .closeBook: state.screen.component != .reader
        case .refund:
            state.purchasing.revised.values.contains { $0.kind == .refunded }
        case .leave: false
        }
    }

    /// Its keys act only while the previous step is complete; otherwise the tour returns to that.
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

    private static func mayRead(in state: ShopState) -> Bool {
        state.snapshot.downloads.contains { id, download in
            !download.state.isComplete
                || state.productList.product(id).map { state.isReadable($0) } == true
        }
    }

    private static func isAnswered(_ product: ProductID?, in state: ShopState) -> Bool {
        guard let product else { return true }
        return state.snapshot.delivered.contains(product)
            || state.snapshot.queued[product]?.state == .deferred
    }
}
