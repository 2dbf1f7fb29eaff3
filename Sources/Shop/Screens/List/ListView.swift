import ShopText
import StoreModel
import Terminal

extension ListScreen: ComponentView {
    static let helpTitle: KeyText? = .helpShop
    static let endsInRowCount = true

    static let keys: [KeyBinding] =
        [
            KeyBinding(
                "Enter", [.enter], names: [.right], .confirmed,
                isUseful: {
                    $0.areProductsKnown && $0.opening == .open || !KeyBinding.isOnRestore($0)
                }
            ) { state in
                KeyBinding.isOnRestore(state)
                    ? .keyRestore : state.selectedProduct == nil ? .keyClearSearch : .keyOpen
            },
            .continueHeld, .networkOn, .unzoom, .buy, .subscription, .toggleDownload,
            .cancelDownload, .restore,
            KeyBinding(
                .search, .searchOpened, .keySearch, isUseful: { !$0.productList.products.isEmpty }),
            .palette, .openConsole, .quit, .deleteContent, .dropHeld,
            .redeem, .signIn, .sort, .zoom, .pointer,
            .next, .previous,
            KeyBinding(
                "Esc", [.escape], .wentBack, isUseful: { $0.list.search != nil }
            ) { _ in .keyClearSearch },
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawList() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        Scrolling(rows: listRows(canvas))
    }

    static func listRows(_ canvas: Canvas) -> Int {
        canvas.layout.list.rows - rowsAbove(canvas.state)
    }

    /// The age of the products while offline, the note that payments are off, the search, and the
    /// heading of the columns.
    static func rowsAbove(_ state: ShopState) -> Int {
        (state.list.search == nil ? 0 : 1) + notesAbove(state) + (state.list.sort == nil ? 0 : 1)
    }

    /// The number of rows above the search.
    fileprivate static func notesAbove(_ state: ShopState) -> Int {
        (state.productsAsOf == nil ? 0 : 1) + (state.canMakePayments ? 0 : 1)
    }
}

extension SearchLine: ComponentView {
    static let helpTitle: KeyText? = .helpSearch

    static let keys = KeyBinding.whileFiltering

    /// The list draws the line of the search.
    static func draw(on canvas: inout Canvas) {}

    static func scrolling(on canvas: Canvas) -> Scrolling { ListScreen.scrolling(on: canvas) }

    static func typed(_ text: String) -> ShopAction? { .list(.searchTyped(text)) }
    static var erased: ShopAction? { .list(.searchErased) }
}

extension Canvas {
    fileprivate mutating func drawList() {
        var area = layout.list
        if let asOf = state.productsAsOf {
            put(
                strings[.offlineAsOf(strings.instant(asOf))], layout.margin, area.row,
                theme.waiting,
                before: area.columns)
        }
        let notes = ListScreen.notesAbove(state)
        if !state.canMakePayments {
            put(
                strings[.paymentsAreOff], layout.margin, area.row + notes - 1, theme.bad,
                before: area.columns)
        }
        if state.list.search != nil { drawSearch(area.row + notes) }
        let above = ListScreen.rowsAbove(state)
        area.row += above
        area.rows -= above
        guard state.areProductsKnown else {
            let text =
                state.loading.failure == nil
                ? strings[.loadingProducts] + glyphs.underWay
                : strings[.productsNotLoaded(key: strings.key(.shop))]
            put(text, 3, area.row + 1, theme.quiet)
            return
        }
        if let reason = emptyReason {
            let start = layout.isCompact ? 1 : 3
            let width = min(area.columns, Layout.rowColumnsMax) - start
            let lines = measure.wrap(reason, columns: width).prefix(max(1, area.rows - 3))
            for (offset, line) in lines.enumerated() {
                put(line.text, start, area.row + offset, theme.quiet)
            }
            let used = lines.count + 1
            area.row += used
            area.rows -= used
        }
        // With a sheet open, the selected product stays visible above the sheet.
        let window = state.listWindow(
            room: min(area.rows, (sheetTop ?? .max) - area.row), isMarked: state.sheet == nil)
        let grid = grid(area, window.shown)
        if let sort = state.list.sort {
            drawColumns(
                [(.name, grid.name), (.price, grid.nameEnd + 1)], sorted: sort, area.row - 1,
                before: grid.end)
        }
        area.columns = min(area.columns, Layout.rowColumnsMax)
        let (rows, margin) = (state.productList.rows, layout.margin)
        let room = area.columns - margin
        drawRows(
            window, in: area, hasFocus: hasFocus, indent: margin,
            isHeading: { if case .heading = rows[$0] { true } else { false } },
            words: { $0.hiddenProducts($1, columns: room) }
        ) { canvas, number, row in
            canvas.draw(rows[number], number: number, at: row, grid)
        }
        drawSelection()
    }

