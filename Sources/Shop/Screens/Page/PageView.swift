import ShopText
import StoreModel
import Terminal

extension PageScreen: ComponentView {
    static let helpTitle: KeyText? = .helpPage

    static let keys: [KeyBinding] =
        [
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyActivate },
            .back, .networkOn, .unzoom,
            KeyBinding("←→", [], told: [.left, .right], .choiceMoved(1)) { _ in .keyChoose },
            .buy, .continueHeld, .subscription, .toggleDownload, .cancelDownload,
            KeyBinding(
                .choosePackage, .page(.packageChosen), .keyPackage,
                isUseful: { state in
                    state.selectedProduct.map { !state.openPackages(of: $0.id).isEmpty } == true
                }),
            .palette, .openConsole, .quit, .restore, .deleteContent, .dropHeld,
            .copyIdentifier, .redeem, .signIn, .zoom, .pointer, .left, .right, .next, .previous,
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawPage() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        if let drawn = canvas.pageScrolling { return drawn }
        guard let product = canvas.state.selectedProduct else { return Scrolling(rows: 1) }
        return canvas.pageText(product).window(from: 0).scrolling
    }
}

/// The text of the page below the buttons, as scrolling rows.
private struct PageText {
    var rows: [PageRow]
    /// The number of rows of text in sight.
    var room: Int
    /// The rows of the activity below the page, with the line above it; 0 for none.
    var activity: Int

    func window(from scroll: Int) -> RowWindow {
        RowWindow(count: rows.count, room: room, from: scroll)
    }
}

/// The name, price and state at the top of the page.
private struct Headline {
    var names: [MeasuredText]
    var price: String
    var state: String
    /// The columns of price and state with the gap between them.
    var columns: Int
    /// Whether name, price and state fit in one row.
    var isOneRow: Bool
}

private enum PageRow {
    case gap
    case text(MeasuredText, Style)
    case heading(String, String?)
    /// An offer, and whether the account can take it, on one row if both fit.
    case offer(MeasuredText, state: String, Style)
    /// An indented text below the row that it belongs to.
    case below(MeasuredText, Style)
    /// The state is in the same row, `column` columns after the day, if it fits.
    case issue(day: String, MeasuredText, state: String, column: Int, Style)
    /// Names and values, in one or two columns.
    case facts(Fact, Fact?)

    struct Fact {
        var name: String
        var value: String
        var style = Style.plain
    }

    /// The columns of a fact's name and of the gap after it.
    static let nameColumns = 13

    static func secondColumn(in area: Area) -> Int { area.column + area.columns / 2 + 1 }
}

extension Canvas {
    private var isPageFocused: Bool { state.focus == .page }

    /// Headline, state and buttons stay; the text below them scrolls.
    fileprivate mutating func drawPage() {
        let area = layout.page
        guard let product = state.selectedProduct else { return }
        let status = state.status(of: product)
        let end = area.column + area.columns
        var row = drawHeadline(product, status, area)
        let labels = pageLabels(product)
        if !labels.isEmpty {
            let before = frame.cursor
            row = buttons(
                labels, chosen: isPageFocused ? state.chosenButton(for: product) : nil,
                column: area.column, row: row, end: end,
                action: { .page(.pressed(button: $0)) })
            if !isPageFocused { frame.cursor = before }
        }
        if let download = status.download {
            row = drawDownload(download, row, area)
            row = drawPackages(of: product.id, row, area)
        }
        let text = pageText(product)
        activityRows = text.activity
        let window = text.window(from: isPageFocused ? state.page.scroll : 0)
        pageScrolling = window.scrolling
        var below = area
        below.row = row
        drawRows(
            window, in: below, hasFocus: isPageFocused,
            isHeading: { if case .heading = text.rows[$0] { true } else { false } }
        ) { canvas, number, row in
            canvas.draw(text.rows[number], at: row, area)
        }
        if hasNeighbours { drawNeighbours(area) }
    }

    /// Whether the page's last row names its neighbours in the list.
    private var hasNeighbours: Bool {
        layout.panes == 1 && !layout.isCompact && !layout.isLinear
    }

    private func pageLabels(_ product: Product) -> [String] {
        state.pageButtons(for: product).map { strings.button($0, product, state) }
    }

