import ShopText
import StoreModel
import Terminal

extension Canvas {
    /// Drawn until the message fades; without one, a welcome if the account is empty and its keys
    /// act on the list. A purchase or a long message uses the row above, too, unless a sheet is
    /// open or the selection is in that row.
    mutating func drawMessage() {
        guard let message = state.shownMessage else {
            drawWelcome()
            return
        }
        let row = layout.messageRow
        frame.clear(Area(column: 0, row: row, columns: layout.columns, rows: 1))
        var end = layout.columns
        if message.replaced > 0, state.navigation.view != .history {
            let text = message.what.moment.map(strings.receipt) ?? strings[message.what]
            let note = choose(
                [strings[.moreInHistory(message.replaced)], "+\(message.replaced)"],
                columns: max(4, end - columns(text) - 12))
            let start = putRight(note, before: end, row, theme.quiet)
            target(.viewChosen(.history), start, row, to: end)
            end = start - 1
        }
        let time = String(strings.formatters.time(message.at).prefix(5))
        let start = layout.margin + columns(time) + (layout.isCompact ? 1 : 2)
        let style = style(of: message.what)
        if let bought = message.what.moment, let above = layout.selectionRow, state.sheet == nil {
            frame.clear(Area(column: 0, row: above, columns: layout.columns, rows: 1))
            put(
                glyphs.done + " " + strings.bought(bought), start, above, theme.good.bold,
                before: end)
            put(time, layout.margin, above, theme.quiet)
            put(receipt(bought, columns: end - start), start, row, style, before: end)
            return
        }
        let above = secondMessageRow.flatMap { $0 == frame.cursor?.row ? nil : $0 }
        // The first of two rows is drawn without a note at its right.
        let text = wording(
            of: message.what, first: above == nil ? 0 : layout.columns - start, last: end - start)
        let lines = measure.wrap(text, columns: max(2, layout.columns - start))
        if columns(text) > end - start, let above, let first = lines.first {
            frame.clear(Area(column: 0, row: above, columns: layout.columns, rows: 1))
            put(time, layout.margin, above, theme.quiet)
            put(first.text, start, above, style)
            let rest = lines.dropFirst().map(\.text).joined(separator: " ")
            put(rest, start, row, style, before: end)
        } else {
            put(time, layout.margin, row, theme.quiet)
            put(text, start, row, style, before: end)
        }
    }

    /// The whole message, or where the rows do not hold it, the one in few words: the keys that it
    /// names must be in sight.
    ///
    /// - Parameters:
    ///   - first: the columns of the first of two rows; 0 for one row.
    ///   - last: the columns of the message row.
    private func wording(of what: StatusText, first: Int, last: Int) -> String {
        let text = strings[what]
        guard columns(text) > last, let short = strings.short(what) else { return text }
        let rest = measure.wrap(text, columns: first).dropFirst().map(\.text)
        let isWhole = first > 0 && columns(rest.joined(separator: " ")) <= last
        return isWhole ? text : short
    }

    /// Its last words may name the key that lets the download go on.
    private func receipt(_ bought: Bought, columns limit: Int) -> String {
        var wordings = [strings.receipt(bought)]
        if case .waiting(let obstacle) = bought.content {
            let short = strings.short(.downloadWaits(name: bought.name, obstacle))
            wordings += [short].compactMap(\.self)
        }
        return choose(wordings, columns: limit)
    }

    /// Where a long message may begin; nil if nowhere. A small screen has the row only where it
    /// lists rows: there it covers the last listed row, a mark of hidden rows in a longer list.
    private var secondMessageRow: Int? {
        guard state.sheet == nil else { return nil }
        if let row = layout.selectionRow { return row }
        return state.screen.component.type.endsInRowCount ? layout.messageRow - 1 : nil
    }

    private mutating func drawWelcome() {
        guard state.isReady, state.snapshot.isEmpty, state.focus == .list else { return }
        let (buy, help) = (strings.key(.buy), strings.key(.help))
        let hint = choose(
            [
                strings[.welcome(buy: buy, help: help)],
                strings[.welcomeShort(buy: buy, help: help)],
            ],
            columns: layout.columns - layout.margin)
        put(hint, layout.margin, layout.messageRow, theme.quiet)
    }

    private func style(of what: StatusText) -> Style {
        switch what {
        case .failed, .outcomeUnknown, .restoreFailed, .downloadFailed, .trouble, .unverified,
            .catalogRefused, .held:
            theme.bad
        case .subscription(let event, _, _):
            event.eventKind == .billingFailed
                ? theme.bad : event.kind == .priceIncreaseAsked ? theme.waiting : .plain
        case .downloadWaits: theme.waiting
        default: .plain
        }
    }
}

extension StatusText {
    /// The purchase that is announced in two rows: one of this shop. Nil for other messages.
    var moment: Bought? {
        if case .bought(let bought) = self, !bought.isUnasked { bought } else { nil }
    }
}
