@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// The tour's two rows below the shop.
@Suite struct TourStripTests {
    private static func state(
        _ size: Size, _ locale: String = "en_US", isPresenting: Bool = false,
        on screen: SampleScreen = .list
    ) -> ShopState {
        let shop = ShopDrawing.shopSize(on: size, besideTour: true)
        var state = screen.state(locale: locale, size: shop)
        state.shop.isPresenting = isPresenting
        return state
    }

    private static func lines(
        _ step: TourStep, _ size: Size, in state: ShopState? = nil, isASCII: Bool = false
    ) -> [String] {
        var tour = Tour()
        tour.step = step
        tour.product = "book.three"
        return ShopDrawing(
            state ?? Self.state(size), tour: tour, size: size,
            capabilities: Screens.capabilities(isASCII: isASCII), formatters: Screens.formatters
        ).frame.lines
    }

    @Test(
        "each step is told whole on 80 columns, and its keys on 40",
        arguments: TourStep.allCases, ["en_US", "ja_JP"])
    func nothingIsCut(step: TourStep, locale: String) {
        for (isPresenting, screen) in [
            (false, SampleScreen.list), (true, .list), (false, .console), (false, .page),
        ] {
            for size in [Size(columns: 40, rows: 14), Screens.usual] {
                let state = Self.state(size, locale, isPresenting: isPresenting, on: screen)
                let strip = Self.lines(step, size, in: state).suffix(2)
                check(strip, step, size, state, Strings(locale: locale))
            }
        }
    }

    @Test("what the tour says in place of what did not happen fits on 80 columns, too")
    func otherAnswers() {
        for locale in ["en_US", "ja_JP"] {
            let strings = Strings(locale: locale)
            let measure = Screens.capabilities().measure
            for text in [
                TourText.tourApproved, .tourFollowed, .tourNotSold, .tourNotFollowed, .tourWaiting,
                .tourNothingWaited, .tourKept, .tourRefunded,
            ] {
                // Before it stands the number of the step.
                let line = " \(strings[.tourStep(11, of: 11)])   \(strings[text])"
                #expect(measure.measure(line).columns < 80, "\(line)")
            }
        }
    }

    private func check(
        _ strip: ArraySlice<String>, _ step: TourStep, _ size: Size, _ state: ShopState,
        _ strings: Strings
    ) {
        #expect(!strip.joined().contains("…"), "\(strip)")
        #expect(strip.allSatisfy { !$0.isEmpty }, "\(strip)")
        let keys = step.keys(in: state, strings).joined(separator: " ")
        #expect(strip.joined().contains(keys), "\(strip)")
        // The step's sentence ends with a full stop; only the wider terminal has room for it.
        let story = strip.first ?? ""
        #expect((story.hasSuffix(".") || story.hasSuffix("。")) == (size == Screens.usual))
    }

    @Test("where an audience watches, the refund is made in the console, which offers it")
    func presenterRefunds() {
        let state = Self.state(Screens.usual, isPresenting: true)
        let keys = TourStep.refund.keys(in: state, .english)
        #expect(keys == ["4", "↑↓", ":refund", "Enter", "Enter"])
        #expect(
            TourStep.allCases.filter { $0.keys(in: state, .english).contains("4") }
                .count == 2)
    }

    @Test("a step begins with the keys that lead to where its own act")
    func keysThatLeadThere() {
        func keys(_ step: TourStep, _ state: ShopState) -> [String] {
            step.keys(in: state, .english)
        }
        let list = Self.state(Screens.usual)
        let console = Self.state(Screens.usual, on: .console)
        #expect(keys(.open, list) == ["↑↓", "Enter"])
        #expect(keys(.open, console) == ["1", "1", "↑↓", "Enter"])
        var owned = ShopProbe(SampleShop.full())
        owned.open("book.one")
        #expect(keys(.read, owned.state) == ["Enter", "Enter"])
        #expect(keys(.refund, owned.state) == [":refund", "Enter", "Enter"])
        // The palette finds the line by the word of the customer's own language.
        let japanese = TourStep.refund.keys(in: owned.state, Strings(locale: "ja_JP"))
        #expect(japanese == [":返金", "Enter", "Enter"])
        var unowned = ShopProbe(SampleShop.full())
        unowned.open("book.three")
        #expect(keys(.read, unowned.state) == ["↑↓", "Enter", "Enter"])
        #expect(keys(.refund, unowned.state) == ["4", "↑↓", ":refund", "Enter", "Enter"])
    }

    @Test("above the strip the shop is the same as on a terminal two rows lower")
    func shopIsWhole() {
        for (columns, rows) in [(40, 14), (80, 24), (200, 60)] {
            let shop = Size(columns: columns, rows: rows - 2)
            let alone = Screens.draw(SampleScreen.list.state(locale: "en_US", size: shop), shop)
            let lines = Self.lines(.open, Size(columns: columns, rows: rows))
            #expect(lines.count == rows)
            #expect(Array(lines.dropLast(2)) == alone.lines)
        }
    }

    @Test("a terminal without room for both shows the shop alone", arguments: [(40, 13), (39, 24)])
    func noRoom(columns: Int, rows: Int) {
        let size = Size(columns: columns, rows: rows)
        #expect(ShopDrawing.shopSize(on: size, besideTour: true) == size)
        #expect(!Self.lines(.open, size).joined().contains("1 of 11"))
    }

    @Test("without Unicode the keys are named by words")
    func ascii() {
        let strip = Self.lines(.pay, Screens.usual, isASCII: true).suffix(2).joined()
        #expect(strip.contains("Right Enter"))
    }
}
