import ShopCore
import ShopTestSupport
import ShopTUI
import StoreModel
import Terminal
import Testing

/// What the shop shows before the store is open.
@Suite struct GlanceTests {
    private static let locales = ["en_US", "ja_JP", "de_DE", "ar_SA"]

    /// Drawn as it was seen last, but for what belongs to the moment, and marked as opening.
    @Test(arguments: locales)
    func theListStandsAsItWasSeen(_ locale: String) throws {
        var state = SampleShop.full(locale: locale)
        state.failures = [:]
        state.restored = []
        state.purchases = [:]
        state.news = nil
        // How fast a download was is not true any more.
        for product in state.standing.downloads.keys {
            state.standing.downloads[product]?.rate = nil
        }
        state.selectedRow = state.shelf.selectable(near: 0, direction: 1)
        state.firstRow = 0
        let texts = LocalTexts(timeZone: SampleShop.timeZone)
        let seen = frame(of: state, texts)
        let glance = try #require(
            Glance(reading: Glance(state: state, texts: texts.all).text))
        #expect(glance.state.opening == .opening)
        let shown = frame(of: glance.state, LocalTexts(known: glance.texts))
        // The header says that it is opening; no key that needs the store is offered.
        #expect(shown.lines[1..<21] == seen.lines[1..<21])
        #expect(shown.lines[0] != seen.lines[0])
    }

    @Test func nothingCanBeBoughtFromIt() throws {
        let state = SampleShop.empty()
        var glance = try #require(Glance(reading: Glance(state: state, texts: [:]).text)).state
        let moment = ShopMoment(now: SampleShop.now, paymentID: SampleShop.payment(1))
        for action in [ShopAction.buyChosen, .choiceMoved(1), .confirmed, .restoreChosen] {
            #expect(glance.reduce(action, moment) == [])
        }
        #expect(glance.sheet == nil)
    }

    /// A cache another program wrote, or a disk cut short, is a glance less and nothing worse.
    @Test func whatCannotBeReadIsNoGlance() {
        let whole = Glance(state: SampleShop.full(), texts: ["a": "b"]).text
        for text in ["", "x", "storefront glance 0\nshop", "storefront glance 1\n\u{1F}\n"] {
            #expect(Glance(reading: text) == nil)
        }
        for length in stride(from: 0, to: whole.count, by: 37) {
            _ = Glance(reading: String(whole.prefix(length)))
        }
    }

    @Test func aNameCannotForgeALine() throws {
        var response = SampleShop.response()
        response.products[0].displayName = "x\nentitled\u{1F}theme.night\u{1F}1\u{1F}"
        let state = SampleShop.empty(response: response)
        let glance = try #require(Glance(reading: Glance(state: state, texts: [:]).text))
        #expect(glance.state.standing.entitlements.isEmpty)
        #expect(glance.state.shelf.products.count == state.shelf.products.count)
    }

    private func frame(of state: ShopState, _ texts: LocalTexts) -> Frame {
        ShopDrawing(
            state, size: Screens.usual, capabilities: Screens.capabilities(), texts: texts
        ).frame
    }
}
