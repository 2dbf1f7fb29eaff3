import ShopCore
import ShopText
import StoreModel
import Terminal

/// The list of products.
enum ListView: ComponentView {
    static let helpTitle: ScreenText? = .helpShop

    static let keys: [KeyBinding] =
        [
            KeyBinding(
                "Enter", [.enter, .right, .character("l")], .confirmed,
                isUseful: { $0.opening == .open || !KeyBinding.isOnRestore($0) }
            ) { state in
                KeyBinding.isOnRestore(state) ? .keyRestore : .keyOpen
            },
            .buy, .toggleDownload, .cancelDownload, .restore,
            KeyBinding(
                "/", [.character("/")], .list(.searchOpened),
                isUseful: { !$0.productList.products.isEmpty }
            ) { _ in .keySearch },
            .palette, .openConsole, .quit, .deleteContent, .pointer,
            KeyBinding(
                "Tab", [.tab], .selectionMoved(.down), isUseful: { _ in false }
            ) { _ in .keyNext },
            KeyBinding(
                "Shift-Tab", [.backTab], .selectionMoved(.up), isUseful: { _ in false }
            ) { _ in .keyPrevious },
            KeyBinding(
                "Esc", [.escape], .wentBack, isUseful: { $0.list.search != nil }
            ) { _ in .keyClearSearch },
        ] + KeyBinding.moves() + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawList() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        Scrolling(rows: listRows(canvas))
    }

    /// The rows of the list itself.
    static func listRows(_ canvas: Canvas) -> Int {
        canvas.layout.list.rows - rowsAbove(canvas.state)
    }

    /// The rows above the list: the search, and the note that payments are off.
    static func rowsAbove(_ state: ShopState) -> Int {
        (state.list.search == nil ? 0 : 1) + (state.canMakePayments ? 0 : 1)
    }
}

/// The line that a search is typed into.
enum SearchView: ComponentView {
    static let helpTitle: ScreenText? = .helpSearch

    static let keys: [KeyBinding] = [
        KeyBinding("Enter", [.enter], .confirmed) { _ in .keyKeepSearch },
        KeyBinding("Esc", [.escape], .wentBack) { _ in .keyClearSearch },
        KeyBinding("↑↓", [.up], .selectionMoved(.up)) { _ in .keyMove },
        KeyBinding("↓", [.down], .selectionMoved(.down), isUseful: { _ in false }) { _ in
            .keyDown
        },
    ]

    /// The list draws it.
    static func draw(on canvas: inout Canvas) {}

    static func scrolling(on canvas: Canvas) -> Scrolling { ListView.scrolling(on: canvas) }

    static func typed(_ text: String) -> ShopAction? { .list(.searchTyped(text)) }
    static var erased: ShopAction? { .list(.searchErased) }
}

/// The columns of the list: names on the left, prices aligned on their right edge, and the status
/// in a column of fixed width at the end.
struct ListGrid {
    let marker: Int
    let name: Int
    let nameEnd: Int
    let priceEnd: Int
    let period: Int
    /// The column where the status begins.
    let state: Int
    let end: Int

    init(area: Area, isCompact: Bool, priceColumns: Int, hasPeriods: Bool) {
        end = area.column + area.columns
        let stateColumns =
            switch area.columns {
            case ..<60: 10
            case ..<76: 20
            default: 30
            }
        let periodColumns = !hasPeriods ? 0 : isCompact ? 3 : 7
        marker = area.column + (isCompact ? 0 : 1)
        name = marker + (isCompact ? 1 : 2)
        state = end - stateColumns
        period = state - 1 - periodColumns
        priceEnd = period - (isCompact || !hasPeriods ? 0 : 1)
        nameEnd = priceEnd - priceColumns - 1
    }

    var stateColumns: Int { end - state }
}

