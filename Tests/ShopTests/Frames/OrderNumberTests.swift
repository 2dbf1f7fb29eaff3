@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The number of an order, by which an app's backend finds a customer's purchase.
@Suite struct OrderNumberTests {
    private static let bundleID = "com.example.lantern"

    private static func state(_ screen: SampleScreen, _ size: Size = Screens.usual) -> ShopState {
        var state = screen.state(locale: "en_US", size: size)
        state.shop.bundleID = bundleID
        return state
    }

    private static func order(_ id: TransactionID) -> String {
        OrderID(of: id, in: bundleID).description
    }

    @Test(
        "a purchase's page names its order",
        arguments: Screens.all.filter { $0.columns > Screens.usual.columns })
    func page(_ size: Size) throws {
        let state = Self.state(.page, size)
        let id = try #require(
            state.snapshot.entitlements["book.two"]?.transactionID
                ?? state.snapshot.latestDelivered["book.two"]?.transactionID)
        let text = Screens.draw(state, size).text
        #expect(text.contains("Order"), "\(text)")
        #expect(text.contains(Self.order(id)), "\(text)")
    }

    @Test("the facts of a sale and of its refund name the order, those of a share do not")
    func facts() {
        let shop = Self.state(.list)
        let strings = Strings(locale: "en_US", formatters: Screens.formatters)
        func orders(_ change: (inout PastSale) -> Void = { _ in }) -> [String] {
            var sale = PastSale(
                id: TransactionID(7), productID: "book.two", type: .nonConsumable,
                price: Money(milliunits: 990, currency: "USD"), payment: SampleShop.payment(1),
                purchasedAt: SampleShop.now, storefront: "USA")
            change(&sale)
            let refund = PastRevision(
                id: sale.id, kind: .refunded, productID: sale.productID, money: sale.price,
                sale: sale)
            return [StoreEvent.Change.sold(sale), .revised(refund)].flatMap { change in
                let event = StoreEvent(
                    cursor: FeedCursor(epoch: 1, position: 1), at: SampleShop.now,
                    account: "aoi", device: "phone", change: change)
                return strings.facts(.line(.event(event)), shop)
                    .filter { $0.label == "Order" }.map(\.value)
            }
        }
        #expect(orders() == [Self.order(TransactionID(7)), Self.order(TransactionID(7))])
        #expect(orders { $0.ownership = .familyShared }.isEmpty)
    }

    @Test("the receipt names the order of each purchase")
    func receipt() throws {
        let state = Self.state(.receipt, Screens.large)
        let payload = try #require(try? state.receipt.receipt?.verified.get())
        let text = Screens.draw(state, Screens.large).text
        #expect(!payload.inApp.isEmpty)
        for purchase in payload.inApp where purchase.inAppOwnershipType == .purchased {
            #expect(text.contains(Self.order(purchase.transactionId)), "\(text)")
        }
    }
}
