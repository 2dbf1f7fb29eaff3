import ShopText
import StoreModel
import Terminal

extension LibraryScreen: ComponentView {
    static let helpTitle: KeyText? = .helpLibrary
    static let endsInRowCount = true

    static let keys: [KeyBinding] =
        [
            KeyBinding(
                "Enter", [.enter], names: [.right], .confirmed,
                isUseful: { $0.selectedLibraryRow != nil && !isOnUsedTheme($0) }
            ) { state in isOnOwnedTheme(state) ? .keyUse : .keyOpen },
            .networkOn, .unzoom, .subscription, .toggleDownload, .cancelDownload, .restore, .buy,
            KeyBinding(.receipt, .receipt(.opened), .keyReceipt),
            .palette, .openConsole, .quit,
            KeyBinding("Esc", [.escape], names: [.back], .wentBack, isUseful: { _ in false }) { _ in
                .keyShop
            },
            .deleteContent,
        ] + KeyBinding.settings + [.signIn, .sort, .zoom, .pointer, .next, .previous]
        + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawLibrary() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        Scrolling(rows: max(1, canvas.libraryArea.rows))
    }

    /// Whether Enter uses the selected theme instead of opening a product's page.
    private static func isOnOwnedTheme(_ state: ShopState) -> Bool {
        guard case .theme(let theme)? = state.selectedInLibrary else { return false }
        return theme.map { state.activeUnlocks.contains($0) } ?? true
    }

    /// Whether the theme in the selected row is already in use, so that Enter changes nothing.
    private static func isOnUsedTheme(_ state: ShopState) -> Bool {
        state.selectedInLibrary == .theme(state.theme)
    }
}

/// The columns of the library.
private struct LibraryGrid {
    let marker: Int
    let name: Int
    let nameEnd: Int
    /// Nil where there is no room for it.
    let since: Int?
    let state: Int
    let end: Int
    /// The names that read the same where their ends are cut (`TextMeasure.alike`).
    var alike: [String: Int] = [:]

    init(_ area: Area, isCompact: Bool, isWhole: Bool, names: Int, days: Int) {
        end = area.column + (isWhole ? area.columns : min(area.columns, Layout.rowColumnsMax))
        marker = area.column + (isCompact ? 0 : 1)
        name = marker + (isCompact ? 1 : 2)
        let gap = isCompact ? 1 : 3
        let states = isCompact ? 10 : Layout.stateColumns
        let wanted = isWhole ? names : min(max(names, 12), 40)
        // Where columns are scarce, the day is left out first, then names are cut, then the states.
        let nameColumns = isWhole ? wanted : min(wanted, Layout.nameColumns)
        let roomForDays = end - name - nameColumns - gap - states
        let hasDays = !isCompact && days > 0 && days + gap <= roomForDays
        let room = end - name - gap - (hasDays ? days + gap : 0) - states
        nameEnd = name + min(wanted, max(room, isCompact ? 12 : 22))
        since = hasDays ? nameEnd + gap : nil
        state = nameEnd + gap + (hasDays ? days + gap : 0)
    }
}

/// A line above the rows of the library.
private struct LibraryLine {
    var text: MeasuredText
    var style: Style
}

extension Canvas {
    /// Above the rows: their age while offline, the balances, and a hint in an empty library.
    private var libraryLines: [LibraryLine] {
        let gap = layout.isCompact ? [] : [LibraryLine(text: measure.measure(""), style: .plain)]
        var lines: [LibraryLine] = []
        if let asOf = state.accountAsOf {
            let text = strings[.offlineAsOf(strings.instant(asOf))]
            lines.append(LibraryLine(text: measure.measure(text), style: theme.waiting))
            if state.shownBalances.isEmpty { lines += gap }
        }
        let purse = state.shownBalances.map { strings.purse($0, state) }
        if !purse.isEmpty {
            let text = purse.joined(separator: strings[.listSeparator])
            lines.append(LibraryLine(text: measure.measure(text), style: theme.strong))
            lines += gap
        }
        // A compact screen has no headings, so the totals are drawn above the rows.
        let totals = state.downloadTotals
        if layout.isCompact, totals.running > 0 || totals.waitingForRoom > 0 {
            let room = layout.list.columns - 1
            let text = choose(strings.totals(totals), columns: room)
            lines.append(LibraryLine(text: measure.measure(text), style: theme.quiet))
        }
        guard state.library.owned.values.allSatisfy(\.isEmpty) else { return lines }
        let columns = min(layout.list.columns, Layout.rowColumnsMax) - 3
        let note =
            state.isReady
            ? strings[.nothingOwned(shop: strings.key(.shop), restore: strings.key(.restore))]
            : strings[state.needsNewerProgram ? .needsNewerVersion : .opening]
        for line in measure.wrap(note, columns: columns) {
            lines.append(LibraryLine(text: line, style: theme.quiet))
        }
        return lines + gap
    }