extension Canvas {
    mutating func drawList() {
        var area = layout.list
        if !state.canMakePayments {
            put(
                wording[.paymentsAreOff], layout.isCompact ? 0 : 1, area.row, theme.bad,
                before: area.columns)
        }
        if state.list.search != nil { drawSearch(area.row + (state.canMakePayments ? 0 : 1)) }
        let above = ListView.rowsAbove(state)
        area = Area(
            column: area.column, row: area.row + above, columns: area.columns,
            rows: area.rows - above)
        guard state.areProductsKnown else {
            put(wording[.loadingProducts] + glyphs.underWay, 3, area.row + 1, theme.quiet)
            return
        }
        if let reason = emptyReason {
            put(reason, layout.isCompact ? 1 : 3, area.row, theme.quiet)
            area = Area(
                column: area.column, row: area.row + 2, columns: area.columns, rows: area.rows - 2)
        }
        let shown = visibleRows(area)
        let grid = grid(area, shown)
        for (offset, row) in shown.enumerated() {
            draw(state.productList.rows[row], number: row, at: area.row + offset, grid)
        }
        drawMore(after: shown, in: area)
    }

    /// Draws how many products follow, in the empty row below the list.
    private mutating func drawMore(after shown: Range<Int>, in area: Area) {
        let count = state.productList.productCount(fromRow: shown.upperBound)
        guard count > 0, state.sheet == nil else { return }
        putRight(
            glyphs.down + " " + wording[.moreProducts(count)], before: area.column + area.columns,
            layout.messageRow - 1, theme.quiet, from: area.column + 1)
    }

    /// Why the list is empty; nil if it is not.
    private var emptyReason: String? {
        guard state.productList.shownCount == 0 else { return nil }
        return wording[state.list.search == nil ? .nothingForSale : .noProductFound]
    }

    /// The rows to draw. With a payment sheet open, the selected product stays visible above it.
    private func visibleRows(_ area: Area) -> Range<Int> {
        var count = area.rows
        if let top = paymentTop { count = max(1, min(count, top - area.row)) }
        let first = state.firstVisibleRow(of: count)
        return first..<min(state.productList.rows.count, first + max(0, count))
    }

    /// The columns of the list. The price column is as wide as the widest price: of all products if
    /// they are at most 100, so that it does not move while the list scrolls.
    private func grid(_ area: Area, _ shown: Range<Int>) -> ListGrid {
        let all = state.productList.products.count <= 100
        let products =
            all
            ? state.productList.products : shown.compactMap { state.productList.product(at: $0) }
        let widest = products.map { columns(wording.price($0)) }.max() ?? 0
        let least = layout.isCompact ? 5 : 8
        return ListGrid(
            area: area, isCompact: layout.isCompact,
            priceColumns: min(max(least, widest), area.columns / 3),
            hasPeriods: products.contains { $0.subscription != nil })
    }

    private mutating func drawSearch(_ row: Int) {
        guard let search = state.list.search else { return }
        let at = put("/" + search.text, layout.isCompact ? 0 : 1, row, theme.strong)
        let counts = "\(state.productList.shownCount)/\(state.productList.products.count)"
        if state.list.searchIndex == nil, !search.text.isEmpty {
            put(glyphs.underWay, at + 2, row, theme.quiet)
        } else {
            put(counts, at + 3, row, theme.quiet)
        }
        if search.isTyping {
            frame.cursor = Position(column: min(at, layout.columns - 1), row: row)
            frame.isCursorVisible = true
        }
    }

    // MARK: - Rows

    private mutating func draw(_ row: ProductList.Row, number: Int, at line: Int, _ grid: ListGrid)
    {
        switch row {
        case .gap: break
        case .heading(let section): drawHeading(section, at: line, grid)
        case .restore: drawRestore(number, at: line, grid)
        case .product(let index):
            drawProduct(state.productList.products[index], number, at: line, grid)
        }
        guard row.isSelectable else { return }
        targets.append(
            Target(
                area: Area(
                    column: grid.marker, row: line, columns: grid.end - grid.marker, rows: 1),
                action: .list(.pointed(row: number))))
    }

    private mutating func drawHeading(_ section: Int, at line: Int, _ grid: ListGrid) {
        let name = state.productList.sections[section].uppercased()
        put(name, grid.marker, line, theme.quiet.bold, before: grid.state)
        if let note = headingNote(section) {
            put(note, grid.state, line, theme.quiet, before: grid.end)
        }
    }