    /// How many products are hidden; below the rows in sight also which, and their place in all, or
    /// the button that alone is hidden.
    private func hiddenProducts(_ rows: Range<Int>, columns room: Int) -> String {
        let list = state.productList
        let rest = list.productCount(fromRow: rows.lowerBound)
        let count = rest - list.productCount(fromRow: rows.upperBound)
        guard rows.upperBound == list.rows.count else {
            return count > 0 ? strings[.more(count)] : ""
        }
        guard count > 0 else {
            return strings[list.rows.last == .endSearch ? .endSearch : .restorePurchases]
        }
        let names = list.names(fromRow: rows.lowerBound, atMost: 8)
            .joined(separator: strings[.listSeparator])
        let position = strings[.position(list.shownCount - rest, of: list.shownCount)]
        let left = max(0, room - columns(position) - 4)
        let text = measure.fit(strings[.moreProducts(rest, names: names)], columns: left)
        return text.text + String(repeating: " ", count: left - text.columns + 2) + position
    }

    /// The columns in which the rows of the products fit unabridged. Of very many products only
    /// those in sight are measured, so theirs are not known.
    var listColumns: Int {
        let products = state.productList.products
        guard products.count <= Self.measuredMax else { return Layout.rowColumnsMax }
        let widest = widest(products)
        return ListGrid.columns(names: widest.names, prices: widest.prices, periods: widest.periods)
    }

    private static let measuredMax = 100

    /// The columns of the widest name, price and period.
    private func widest(_ products: [Product]) -> (names: Int, prices: Int, periods: Int) {
        var (names, prices, periods) = (0, 0, 0)
        for product in products {
            names = max(names, columns(name(of: product)))
            prices = max(prices, columns(strings.price(of: product)))
            if let period = period(of: product) { periods = max(periods, columns(period)) }
        }
        return (names, prices, periods)
    }

    /// The selected product's description and kind.
    private mutating func drawSelection() {
        guard layout.panes == 1, let row = layout.selectionRow, state.sheet == nil,
            state.screen == .list, let product = state.selectedProduct
        else { return }
        let end = min(layout.columns, Layout.rowColumnsMax)
        let type = strings.type(product)
        let start = putRight(type, before: end, row, theme.quiet, from: 3)
        let line = product.description.split(whereSeparator: \.isNewline).first.map(String.init)
        if let line, start > 20 { put(line, 3, row, theme.quiet, before: start - 2) }
    }

    /// Nil if the list is not empty.
    private var emptyReason: String? {
        guard state.productList.shownCount == 0 else { return nil }
        guard state.list.search == nil else {
            let nearest = state.list.nearest.map { strings[.nearestIdentifier($0.rawValue)] }
            return strings[.noProductFound]
                + (nearest.map { strings.language.sentenceGap + $0 } ?? "")
        }
        guard let first = state.productList.soldIn.first, let settings = state.settings else {
            return strings[.nothingForSale]
        }
        let elsewhere = strings.soldElsewhere(
            than: settings.territory, in: state.productList.soldIn)
        guard state.showsCodes else { return elsewhere }
        return elsewhere + strings.language.sentenceGap + strings[.moveToTerritory(code: first)]
    }