    fileprivate var libraryArea: Area { libraryArea(below: libraryLines) }

    /// Below the lines above the rows and the heading of the columns.
    private func libraryArea(below lines: [LibraryLine]) -> Area {
        var area = layout.list
        let above = lines.count + (state.library.sort == nil ? 0 : 1)
        area.row += above
        area.rows = max(1, area.rows - above)
        return area
    }

    fileprivate mutating func drawLibrary() {
        let lines = libraryLines
        var area = libraryArea(below: lines)
        for (offset, line) in lines.enumerated() {
            frame.put(
                line.text, column: layout.margin + (layout.isCompact ? 0 : 2),
                row: layout.list.row + offset, style: line.style,
                before: layout.list.column + layout.list.columns)
        }
        let rows = state.libraryRows
        // With a sheet open, the selected row stays visible above it.
        let window = state.window(
            of: rows, room: min(area.rows, (sheetTop ?? .max) - area.row),
            isMarked: state.sheet == nil)
        let grid = libraryGrid(area, rows)
        let selected = state.selectedRow(of: rows)
        if let sort = state.library.sort {
            var columns = [(SortColumn.name, grid.name)]
            if let since = grid.since { columns.append((.day, since)) }
            drawColumns(columns, sorted: sort, area.row - 1, before: grid.end)
        }
        area.columns = grid.end - area.column
        drawRows(
            window, in: area, hasFocus: state.focus == .library, indent: grid.name - area.column,
            isHeading: { if case .heading = rows[$0] { true } else { false } },
            words: { canvas, hidden in
                let count = rows[hidden].count { $0.isSelectable }
                return count > 0 ? canvas.strings[.more(count)] : ""
            }
        ) { canvas, number, row in
            canvas.draw(rows[number], number, number == selected, at: row, grid)
        }
        drawLibrarySelection()
    }

    private func libraryGrid(_ area: Area, _ rows: [LibraryRow]) -> LibraryGrid {
        let names = rows.map { name(of: $0) }
        let widest = names.map { columns($0) }.max() ?? 0
        let days = rows.map { columns(day(of: $0)) }.max() ?? 0
        var grid = LibraryGrid(
            area, isCompact: layout.isCompact, isWhole: layout.isLinear, names: widest, days: days)
        let room = grid.nameEnd - grid.name
        if widest > room { grid.alike = measure.alike(names, columns: room) }
        return grid
    }

    private func name(of row: LibraryRow) -> String {
        switch row {
        case .heading, .gap: ""
        case .product(let id): state.name(of: id)
        case .package(let id, let contentID): "  " + packageName(contentID, of: id)
        case .theme(nil): strings[.standardTheme]
        case .theme(let theme?):
            state.product(unlocking: theme)?.displayName ?? theme.rawValue
        }
    }

    /// The day of the latest purchase, or the name of the family member who shares the product.
    private func day(of row: LibraryRow) -> String {
        guard case .product(let id) = row, let bought = state.snapshot.latestDelivered[id] else {
            return ""
        }
        if let owner = state.sharedBy(id) ?? state.subscription(of: id)?.sharedBy {
            return strings[.sharedBy(account: owner.rawValue)]
        }
        return strings[.since(day: strings.day(bought.purchasedAt))]
    }

