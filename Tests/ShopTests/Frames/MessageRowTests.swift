@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// The latest message at the foot of the screen.
@Suite("message row") struct MessageRowTests {
    private static func frame(_ screen: SampleScreen, locale: String = "en_US") -> [String] {
        Screens.draw(screen.state(locale: locale, size: Screens.smallest), Screens.smallest).lines
    }

    @Test(
        "a small screen shows a purchase with its price where rows are listed, over the note that more follow",
        arguments: [("en_US", "$2.99"), ("ja_JP", "¥")])
    func bought(locale: String, price: String) {
        let lines = Self.frame(.list, locale: locale)
        let foot = lines[9...10].joined(separator: " ")
        #expect(foot.contains("14:02") && foot.contains(price), "\(lines)")
        #expect(lines[8].contains { !$0.isWhitespace }, "only one row of the list is covered")
    }

    @Test("replaced messages are counted until the history, which has them, was opened")
    func countedUntilTheHistory() {
        var state = SampleScreen.list.state(locale: "en_US", size: Screens.usual)
        state.statusMessage = StatusMessage(
            at: SampleShop.now, what: .notWatching, fadesAt: .seconds(9), replaced: 3)
        #expect(Screens.draw(state, Screens.usual).text.contains("+3"))
        for view in [ShopView.history, .shop] {
            state.take([.viewChosen(view)], on: Screens.usual)
            let text = Screens.draw(state, Screens.usual).text
            #expect(text.contains("Files cannot be watched") && !text.contains("+3"), "\(text)")
        }
    }

    @Test("the footer names no restore button before there are products")
    func loading() {
        var state = ShopState(shop: SampleShop.identity())
        state.take(
            [.opened(SampleShop.settings(), holdsLease: true)], on: Screens.usual)
        #expect(!Screens.draw(state, Screens.usual).text.contains("Enter restore"))
    }

    @Test("text that is read keeps its rows")
    func reader() {
        let lines = Self.frame(.reader)
        var state = SampleScreen.reader.state(locale: "en_US", size: Screens.smallest)
        state.statusMessage = nil
        let quiet = Screens.draw(state, Screens.smallest).lines
        #expect(lines[9] == quiet[9])
    }
}
