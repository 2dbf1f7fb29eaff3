@testable import Shop
import ShopText
import StoreModel
import Testing

/// Messages about purchases that arrive while the person reads another one.
@Suite struct PurchaseMessageTests {
    private static func arrived() -> ShopProbe {
        var probe = ShopProbe()
        probe.happen(.arrived("book.three", 7))
        return probe
    }

    @Test("a sale that this shop did not ask for is told as bought elsewhere")
    func boughtElsewhere() throws {
        guard case .bought(let bought)? = Self.arrived().state.statusMessage?.what else {
            Issue.record("no purchase is announced")
            return
        }
        #expect(bought.isElsewhere)
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
