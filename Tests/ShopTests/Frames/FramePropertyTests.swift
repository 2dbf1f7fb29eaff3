@testable import Shop
import ShopText
import StoreModel
import Terminal
import TestBasics
import Testing

/// Properties of every frame, in every state, for every catalog and size.
@Suite struct FramePropertyTests {
    @Test("every frame is valid in every state and size", arguments: 1...16)
    func everyFrameIsValid(_ seed: UInt64) {
        var simulation = ShopSimulation(
            seed: seed, names: seed.isMultiple(of: 3) ? [] : SampleShop.nastyNames)
        for number in 0..<80 {
            let size = Self.size(&simulation.chances)
            for _ in 0..<4 {
                simulation.viewport = Screens.viewport(size, in: simulation.state)
                _ = simulation.step()
            }
            simulation.viewport = Screens.viewport(size, in: simulation.state)
            simulation.take(.resized)
            let state = simulation.state
            let isASCII = simulation.chances.chance(30)
            let frame = Screens.draw(state, size, isASCII: isASCII)
            let troubles =
                Self.cells(frame, isASCII: isASCII) + Self.texts(frame, state, isASCII: isASCII)
            let mono = Screens.draw(state, size, isASCII: isASCII, colors: .mono)
            let isSame = mono.lines == frame.lines
            let isPure = Screens.draw(state, size, isASCII: isASCII) == frame
            guard troubles.isEmpty, isSame, isPure else {
                Issue.record(
                    """
                    seed \(seed), frame \(number), \(size.columns)x\(size.rows), \
                    \(state.shop.locale): \(troubles)\(isSame ? "" : ", colour says more")\
                    \(isPure ? "" : ", not pure")
                    \(frame.text)
                    """)
                return
            }
        }
    }

    /// A random size from one cell to 300 by 80; often one at which the layout changes.
    private static func size(_ chances: inout SplitMix64) -> Size {
        let edges = [
            Size(columns: 1, rows: 1), Size(columns: 39, rows: 12), Size(columns: 40, rows: 11),
            Size(columns: 40, rows: 12), Size(columns: 59, rows: 16), Size(columns: 60, rows: 16),
            Size(columns: 64, rows: 16), Size(columns: 80, rows: 24), Size(columns: 107, rows: 16),
            Size(columns: 108, rows: 16), Size(columns: 300, rows: 80),
        ]
        if chances.chance(60) { return chances.pick(edges) }
        return Size(
            columns: .random(in: 1...300, using: &chances),
            rows: .random(in: 1...80, using: &chances))
    }

    static func cells(_ frame: Frame, isASCII: Bool) -> [String] {
        var troubles: [String] = []
        for row in 0..<frame.size.rows {
            let cells = frame.row(row)
            if cells.reduce(0, { $0 + Int($1.width) }) != frame.size.columns {
                troubles.append("row \(row) is not as wide as the screen")
            }
            for cell in cells where !isHarmless(cell, isASCII: isASCII) {
                troubles.append("row \(row) holds \(cell.text.unicodeScalars.map(\.value))")
            }
            if !Layout(frame.size).isTooSmall, let last = cells.last, last.text != " " {
                troubles.append("row \(row) reaches the last column")
            }
        }
        if let cursor = frame.cursor, !Area(frame.size).contains(cursor) {
            troubles.append("the cursor is outside")
        }
        return troubles
    }

    private static func isHarmless(_ cell: Cell, isASCII: Bool) -> Bool {
        if cell.width == 0 { return cell.text.isEmpty }
        if isASCII, !cell.text.unicodeScalars.allSatisfy(\.isASCII) { return false }
        return !cell.text.isEmpty
            && cell.text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }

    private static func texts(_ frame: Frame, _ state: ShopState, isASCII: Bool) -> [String] {
        guard !Layout(frame.size).isTooSmall else { return [] }
        var troubles: [String] = []
        let lines = frame.lines
        let isJapanese = state.shop.locale == "ja_JP" && !isASCII
        let mode = state.focus
        if ![.help, .search, .palette, .logFilter, .addressLine, .redeemSheet, .failureSheet]
            .contains(mode),
            !lines[frame.size.rows - 1].hasSuffix(isJapanese ? "? ヘルプ" : "? help")
        {
            troubles.append("no way to the help")
        }
        if !lines[0].contains(state.shop.environment.rawValue.uppercased()) {
            troubles.append("the environment is not told")
        }
        let faults = state.faults.reduce(0) { $0 + ($1.remaining ?? 1) }
        if faults > 0, !lines[0].contains(isJapanese ? "障害設定 \(faults)" : "\(faults) failure") {
            troubles.append("faults in force are not told")
        }
        if let statusMessage = state.statusMessage, state.sheet == nil, mode != .help {
            let time = Screens.formatters.time(statusMessage.at)
            // A message of two rows begins one row higher, and its time with it.
            let rows = lines.suffix(6)
            if !rows.contains(where: { $0.contains(time.prefix(5)) }) {
                troubles.append("the news have no time")
            }
        }
        return troubles
    }

    /// The names beside them may be very long.
    @Test("the environment and the faults are always shown [D7]", arguments: StoreEnvironment.known)
    func theEnvironmentAndFaultsAreAlwaysShown(_ environment: StoreEnvironment) {
        let long = String(repeating: "A long name ", count: 20)
        for name in ["x", "Lantern", long] {
            for (columns, rows) in [(40, 12), (59, 20), (63, 24), (64, 24), (80, 24), (120, 40)] {
                for locale in ["en_US", "ja_JP", "ar_SA"] {
                    var state = SampleShop.full(locale: locale)
                    state.shop.appName = name
                    state.shop.account = AccountName(name)
                    state.shop.environment = environment
                    state.holdsLease = false
                    state.faults = [
                        Fault(id: 1, call: .purchase, error: .unknown, remaining: 12)
                    ]
                    let size = Size(columns: columns, rows: rows)
                    let line = Screens.draw(state, size).lines[0]
                    #expect(line.contains(environment.rawValue.uppercased()), "\(line)")
                    #expect(line.contains("12"), "\(line)")
                }
            }
        }
    }