    /// The columns of the list. With at most 100 products they are fitted to all products, so that
    /// columns do not move while the list scrolls; otherwise to the products in sight.
    private func grid(_ area: Area, _ shown: Range<Int>) -> ListGrid {
        let all = state.productList.products.count <= Self.measuredMax
        let products =
            all
            ? state.productList.products : shown.compactMap { state.productList.product(at: $0) }
        let widest = widest(products)
        var grid = ListGrid(
            area: area, isCompact: layout.isCompact, isWhole: layout.isLinear,
            names: widest.names,
            prices: min(widest.prices, area.columns / 3), periods: widest.periods)
        let room = grid.nameEnd - grid.name
        if widest.names > room {
            grid.alike = measure.alike(products.map(\.displayName), columns: room)
        }
        return grid
    }

    /// A product's name, with the words that distinguish it from others of the same name.
    private func name(of product: Product) -> String {
        guard let distinction = state.productList.distinctions[product.id] else {
            return product.displayName
        }
        return "\(product.displayName) \(glyphs.dot) \(distinction)"
    }

    /// In its own column of the list; nil on a compact screen, which has no such column.
    private func period(of product: Product) -> String? {
        guard !layout.isCompact else { return nil }
        return product.subscription?.period.map(strings.perPeriod)
    }

    private mutating func drawSearch(_ row: Int) {
        guard let search = state.list.search else { return }
        let end = layout.list.column + layout.list.columns
        let at = put("/" + search.text, layout.margin, row, theme.strong, before: end)
        let counts = "\(state.productList.shownCount)/\(state.productList.products.count)"
        if state.list.searchIndex == nil, !search.text.isEmpty {
            put(glyphs.underWay, at + 2, row, theme.quiet, before: end)
        } else {
            put(counts, at + 3, row, theme.quiet, before: end)
        }
        if search.isTyping {
            frame.cursor = Position(column: min(at, end - 1), row: row)
            frame.isCursorVisible = true
        }
    }

    // MARK: - Rows

    private mutating func draw(_ row: ProductList.Row, number: Int, at line: Int, _ grid: ListGrid)
    {
        if row.isSelectable {
            target(.list(.pointed(row: number)), grid.marker, line, to: grid.end)
        }
        switch row {
        case .gap: break
        case .heading(let section): drawHeading(section, at: line, grid)
        case .restore: drawButton(.restorePurchases, number, at: line, grid)
        case .endSearch: drawButton(.endSearch, number, at: line, grid)
        case .product(let index):
            drawProduct(state.productList.products[index], number, at: line, grid)
        }
    }

    private mutating func drawHeading(_ section: Int, at line: Int, _ grid: ListGrid) {
        let name = strings.section(state.productList.sections[section]).uppercased()
        let last = put(name, grid.marker, line, theme.quiet.bold, before: grid.end)
        if let note = headingNote(section) {
            put(note, max(grid.period, last + 2), line, theme.quiet, before: grid.end)
        }
    }

    /// The balance in the currency it sells, or that only one plan of the group can be active.
    private func headingNote(_ section: Int) -> String? {
        let first = state.productList.firstProduct(ofSection: section)
        if let unit = first?.grant?.unit {
            let balance = state.shownBalances.first { $0.unit == unit }
            return balance.map(strings.balance)
        }
        return first?.subscription == nil ? nil : strings[.choosePlan]
    }

    private mutating func drawButton(
        _ title: ButtonText, _ number: Int, at line: Int, _ grid: ListGrid
    ) {
        let isSelected = drawMarker(number, at: line, grid)
        let text = "[ \(strings[title]) ]"
        let last = put(
            text, grid.name, line, isSelected ? theme.strong : theme.quiet, before: grid.end)
        if state.purchasing.isRestoring, title == .restorePurchases {
            put(
                glyphs.underWay + " " + strings[ListText.restoring], last + 2, line,
                theme.waiting,
                before: grid.end)
        }
    }

    /// Whether the keys act on the list; otherwise its selection is drawn dim.
    private var hasFocus: Bool { state.focus == .list || state.focus == .search }

    /// Returns whether the row is selected.
    private mutating func drawMarker(_ number: Int, at line: Int, _ grid: ListGrid) -> Bool {
        let isSelected = number == state.list.selectedRow
        guard isSelected else { return false }
        put(glyphs.marker, grid.marker, line, hasFocus ? theme.accent : theme.quiet)
        if state.focus == .list { frame.cursor = Position(column: grid.name, row: line) }
        return true
    }

