package import ShopText
package import StoreModel
import Terminal

extension TrialsScreen: ComponentView {
    static let helpTitle: KeyText? = .helpTrials

    static let keys: [KeyBinding] =
        [
            KeyBinding(
                "Enter", [.enter], .confirmed, isUseful: { $0.trials.selectedTrial?.place != nil }
            ) { _ in .keyOpen },
            KeyBinding(.kinds, .trials(.areaCycled), .keyAreas),
            KeyBinding(
                .copySigned, .trials(.copied), .keyCopySigned,
                isUseful: { $0.trials.selectedTransaction != nil }),
            .back, .palette, .openConsole, .quit, .pointer, .next, .previous,
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawTrials() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        Scrolling(rows: canvas.trialsArea.rows)
    }
}

extension Canvas {
    /// The rows of how the selected trial happens, or of its evidence.
    private var trialRows: Int { layout.isCompact ? 3 : min(8, layout.body.rows / 3) }

    /// The list: all of the body but the rows of the selected trial and the count above them.
    fileprivate var trialsArea: Area {
        var area = layout.body
        area.column += layout.margin
        let columns = area.columns - layout.margin
        area.columns = layout.isLinear ? columns : min(columns, Layout.rowColumnsMax)
        area.rows = max(1, area.rows - trialRows - 1)
        return area
    }

    fileprivate mutating func drawTrials() {
        let (area, part) = (trialsArea, state.trials)
        let trials = part.shown
        let end = area.column + area.columns
        if trials.isEmpty {
            let text = part.error.map { strings.line($0, of: nil) }
            let empty: TrialsText = part.list.trials.isEmpty ? .readingTrials : .noTrials
            put(text ?? strings[empty], in: area, text == nil ? theme.quiet : theme.bad)
        } else {
            draw(trials, of: part, in: area)
        }
        let below = area.row + area.rows
        let seen = strings[.trialsSeen(part.seenCount, of: trials.count)]
        let count = "\(strings[.trialsTitle])  \(seen)"
        let name = part.area.map { part.list.areaName($0, in: strings.language.code) }
        let at = put(count, area.column, below, theme.strong, before: end)
        put(name ?? strings[.allAreas], at + 2, below, theme.quiet, before: end)
        guard let trial = part.selectedTrial else { return }
        for (offset, line) in lines(about: trial, of: part, columns: area.columns)
            .prefix(trialRows).enumerated()
        {
            frame.put(
                line.text, column: area.column, row: below + 1 + offset, style: line.style,
                before: end)
        }
    }

    private mutating func draw(_ trials: [Trial], of part: TrialsPart, in area: Area) {
        let language = strings.language.code
        // With a sheet open, the selected row stays visible above it.
        let window = part.window(
            room: min(area.rows, (sheetTop ?? .max) - area.row), isMarked: state.sheet == nil)
        let end = area.column + area.columns - (window.hasArrows ? 2 : 0)
        let names = trials.map { trial in
            let name = layout.isCompact ? "" : part.list.areaName(trial.area, in: language)
            // Lines tell in a word what a mark shows.
            return layout.isLinear && part.ticks.evidence[trial.id] != nil
                ? strings.list([name, strings[TrialsText.seen]]) : name
        }
        let nameColumns = names.map { columns($0) }.max() ?? 0
        let hasFocus = state.focus == .trials
        drawRows(window, in: area, hasFocus: hasFocus, indent: 4) { canvas, number, row in
            let trial = trials[number]
            let isSelected = number == part.selectedRow
            if isSelected { canvas.putMarker(area.column, row, hasFocus: hasFocus) }
            if part.ticks.evidence[trial.id] != nil {
                canvas.put(canvas.glyphs.done, area.column + 2, row, canvas.theme.good)
            }
            let last = end - (nameColumns > 0 ? nameColumns + 2 : 0)
            canvas.put(
                trial.title.text(in: language), area.column + 4, row,
                isSelected ? canvas.theme.strong : .plain, before: last)
            canvas.put(names[number], last + 2, row, canvas.theme.quiet, before: end)
            canvas.target(.trials(.pointed(row: number)), area.column, row, to: end)
        }
    }

    /// How it happens, in keys and commands; once it was seen, the lines that prove it.
    private func lines(
        about trial: Trial, of part: TrialsPart, columns limit: Int
    ) -> [(text: MeasuredText, style: Style)] {
        if let evidence = part.ticks.evidence[trial.id] {
            return evidence.map { line in
                let text = strings.line(line, state, theme)
                let parts = [
                    strings.number(of: line), strings.lineTime(line.happenedAt), text.kind,
                    text.text,
                ]
                let fitted = measure.fit(parts.joined(separator: "  "), columns: limit)
                return (fitted, text.style)
            }
        }
        return measure.wrap(strings.how(trial), columns: limit)
            .map { (text: $0, style: Style.plain) }
            + trial.commands.map {
                (text: measure.fit("storefront " + $0, columns: limit), style: theme.quiet)
            }
    }
}

extension Strings {
    /// How a trial happens, or what the open catalog lacks for it.
    package func how(_ trial: Trial) -> String {
        trial.unmet.map { self[TrialsText.catalogLacks($0)] }
            ?? trial.how.text(in: language.code)
    }

    /// "event 12", "log 3": where the line is found.
    package func number(of line: LogLine) -> String {
        switch line {
        case .event(let event): self[.eventNumber(event.cursor.position)]
        case .entry(let entry): self[.logNumber(entry.number)]
        }
    }
}
