import ShopText
import StoreModel
import Terminal

extension DetailsScreen: ComponentView {
    static let helpTitle: KeyText? = .helpDetails

    static let keys: [KeyBinding] =
        [
            KeyBinding("Esc", [.escape, .enter], names: [.back], .wentBack) { _ in .keyBack },
            .copyIdentifier, .copySignedText, .claim, .refund, .renew, .expire, .delete,
            KeyBinding("←→", [], told: [.left, .right], .choiceMoved(1)) { _ in .keyNeighbours },
            .left, .right, .palette, .quit, .pointer, .next, .previous,
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) {
        canvas.drawScrolled(
            canvas.detailLines(columns: canvas.linesArea.columns),
            by: canvas.state.details.scroll)
    }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        canvas.scrolling(
            canvas.detailLines(columns: canvas.linesArea.columns),
            by: canvas.state.details.scroll)
    }
}

/// A line of the details: a label and its value, or a text without a label.
struct DetailLine {
    var label = ""
    /// Whether the text is a value, which is drawn beside the labels.
    var isFact = false
    var isHeading = false
    var text: MeasuredText
    var style: Style
}

extension Canvas {
    private var labelColumns: Int { layout.isCompact ? 11 : 14 }

    /// In lines of at most `limit` columns; empty without a selection.
    func detailLines(columns limit: Int) -> [DetailLine] {
        guard let item = state.selectedItem else { return [] }
        var lines = measure.wrap(strings.title(item, state, theme), columns: limit).map {
            DetailLine(text: $0, style: theme.strong)
        }
        let empty = DetailLine(text: measure.measure(""), style: .plain)
        if !layout.isCompact { lines.append(empty) }
        var facts = strings.facts(item, state)
        var payload: [String] = []
        if case .line(let line) = item, let id = line.transaction,
            let details = state.details.signed,
            details.id == id
        {
            facts.append(
                (
                    strings[.signatureFact],
                    details.problem.map {
                        strings[
                            .notVerifiedFact(reason: strings.namesConsole ? $0.rawValue : nil)]
                    }
                        ?? strings[.verifiedFact]
                ))
            payload = details.payload
        }
        lines += factLines(facts, columns: limit)
        guard !payload.isEmpty else { return lines }
        lines.append(empty)
        lines.append(
            DetailLine(
                isHeading: true, text: measure.measure(strings[.payloadHeading]),
                style: theme.quiet))
        for text in payload {
            lines += measure.wrap(text, columns: limit).map { DetailLine(text: $0, style: .plain) }
        }
        return lines
    }

    mutating func drawDetails(in area: Area) {
        let columns = min(area.columns, Layout.textColumnsMax)
        draw(detailLines(columns: columns), in: area, scroll: 0, hasFocus: false)
    }

    /// Facts below each other: a label, and its value in as many lines as the value needs.
    /// - Parameter keepsWords: whether a value of one word that is too long beside its label comes below
    ///   it, whole.
    func factLines(
        _ facts: [(label: String, value: String)], columns limit: Int, keepsWords: Bool = false
    ) -> [DetailLine] {
        var lines: [DetailLine] = []
        for (label, value) in facts {
            let room = (limit - labelColumns + 1)...max(limit, limit - labelColumns + 1)
            if keepsWords, !value.contains(" "), room.contains(columns(value)) {
                lines += [
                    DetailLine(
                        label: label, isFact: true, text: measure.measure(""), style: .plain),
                    DetailLine(text: measure.measure(value), style: .plain),
                ]
                continue
            }
            for (number, part) in measure.wrap(value, columns: max(2, limit - labelColumns))
                .enumerated()
            {
                lines.append(
                    DetailLine(
                        label: number == 0 ? label : "", isFact: true, text: part, style: .plain))
            }
        }
        return lines
    }

    /// The area of lines that fill the body.
    var linesArea: Area {
        let area = layout.body
        return Area(
            column: area.column + layout.margin, row: area.row,
            columns: min(area.columns - layout.margin, Layout.textColumnsMax), rows: area.rows)
    }

    /// When `rows` rows are scrolled past; limited to the last page.
    func scrolling(_ lines: [DetailLine], by rows: Int) -> Scrolling {
        RowWindow(count: lines.count, room: linesArea.rows, from: rows).scrolling
    }

    /// Draws lines that fill the body, with `rows` rows scrolled past.
    mutating func drawScrolled(_ lines: [DetailLine], by rows: Int) {
        draw(lines, in: linesArea, scroll: rows, hasFocus: true)
        frame.cursor = Position(column: layout.margin, row: linesArea.row)
    }

    mutating func draw(
        _ lines: [DetailLine], in area: Area, scroll: Int, hasFocus: Bool
    ) {
        let window = RowWindow(count: lines.count, room: area.rows, from: scroll)
        let values = area.column + labelColumns
        let end = area.column + area.columns
        drawRows(
            window, in: area, hasFocus: hasFocus, isHeading: { lines[$0].isHeading }
        ) { canvas, number, row in
            let line = lines[number]
            canvas.put(line.label, area.column, row, canvas.theme.quiet, before: values - 1)
            canvas.frame.put(
                line.text, column: line.isFact ? values : area.column, row: row,
                style: line.style, before: end)
        }
    }
}
