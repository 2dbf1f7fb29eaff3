import ShopCore
import ShopTestSupport
import StoreModel
import Testing

/// The message of an open shop that the system's clock was set back.
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
}
