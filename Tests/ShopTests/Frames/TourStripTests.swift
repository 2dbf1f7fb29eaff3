@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// The tour's two rows below the shop.
@Suite struct TourStripTests {
    private static func lines(
        _ step: TourStep, _ size: Size, locale: String = "en_US", isASCII: Bool = false,
        isPresenting: Bool = false
    ) -> [String] {
        var tour = Tour()
        tour.step = step
        tour.product = "book.three"
        let shop = ShopDrawing.shopSize(on: size, besideTour: true)
        var state = SampleScreen.list.state(locale: locale, size: shop)
        state.shop.isPresenting = isPresenting
        return ShopDrawing(
            state, tour: tour, size: size,
            capabilities: Screens.capabilities(isASCII: isASCII), formatters: Screens.formatters
        ).frame.lines
    }

    @Test(
        "each step is told whole on 80 columns, and its keys on 40",
        arguments: TourStep.allCases, ["en_US", "ja_JP"])
    func nothingIsCut(step: TourStep, locale: String) {
        for isPresenting in [false, true] {
            for size in [Size(columns: 40, rows: 14), Screens.usual] {
                let lines = Self.lines(
                    step, size, locale: locale, isPresenting: isPresenting)
                check(lines.suffix(2), step, isPresenting, size, Strings(locale: locale))
            }
        }
    }

    private func check(
        _ strip: ArraySlice<String>, _ step: TourStep, _ isPresenting: Bool, _ size: Size,
        _ strings: Strings
    ) {
        #expect(!strip.joined().contains("…"), "\(strip)")
        #expect(strip.allSatisfy { !$0.isEmpty }, "\(strip)")
        let keys = step.keys(isPresenting: isPresenting, refund: strings[.tourRefundWord])
            .joined(separator: " ")
        #expect(strip.joined().contains(keys), "\(strip)")
        // The step's sentence ends with a full stop; only the wider terminal has room for it.
        let story = strip.first ?? ""
        #expect((story.hasSuffix(".") || story.hasSuffix("。")) == (size == Screens.usual))
    }

    @Test("where an audience watches, the refund is made in the console, which offers it")
    func presenterRefunds() {
        let keys = TourStep.refund.keys(isPresenting: true, refund: "refund")
        #expect(keys == ["4", "↑↓", ":refund", "Enter", "Enter"])
        #expect(
            TourStep.allCases.filter {
                $0.keys(isPresenting: true, refund: "refund").contains("4")
            }.count == 2)
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
