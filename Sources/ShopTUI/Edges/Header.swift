import ShopCore
import ShopText
import StoreModel
import Terminal

extension Canvas {
    /// Draws the app's name, then account, device, territory and environment as far as there is
    /// room. The environment and the number of faults are always drawn, because nobody must
    /// overlook them.
    mutating func drawHeader() {
        let row = layout.headerRow
        let name = state.screen == .console ? wording[.console] : state.shop.appName
        var end = layout.columns
        let gap = layout.isCompact ? 1 : 3
        let nameColumns = min(columns(name), layout.isCompact ? 16 : 30)
        let start = 1 + nameColumns + 2
        for part in shownParts(room: layout.columns - start, gap: gap) {
            putRight(part.text, before: end, row, part.style)
            end -= columns(part.text) + gap
        }
        put(name, layout.isCompact ? 0 : 1, row, theme.strong, before: end)
    }

    private struct HeaderPart {
        /// Parts are fitted in order of rank, the lowest first.
        var rank: Int
        var text: String
        var style: Style

        /// Whether it is drawn even if the name must be shortened: faults and the environment.
        var isEssential: Bool { rank < 2 }
    }

    /// The parts that fit beside the name, from the right.
    private func shownParts(room: Int, gap: Int) -> [HeaderPart] {
        let parts = headerParts
        var room = room + gap
        var shown: [HeaderPart] = []
        for part in parts.sorted(by: { $0.rank < $1.rank }) {
            let width = columns(part.text) + gap
            guard part.isEssential || width <= room else { continue }
            room -= width
            shown.append(part)
        }
        return parts.filter { part in shown.contains { $0.rank == part.rank } }
    }

    /// All parts for this width, from the right.
    private var headerParts: [HeaderPart] {
        var parts: [HeaderPart] = []
        let faults = faultText.map { HeaderPart(rank: 0, text: $0, style: theme.fault) }
        let environment = HeaderPart(
            rank: 1, text: state.shop.environment.rawValue.uppercased(), style: theme.strong)
        let territory = state.settings.map { settings in
            strings.territory(
                settings.territory, currency: state.productList.products.first?.price.currency)
        }
        func quiet(_ rank: Int, _ text: String?) {
            if let text { parts.append(HeaderPart(rank: rank, text: text, style: theme.quiet)) }
        }
        let opening = !state.isReady ? wording[.opening] + glyphs.underWay : nil
        if layout.size.columns < 64 {
            if let faults { parts.append(faults) }
            parts.append(environment)
            quiet(2, opening ?? territory)
        } else {
            quiet(3, "\(state.shop.account) \(glyphs.dot) \(state.shop.device)")
            quiet(4, territory)
            parts.append(environment)
            if let faults { parts.append(faults) }
            quiet(2, opening)
            let another = wording[.anotherShopDelivers]
            quiet(5, state.holdsLease ? nil : another)
        }
        return parts
    }

    private var faultText: String? {
        let count = state.faults.reduce(0) { min($0 + min($1.remaining, 999), 999) }
        guard count > 0 else { return nil }
        return " \(wording[.failuresQueued(count)]) "
    }

    /// Draws the message in the row above the footer, or in two rows; a welcome if there is none
    /// and the account is empty.
    mutating func drawStatusMessage() {
        guard let statusMessage = state.statusMessage else {
            if state.isReady, state.snapshot.isEmpty,
                state.screen != .console
            {
                let hint = choose(
                    [wording[.welcome], wording[.welcomeShort]], columns: layout.columns - 1)
                put(hint, layout.isCompact ? 0 : 1, layout.messageRow, theme.quiet)
            }
            return
        }
        let left = layout.isCompact ? 0 : 1
        let time =
            layout.isCompact
            ? String(strings.formatters.time(statusMessage.at).prefix(5))
            : strings.formatters.time(statusMessage.at)
        let start = left + columns(time) + (layout.isCompact ? 1 : 2)
        let text = wording.message(statusMessage.what, isShort: layout.isCompact)
        var lines = measure.wrap(text, columns: layout.columns - start)
        if state.sheet != nil { lines = [measure.fit(text, columns: layout.columns - start)] }
        if lines.count > 2 {
            // There are two rows for it: the second ends with an ellipsis.
            let rest = measure.measure(text).dropFirst(lines[0].glyphs.count)
            lines = [lines[0], measure.fit(rest, columns: layout.columns - start)]
        }
        let first = layout.messageRow - lines.count + 1
        frame.clear(
            Area(column: 0, row: first, columns: layout.columns, rows: lines.count))
        put(time, left, first, theme.quiet)
        for (offset, line) in lines.enumerated() {
            frame.put(
                line, column: start, row: first + offset,
                style: statusMessageStyle(statusMessage.what))
        }
    }

    private func statusMessageStyle(_ what: StatusMessage.What) -> Style {
        switch what {
        case .failed, .outcomeUnknown, .restoreFailed, .downloadFailed, .trouble, .unverified,
            .catalogRefused, .held:
            theme.bad
        case .asking, .bought, .renewed, .alreadyOwned, .pending, .cancelled, .resending,
            .restoring, .restored, .downloaded, .downloadPaused, .downloadResumed,
            .downloadCancelled, .contentDeleted, .approved, .declined, .revised, .deleted,
            .clockSet, .clockSetBack, .overdue, .askToBuy, .payments, .performed, .faultsCleared,
            .priceChanged, .catalogRevised, .refused, .tookOver, .reopened, .notWatching,
            .pointer:
            .plain
        }
    }
}