    /// A note about the whole section: the balance of its purse, or that one plan can be active at
    /// a time.
    private func headingNote(_ section: Int) -> String? {
        let first = state.productList.firstProduct(ofSection: section)
        if let unit = first?.grant?.unit {
            let balance = state.snapshot.balances.first { $0.unit == unit }
            return balance.map(wording.balance)
        }
        return first?.subscription == nil ? nil : wording[.choosePlan]
    }

    private mutating func drawRestore(_ number: Int, at line: Int, _ grid: ListGrid) {
        let isSelected = drawMarker(number, at: line, grid)
        let text = "[ \(wording[.restorePurchases]) ]"
        put(
            text, grid.name, line, isSelected ? theme.chosenButton : theme.quiet,
            before: grid.end)
        if state.isRestoring {
            put(
                glyphs.underWay + " " + wording[.restoring], grid.state, line,
                theme.waiting, before: grid.end)
        }
    }

    /// Draws the marker if the row is selected. Returns whether it is.
    private mutating func drawMarker(_ number: Int, at line: Int, _ grid: ListGrid) -> Bool {
        let isSelected = number == state.list.selectedRow
        guard isSelected else { return false }
        put(glyphs.marker, grid.marker, line, theme.accent)
        if state.list.search?.isTyping != true, state.sheet == nil {
            frame.cursor = Position(column: grid.name, row: line)
        }
        return true
    }

    private mutating func drawProduct(
        _ product: Product, _ number: Int, at line: Int, _ grid: ListGrid
    ) {
        let isSelected = drawMarker(number, at: line, grid)
        let weight = isSelected ? theme.strong : theme.plain
        frame.put(
            measure.fitMiddle(product.displayName, columns: grid.nameEnd - grid.name),
            column: grid.name, row: line, style: weight, before: grid.nameEnd)
        putRight(
            wording.price(product), before: grid.priceEnd, line, weight, from: grid.name)
        if let period = product.subscription?.period {
            let room = grid.state - 1 - grid.period
            let text = choose(
                [strings.perPeriod(period), strings.perPeriodShort(period)], columns: room)
            putRight(
                text, before: grid.period + (layout.isCompact ? room : columns(text)), line,
                theme.quiet, from: grid.period)
        }
        drawStatus(state.status(of: product), grid.state, line, before: grid.end)
    }

    /// Draws a status up to `end`: a bar with numbers for a download, otherwise the longest wording
    /// that fits.
    mutating func drawStatus(_ status: ProductStatus, _ column: Int, _ row: Int, before end: Int) {
        let room = end - column
        if case .downloading(let download) = status {
            drawProgress(download, column, row, before: end)
            return
        }
        let text = choose(wording.status(status), columns: room)
        put(text, column, row, style(status), before: end)
    }

    private func style(_ status: ProductStatus) -> Style {
        switch status {
        case .buyable: state.canMakePayments ? .plain : theme.quiet
        case .purchasing, .waitingForApproval, .paused: theme.waiting
        case .failed, .downloadFailed: theme.bad
        case .owned, .current, .timed, .notDownloaded: theme.good
        case .downloading: theme.bar
        case .ownedElsewhere, .groupTaken, .ownServer: theme.quiet
        }
    }

    /// "████████▌        54%   0:07", in fields of fixed width, so that a number that changes moves
    /// no other.
    private mutating func drawProgress(
        _ download: ProductDownload, _ column: Int, _ row: Int, before end: Int
    ) {
        let room = end - column
        guard download.received > 0 else {
            let isWaiting = download.state == .waiting
            let text = choose(
                isWaiting
                    ? [wording[.waitingToDownload], wording[.waiting]]
                    : [wording[.downloading]],
                columns: room - 2)
            put(glyphs.underWay + " " + text, column, row, theme.bar, before: end)
            return
        }
        let percent = Measures.percent(download.progress)
        let hasTime = room >= 26
        let barColumns = room - 5 - (hasTime ? 7 : 0)
        put(glyphs.bar(download.progress, columns: barColumns), column, row, theme.bar)
        putRight(percent, before: column + barColumns + 5, row)
        if hasTime, let seconds = download.secondsRemaining {
            putRight(Measures.clock(seconds: seconds), before: end, row, theme.quiet)
        }
    }
}

extension Style {
    var bold: Style { Style(color: color, weight: weight.union(.bold)) }
}
