import ShopText
import Terminal

/// A frame being drawn, with everything that the drawing functions need.
struct Canvas {
    var frame: Frame
    /// The areas that can be clicked. Where two overlap, `ShopDrawing` takes the one added later.
    var targets: [Target] = []
    /// How the text of the product's page scrolls; nil until the page is drawn.
    var pageScrolling: Scrolling?
    /// The rows of the activity below the page (`ActivityView.rows`); 0 until the page is drawn.
    var activityRows = 0
    /// Of an open palette; made with the canvas, because several functions ask for them.
    var allPaletteLines: [PaletteLine] = []
    var layout: Layout
    let state: ShopState
    let theme: Theme
    let glyphs: Glyphs
    let strings: Strings
    let measure: TextMeasure

    /// An area of the screen, and the action of a click in it.
    struct Target {
        var area: Area
        var action: ShopAction
    }

    /// Draws text, shortened with an ellipsis before `end`. Returns the column after the text.
    @discardableResult
    mutating func put(
        _ text: String, _ column: Int, _ row: Int, _ style: Style = .plain, before end: Int? = nil
    ) -> Int {
        let limit = min(end ?? layout.columns, layout.columns)
        guard limit > column else { return column }
        let fitted = measure.fit(text, columns: limit - column)
        return frame.put(fitted, column: column, row: row, style: style, before: limit)
    }

    /// Draws a name, shortened before `end`: usually at its end, but in the middle where names in
    /// sight begin alike, such as the parts of one book, so that the ends still distinguish them.
    ///
    /// - Parameter alike: the names in sight that read the same where their ends are cut
    ///   (`TextMeasure.alike`).
    @discardableResult
    mutating func putName(
        _ name: String, _ column: Int, _ row: Int, _ style: Style, before end: Int,
        alike: [String: Int]
    ) -> Int {
        let limit = min(end, layout.columns)
        guard let common = alike[name], limit > column else {
            return put(name, column, row, style, before: end)
        }
        let fitted = measure.fit(name, columns: limit - column, keepingAfter: common)
        return frame.put(fitted, column: column, row: row, style: style, before: limit)
    }

    /// Draws text so that it ends before `end`, shortened with an ellipsis so that it does not
    /// begin before `start`. Returns the column where the text begins.
    @discardableResult
    mutating func putRight(
        _ text: String, before end: Int, _ row: Int, _ style: Style = .plain, from start: Int = 0
    ) -> Int {
        let fitted = measure.fit(text, columns: max(0, end - start))
        frame.put(fitted, column: end - fitted.columns, row: row, style: style, before: end)
        return end - fitted.columns
    }

    /// Draws a text in as many rows of an area as it needs.
    mutating func put(_ text: String, in area: Area, _ style: Style) {
        let lines = measure.wrap(text, columns: area.columns).prefix(area.rows)
        for (offset, line) in lines.enumerated() {
            frame.put(
                line, column: area.column, row: area.row + offset, style: style,
                before: area.column + area.columns)
        }
    }

    /// Marks the selected row of a list.
    mutating func putMarker(_ column: Int, _ row: Int, hasFocus: Bool) {
        put(glyphs.marker, column, row, hasFocus ? theme.accent : theme.quiet)
        if hasFocus { frame.cursor = Position(column: column + 2, row: row) }
    }

    /// Draws a horizontal line up to `end`, or to the edge of the screen.
    mutating func rule(_ row: Int, from column: Int = 1, to end: Int? = nil) {
        let last = end ?? layout.columns
        guard last > column else { return }
        put(String(repeating: glyphs.rule, count: last - column), column, row, theme.quiet)
    }

    /// Clears a sheet's rows at the lower edge and draws its upper edge: no more rows than needed,
    /// so that the list stays visible. Returns the first row inside.
    mutating func openSheet(rows: Int) -> Int {
        let area = layout.sheet(rows: rows)
        frame.clear(area)
        rule(area.row)
        return area.row + 1
    }

    /// Makes the columns from `column` to before `end` of a row clickable.
    mutating func target(_ action: ShopAction, _ column: Int, _ row: Int, to end: Int) {
        targets.append(
            Target(
                area: Area(column: column, row: row, columns: max(0, end - column), rows: 1),
                action: action))
    }