    private mutating func draw(
        _ row: LibraryRow, _ number: Int, _ isSelected: Bool, at line: Int, _ grid: LibraryGrid
    ) {
        if case .gap = row { return }
        if case .heading(let section) = row {
            let end = put(
                strings.title(of: section).uppercased(), grid.marker, line, theme.quiet.bold,
                before: grid.end)
            if section == .downloads {
                // At the column of the states where the totals fit there, otherwise further left.
                let text = choose(
                    strings.totals(state.downloadTotals), columns: grid.end - end - 3)
                let column = max(end + 3, min(grid.state, grid.end - columns(text)))
                put(text, column, line, theme.quiet, before: grid.end)
            }
            return
        }
        if isSelected {
            drawMarker(grid.marker, line, hasFocus: state.focus == .library, text: grid.name)
        }
        putName(
            name(of: row), grid.name, line, isSelected ? theme.strong : .plain,
            before: grid.nameEnd, alike: grid.alike)
        if let since = grid.since {
            put(day(of: row), since, line, theme.quiet, before: grid.state)
        }
        drawState(of: row, grid.state, line, before: grid.end)
        target(.library(.pointed(row: number)), grid.marker, line, to: grid.end)
    }

    private mutating func drawState(
        of row: LibraryRow, _ column: Int, _ line: Int, before end: Int
    ) {
        switch row {
        case .heading, .gap: break
        case .package(let id, let contentID):
            drawPackage(contentID, of: id, column, line, before: end)
        case .product(let id):
            let product = state.productList.product(id)
            let status = product.map { state.status(of: $0) }
            if let product, let status,
                drawDownloadState(status, of: product, column, line, before: end)
            {
                return
            }
            if let subscription = state.subscription(of: id) {
                drawStatus(
                    .plan(subscription.standing), of: product, column, line, before: end)
            } else if let passEnd = state.deadlines.periodEnds[id], passEnd <= state.now {
                put(
                    strings[.endedOn(day: strings.day(passEnd))], column, line, theme.quiet,
                    before: end)
            } else if let product, state.isClosed(product) {
                let opener = state.offeredOpener(of: product)?.displayName
                let texts = [opener.map { strings[.closedOpensWith(name: $0)] }, strings[.closed]]
                put(
                    choose(texts.compactMap(\.self), columns: end - column), column, line,
                    theme.quiet, before: end)
            } else if let status {
                drawStatus(status, of: product, column, line, before: end)
            } else {
                put(strings[.notAvailable], column, line, theme.quiet, before: end)
            }
        case .theme(let theme):
            if theme == state.theme {
                // A setting hides the chosen theme, so the chosen theme is not in use.
                let isForced = state.isThemeForced
                let text = strings[isForced ? .chosenForLater : .inUse]
                put(
                    isForced ? text : "\(glyphs.done) \(text)", column, line,
                    isForced ? .plain : self.theme.good, before: end)
            } else if let theme, !state.activeUnlocks.contains(theme) {
                drawLocked(theme, column, line, before: end)
            } else if theme != nil {
                put(strings[.owned], column, line, before: end)
            }
        }
    }

    /// The identifier and version of one of several packages.
    func packageName(_ contentID: String, of id: ProductID) -> String {
        let version = state.snapshot.downloads[id]?.package(contentID)?.version
        return [contentID, version].compactMap(\.self).joined(separator: " ")
    }

    /// The state of one of several packages.
    mutating func drawPackage(
        _ contentID: String, of id: ProductID, _ column: Int, _ line: Int, before end: Int
    ) {
        let download = state.snapshot.downloads[id]
        if download?.package(contentID)?.state == .cancelled {
            put(
                strings[DownloadLineText.downloadState(.cancelled)], column, line, theme.quiet,
                before: end)
        } else if let status = state.status(of: contentID, in: download) {
            drawStatus(status, column, line, before: end)
        }
    }

    /// Draws nothing, and returns false, for installed content without an update.
    private mutating func drawDownloadState(
        _ status: ProductStatus, of product: Product, _ column: Int, _ line: Int, before end: Int
    ) -> Bool {
        switch status {
        case .downloading, .paused, .downloadFailed:
            drawStatus(status, column, line, before: end)
            return true
        case .notDownloaded where state.snapshot.downloads[product.id]?.state == .cancelled:
            let texts = [strings[.ownedDownloadCancelled], strings[.owned]]
            put(choose(texts, columns: end - column), column, line, theme.quiet, before: end)
            return true
        case .owned, .included:
            let texts = strings.update(product, state)
            guard !texts.isEmpty else { return false }
            put(choose(texts, columns: end - column), column, line, theme.waiting, before: end)
            return true
        default: return false
        }
    }

