import Basics
import ShopText
import StoreModel

/// A column of a list: its title, and its cell for each item.
struct Column<Item> {
    var title: ColumnText
    /// Whether its cells are aligned right, as prices are.
    var isRight: Bool
    /// Whether a narrow terminal may cut its cells short, as it may a product's name. Identifiers,
    /// amounts and dates are never cut.
    var mayBeCut: Bool
    var cell: (Item) -> String
    /// What a spreadsheet gets in place of the cell's text, such as a number; nil for that text.
    var field: ((Item) -> CSV.Field)?
    /// Whether it is for spreadsheets alone, because a table tells it in another column's cells.
    var isInTables = true

    init(
        _ title: ColumnText, isRight: Bool = false, mayBeCut: Bool = false,
        field: ((Item) -> CSV.Field)? = nil, _ cell: @escaping (Item) -> String
    ) {
        self.title = title
        self.isRight = isRight
        self.mayBeCut = mayBeCut
        self.field = field
        self.cell = cell
    }

    /// A column of spreadsheets alone.
    static func inCSV(
        _ title: ColumnText, _ field: @escaping (Item) -> CSV.Field
    ) -> Column {
        var column = Column(title, field: field) { _ in "" }
        column.isInTables = false
        return column
    }
}

extension CSV.Field {
    /// In units of its currency; empty for none.
    static func amount(_ money: Money?) -> CSV.Field {
        money.map { .number($0.plainText) } ?? .empty
    }

    static func count(_ number: some BinaryInteger) -> CSV.Field { .number(String(number)) }
}

/// A list for people: a header, then a row for each item, in columns as wide as their content. On
/// a terminal the table fits its columns.
struct TextTable {
    private var layout: TableLayout?
    /// Only a cell that is longer than any line a person would read shifts the rest of its row.
    private static let widthMax = 200

    /// Prints items, with the header before the first of them; prints nothing for no items
    /// or no columns. A later
    /// call with the same columns continues the table, and its columns are at least as wide.
    mutating func write<Item>(_ items: [Item], _ columns: [Column<Item>]) {
        guard !items.isEmpty, !columns.isEmpty else { return }
        var rows = items.map { item in columns.map { $0.cell(item) } }
        let titles = columns.map { Output.strings[$0.title] }
        let widths = (rows + [titles]).reduce(into: columns.map { _ in 0 }) { widths, row in
            for (number, cell) in row.enumerated() {
                widths[number] = max(widths[number], min(TextColumns.count(cell), Self.widthMax))
            }
        }
        if layout == nil { rows.insert(titles, at: 0) }
        var present =
            layout
            ?? TableLayout(
                widths: widths, isRight: columns.map(\.isRight),
                mayBeCut: columns.map(\.mayBeCut), within: Output.columns)
        present.widen(to: widths)
        layout = present
        for row in rows {
            for line in present.lines(of: row) { Output.line(line) }
        }
    }
}

/// Where the columns of a table stand. If they do not fit a terminal even with names cut short, a
/// row continues on further lines, so that neither a cell nor a heading is broken.
struct TableLayout {
    /// The numbers of the columns on each line of a row.
    private var numbers: [[Int]] = [[]]
    private var widths: [Int]
    private let isRight: [Bool]
    private let mayBeCut: [Bool]

    /// Of a name that is cut short.
    private static let widthMin = 12
    /// Between two columns, and before a line that continues a row.
    private static let gap = "  "

    /// - Parameter columns: those of the terminal; nil for none, where nothing is cut.
    init(widths: [Int], isRight: [Bool], mayBeCut: [Bool], within columns: Int?) {
        self.widths = widths
        self.isRight = isRight
        self.mayBeCut = columns == nil ? widths.map { _ in false } : mayBeCut
        guard let columns else {
            numbers = [Array(widths.indices)]
            return
        }
        var used = 0
        for number in widths.indices {
            let width = min(widths[number], mayBeCut[number] ? Self.widthMin : .max)
            let isFirst = numbers[numbers.count - 1].isEmpty
            if !isFirst, used + Self.gap.count + width > room(columns, line: numbers.count - 1) {
                numbers.append([number])
                used = width
            } else {
                numbers[numbers.count - 1].append(number)
                used += (isFirst ? 0 : Self.gap.count) + width
            }
        }
        for line in numbers.indices { shorten(line, to: room(columns, line: line)) }
    }

    private func room(_ columns: Int, line: Int) -> Int {
        line == 0 ? columns : columns - Self.gap.count
    }

    /// Takes columns from the widest names until the line fits.
    private mutating func shorten(_ line: Int, to room: Int) {
        let names = numbers[line].filter { mayBeCut[$0] }
        var excess =
            numbers[line].map { widths[$0] + Self.gap.count }.reduce(-Self.gap.count, +) - room
        while excess > 0, let widest = names.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > Self.widthMin
        {
            widths[widest] -= 1
            excess -= 1
        }
    }

    /// Makes room for the cells of a later page. A column that may be cut keeps its width.
    mutating func widen(to others: [Int]) {
        for (number, width) in others.enumerated() where !mayBeCut[number] {
            widths[number] = max(widths[number], width)
        }
    }

    /// A row's lines, without the further ones that would be empty.
    func lines(of cells: [String]) -> [String] {
        numbers.enumerated().compactMap { line, numbers in
            let text = numbers.map { cell($0, cells[$0]) }.joined(separator: Self.gap)
            let end = text.lastIndex { $0 != " " }
            guard line == 0 || end != nil else { return nil }
            return (line == 0 ? "" : Self.gap) + (end.map { text[...$0] } ?? "")
        }
    }

    private func cell(_ number: Int, _ text: String) -> String {
        let isTooLong = TextColumns.count(text) > widths[number]
        return isTooLong && !mayBeCut[number]
            ? text : TextColumns.fit(text, widths[number], alignRight: isRight[number])
    }
}