    /// Draws the rows of a window, each by `draw`, and where rows are hidden a mark that counts
    /// them. A heading is drawn only above a row in sight.
    ///
    /// - Parameters:
    ///   - hasFocus: whether the keys act on these rows; then a click on a mark turns the page.
    ///   - indent: the columns before a mark.
    ///   - words: the text of a mark for these hidden rows; empty if their number is unknown.
    mutating func drawRows(
        _ window: RowWindow, in area: Area, hasFocus: Bool, indent: Int = 0,
        isHeading: (Int) -> Bool = { _ in false },
        words: (Canvas, Range<Int>) -> String = { $0.strings[.more($1.count)] },
        _ draw: (inout Canvas, _ number: Int, _ row: Int) -> Void
    ) {
        var shown = window.shown
        if shown.upperBound < window.count, let last = shown.last, isHeading(last) {
            shown = shown.dropLast()
        }
        for number in shown { draw(&self, number, area.row + number - window.first) }
        let hidden = [
            (glyphs.up, 0..<shown.lowerBound, Movement.pageUp, area.row),
            (glyphs.down, shown.upperBound..<window.count, .pageDown, area.row + window.room - 1),
        ]
        let end = area.column + area.columns
        for (glyph, rows, movement, row) in hidden where !rows.isEmpty && window.isMarked {
            let start = window.hasMarks ? area.column + indent : end - 1
            let text = window.hasMarks ? "\(glyph) \(words(self, rows))" : glyph
            let last = put(text, start, row, theme.quiet, before: end)
            if hasFocus { target(.selectionMoved(movement), start, row, to: last) }
        }
    }

    /// Draws the titles of columns, each at its column; a bold one with an arrow is of the column
    /// by which the rows below are sorted.
    mutating func drawColumns(
        _ titles: [(SortColumn, Int)], sorted: SortColumn?, _ row: Int, before end: Int
    ) {
        for (title, column) in titles {
            let isSorted = title == sorted
            put(
                strings.title(of: title).uppercased() + (isSorted ? " \(glyphs.down)" : ""), column,
                row, isSorted ? theme.strong : theme.quiet, before: end)
        }
    }

    /// `progress` is from 0 to 1.
    mutating func bar(_ progress: Double, _ column: Int, _ row: Int, columns count: Int) {
        // Lines tell the progress in percent.
        guard count > 0, !layout.isLinear else { return }
        let bar = glyphs.bar(progress, columns: count)
        let filled = String(bar.prefix { $0 != " " && $0 != "." })
        let at = put(filled, column, row, theme.bar)
        put(String(repeating: glyphs.track, count: column + count - at), at, row, theme.quiet)
    }

    func columns(_ text: String) -> Int { measure.measure(text).columns }

    /// `wordings` are ordered from long to short; the last is taken if none fits.
    func choose(_ wordings: [String], columns limit: Int) -> String {
        wordings.first { columns($0) <= limit } ?? wordings.last ?? ""
    }

    /// The number of rows that `buttons` uses for the same labels and columns.
    func buttonRows(_ labels: [String], column: Int, end: Int) -> Int {
        (buttonPlaces(labels, column: column, end: end).last?.row ?? 0) + 1
    }

    /// Where each button begins, its row counted from that of the first one: buttons that do not
    /// fit continue in further rows.
    private func buttonPlaces(
        _ labels: [String], column: Int, end: Int
    ) -> [(column: Int, row: Int)] {
        var (at, row) = (column, 0)
        return labels.map { label in
            let width = columns("[ \(label) ]") + 1
            if at > column, at + width > end { (at, row) = (column, row + 1) }
            defer { at += width + 2 }
            return (at, row)
        }
    }

    /// The chosen one has a symbol, because the terminal may have no colours. Returns the row after
    /// them.
    mutating func buttons(
        _ labels: [String], chosen: Int?, column: Int, row: Int, end: Int,
        action: (Int) -> ShopAction
    ) -> Int {
        let places = buttonPlaces(labels, column: column, end: end)
        for (number, label) in labels.enumerated() {
            let (at, row) = (places[number].column, row + places[number].row)
            let isChosen = number == chosen
            put(
                isChosen ? glyphs.marker : " ", at, row, isChosen ? theme.accent : .plain,
                before: end)
            let last = put(
                "[ \(label) ]", at + 1, row, isChosen ? theme.strong : .plain, before: end)
            if isChosen { frame.cursor = Position(column: min(at + 3, end - 1), row: row) }
            target(action(number), at, row, to: last)
        }
        return row + (places.last?.row ?? 0) + 1
    }
}