    /// Returns the row of the buttons.
    private mutating func drawHeadline(
        _ product: Product, _ status: ProductStatus, _ area: Area
    ) -> Int {
        let end = area.column + area.columns
        var row = area.row
        if !layout.isCompact, let section = state.productList.section(of: product.id) {
            put(
                "\(strings.section(section)) \(glyphs.more)", area.column, row, theme.quiet,
                before: end)
            row += 1
        }
        let headline = headline(product, status, area)
        for name in headline.names {
            frame.put(name, column: area.column, row: row, style: theme.strong, before: end)
            row += 1
        }
        let fits = headline.isOneRow
        let at = fits ? end - headline.columns : area.column
        let line = fits ? row - 1 : row
        let last = put(headline.price, at, line, fits ? theme.strong : .plain, before: end)
        put(headline.state, last + 2, line, style(of: status), before: end)
        if !fits { row += 1 }
        return row + (layout.isCompact ? 0 : 1)
    }

    private func headline(_ product: Product, _ status: ProductStatus, _ area: Area) -> Headline {
        let price = strings.priceWithPeriod(product, state)
        let room = max(10, area.columns - columns(price) - 4)
        let state = choose(statusTexts(status, of: product), columns: room)
        let right = columns(price) + (state.isEmpty ? 0 : 2 + columns(state))
        let names = titleLines(product, area)
        return Headline(
            names: names, price: price, state: state, columns: right,
            isOneRow: names.count == 1 && names[0].columns + 3 + right <= area.columns)
    }

    /// Wrapped; lines beyond a third of the page's rows are cut.
    private func titleLines(_ product: Product, _ area: Area) -> [MeasuredText] {
        let width = max(10, area.columns)
        let lines = measure.wrap(product.displayName, columns: width)
        let most = max(1, area.rows / 3)
        guard lines.count > most else { return lines }
        let rest = measure.measure(
            lines[(most - 1)...].prefix(2).map(\.text).joined(separator: " "))
        return lines.prefix(most - 1) + [measure.fit(rest, columns: width)]
    }

    /// The bar, and the bytes received and expected. Returns the row after the bar.
    private mutating func drawDownload(
        _ download: ProductDownload, _ first: Int, _ area: Area
    ) -> Int {
        let row = first + (layout.isCompact ? 0 : 1)
        let count = min(50, area.columns - 7)
        bar(download.progress, area.column, row, columns: count)
        putRight(Measures.percent(download.progress), before: area.column + count + 7, row)
        let lines = [true, false].map { isLong in
            strings.progressLine(
                download, waitsForNetwork: state.waitsForNetwork(download), isLong: isLong)
        }
        put(
            choose(lines, columns: area.columns), area.column, row + 1, theme.quiet,
            before: area.column + area.columns)
        return row + 2
    }

    /// The packages of a product with several, each with its state; the chosen one is marked.
    /// Returns the row after them.
    private mutating func drawPackages(of id: ProductID, _ first: Int, _ area: Area) -> Int {
        let chosen = isPageFocused ? state.selectedPackage : nil
        let end = area.column + area.columns
        let packages = shownPackages(of: id, area).map(\.contentID)
        let names = packages.map { packageName($0, of: id) }
        let column = area.column + min((names.map(columns).max() ?? 0) + 4, area.columns / 2)
        for (offset, (package, name)) in zip(packages, names).enumerated() {
            let row = first + offset
            if package == chosen { put(glyphs.marker, area.column, row, theme.accent) }
            put(
                name, area.column + 2, row, package == chosen ? theme.strong : .plain,
                before: column - 1)
            drawPackage(package, of: id, column, row, before: end)
        }
        return first + packages.count
    }

    /// As many as fill a quarter of the page, among them the chosen one.
    private func shownPackages(of id: ProductID, _ area: Area) -> ArraySlice<Download> {
        let all = state.openPackages(of: id)
        let room = max(1, area.rows / 4)
        let chosen = all.firstIndex { $0.contentID == state.selectedPackage } ?? 0
        return all.dropFirst(max(0, chosen - room + 1)).prefix(room)
    }

    private mutating func drawNeighbours(_ area: Area) {
        let row = area.row + area.rows - 1
        let end = area.column + area.columns
        let half = area.column + area.columns / 2
        if let product = state.neighbour(step: -1) {
            let last = put(
                "\(glyphs.up) \(product.displayName)", area.column, row, theme.quiet,
                before: half - 1)
            target(.selectionMoved(.up), area.column, row, to: last)
        }
        if let product = state.neighbour(step: 1) {
            let last = put(
                "\(glyphs.down) \(product.displayName)", half, row, theme.quiet, before: end)
            target(.selectionMoved(.down), half, row, to: last)
        }
    }

    // MARK: - Scrolling text

