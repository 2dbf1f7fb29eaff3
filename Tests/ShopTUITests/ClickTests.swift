import Foundation
import ShopCore
import ShopTestSupport
import ShopText
@testable import ShopTUI
import StoreModel
import Terminal
import Testing

/// Hints that are clicked, and names that are cut.
@Suite struct ClickTests {
    private static func drawing(
        _ state: ShopState, _ size: Size, isASCII: Bool = false
    ) -> ShopDrawing {
        ShopDrawing(
            state, size: size, capabilities: Screens.capabilities(isASCII: isASCII),
            formatters: Screens.formatters)
    }

    /// Actions are compared as texts.
    private static func name(_ action: ShopAction?) -> String { "\(String(describing: action))" }

    @Test(
        "a click on a hint of the footer does what its key does", arguments: SampleScreen.allCases)
    func hints(_ screen: SampleScreen) {
        for size in [Screens.usual, Screens.large] {
            let state = screen.state(locale: "en_US", size: size)
            let drawing = Self.drawing(state, size)
            let row = size.rows - 1
            let footer = drawing.frame.lines[row]
            let strings = Strings(locale: "en_US", formatters: Screens.formatters)
            for binding in state.focus.view.keys
            where !binding.label.isEmpty && binding.isUseful(state) {
                let hint = "\(binding.label) \(strings[binding.title(state)])"
                guard let found = footer.range(of: hint) else { continue }
                let first = footer.distance(from: footer.startIndex, to: found.lowerBound)
                for column in first..<(first + hint.count) {
                    let click = PointerEvent.clicked(Position(column: column, row: row))
                    let action = KeyMap.action(for: click, on: drawing)
                    // "? help" opens the help; a hint without keys only says which keys there are.
                    let isHelp = binding.label == "?"
                    let wanted: ShopAction? =
                        isHelp ? .helpToggled : binding.keys.isEmpty ? nil : binding.action
                    #expect(Self.name(action) == Self.name(wanted), "\(hint)")
                }
                let after = Position(column: first + hint.count, row: row)
                #expect(KeyMap.action(for: .clicked(after), on: drawing) == nil, "\(hint)")
            }
        }
    }

    @Test("a click between the hints does nothing, and the footer of most screens has hints")
    func hintsAreFound() {
        let state = SampleShop.full()
        let drawing = Self.drawing(state, Screens.usual)
        let row = Screens.usual.rows - 1
        let actions = (0..<Screens.usual.columns).compactMap {
            KeyMap.action(for: .clicked(Position(column: $0, row: row)), on: drawing)
        }
        let names = Set(actions.map { Self.name($0) })
        #expect(
            names.isSuperset(of: [
                Self.name(.confirmed), Self.name(.restoreChosen), Self.name(.helpToggled),
            ]))
        #expect(
            KeyMap.action(for: .clicked(Position(column: 0, row: row)), on: drawing) == nil)
    }

    @Test("a long name in the header is cut in its middle; what must be seen stays")
    func headerNames() {
        for (isASCII, sign) in [(false, "…"), (true, "~")] {
            for columns in [40, 60, 80, 120] {
                var state = SampleShop.full()
                state.shop.appName = "The Wonderful Lantern Shop of Skerrow Harbour"
                let size = Size(columns: columns, rows: 24)
                let header = Self.drawing(state, size, isASCII: isASCII).frame.lines[0]
                #expect(header.drop { $0 == " " }.hasPrefix("The "), "\(header)")
                #expect(header.contains(sign), "\(header)")
                #expect(header.contains("SANDBOX"), "\(header)")
                // The end of the name, which tells it from others, is in sight.
                #expect(header.contains("our "), "\(header)")
                #expect(!header.contains("Lantern Shop of"), "\(header)")
            }
        }
        var short = SampleShop.full()
        short.shop.appName = "Lantern"
        let header = Self.drawing(short, Screens.usual).frame.lines[0]
        #expect(header.contains("Lantern ") && !header.contains("…"))
    }

    @Test("the message about a stopped or moved clock is written as its locale writes times")
    func clocks() {
        let later = SampleShop.now.advanced(byMilliseconds: 32 * 86_400_000)
        let stopped = StatusMessage.What.clockSet(
            .stopped(at: later), before: nil, now: SampleShop.now)
        let moved = StatusMessage.What.clockSet(
            .stopped(at: later), before: .stopped(at: SampleShop.now), now: later)
        for (locale, message, text) in [
            ("en_US", stopped, "The store's clock is stopped at Dec 23, 14:02:11."),
            ("en_US", moved, "The store's clock moved 32 days ahead to Dec 23, 14:02:11."),
            ("de_DE", stopped, "The store's clock is stopped at 23. Dec, 14:02:11."),
            ("ja_JP", stopped, "ストアの時計は12月23日, 14:02:11で停止しています。"),
            ("ja_JP", moved, "ストアの時計: 32日間進んで12月23日, 14:02:11"),
        ] as [(String, StatusMessage.What, String)] {
            var state = SampleShop.full(locale: locale)
            _ = state.reduce(
                .resized,
                ShopMoment(
                    now: SampleShop.now, paymentID: SampleShop.payment(0), viewport: Viewport()))
            state.statusMessage = StatusMessage(
                at: SampleShop.now, what: message, fadesAt: .seconds(9), replaced: 0)
            let lines = Self.drawing(state, Screens.large).frame.lines
            #expect(lines.contains { $0.contains(text) }, "\(locale): \(lines)")
        }
    }
}
