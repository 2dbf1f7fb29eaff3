import Foundation
@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The state of the server's screen.
@Suite struct ServerScreenTests {
    private static let whole = ShopEffect.readServer(isWhole: true)
    private static let light = ShopEffect.readServer(isWhole: false)

    private static func probe(hasServer: Bool = true) -> ShopProbe {
        var state = SampleShop.full()
        state.shop.hasServer = hasServer
        return ShopProbe(state)
    }

    private static func opened(_ snapshot: ServerSnapshot = SampleServer.snapshot) -> ShopProbe {
        var probe = Self.probe()
        probe.happen(.server(.opened))
        probe.happen(.server(.arrived(snapshot, waiting: 2)))
        return probe
    }

    private static func message(_ probe: ShopProbe) -> StatusText? {
        probe.state.statusMessage?.what
    }

    @Test("it reads once at a time, all of it only while it is in sight")
    func reads() {
        var probe = Self.probe()
        #expect(probe.happen(.server(.woke)) == [Self.light])
        #expect(probe.happen(.server(.woke)).isEmpty, "one reading is under way")
        #expect(probe.happen(.server(.arrived(nil, waiting: 3))) == [Self.light])
        #expect(probe.happen(.server(.arrived(nil, waiting: 3))).isEmpty)
        #expect(probe.state.server.waiting == 3)
        #expect(probe.happen(.server(.opened)) == [Self.whole])
        #expect(probe.state.screen == .server && probe.state.focus == .server)
        #expect(probe.happen(.server(.woke)).isEmpty)
        let effects = probe.happen(.server(.arrived(SampleServer.snapshot, waiting: 2)))
        #expect(effects == [Self.whole, .inspect(SampleServer.waiting.notification)])
        #expect(probe.state.server.waiting == 2)
        probe.happen(.server(.failed(.readServer(isWhole: true), StoreError(.storeBusy))))
        #expect(probe.state.server.error == StoreError(.storeBusy))
        #expect(probe.state.server.notifications.count == 4, "what was read stays in sight")
        probe.happen(.viewChosen(.history))
        #expect(probe.happen(.server(.woke)) == [Self.light])
        #expect(probe.happen(.viewChosen(.shop)).contains(Self.whole), "it is in sight again")
        probe.happen(.wentBack)
        #expect(probe.state.screen == .list)
    }

    @Test("who may not see the server has no screen of it, and nothing is read")
    func customer() {
        var probe = Self.probe(hasServer: false)
        #expect(probe.happen(.server(.opened)).isEmpty)
        #expect(Self.message(probe) == .refused(.noConsole))
        #expect(probe.state.screen == .list)
        #expect(probe.happen(.server(.woke)).isEmpty)
        for hasServer in [false, true] {
            var state = Self.probe(hasServer: hasServer).state
            state.take([.palette(.opened), .palette(.typed("serve"))], on: Screens.usual)
            let isOffered = Screens.viewport(Screens.usual, in: state).entries.contains { entry in
                if case .component(let action)? = entry.action {
                    action is ServerAction
                } else {
                    false
                }
            }
            #expect(isOffered == hasServer)
        }
    }