    /// Every size at which a part of the log is visible.
    @Test(
        "the log can be scrolled to its oldest event",
        arguments: [(40, 12), (40, 14), (40, 20), (59, 20), (60, 16), (80, 24), (120, 40)])
    func theOldestEventCanBeReached(_ columns: Int, _ rows: Int) {
        let size = Size(columns: columns, rows: rows)
        for isAsking in [false, true] {
            var state = SampleShop.full()
            var settings = SampleShop.settings()
            settings.askToBuy = isAsking
            let events = (1...100).reversed().map { number in
                StoreEvent(
                    cursor: FeedCursor(epoch: 1, position: Int64(number)), at: SampleShop.now,
                    account: nil, device: nil,
                    change: .finished(TransactionID(Int64(5000 + number))))
            }
            state.take(
                [
                    .consoleToggled, .updateArrived(.event(.accountChanged(settings))),
                    .storeLog(events),
                    .selectionMoved(.last),
                ], on: size)
            let text = Screens.draw(state, size).text
            #expect(text.contains("5001"), "\(text)")
        }
    }

    // MARK: - Drawing is a function

    @Test("a frame does not depend on the frames drawn before it")
    func aFrameDoesNotDependOnEarlierFrames() {
        for seed in 100...104 as ClosedRange<UInt64> {
            var (often, seldom) = (ShopSimulation(seed: seed), ShopSimulation(seed: seed))
            for _ in 0..<100 {
                _ = often.step()
                _ = Screens.draw(often.state, Screens.usual)
                _ = seldom.step()
            }
            let frames = [often, seldom].map { Screens.draw($0.state, Screens.usual) }
            // The texts first, because their failure shows how they differ; that of cells does not.
            #expect(frames[0].text == frames[1].text, "seed \(seed)")
            #expect(frames[0] == frames[1], "seed \(seed)")
        }
    }

    /// Both buttons are drawn whole, and not over the footer.
    @Test(
        "the payment sheet's buttons are complete for every price",
        arguments: ["en_US", "ja_JP", "de_DE", "ar_SA"])
    func theSheetsButtonsAreWholeWhateverThePrice(_ locale: String) {
        for price in [0, 990, 120_000_000, 9_999_999_990] as [Int64] {
            for (columns, rows) in [(40, 12), (40, 16), (59, 12), (60, 16), (80, 24), (120, 40)] {
                for isASCII in [false, true] {
                    let size = Size(columns: columns, rows: rows)
                    let frame = Screens.draw(
                        Self.asking(locale, price, size), size, isASCII: isASCII)
                    let comment = Comment(rawValue: "\(price) \(size) \(isASCII)\n\(frame.text)")
                    let text = Self.sheet(frame)
                    #expect(text.filter { $0 == "[" }.count == 2, comment)
                    #expect(text.filter { $0 == "]" }.count == 2, comment)
                    let footer = frame.lines[size.rows - 1]
                    #expect(!footer.contains("[") && !footer.contains("]"), comment)
                }
            }
        }
    }

    /// The text below the upper edge of the sheet.
    private static func sheet(_ frame: Frame) -> String {
        let lines = frame.lines.dropLast()
        let edge = lines.lastIndex { $0.contains("──────────") || $0.contains("----------") }
        return lines[(edge ?? 0)...].joined(separator: "\n")
    }

    private static func asking(_ locale: String, _ price: Int64, _ size: Size) -> ShopState {
        var response = SampleShop.response(locale: locale)
        for index in response.products.indices {
            let currency = response.products[index].price.currency
            response.products[index].price = Money(milliunits: price, currency: currency)
        }
        var state = SampleShop.empty(locale: locale, response: response)
        var settings = SampleShop.settings(locale: locale)
        settings.askToBuy = true
        let fault = Fault(id: 1, call: .purchase, error: .purchaseNotAllowed, remaining: 1)
        let coins = state.productList.row(of: "coins.100") ?? 0
        state.take(
            [
                ShopAction.updateArrived(.event(.accountChanged(settings))),
                .updateArrived(.event(.faultSet(fault))),
                .list(.pointed(row: coins)),
                .buyChosen, .paymentSheet(.quantityChanged(9)),
            ], on: size)
        return state
    }

    @Test("a click on a row acts on the product drawn there")
    func clicksMeanWhatIsDrawnThere() throws {
        let state = SampleShop.full()
        let drawing = ShopDrawing(
            state, size: Screens.usual, capabilities: Screens.capabilities(),
            formatters: Screens.formatters)
        for (row, line) in drawing.frame.lines.enumerated() {
            guard let action = drawing.action(at: Position(column: 10, row: row)) else { continue }
            // The header, the last row of the list and the footer are not rows of products.
            if line.contains("↓ ") || row == 0 || row == 23 { continue }
            guard case .component(let click) = action,
                case .pointed(row: let number)? = click as? ListAction
            else {
                Issue.record("row \(row) means \(action)")
                continue
            }
            let name = state.productList.product(at: number)?.displayName ?? "Restore purchases"
            #expect(line.contains(name), "row \(row)")
        }
    }
}