    fileprivate func pageText(_ product: Product) -> PageText {
        let area = layout.page
        let status = state.status(of: product)
        var rows: [PageRow] = []
        func add(_ text: String?, _ style: Style) {
            guard let text else { return }
            if !layout.isCompact { rows.append(.gap) }
            rows += measure.wrap(text, columns: area.columns).map { .text($0, style) }
        }
        add(subscriptionLine(status, of: product), theme.quiet)
        add(strings.statusLine(status, of: product, state), style(of: status))
        if state.isPaymentHeld(of: product.id) {
            add(
                strings[
                    .heldLine(
                        send: strings.key(.continuePurchase), drop: strings.key(.dropPurchase))
                ], theme.waiting)
        } else if state.isPromoted(product.id) {
            add(
                strings[
                    .promotedLine(
                        continue: strings.key(.continuePurchase), drop: strings.key(.dropPurchase))
                ], theme.waiting)
        }
        add(strings.updateLine(product, state), theme.waiting)
        let owner = state.sharedBy(product.id)
        add(owner.map { strings[.sharedByLine(account: $0.rawValue)] }, theme.good)
        if state.snapshot.isOffline {
            let asOf = state.snapshot.asOf.map { strings.instant($0) } ?? ""
            add(strings[.offlineLine(asOf: asOf)], theme.waiting)
        }
        if !product.description.isEmpty {
            rows.append(.gap)
            rows += measure.wrap(product.description, columns: area.columns).map {
                .text($0, .plain)
            }
        }
        rows += issueRows(product, area)
        rows.append(.gap)
        rows += factRows(product, area)
        // Identifiers are compared character by character, so they are wrapped and not cut.
        add(product.id.rawValue, theme.quiet)
        // Last, because the store may answer after the page is drawn: no other row moves then.
        rows += offerRows(product, area)
        let room = pageRoom(product, status, area)
        // The activity takes what the page leaves, so that it hides no fact of the page.
        let activity = layout.hasActivity ? ActivityView.rows(layout, left: room - rows.count) : 0
        return PageText(rows: rows, room: room - activity, activity: activity)
    }

    /// Newest first, each with its day and state.
    private func issueRows(_ product: Product, _ area: Area) -> [PageRow] {
        guard let issues = product.issues, !issues.isEmpty else { return [] }
        let indent = issueIndent(issues)
        var rows: [PageRow] = [.gap, .heading(strings[.issuesHeading], nil)]
        let room = max(10, area.columns - indent)
        let states = issues.map { issueState($0, of: product, isNewest: $0 == issues.last) }
        let widest = (issues.map { columns($0.title) }.max() ?? 0) + 3
        let isAligned = states.allSatisfy { widest + columns($0.texts[0]) <= room }
        for (issue, state) in zip(issues, states).reversed() {
            let day = strings.day(issue.date)
            let title = measure.wrap(issue.title, columns: room)
            let column = isAligned ? widest : (title.last?.columns ?? 0) + 2
            let text = state.texts.first { column + columns($0) <= room }
            for (number, line) in title.enumerated() {
                rows.append(
                    .issue(
                        day: number == 0 ? day : "", line,
                        state: number == title.count - 1 ? text ?? "" : "", column: column,
                        state.style))
            }
            if text == nil {
                rows += measure.wrap(state.texts[0], columns: room).map {
                    .issue(
                        day: "", measure.measure(""), state: $0.text, column: 0, state.style)
                }
            }
        }
        return rows
    }

    /// The columns before the titles of issues: the widest day and a gap.
    private func issueIndent(_ issues: [PublishedIssue]) -> Int {
        (issues.map { columns(strings.day($0.date)) }.max() ?? 0) + 2
    }

    /// From the longest wording to the shortest.
    private func issueState(
        _ issue: PublishedIssue, of product: Product, isNewest: Bool
    ) -> (texts: [String], style: Style) {
        let download = state.snapshot.downloads[product.id]
        if download?.installed[issue.id] != nil {
            if state.updates(of: product).contains(where: { $0.contentID == issue.id }) {
                return ([strings[.update]], theme.waiting)
            }
            return ([glyphs.done + " " + strings[.issueHere], glyphs.done], theme.good)
        }
        guard issue.isOwned else {
            return ([strings[isNewest ? .issueWithPurchase : .issueNotIncluded]], theme.quiet)
        }
        switch download?.package(issue.id)?.state {
        case .active, .waiting:
            let waits = download.map { state.waitsForNetwork($0) } ?? false
            return ([strings[waits ? .waitingForNetwork : .downloading]], theme.waiting)
        case .paused: return ([strings[.paused]], theme.waiting)
        case .failed: return ([strings[.downloadFailedShort], strings[.failedShort]], theme.bad)
        case .finished, .cancelled, .deleted, nil:
            return ([strings[.issueNotDownloaded]], theme.quiet)
        }
    }

