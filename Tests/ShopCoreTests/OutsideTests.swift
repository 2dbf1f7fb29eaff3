import ShopCore
import ShopTestSupport
import StoreModel
import Testing

/// Purchases begun outside the app: an open shop continues one, unless the person is busy.
@Suite("purchases begun outside the app")
struct OutsideTests {
    @Test("an idle shop opens the product's page and its payment sheet")
    func anIdleShopContinues() {
        var probe = ShopProbe()
        probe.happen(.updateArrived(.promoted("theme.sepia")))
        guard case .payment(let sheet)? = probe.state.sheet else {
            Issue.record("no payment sheet")
            return
        }
        #expect(sheet.product.id == "theme.sepia")
        #expect(probe.state.screen == .product("theme.sepia"))
        #expect(probe.state.statusMessage?.what == .promoted(name: "Sepia"))
        #expect(probe.state.purchases.isEmpty, "nothing is paid without a confirmation")
    }

    @Test("a busy shop only says so, and leaves what is open alone")
    func aBusyShopHolds() {
        var probe = ShopProbe()
        probe.happen(.palette(.opened))
        let before = probe.state.sheet
        probe.happen(.updateArrived(.promoted("theme.sepia")))
        #expect(probe.state.sheet == before)
        #expect(probe.state.statusMessage?.what == .promoted(name: "Sepia"))
    }

    @Test("what is not for sale opens nothing")
    func whatIsNotForSaleOpensNothing() {
        var probe = ShopProbe()
        probe.happen(.updateArrived(.promoted("no.such")))
        #expect(probe.state.sheet == nil)
        #expect(probe.state.screen == .list)
    }
}
