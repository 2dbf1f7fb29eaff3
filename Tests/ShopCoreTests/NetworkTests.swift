@testable import ShopCore
import ShopTestSupport
import StoreModel
import Testing

/// The device's network, as the shop sees it.
@Suite struct NetworkTests {
    @Test("the key cuts the network, and restores it when it is off")
    func toggled() {
        var probe = ShopProbe(SampleShop.full())
        let cutting = probe.happen(.network(.toggled))
        #expect(cutting == [.setNetwork(isOn: false)])
        var snapshot = probe.state.snapshot
        snapshot.isOffline = true
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.statusMessage?.what == .network(isOn: false))
        let restoring = probe.happen(.network(.toggled))
        #expect(restoring == [.setNetwork(isOn: true)])
    }

    @Test("before the store is open the key says why it does nothing")
    func tooEarly() {
        var probe = ShopProbe(ShopState(shop: SampleShop.identity(locale: "en_US")))
        let effects = probe.happen(.network(.toggled))
        #expect(effects.isEmpty)
        #expect(probe.state.statusMessage?.what == .refused(.stillOpening))
    }

    @Test("a network that is back reads the products again; one that stays off reads nothing")
    func back() {
        var probe = ShopProbe(SampleShop.full())
        var snapshot = probe.state.snapshot
        snapshot.isOffline = true
        for _ in 0..<2 {
            let effects = probe.happen(.accountArrived(snapshot))
            #expect(!effects.contains(.loadProducts))
        }
        snapshot.isOffline = false
        let effects = probe.happen(.accountArrived(snapshot))
        #expect(effects.contains(.loadProducts) && effects.contains(.refreshConsole))
        #expect(probe.state.statusMessage?.what == .network(isOn: true))
    }
}