    /// Where it is cut, the words that distinguish it from products of the same name are kept.
    ///
    /// - Parameter end: where the row's price begins: the name may use cells beside a short price.
    private mutating func drawName(
        of product: Product, at line: Int, _ style: Style, _ grid: ListGrid, before end: Int
    ) {
        let room = end - grid.name
        let distinction = state.productList.distinctions[product.id].map { " \(glyphs.dot) \($0)" }
        let wanted = min(columns(distinction ?? ""), max(0, room - 8))
        let at = putName(
            product.displayName, grid.name, line, style, before: end - wanted, alike: grid.alike)
        if let distinction { put(distinction, at, line, theme.quiet, before: end) }
    }

    private mutating func drawProduct(
        _ product: Product, _ number: Int, at line: Int, _ grid: ListGrid
    ) {
        let isSelected = drawMarker(number, at: line, grid)
        let weight = isSelected ? theme.strong : theme.plain
        let status = state.status(of: product)
        let canBuy = state.refusal(toBuy: product, status: status) == nil
        let text = strings.price(of: product)
        let from = grid.nameEnd + 1
        let priceStart: Int
        if canBuy, isSelected, !layout.isCompact {
            let price = measure.fit(text, columns: grid.priceEnd - from).text
            let end = grid.priceEnd + 2
            priceStart = putRight(
                "[ \(price) ]", before: end, line, theme.strong, from: from - 2)
            // A click on the selected row's price buys; one on another price selects its row.
            target(.buyChosen, priceStart, line, to: end)
        } else {
            priceStart = putRight(
                text, before: grid.priceEnd, line, canBuy ? weight : theme.quiet, from: from)
        }
        drawName(of: product, at: line, weight, grid, before: max(grid.nameEnd, priceStart - 1))
        let period = shownPeriod(of: product, status, grid)
        if let period { put(period, grid.period, line, theme.quiet, before: grid.end) }
        let at = grid.state(hasPeriod: period != nil)
        if status.isBuyable, let held = state.heldText(of: product.id) {
            put(
                "\(glyphs.underWay) \(strings[held])", at, line, theme.waiting,
                before: grid.end)
        } else if case .buyable = status {
            if let note = note(on: product, columns: grid.end - at) {
                put(note, at, line, theme.quiet, before: grid.end)
            }
        } else if case .change = status {
            let texts = strings.planTexts(status, product, state.productList)
            put(
                choose(texts, columns: grid.end - at), at, line, style(of: status),
                before: grid.end)
        } else {
            drawStatus(status, of: product, at, line, before: grid.end)
        }
    }

    /// A narrow row of the own plan has no period, so that a longer status with its end fits.
    private func shownPeriod(
        of product: Product, _ status: ProductStatus, _ grid: ListGrid
    ) -> String? {
        guard let period = period(of: product) else { return nil }
        switch status {
        case .plan, .current:
            let texts = strings.status(status)
            func room(_ hasPeriod: Bool) -> Int { grid.end - grid.state(hasPeriod: hasPeriod) }
            let isShortened =
                choose(texts, columns: room(true)) != choose(texts, columns: room(false))
            return isShortened && grid.end < Layout.rowColumnsMax ? nil : period
        default: return period
        }
    }

    /// For the state column: a plan's period where the list has no column for it, otherwise the
    /// first offer and the plan's saving. Nil if nothing fits.
    private func note(on product: Product, columns room: Int) -> String? {
        let period = product.subscription?.period
        var notes: [String] = []
        if layout.isCompact, let period {
            notes = [strings.perPeriod(period), strings.perPeriodShort(period)]
        } else {
            let compared = strings.comparison(product, state.productList)
            let first = strings.firstOffer(product, state)
            notes =
                first.map { first in
                    compared.map { first + strings[.listSeparator] + $0 } + [first]
                } ?? compared
        }
        return notes.first { columns($0) <= room }
    }

