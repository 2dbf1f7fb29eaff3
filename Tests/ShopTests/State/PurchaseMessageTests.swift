@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// Messages about purchases that arrive while the person reads another one.
@Suite struct PurchaseMessageTests {
    private static func arrived() -> ShopProbe {
        var probe = ShopProbe()
        probe.happen(.arrived("book.three", 7))
        return probe
    }

    @Test("a sale that this shop did not ask for has arrived, wherever it was bought")
    func arrivedUnasked() throws {
        guard case .bought(let bought)? = Self.arrived().state.statusMessage?.what else {
            Issue.record("no purchase is announced")
            return
        }
        #expect(bought.isUnasked)
        // This device itself may have bought it, before the shop was started.
        let dollars = Money(milliunits: 990, currency: "USD")
        let told = StatusText.bought(
            Bought(
                name: "Sepia", quantity: 1, price: Price(money: dollars, locale: "en_US"),
                transaction: TransactionID(7), content: .none, isUnasked: true))
        #expect(Strings(locale: "en_US")[told] == "Arrived: Sepia, bought for $0.99.")
        #expect(Strings(locale: "ja_JP")[told] == "購入したSepiaが届きました（$0.99）。")
    }

    @Test("a refund of a part of several coins says how many of how many, also in History")
    func partRefunded() throws {
        var payload = SampleShop.payload("coins.10", 7, quantity: 3)
        payload.type = .consumable
        payload.revocationDate = SampleShop.now
        payload.revocationPercentage = 50_000
        var probe = ShopProbe()
        probe.happen(.updateArrived(.revised(payload, .refunded, signed: "a.b.c")))
        let status = try #require(probe.state.statusMessage?.what)
        let strings = Strings(locale: "en_US")
        #expect(strings[status] == "Refunded: 15 of 30 coins.")
        let half = Share(percent: 50)
        let sale = PastSale(
            id: TransactionID(7), productID: "coins.10", type: .consumable, quantity: 3,
            price: Money(milliunits: 2970, currency: "USD"), purchasedAt: SampleShop.now,
            storefront: "USA")
        let revision = PastRevision(
            id: sale.id, kind: .refunded, productID: sale.productID,
            revocation: Revocation(
                date: SampleShop.now, reason: .other, takenBack: half, refunded: half,
                refundedMilliunits: 1485), sale: sale)
        let event = StoreEvent(
            cursor: FeedCursor(epoch: 1, position: 9), at: SampleShop.now, account: "aoi",
            device: "phone", change: .revised(revision))
        let theme = Theme(name: .mono, level: .mono, background: .dark)
        #expect(strings.line(.event(event), probe.state, theme).subject == "15 of 30 coins")
    }

    @Test("the end of a download waits until the purchase of another product has been read")
    func downloadedAfterBought() {
        var state = Self.arrived().state
        let bought = state.statusMessage?.what
        func moment(_ elapsed: Duration) -> ShopMoment {
            ShopMoment(now: state.now, elapsed: elapsed, paymentID: SampleShop.payment(1))
        }
        let (soon, later) = (moment(.zero), moment(StatusMessage.lasting * 2))
        _ = state.announce(.downloaded(name: "Another book"), soon)
        #expect(state.statusMessage?.what == bought)
        _ = state.reduce(.messageFaded, later)
        #expect(state.statusMessage?.what == .downloaded(name: "Another book"))
    }
}
