@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// Emptying the store from inside the shop; in a demo, starting it anew.
@Suite("emptying the store in the shop")
struct ResetAskedTests {
    private static func shop(isDemo: Bool) -> ShopState {
        var state = SampleShop.full()
        state.shop.isDemo = isDemo
        return state
    }

    @Test(
        "emptying the store asks first, and leaves nothing of what was known of it",
        arguments: [false, true])
    func asked(isDemo: Bool) {
        var probe = ShopProbe(Self.shop(isDemo: isDemo))
        probe.open("book.three")
        #expect(probe.happen(.resetAsked).isEmpty)
        #expect(probe.state.sheet == .question(QuestionSheet(.reset)))
        let text = Screens.draw(probe.state, Screens.usual).text
        #expect(text.contains(isDemo ? "Reset the demo?" : "Empty the store?"))
        #expect(probe.happen(.confirmed).isEmpty, "no is chosen at first")
        #expect(probe.state.screen == .product("book.three"))
        probe.happen(.resetAsked)
        #expect(probe.happen(.questionSheet(.pressed(button: 1))) == [.reset])
        #expect(probe.state.screen == .list && probe.state.opening == .opening)
        #expect(probe.state.snapshot == AccountSnapshot())
        #expect(!probe.state.productList.isFromStore)
        let asked = probe.happen(.opened(SampleShop.settings(), holdsLease: true))
        #expect(asked.contains(.loadProducts) && asked.contains(.refreshAccount))
        #expect(probe.state.statusMessage == nil, "the store was not replaced by somebody else")
    }

    @Test("only a demo has the key, and no key that is typed as text resets it")
    func key() {
        for isDemo in [false, true] {
            var probe = ShopProbe(Self.shop(isDemo: isDemo))
            let key = Key.control("r")
            if let action = KeyMap.action(for: key, in: probe.state) { probe.happen(action) }
            #expect((probe.state.sheet == .question(QuestionSheet(.reset))) == isDemo)
            probe.happen(.wentBack)
            probe.happen(.palette(.opened))
            if let action = KeyMap.action(for: key, in: probe.state) { probe.happen(action) }
            #expect(probe.state.focus == .palette)
        }
    }

    @Test("an organizer's console and a customer's shop empty no store, but any demo begins anew")
    func refused() {
        var state = Self.shop(isDemo: false)
        state.shop.actor = "kai"
        var probe = ShopProbe(state)
        probe.happen(.resetAsked)
        #expect(probe.state.statusMessage?.what == .refused(.operatorOnly("kai")))
        state.shop.actor = nil
        state.shop.hasConsole = false
        probe = ShopProbe(state)
        probe.happen(.resetAsked)
        #expect(probe.state.statusMessage?.what == .refused(.noConsole))
        state.shop.isDemo = true
        probe = ShopProbe(state)
        probe.happen(.resetAsked)
        #expect(probe.state.sheet == .question(QuestionSheet(.reset)))
    }

    @Test("the palette's line is found by the command's name, and in a demo names its key")
    func palette() throws {
        for isDemo in [false, true] {
            var state = Self.shop(isDemo: isDemo)
            state.take([.palette(.opened), .palette(.typed("reset"))], on: Screens.usual)
            let words = isDemo ? "▌ Reset the demo" : "▌ Empty the store"
            let lines = Screens.draw(state, Screens.usual).lines
            let line = try #require(lines.first { $0.contains(words) })
            #expect(line.contains("Ctrl-R") == isDemo)
            state.take([.confirmed], on: Screens.usual)
            #expect(state.sheet == .question(QuestionSheet(.reset)))
        }
    }
}