    /// Before `end`: a bar with numbers for a download, otherwise the longest wording that fits.
    ///
    /// - Parameter product: says also that its refund was asked for, if the account owns it.
    mutating func drawStatus(
        _ status: ProductStatus, of product: Product? = nil, _ column: Int, _ row: Int,
        before end: Int
    ) {
        let room = end - column
        if let texts = product.flatMap({ refundTexts(status, of: $0) }) {
            put(choose(texts, columns: room), column, row, theme.waiting, before: end)
        } else if case .downloading(let download) = status {
            drawProgress(download, column, row, before: end)
        } else {
            let text = choose(strings.status(status), columns: room)
            put(text, column, row, style(of: status), before: end)
        }
    }

    /// From long to short.
    func statusTexts(_ status: ProductStatus, of product: Product) -> [String] {
        refundTexts(status, of: product) ?? strings.status(status)
    }

    /// Nil unless the account owns the product and has asked for its refund.
    private func refundTexts(_ status: ProductStatus, of product: Product) -> [String]? {
        status.isOwned && state.isRefundAsked(product.id)
            ? [strings[.ownedRefundAsked], strings[.refundAsked]] : nil
    }

    func style(of status: ProductStatus) -> Style {
        switch status {
        case .buyable, .ownedElsewhere, .change: .plain
        case .purchasing, .waitingForAnswer, .paused, .planned: theme.waiting
        case .failed, .downloadFailed: theme.bad
        case .owned, .included, .current, .timed, .notDownloaded: theme.good
        case .downloading: theme.bar
        case .groupTaken: theme.quiet
        case .plan(let standing): style(of: standing)
        }
    }

    func style(of standing: PlanStanding) -> Style {
        switch standing {
        case .renews, .ends, .changes, .unending: theme.good
        case .paymentFails, .grace, .retrying, .notForSale: theme.bad
        case .priceIncrease: theme.waiting
        case .expired, .revoked: theme.quiet
        }
    }

    /// As "███████▍░░░░░░░░░░   41%   0:07 left"; a changed number moves no other field.
    mutating func drawProgress(
        _ download: ProductDownload, _ column: Int, _ row: Int, before end: Int
    ) {
        let room = end - column
        let waitsForNetwork = state.waitsForNetwork(download)
        var texts: [String] = []
        var style = theme.waiting
        if download.needsConsent {
            let size = Measures.bytes(download.expected)
            texts = [
                strings[.waitingForConsent(size: size)], strings[.meteredConnection],
                strings[.waiting],
            ]
        } else if let cause = strings.standstill(download, waitsForNetwork: waitsForNetwork) {
            let percent = Measures.percent(download.progress)
            texts = [cause + strings[.listSeparator] + percent, cause, strings[.waiting]]
        } else if download.received <= 0 {
            texts =
                download.state == .waiting
                ? [strings[.waitingToDownload], strings[.waiting]] : [strings[.downloading]]
            style = theme.bar
        }
        guard texts.isEmpty else {
            let text = choose(texts, columns: room - 2)
            put(glyphs.underWay + " " + text, column, row, style, before: end)
            return
        }
        let left = strings[.timeLeft(Measures.clock(seconds: 600))]
        let leftColumns = room >= 18 + 6 + columns(left) ? columns(left) + 2 : room >= 24 ? 6 : 0
        let barColumns = min(room - 6 - leftColumns, 40)
        if layout.isLinear { put(strings[.downloading], column, row, theme.bar, before: end) }
        bar(download.progress, column, row, columns: barColumns)
        let percentEnd = column + barColumns + 6
        putRight(Measures.percent(download.progress), before: percentEnd, row)
        guard leftColumns > 0, let seconds = download.secondsRemaining else { return }
        let clock = Measures.clock(seconds: seconds)
        let text = leftColumns > 6 ? strings[.timeLeft(clock)] : clock
        putRight(text, before: percentEnd + leftColumns, row, theme.quiet, from: percentEnd)
    }
}

extension ShopState {
    /// Nil if nothing of the product is held on this device.
    fileprivate func heldText(of product: ProductID) -> ListText? {
        if isPaymentHeld(of: product) { return .heldState }
        return isPromoted(product) ? .promotedState : nil
    }
}

extension Style {
    var bold: Style { Style(color: color, weight: weight.union(.bold)) }
}

extension ProductStatus {
    /// Whether the status is `buyable`: nothing else is to be said about the product.
    fileprivate var isBuyable: Bool { if case .buyable = self { true } else { false } }
}
