import Foundation
@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// Clicks on hints and on shortened names.
@Suite struct ClickTests {
    private static func drawing(
        _ state: ShopState, _ size: Size, isASCII: Bool = false
    ) -> ShopDrawing {
        ShopDrawing(
            state, size: size, capabilities: Screens.capabilities(isASCII: isASCII),
            formatters: Screens.formatters)
    }

    /// The text by which actions are compared.
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
            for binding in state.focus.type.keys
            where !binding.label.isEmpty && binding.isUseful(state) {
                let hint = "\(binding.label) \(strings[binding.title(state)])"
                guard let found = footer.range(of: hint) else { continue }
                let first = footer.distance(from: footer.startIndex, to: found.lowerBound)
                for column in first..<(first + hint.count) {
                    let click = PointerEvent.clicked(Position(column: column, row: row))
                    let action = KeyMap.action(for: click, on: drawing)
                    // "? help" opens the help. A hint without keys only names keys and has no
                    // action.
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

    @Test(
        "a click on a note of the console selects it, and a selected one is always in sight",
        arguments: [Screens.smallest, Screens.usual, Screens.large])
    func notes(_ size: Size) throws {
        var state = SampleScreen.console.state(locale: "en_US", size: size)
        let notices = (0..<9).map {
            AccountNotice(kind: .device, subject: "device\($0)", accounts: ["aoi", "kai", "nia"])
        }
        let arrived = ShopAction.console(.accountsArrived(Family(organizer: "aoi"), notices))
        var actions = [arrived, .selectionMoved(.first)]
        for number in 0..<9 {
            state.take(actions + [.selectionMoved(.down)], on: size)
            actions = []
            let drawing = Self.drawing(state, size)
            let line = try #require(
                drawing.frame.lines.firstIndex {
                    $0.contains("▌") && $0.contains("device\(number)")
                }, "\(drawing.frame.text)")
            let column = size.columns < 60 ? 3 : 5
            #expect(
                Self.name(drawing.action(at: Position(column: column, row: line)))
                    == Self.name(.console(.pointed(.notes, row: number + 1))))
        }
    }

    @Test("a long name in the header is cut at its end; what must be seen stays")
    func headerNames() {
        for (isASCII, sign) in [(false, "…"), (true, "...")] {
            for columns in [40, 90, 120] {
                var state = SampleShop.full()
                state.shop.appName = "The Wonderful Lantern Shop of Skerrow Harbour"
                let size = Size(columns: columns, rows: 24)
                let header = Self.drawing(state, size, isASCII: isASCII).frame.lines[0]
                #expect(header.drop { $0 == " " }.hasPrefix("The Won"), "\(header)")
                #expect(header.contains(sign), "\(header)")
                #expect(header.contains("SANDBOX"), "\(header)")
            }
        }
        var short = SampleShop.full()
        short.shop.appName = "Lantern"
        let header = Self.drawing(short, Screens.usual).frame.lines[0]
        #expect(header.contains("Lantern ") && !header.contains("…"))
    }

