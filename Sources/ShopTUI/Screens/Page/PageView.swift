import ShopCore
import ShopText
import StoreModel
import Terminal

/// The page of one product.
enum PageView: ComponentView {
    static let helpTitle: ScreenText? = .helpPage

    static let keys: [KeyBinding] =
        [
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyActivate },
            KeyBinding("←→", [], .choiceMoved(1)) { _ in .keyChoose },
            .back, .buy, .toggleDownload, .cancelDownload, .palette, .openConsole, .quit, .restore,
            .deleteContent,
            .pointer, .left, .right,
        ] + KeyBinding.moves() + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawPage() }

    static func scrolling(on canvas: Canvas) -> Scrolling { canvas.pageScrolling() }
}

extension Canvas {
    /// How far the page's text scrolls; its buttons stay visible.
    fileprivate func pageScrolling() -> Scrolling {
        let area = layout.page
        guard let product = state.selectedProduct else { return Scrolling(rows: area.rows) }
        let rows = pageRows(product, state.status(of: product), area.columns).count
        return Scrolling(rows: area.rows, scrollMax: rows - pageRoom(rows, in: area))
    }

    /// The rows for so many rows of text: without the buttons and an empty row above them; a third
    /// row says that the text can be scrolled.
    private func pageRoom(_ rows: Int, in area: Area) -> Int {
        max(0, area.rows - (rows > area.rows - 2 ? 3 : 2))
    }

    /// Draws a product's page: description, price, status and buttons.
    mutating func drawPage() {
        let area = layout.page
        guard let product = state.selectedProduct else { return }
        let status = state.status(of: product)
        let isFocused = state.screen != .list
        var rows = pageRows(product, status, area.columns)
        let room = pageRoom(rows.count, in: area)
        let scrollMax = max(0, rows.count - room)
        let scroll = isFocused ? min(state.page.scroll, scrollMax) : 0
        rows = Array(rows.dropFirst(scroll).prefix(room))
        for (offset, row) in rows.enumerated() {
            draw(row, at: area.row + offset, area)
        }
        let labels = state.pageButtons(for: product).map { wording.button($0, product) }
        let end = area.column + area.columns
        let line = area.row + min(rows.count + 1, max(0, area.rows - 2))
        if isFocused, scroll < scrollMax {
            putRight(wording[.pageDownForMore], before: end, line - 1, theme.quiet)
        }
        let before = frame.cursor
        _ = buttons(
            labels, chosen: isFocused ? state.chosenButton(for: product) : nil,
            column: area.column, row: line, end: end,
            action: isFocused ? { .page(.pressed(button: $0)) } : { _ in .confirmed })
        if !isFocused || state.sheet != nil { frame.cursor = before }
    }

    private enum PageRow {
        case title(MeasuredText)
        case text(MeasuredText, Style)
        case fact(String, String, Style)
        case progress(ProductDownload)
        case gap
    }

    private func pageRows(_ product: Product, _ status: ProductStatus, _ width: Int) -> [PageRow] {
        var rows: [PageRow] = measure.wrap(product.displayName, columns: width).map { .title($0) }
        let description = measure.wrap(product.description, columns: width)
        let price = PageRow.fact(wording[.price], priceLine(product), .plain)
        // On a small screen the price and the status come before the description.
        if layout.isCompact {
            rows.append(price)
            rows += statusRows(product, status, width) + [.gap]
        }
        if !product.description.isEmpty { rows += description.map { .text($0, .plain) } }
        if !layout.isCompact { rows += [.gap, price] }
        rows.append(.fact(wording[.type], wording.type(product), .plain))
        let installed = state.snapshot.downloads[product.id]?.installed ?? [:]
        for content in product.hostedContent {
            // The version on this device is the one in use, even if the store has a newer one.
            let version = installed[content.id] ?? content.version
            rows.append(
                .fact(
                    wording[.content],
                    "\(content.id) \(version), \(Measures.bytes(content.length))", .plain))
        }
        rows += transactionRows(product)
        if !layout.isCompact { rows += statusRows(product, status, width) }
        return rows
    }

    private func priceLine(_ product: Product) -> String {
        let price = wording.price(product)
        return product.subscription?.period.map { price + " " + strings.perPeriod($0) } ?? price
    }

    private func transactionRows(_ product: Product) -> [PageRow] {
        var rows: [PageRow] = []
        if let owned = state.snapshot.entitlements[product.id] {
            rows.append(
                .fact(
                    wording[.transaction],
                    wording[.verifiedTransaction(owned.transactionID.description)],
                    .plain))
        }
        rows.append(.fact(wording[.identifier], product.id.rawValue, theme.quiet))
        return rows
    }

    private func statusRows(_ product: Product, _ status: ProductStatus, _ width: Int) -> [PageRow]
    {
        var rows: [PageRow] = []
        switch status {
        case .downloading(let download), .paused(let download), .downloadFailed(let download):
            rows.append(.progress(download))
            rows.append(.fact("", wording.progressLine(download), .plain))
        case .buyable, .purchasing, .waitingForApproval, .failed, .notDownloaded, .owned,
            .ownedElsewhere, .current, .timed, .groupTaken, .ownServer:
            break
        }
        guard let line = wording.statusLine(status, of: product, state) else { return rows }
        if !layout.isCompact { rows.append(.gap) }
        return rows + measure.wrap(line, columns: width).map { .text($0, style(of: status)) }
    }

    private func style(of status: ProductStatus) -> Style {
        switch status {
        case .failed, .downloadFailed: theme.bad
        case .waitingForApproval, .purchasing, .paused: theme.waiting
        case .owned, .current, .timed, .notDownloaded: theme.good
        case .buyable, .downloading, .ownedElsewhere, .groupTaken, .ownServer: .plain
        }
    }

    private mutating func draw(_ row: PageRow, at line: Int, _ area: Area) {
        let end = area.column + area.columns
        let facts = area.column + (area.columns < 50 ? 12 : 14)
        switch row {
        case .title(let text):
            frame.put(text, column: area.column, row: line, style: theme.strong, before: end)
        case .text(let text, let style):
            frame.put(text, column: area.column, row: line, style: style, before: end)
        case .fact(let name, let value, let style):
            put(name, area.column, line, theme.quiet, before: facts - 1)
            put(value, facts, line, style, before: end)
        case .progress(let download):
            put(wording[.downloadLabel], area.column, line, theme.quiet, before: facts - 1)
            let bar = max(8, min(32, end - facts - 6))
            put(glyphs.bar(download.progress, columns: bar), facts, line, theme.bar, before: end)
            putRight(Measures.percent(download.progress), before: facts + bar + 5, line)
        case .gap: break
        }
    }
}
