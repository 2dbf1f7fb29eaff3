import Foundation
@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// Rows that an area has no room for: they are marked, and no mark takes the place of one row.
@Suite struct RowWindowTests {
    @Test("a mark stands for two rows or more, and the selection is never under one")
    func windows() {
        for count in 0...30 {
            for room in 1...12 {
                for start in 0...count {
                    for selected in 0..<max(1, count) {
                        let window = RowWindow(
                            count: count, room: room, from: start, showing: selected...selected)
                        let shown = window.shown
                        let (above, below) = (shown.lowerBound, count - shown.upperBound)
                        let holds =
                            (count == 0 || shown.contains(selected))
                            && shown.count <= room && shown.upperBound <= count
                            && (above + below == 0) == (count <= room)
                            && window.hasMarks == (count > room && room >= 6)
                            && (!window.hasMarks || above != 1 && below != 1)
                        if !holds {
                            Issue.record("\(count) in \(room) from \(start): \(shown)")
                        }
                    }
                }
            }
        }
    }

    @Test("it scrolls as little as needed, and a page skips no row")
    func scrolling() {
        let window = RowWindow(count: 30, room: 10, from: 8, showing: 12...12)
        #expect(window.first == 8)
        #expect(RowWindow(count: 30, room: 10, from: 8, showing: 8...8).first == 7)
        #expect(RowWindow(count: 30, room: 10, from: 8, showing: 17...17).first == 9)
        #expect(RowWindow(count: 30, room: 10, from: 99).shown == 21..<30)
        let next = RowWindow(count: 30, room: 10, from: window.first + window.page)
        #expect(next.shown.lowerBound == window.shown.upperBound)
        // A page down from the last row in sight leaves that row in sight.
        let last = window.shown.upperBound - 1
        let chosen = last + window.selectionPage
        let moved = RowWindow(
            count: 30, room: 10, from: window.first, showing: chosen...chosen)
        #expect(moved.shown.first == last)
    }

    // MARK: - Screens

    private static let screens: [SampleScreen] = [
        .list, .library, .downloads, .page, .subscription, .receipt, .history, .historyDetails,
    ]

    /// Its frames while it is scrolled from its first row to its last.
    private static func frames(_ screen: SampleScreen, _ locale: String, _ size: Size) -> [Frame] {
        var state = screen.state(locale: locale, size: size)
        state.forgetMessages()
        if screen == .page { return [Screens.draw(state, size)] }
        state.take([.selectionMoved(.rows(-1000))], on: size)
        return (0..<40).map { _ in
            defer { state.take([.selectionMoved(.rows(1))], on: size) }
            return Screens.draw(state, size)
        }
    }

    @Test(
        "wherever rows are hidden a mark counts them, never one, and no heading is last in sight",
        arguments: screens)
    func marks(_ screen: SampleScreen) {
        for size in [Screens.smallest, Screens.usual, Screens.large] {
            for locale in ["en_US", "ja_JP"] {
                let strings = Strings(
                    locale: locale, language: locale, formatters: Screens.formatters)
                // Where there are headings, a mark counts the products below them.
                let isFlat = ![.list, .library, .downloads].contains(screen)
                let word = strings[.more(1)]
                for frame in Self.frames(screen, locale, size) {
                    let lines = frame.lines.dropFirst().dropLast(2)
                    let isOne = lines.contains { line in
                        ["↑", "↓"].contains { line.hasSuffix("\($0) \(word)") }
                    }
                    #expect(!isFlat || !isOne, "\(frame.text)")
                    for (line, next) in zip(lines, lines.dropFirst()) where next.contains("↓ ") {
                        let pane = line.prefix { $0 != "│" }.trimmingCharacters(in: .whitespaces)
                        let isHeading =
                            locale == "en_US" && !pane.isEmpty && pane == pane.uppercased()
                            && pane.contains { $0.isLetter }
                        #expect(!isHeading, "\(pane)\n\(frame.text)")
                    }
                }
            }
        }
    }

