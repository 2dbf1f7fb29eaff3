import ShopCore
import ShopTestSupport
import StoreModel
import Testing

/// Messages of an open shop about how it was opened: a clock that was set back, a new catalog.
@Suite struct ClockMessageTests {
    @Test("a system's clock that was set back is told with by how much, and asks for nothing")
    func setBack() {
        var probe = ShopProbe()
        let effects = probe.happen(.clockWasSetBack(seconds: 7_200))
        guard case .clockSetBack(seconds: 7_200)? = probe.state.statusMessage?.what else {
            Issue.record("said \(String(describing: probe.state.statusMessage))")
            return
        }
        #expect(effects.isEmpty)
    }

    @Test("what there is to remark on a new catalog is told in the message row, once")
    func catalogOpened() {
        var probe = ShopProbe()
        let notice = "The catalog has 3 warnings: storefront catalog check catalog.json"
        let effects = probe.happen(.catalogOpened(notice: notice))
        #expect(probe.state.statusMessage?.what == .catalogNotice(notice))
        #expect(effects.isEmpty)
    }
}