    @Test("the selected notification stays selected when newer ones are made")
    func selection() {
        var probe = Self.opened()
        #expect(probe.state.server.selectedNotification == SampleServer.waiting)
        #expect(
            probe.happen(.selectionMoved(.down)) == [.inspect(SampleServer.failing.notification)])
        probe.happen(.server(.inspected(SampleServer.details)))
        #expect(probe.state.server.details == SampleServer.details)
        var later = SampleServer.snapshot
        later.notifications.insert(SampleServer.item(9, NotificationKind(.refund)), at: 0)
        // Its details are known, so they are not read again.
        #expect(probe.happen(.server(.arrived(later, waiting: 2))).isEmpty)
        #expect(probe.state.server.selectedRow == 2)
        #expect(probe.state.server.selectedNotification == SampleServer.failing)
        probe.happen(.selectionMoved(.last))
        #expect(probe.state.server.selectedNotification == SampleServer.unsent)
        probe.happen(.selectionMoved(.down))
        #expect(probe.state.server.selectedNotification == SampleServer.unsent)
        // The answer about a notification that is no longer selected.
        probe.happen(.server(.inspected(SampleServer.details)))
        #expect(probe.state.server.details?.notification == SampleServer.failing.notification)
        probe.happen(.server(.arrived(ServerSnapshot(), waiting: 0)))
        #expect(probe.state.server.selectedNotification == nil)
        probe.happen(.confirmed)
        #expect(!probe.state.server.isInspecting)
    }

    @Test("Enter leads to the details, where the keys scroll and lead to the neighbours")
    func inspecting() {
        var probe = Self.opened()
        probe.viewport = Viewport(rows: 5, scrollMax: 20)
        probe.happen(.confirmed)
        #expect(probe.state.server.isInspecting)
        probe.happen(.selectionMoved(.down))
        #expect(probe.state.server.scroll == 1)
        #expect(probe.state.server.selectedNotification == SampleServer.waiting)
        probe.happen(.choiceMoved(1))
        #expect(probe.state.server.scroll == 0)
        #expect(probe.state.server.selectedNotification == SampleServer.failing)
        probe.happen(.wentBack)
        #expect(!probe.state.server.isInspecting && probe.state.screen == .server)
        probe.happen(.choiceMoved(1))
        #expect(probe.state.server.list == .requests)
        #expect(probe.state.server.selectedRequest == SampleServer.requests[0])
        probe.happen(.selectionMoved(.down))
        #expect(probe.state.server.selectedRequest == SampleServer.requests[1])
        #expect(probe.state.server.selectedNotification == nil)
        probe.happen(.server(.listCycled))
        #expect(probe.state.server.selectedNotification == SampleServer.failing)
    }

    @Test("a click selects a row, and a click on the selected one opens it")
    func clicks() {
        var probe = Self.opened()
        probe.happen(.server(.pointed(row: 2)))
        #expect(probe.state.server.selectedNotification == SampleServer.sent)
        #expect(!probe.state.server.isInspecting)
        probe.happen(.server(.pointed(row: 2)))
        #expect(probe.state.server.isInspecting)
        probe.happen(.server(.listCycled))
        #expect(probe.state.server.list == .requests && !probe.state.server.isInspecting)
    }

    @Test("a notification is sent again, and a test is sent; the message says so")
    func sending() {
        var probe = Self.opened()
        #expect(
            probe.happen(.server(.resendChosen)) == [.changeServer(.resend(SampleServer.waiting))])
        #expect(probe.happen(.server(.testChosen)) == [.changeServer(.test)])
        let change = ShopAction.server(.changed(.test, SampleServer.unsent))
        #expect(probe.happen(change) == [Self.whole])
        let id = SampleServer.unsent.id.uuidString.lowercased()
        #expect(Self.message(probe) == .outbox(.queued(id: id)))
        probe.happen(.server(.changed(.test, nil)))
        #expect(Self.message(probe) == .outbox(.sentTo(address: nil)))
        probe.happen(.server(.changed(.resend(SampleServer.failing), SampleServer.failing)))
        #expect(Self.message(probe) == .outbox(.dueAgain(1)))
        probe.happen(.server(.listCycled))
        #expect(probe.happen(.server(.resendChosen)).isEmpty, "no notification is selected")
    }

    @Test("an address is typed, and another than of this machine over http is refused")
    func address() {
        var probe = Self.opened()
        probe.happen(.server(.addressChosen))
        #expect(probe.state.focus == .addressLine)
        #expect(probe.state.server.address == SampleServer.address)
        probe.happen(.server(.addressErased))
        #expect(probe.state.server.address == String(SampleServer.address.dropLast()))
        probe.happen(.wentBack)
        #expect(probe.state.server.address == nil && probe.state.screen == .server)

        for typed in [
            "https://127.0.0.1:3000", "http://example.com", "nonsense", "http://",
            "http://127.0.0.1:3000/applehttp://127.0.0.1:4000/apple",
        ] {
            var probe = Self.opened(ServerSnapshot())
            probe.happen(.server(.addressChosen))
            #expect(probe.state.server.address?.isEmpty == true)
            probe.happen(.server(.addressTyped(typed)))
            #expect(probe.happen(.confirmed).isEmpty)
            #expect(Self.message(probe) == .refused(.notReachable))
            #expect(probe.state.server.address == typed, "what was typed stays")
            probe.happen(.wentBack)
            #expect(probe.state.statusMessage == nil, "it is about what was typed")
        }

        // The first text takes the place of the present address, the next ones follow it.
        probe.happen(.server(.addressChosen))
        probe.happen(.server(.addressTyped("http://localhost:4000")))
        probe.happen(.server(.addressTyped("/a ")))
        #expect(
            probe.happen(.confirmed) == [.changeServer(.send(to: "http://localhost:4000/a"))])
        #expect(probe.state.focus == .server)
        probe.happen(.server(.changed(.send(to: "http://localhost:4000/a"), nil)))
        #expect(Self.message(probe) == .outbox(.sentTo(address: "http://localhost:4000/a")))
    }

    @Test("an empty address sends nothing from then on, and without one changes nothing")
    func stop() {
        var probe = Self.opened()
        probe.happen(.server(.addressChosen))
        for _ in SampleServer.address { probe.happen(.server(.addressErased)) }
        #expect(probe.happen(.confirmed) == [.changeServer(.stop)])
        probe.happen(.server(.changed(.stop, nil)))
        #expect(Self.message(probe) == .outbox(.sentTo(address: nil)))
        var nowhere = Self.opened(ServerSnapshot())
        nowhere.happen(.server(.addressChosen))
        #expect(nowhere.happen(.confirmed).isEmpty)
        #expect(nowhere.state.server.address == nil)
    }

    @Test("typed text is the address's, not a key's")
    func typing() {
        var probe = Self.opened()
        probe.happen(.server(.addressChosen))
        for character in "qa:" {
            let action = KeyMap.action(for: .character(character), in: probe.state)
            if let action { probe.happen(action) }
        }
        #expect(probe.state.server.address == "qa:")
        if let erase = KeyMap.action(for: .backspace, in: probe.state) { probe.happen(erase) }
        #expect(probe.state.server.address == "qa")
        // One that was begun to be edited is typed on.
        probe.happen(.wentBack)
        probe.happen(.server(.addressChosen))
        probe.happen(.server(.addressErased))
        probe.happen(.server(.addressTyped("S")))
        #expect(probe.state.server.address == String(SampleServer.address.dropLast()) + "S")
    }

    @Test("a move of the clock says for what it waits, and how many notifications were not tried")
    func notTried() {
        var probe = Self.probe()
        probe.happen(.server(.notTried(2, holder: "7 (storefront)")))
        #expect(Self.message(probe) == .outbox(.waiting(2, holder: "7 (storefront)")))
        let wait = NotificationWait(count: 3, address: SampleServer.address)
        probe.happen(.server(.clockWaits(wait)))
        #expect(Self.message(probe) == .outbox(.clockWaits(3, address: SampleServer.address)))
    }

    @Test("another store has another server")
    func reopened() {
        var probe = Self.opened()
        probe.happen(
            .server(.failed(.readServer(isWhole: true), StoreError(.storeReplaced))))
        #expect(probe.state.server == ServerPart())
        #expect(probe.state.screen == .list)
    }
}