    @Test("the numbered views stay in the header when failures are set and the device is offline")
    func headerViews() {
        for (columns, hasFault, isOffline, wanted) in [
            (80, false, false, ["Lantern", "1 Shop  2 Library", "3 History  4 Console"]),
            (80, true, false, ["1 Shop  2 Library", "3 History  4 Console", "1 failure set"]),
            (80, true, true, ["1 Shop  2  3  4", "OFFLINE", "1 failure set", "SANDBOX"]),
            (100, true, false, ["Lantern", "3 History  4 Console", "1 failure set"]),
            (40, false, false, ["1 Shop 2 3 4", "SANDBOX"]),
            (40, true, false, ["1 Shop", "1 failure set", "SANDBOX"]),
            (40, true, true, ["1 ", "OFFLINE", "1 failure set", "SANDBOX"]),
        ] as [(Int, Bool, Bool, [String])] {
            var state = SampleShop.full()
            state.snapshot.whyOffline = isOffline ? .networkIsOff : nil
            if hasFault {
                state.faults = [Fault(id: 1, call: .purchase, error: .networkError, remaining: 1)]
            }
            let size = Size(columns: columns, rows: columns == 40 ? 12 : 24)
            let drawing = Self.drawing(state, size)
            let header = drawing.frame.lines[0]
            for text in wanted { #expect(header.contains(text), "\(header)") }
            let chosen = (0..<columns).compactMap {
                drawing.action(at: Position(column: $0, row: 0))
            }
            #expect(chosen.contains { Self.name($0) == Self.name(.viewChosen(.shop)) })
        }
    }

    @Test("modes that change purchases are counted in the header, unless an audience sees it")
    func headerModes() {
        for (columns, hasFault, wanted) in [
            (40, false, ["2 modes set", "SANDBOX"]), (80, false, ["1 Shop  2", "2 modes set"]),
            (120, true, ["1 failure set", "2 modes set", "4 Console"]),
        ] {
            var state = SampleShop.full()
            state.settings?.askToBuy = true
            state.settings?.interruptsPurchases = true
            state.console.settings = state.settings
            if hasFault {
                state.faults = [Fault(id: 1, call: .purchase, error: .networkError, remaining: 1)]
            }
            let size = Size(columns: columns, rows: columns == 40 ? 12 : 24)
            let header = Self.drawing(state, size).frame.lines[0]
            for text in wanted { #expect(header.contains(text), "\(header)") }
            state.shop.isPresenting = true
            #expect(!Self.drawing(state, size).frame.lines[0].contains("mode"))
        }
    }

    @Test("a slow network stands in the header of who sees the console, and in the console [C9]")
    func slowNetwork() {
        var state = SampleShop.full()
        state.snapshot.networkDelay = 3_000
        #expect(Self.drawing(state, Screens.usual).frame.lines[0].contains(" SLOW "))
        state.navigation.show(.console)
        #expect(
            Self.drawing(state, Screens.usual).frame.lines.contains { $0.contains("z Slow: on") })
        state.navigation.show(.shop)
        state.shop.isPresenting = true
        #expect(!Self.drawing(state, Screens.usual).frame.lines[0].contains("SLOW"))
    }

    @Test("a click on the price of the selected row opens the payment sheet, on another selects it")
    func priceButton() throws {
        var state = SampleShop.empty()
        let row = try #require(state.productList.row(of: "book.one"))
        state.list.selectedRow = row
        let drawing = Self.drawing(state, Screens.usual)
        let lines = drawing.frame.lines
        let line = try #require(lines.firstIndex { $0.contains("[ $") })
        let start = try #require(lines[line].range(of: "[ $"))
        let column = lines[line].distance(from: lines[line].startIndex, to: start.lowerBound)
        for offset in [0, 4, 8] {
            let action = drawing.action(at: Position(column: column + offset, row: line))
            #expect(Self.name(action) == Self.name(.buyChosen), "\(offset)")
        }
        for (at, number) in [
            (Position(column: 4, row: line), row), (Position(column: column + 9, row: line), row),
            (Position(column: column + 4, row: line + 1), row + 1),
        ] {
            let action = drawing.action(at: at)
            #expect(Self.name(action) == Self.name(.list(.pointed(row: number))), "\(at)")
        }
    }

    @Test("the welcome stands on the list only: elsewhere its keys do something else")
    func welcome() {
        func text(_ actions: [ShopAction]) -> String {
            var state = SampleShop.empty()
            state.take(actions, on: Screens.usual)
            return Self.drawing(state, Screens.usual).frame.text
        }
        #expect(text([]).contains("Welcome."))
        for actions in [[.confirmed], [.buyChosen], [.palette(.opened)], [.searchOpened]]
            as [[ShopAction]]
        {
            #expect(!text(actions).contains("Welcome."), "\(actions)")
        }
    }

    @Test("an audience sees on the customer's screens no message of what the operator did")
    func presenting() {
        let failing = OperatorAction.failNext(.purchase, error: .paymentDeclined, count: 1)
        for (what, isSeen) in [
            (.performed(OperatorOutcome(action: failing, events: [])), false),
            (.performed(OperatorOutcome(action: .clearFaults, events: [])), false),
            (.catalogRevised, true),
        ] as [(StatusText, Bool)] {
            for isPresenting in [false, true] {
                var state = SampleShop.full()
                state.shop.isPresenting = isPresenting
                let message = StatusMessage(at: SampleShop.now, what: what, fadesAt: .seconds(9))
                state.statusMessage = message
                #expect(state.shownMessage == (isSeen || !isPresenting ? message : nil))
                let rows = Self.drawing(state, Screens.usual).frame.text
                state.statusMessage = nil
                let without = Self.drawing(state, Screens.usual).frame.text
                #expect((rows != without) == (isSeen || !isPresenting))
            }
        }
        // Nor does the header count the failures that the operator has set.
        var state = SampleShop.full()
        state.faults = [Fault(id: 1, call: .purchase, error: .networkError, remaining: 1)]
        for isPresenting in [false, true] {
            state.shop.isPresenting = isPresenting
            let header = Self.drawing(state, Screens.usual).frame.lines[0]
            #expect(header.contains("1 failure set") == !isPresenting)
        }
    }

    @Test(
        "from 100 columns the page stands beside the list; the console where both are whole, too")
    func widths() {
        for (columns, rows, panes) in [
            (99, 24, 1), (100, 24, 2), (100, 15, 1), (192, 24, 2), (193, 24, 3), (193, 23, 2),
        ] {
            #expect(Layout(Size(columns: columns, rows: rows)).panes == panes, "\(columns)x\(rows)")
        }
        for columns in 40...260 {
            for hasConsole in [false, true] {
                let size = Size(columns: columns, rows: 50)
                let layout = Layout(size, hasConsole: hasConsole)
                #expect(layout.page.columns <= 76, "\(columns)")
                #expect(Layout(size, isZoomed: true).panes == 1)
                guard layout.panes == 3 else { continue }
                #expect(layout.list.columns == Layout.rowColumnsMax, "\(columns)")
                #expect(layout.page.columns >= 50 && layout.console.columns >= 58, "\(columns)")
            }
        }
    }

    @Test("the page of a product that payments off keep from being bought says why")
    func paymentsOff() {
        var state = SampleShop.empty()
        state.settings?.canMakePayments = false
        state.purchasing.failures["theme.contrast"] = StoreError(.paymentDeclined)
        for product in ["book.one", "theme.contrast"] as [ProductID] {
            state.list.selectedRow = state.productList.row(of: product) ?? 0
            var page = state
            _ = page.reduce(
                .confirmed,
                ShopMoment(
                    now: SampleShop.now, paymentID: SampleShop.payment(0),
                    viewport: Screens.viewport(Screens.usual, in: state)))
            let text = Self.drawing(page, Screens.usual).frame.text
            #expect(page.screen == .product(product))
            #expect(text.contains("Payments are off."), "\(text)")
        }
    }

    @Test("the message about a stopped or moved clock is written as its locale writes times")
    func clocks() {
        let later = SampleShop.now.advanced(byMilliseconds: 32 * 86_400_000)
        let stopped = StatusText.clockSet(
            .stopped(at: later), before: nil, now: SampleShop.now)
        let moved = StatusText.clockSet(
            .stopped(at: later), before: .stopped(at: SampleShop.now), now: later)
        for (locale, message, text) in [
            ("en_US", stopped, "The store's clock is stopped at Dec 23, 14:02:11."),
            ("en_US", moved, "The store's clock moved 32 days ahead to Dec 23, 14:02:11."),
            ("de_DE", stopped, "The store's clock is stopped at 23. Dec, 14:02:11."),
            ("ja_JP", stopped, "ストアの時計は12月23日 14:02:11で停止しています。"),
            ("ja_JP", moved, "ストアの時計: 32日間進んで12月23日 14:02:11"),
        ] as [(String, StatusText, String)] {
            var state = SampleShop.full(locale: locale)
            state.take([.resized])
            state.statusMessage = StatusMessage(
                at: SampleShop.now, what: message, fadesAt: .seconds(9), replaced: 0)
            let lines = Self.drawing(state, Screens.large).frame.lines
            #expect(lines.contains { $0.contains(text) }, "\(locale): \(lines)")
        }
    }

    @Test(
        "a click on a button of the page beside the list presses it, and no button moves for the focus"
    )
    func pageBesideList() throws {
        let size = Screens.large
        var state = SampleScreen.list.state(locale: "en_US", size: size)
        let before = Self.drawing(state, size)
        let row = try #require(
            before.frame.lines.firstIndex { $0.contains("[ Pause ]") && $0.contains("[ Receipt ]") }
        )
        let line = before.frame.lines[row]
        let found = try #require(line.range(of: "[ Receipt ]"))
        let column = line.distance(from: line.startIndex, to: found.lowerBound) + 3
        let click = PointerEvent.clicked(Position(column: column, row: row))
        let action = try #require(KeyMap.action(for: click, on: before))
        let moment = ShopMoment(
            now: state.now, paymentID: SampleShop.payment(1), viewport: before.viewport)
        var focused = state
        _ = focused.reduce(.focusMoved(1), moment)
        #expect(focused.focus == .page)
        let labels = Self.drawing(focused, size).frame.lines[row].replacing("▌", with: " ")
        #expect(labels == line)
        _ = state.reduce(action, moment)
        #expect(state.screen == .receipt)
    }
}