    /// The kind and terms of each, and whether the account can take it.
    private func offerRows(_ product: Product, _ area: Area) -> [PageRow] {
        let offers = state.offersOnPage(of: product)
        guard !offers.isEmpty else { return [] }
        var rows: [PageRow] = layout.isCompact ? [] : [.gap]
        rows.append(.heading(strings[.offers], nil))
        for answer in offers {
            let text = strings.words(answer.offer, of: product)
            let standing = state.standing(of: answer, of: product)
            let note = strings.note(on: standing)
            let style = standing.isAvailable ? theme.good : theme.quiet
            if columns(text) + 2 + columns(note) <= area.columns {
                rows.append(.offer(measure.measure(text), state: note, style))
                continue
            }
            rows += measure.wrap(text, columns: area.columns).map { .text($0, .plain) }
            rows += measure.wrap(note, columns: max(2, area.columns - 2)).map {
                .below($0, style)
            }
        }
        return rows
    }

    /// How it ended, or why a shared one gives no access, if the product can be bought; else nil.
    private func subscriptionLine(_ status: ProductStatus, of product: Product) -> String? {
        guard case .buyable = status, let subscription = state.subscription(of: product.id),
            !subscription.hasAccess
        else { return nil }
        return strings.line(subscription.standing, of: subscription, state)
    }

    private func pageRoom(_ product: Product, _ status: ProductStatus, _ area: Area) -> Int {
        var used = layout.isCompact ? 0 : 2
        let headline = headline(product, status, area)
        used += headline.names.count + (headline.isOneRow ? 0 : 1)
        let labels = pageLabels(product)
        if !labels.isEmpty {
            used += buttonRows(labels, column: area.column, end: area.column + area.columns)
        }
        if status.download != nil {
            used += (layout.isCompact ? 2 : 3) + shownPackages(of: product.id, area).count
        }
        return max(1, area.rows - used - (hasNeighbours ? 1 : 0))
    }

    /// The rows of facts, in two columns side by side where both fit.
    private func factRows(_ product: Product, _ area: Area) -> [PageRow] {
        let purchase = purchaseFacts(product)
        let included = includedFacts(product)
        let titles = (strings[.purchaseHeading], strings[.includedHeading])
        guard area.columns >= 70, !layout.isLinear, !purchase.isEmpty else {
            func alone(_ facts: [PageRow.Fact]) -> [PageRow] {
                wrapped(facts, columns: area.columns).map { .facts($0, nil) }
            }
            var rows: [PageRow] = []
            if !purchase.isEmpty {
                rows += [.heading(titles.0, nil)] + alone(purchase) + [.gap]
            }
            return rows + [.heading(titles.1, nil)] + alone(included)
        }
        let half = PageRow.secondColumn(in: area) - area.column
        let left = wrapped(purchase, columns: half - 2)
        let right = wrapped(included, columns: area.columns - half)
        var rows: [PageRow] = [.heading(titles.0, titles.1)]
        for number in 0..<max(left.count, right.count) {
            let none = PageRow.Fact(name: "", value: "")
            rows.append(
                .facts(
                    number < left.count ? left[number] : none,
                    number < right.count ? right[number] : none))
        }
        return rows
    }

    /// Long values continue in further rows, because the page shows them nowhere else.
    private func wrapped(_ facts: [PageRow.Fact], columns: Int) -> [PageRow.Fact] {
        facts.flatMap { fact in
            let lines = measure.wrap(fact.value, columns: max(2, columns - PageRow.nameColumns))
            return lines.enumerated().map { number, line in
                PageRow.Fact(
                    name: number == 0 ? fact.name : "", value: line.text, style: fact.style)
            }
        }
    }

    /// The facts of the purchase; empty if the account has not bought the product.
    private func purchaseFacts(_ product: Product) -> [PageRow.Fact] {
        var facts: [PageRow.Fact] = []
        let delivered = state.snapshot.latestDelivered[product.id]
        if let delivered {
            let when = strings.instant(delivered.purchasedAt)
            let sale = state.page.sales[delivered.transactionID]
            let device = sale?.device?.rawValue
            facts.append(
                .init(
                    name: strings[.boughtFact],
                    value: device.map { strings[.boughtOn(device: $0, when: when)] } ?? when))
            if state.sharedBy(product.id) == nil, let paid = delivered.paid {
                let price = strings.price(state.price(paid, of: product.id))
                let territory = sale.map { strings.territoryName($0.storefront) }
                facts.append(
                    .init(
                        name: strings[.paidFact],
                        value: [price, territory].compactMap(\.self)
                            .joined(separator: strings[.listSeparator])))
            }
        }
        let entitled = state.snapshot.entitlements[product.id]
        if let id = entitled?.transactionID ?? delivered?.transactionID {
            facts.append(
                .init(
                    name: strings[.transaction],
                    value: strings[.verifiedTransaction(id.description)]))
            if state.sharedBy(product.id) == nil, let order = state.shop.orderNumber(of: id) {
                facts.append(.init(name: strings[LogText.orderFact], value: order))
            }
        }
        return facts
    }