    @Test("rows above and below those in sight are counted, on screens that scroll without a list")
    func scrolled() {
        var state = SampleScreen.historyDetails.state(locale: "en_US", size: Screens.usual)
        state.forgetMessages()
        let details = SignedDetails(
            id: TransactionID(1_000_003), signed: "a.b.c", problem: nil,
            payload: (1...40).map { "line \($0)" })
        state.take([.transactionArrived(details, .account)], on: Screens.usual)
        var lines = Screens.draw(state, Screens.usual).lines
        #expect(lines.contains { $0.contains(/↓ \d\d more/) })
        #expect(!lines.contains { $0.contains("↑") })
        state.take([.selectionMoved(.pageDown)], on: Screens.usual)
        lines = Screens.draw(state, Screens.usual).lines
        #expect(lines.contains { $0.contains(/↓ \d+ more/) })
        #expect(lines.contains { $0.contains(/↑ \d+ more/) })
        state.take([.selectionMoved(.last)], on: Screens.usual)
        lines = Screens.draw(state, Screens.usual).lines
        #expect(lines.contains { $0.contains("line 40") } && !lines.contains { $0.contains("↓") })
    }

    // MARK: - Widths

    private static func text(_ screen: SampleScreen, _ columns: Int, _ rows: Int) -> String {
        let size = Size(columns: columns, rows: rows)
        var state = screen.state(locale: "en_US", size: size)
        state.forgetMessages()
        return Screens.draw(state, size).text
    }

    @Test("a larger window loses nothing that a smaller one shows")
    func nothingIsLost() {
        let facts = ["Bought  ", "Paid  ", "Transaction  ", "Type  ", "Content  ", "0:08 left"]
        for (columns, rows) in [(80, 24), (100, 40), (120, 40), (170, 40), (200, 50)] {
            let text = Self.text(.page, columns, rows)
            for fact in facts { #expect(text.contains(fact), "\(fact)\n\(text)") }
        }
        for (columns, rows) in [(170, 40), (200, 50)] {
            let text = Self.text(.list, columns, rows)
            #expect(text.contains("/month  ✓ your plan, renews Dec 21"), "\(text)")
            #expect(text.contains("/year   switch from Dec 21"), "\(text)")
        }
        #expect(Self.text(.list, 200, 50).contains("APPROVALS"))
    }

    @Test("an event gives up no columns to accounts that are shorter")
    func events() {
        let text = Self.text(.console, 120, 40)
        #expect(text.contains(/The Lighthouse, part two +1000003 +aoi/), "\(text)")
    }

    @Test("no text is wider than 76 columns in a window of 200", arguments: ["en_US", "ja_JP"])
    func textWidth(_ locale: String) {
        let size = Size(columns: 200, rows: 50)
        for screen in [SampleScreen.receipt, .historyDetails, .subscription] {
            var state = screen.state(locale: locale, size: size)
            state.forgetMessages()
            let measure = Screens.capabilities().measure
            for line in Screens.draw(state, size).lines.dropFirst().dropLast(2) {
                #expect(measure.measure(line).columns <= 77, "\(line)")
            }
        }
    }

    @Test("one focus is drawn: no button is filled", arguments: SampleScreen.allCases)
    func focus(_ screen: SampleScreen) {
        let frame = Screens.draw(
            screen.state(locale: "en_US", size: Screens.usual), Screens.usual)
        for row in 1..<frame.size.rows {
            #expect(!frame.row(row).contains { $0.style.weight.contains(.reverse) }, "\(row)")
        }
    }

    // MARK: - Zoom

    @Test("+ gives the pane with the focus the whole body, and _ gives it back")
    func zoom() {
        let size = Screens.large
        var state = SampleShop.full()
        state.forgetMessages()
        state.take([.resized], on: size)
        func hasDivider() -> Bool { Screens.draw(state, size).lines.contains { $0.contains("│") } }
        #expect(hasDivider())
        #expect(Screens.draw(state, size).lines[39].contains("+ zoom"))
        state.take([.zoomChosen(true)], on: size)
        #expect(!hasDivider() && state.focus == .list)
        #expect(Screens.draw(state, size).lines[39].contains("_ all panes"))
        state.take([.confirmed], on: size)
        #expect(!hasDivider() && state.focus == .page)
        state.take([.zoomChosen(false)], on: size)
        #expect(hasDivider() && state.focus == .page)
        state.take([.viewChosen(.history), .zoomChosen(true)], on: size)
        #expect(!hasDivider())

        // Where there is one pane, nothing is zoomed, also not after the window grows.
        state = SampleShop.full()
        state.take([.resized, .zoomChosen(true)], on: Screens.usual)
        #expect(!state.navigation.isZoomed)

        // The console's pane becomes the console's view.
        let wide = Size(columns: 200, rows: 50)
        state.take([.resized, .focusMoved(-1)], on: wide)
        #expect(state.focus == .console && state.navigation.view == .shop)
        state.take([.zoomChosen(true)], on: wide)
        #expect(state.navigation.view == .console && state.focus == .console)
    }
}