    /// Draws the price of a locked theme, or the reason why it cannot be bought now.
    private mutating func drawLocked(
        _ theme: UnlockID, _ column: Int, _ line: Int, before end: Int
    ) {
        guard let product = state.product(unlocking: theme) else { return }
        if case .buyable = state.status(of: product) {
            put(strings.price(of: product), column, line, before: end)
        } else {
            drawStatus(state.status(of: product), column, line, before: end)
        }
    }

    /// The features that the product unlocks, or its description, and its kind.
    private mutating func drawLibrarySelection() {
        guard layout.panes == 1, let row = layout.selectionRow, state.sheet == nil,
            let product = state.selectedProduct
        else { return }
        let end = min(layout.columns, Layout.rowColumnsMax)
        let start = putRight(strings.type(product), before: end, row, theme.quiet, from: 3)
        if case .downloadFailed(let download) = state.status(of: product),
            let error = download.error
        {
            let text = strings.downloadMessage(for: error).line
            put(text, 3, row, theme.bad, before: max(start - 2, 4))
            return
        }
        let line = product.description.split(whereSeparator: \.isNewline).first.map(String.init)
        guard start > 20, let text = strings.unlocks(product, state) ?? line else { return }
        put(text, 3, row, theme.quiet, before: start - 2)
    }
}

extension Strings {
    fileprivate func title(of section: LibrarySection) -> String {
        switch section {
        case .attention: self[.needsAttention]
        case .ended: self[.endedHeading]
        case .downloads: self[.downloadsHeading]
        case .here: self[.onThisDevice]
        case .elsewhere: self[.notOnThisDevice]
        case .timed: self[.subscriptionsAndPasses]
        case .appearance: self[.appearance]
        }
    }

    /// From long to short, as "1 of 3 running, 3.5 of 9.6 MB, 210 kB/s, 0:08 left"; may be empty.
    fileprivate func totals(_ totals: DownloadTotals) -> [String] {
        guard totals.count > 0 else { return [] }
        let waiting = totals.waitingForRoom
        let counts = [
            self[.downloadsRunning(totals.running, of: totals.count)],
            waiting > 0 ? self[.downloadsWaitForRoom(waiting)] : nil,
        ].compactMap(\.self).joined(separator: self[.listSeparator])
        let bytes = self[
            .progressOf(
                received: Measures.bytes(totals.received), total: Measures.bytes(totals.expected))]
        let rate = totals.rate.flatMap(Measures.rate)
        let left = totals.secondsRemaining.map { self[.timeLeft(Measures.clock(seconds: $0))] }
        let separator = self[.listSeparator]
        return [[counts, bytes, rate, left], [counts, bytes, left], [counts, left], [counts]].map {
            $0.compactMap(\.self).joined(separator: separator)
        }
    }

    /// As "30 coins".
    fileprivate func purse(_ balance: Balance, _ state: ShopState) -> String {
        balance.amount < 0
            ? self[.owedOf(-balance.amount, unit: unit(balance.unit, state))]
            : self[.balanceOf(balance.amount, unit: unit(balance.unit, state))]
    }

    /// The catalog names the unit in one language; in another, it is the name of the section that
    /// holds the products that grant it.
    func unit(_ unit: String, _ state: ShopState) -> String {
        let list = state.productList
        guard language.code != "en",
            let product = list.products.first(where: { $0.grant?.unit == unit }),
            case .named(let name)? = list.section(of: product.id), !name.isEmpty,
            list.products.allSatisfy({ $0.section != product.section || $0.grant?.unit == unit })
        else { return unit }
        return name
    }

    /// The features of the app that a product unlocks, in words; nil if it unlocks none.
    func unlocks(_ product: Product, _ state: ShopState) -> String? {
        let names = unlockNames(product, state)
        return names.isEmpty
            ? nil : self[.unlocksNames(names.joined(separator: self[.listSeparator]))]
    }

    /// Each once. Identifiers are left out: they are for the app's code.
    func unlockNames(_ product: Product, _ state: ShopState) -> [String] {
        let hasTheme = product.unlocks.contains { state.shop.themes.contains($0) }
        let opened = state.productList.products(openedBy: product.unlocks)
        let known = state.shop.themes.union(opened.compactMap(\.unlockedBy))
        return (hasTheme ? [self[.themeNamed(product.displayName)]] : [])
            + opened.map(\.displayName)
            + (product.unlocks.allSatisfy { known.contains($0) } ? [] : [self[.appFeature]])
    }
}
