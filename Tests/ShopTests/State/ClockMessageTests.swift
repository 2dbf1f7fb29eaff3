@testable import Shop
import ShopText
import StoreModel
import Testing

/// Messages about the opening of a shop: a clock that was set back, a new catalog.
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

    @Test("what a shop finds at its opening hides no message, and is told after it")
    func afterAnother() {
        for found in [ShopAction.clockWasSetBack(seconds: 7_200), .watchingFailed] {
            var probe = ShopProbe()
            probe.happen(.catalogRefused(problem: "a"))
            probe.happen(found)
            #expect(probe.state.statusMessage?.what == .catalogRefused(problem: "a"))
            probe.elapsed = StatusMessage.lasting
            probe.happen(.messageFaded)
            switch probe.state.statusMessage?.what {
            case .clockSetBack, .notWatching: break
            default: Issue.record("\(String(describing: probe.state.statusMessage))")
            }
        }
    }

    @Test("a store that was replaced is told of, also if the new one has trouble at once")
    func replacedWithTrouble() throws {
        var probe = ShopProbe(SampleShop.full())
        let settings = try #require(probe.state.settings)
        probe.happen(.updateArrived(.trouble(StoreError(.storeReplaced), ended: false)))
        probe.happen(.opened(settings, holdsLease: true))
        probe.happen(.attemptFailed(StoreError(.storeBusy)))
        probe.elapsed = StatusMessage.lasting
        probe.happen(.messageFaded)
        #expect(probe.state.statusMessage?.what == .reopened(.replaced))
    }

    @Test("remarks on a new catalog are told in the message row, and the device's log keeps each")
    func catalogOpened() {
        var probe = ShopProbe()
        let notice = "The catalog has 2 warnings; the history lists them."
        let effects = probe.happen(
            .catalogOpened(notice: notice, remarks: ["line 3: a", "line 9: b"]))
        #expect(probe.state.statusMessage?.what == .catalogNotice(notice))
        // The log shows the newest entry first, so the last line is logged first.
        #expect(effects == [.log(.catalogNoted("line 9: b")), .log(.catalogNoted("line 3: a"))])
    }
}