    private func includedFacts(_ product: Product) -> [PageRow.Fact] {
        var facts = [PageRow.Fact(name: strings[.type], value: strings.kind(product))]
        let download = state.snapshot.downloads[product.id]
        let installed = download?.installed ?? [:]
        let issues = Set((product.issues ?? []).map(\.id))
        // Issues have a list with titles, so they are left out of the facts.
        for content in product.hostedContent where !issues.contains(content.id) {
            // Names the installed version, even if the store has a newer one.
            let size = Measures.bytes(content.length)
            let version = installed[content.id] ?? content.version
            let here = layout.isLinear ? strings[.issueHere] : glyphs.done
            let mark = installed[content.id] == nil ? "" : "  " + here
            // The catalog knows only the length of the version on sale.
            let isOffered = version == content.version
            facts.append(
                .init(
                    name: strings[.content],
                    value: "\(content.id) \(version)" + (isOffered ? ", \(size)" : "") + mark))
            let newer: ProductText
            if let coming = download?.versionOnItsWay(of: content.id) {
                newer = .updateOnItsWay(version: coming)
            } else if !isOffered, ContentVersion.isNewer(content.version, than: version) {
                newer = .updateAvailable(version: content.version, size: size)
            } else {
                continue
            }
            facts.append(.init(name: "", value: strings[newer], style: theme.waiting))
        }
        if let comparison = strings.comparison(product, state.productList).first {
            facts.append(.init(name: strings[.comparedFact], value: comparison))
        }
        if let plan = product.subscription?.billingPlans.first(where: { $0.type == .monthly }),
            let commitment = plan.commitment
        {
            func money(_ price: Money) -> String {
                strings.price(Price(money: price, locale: product.priceLocale))
            }
            facts.append(
                .init(
                    name: strings[.paidBy],
                    value: strings[
                        .paymentsOf(
                            count: commitment.paymentCount, price: money(plan.price),
                            whole: money(commitment.price))]))
        }
        if !product.unlocks.isEmpty {
            let names = strings.unlockNames(product, state).joined(
                separator: strings[.listSeparator])
            facts.append(.init(name: strings[.unlocksFact], value: names))
        }
        if product.isFamilyShareable {
            facts.append(.init(name: strings[.family], value: strings[.familyCanShare]))
        }
        return facts
    }

    private mutating func draw(_ row: PageRow, at line: Int, _ area: Area) {
        let end = area.column + area.columns
        let half = PageRow.secondColumn(in: area)
        switch row {
        case .gap: break
        case .text(let text, let style):
            frame.put(text, column: area.column, row: line, style: style, before: end)
        case .heading(let left, let right):
            put(left.uppercased(), area.column, line, theme.quiet.bold, before: end)
            if let right { put(right.uppercased(), half, line, theme.quiet.bold, before: end) }
        case .offer(let text, let state, let style):
            let at = frame.put(text, column: area.column, row: line, style: .plain, before: end)
            put(state, at + 2, line, style, before: end)
        case .issue(let day, let title, let state, let column, let style):
            let titles = area.column + issueIndent(self.state.selectedProduct?.issues ?? [])
            put(day, area.column, line, theme.quiet, before: end)
            frame.put(title, column: titles, row: line, style: .plain, before: end)
            put(state, titles + column, line, style, before: end)
        case .below(let text, let style):
            frame.put(text, column: area.column + 2, row: line, style: style, before: end)
        case .facts(let left, let right):
            draw(left, area.column, line, before: right == nil ? end : half - 2)
            if let right { draw(right, half, line, before: end) }
        }
    }

    private mutating func draw(
        _ fact: PageRow.Fact, _ column: Int, _ line: Int, before end: Int
    ) {
        let values = column + PageRow.nameColumns
        put(fact.name, column, line, theme.quiet, before: values - 1)
        put(fact.value, values, line, fact.style, before: end)
    }
}
