import ShopText

/// A column of a list: its title, and its cell for each item.
struct Column<Item> {
    var title: ColumnText
    /// Whether its cells are aligned right, as prices are.
    var isRight: Bool
    var cell: (Item) -> String

    init(_ title: ColumnText, isRight: Bool = false, _ cell: @escaping (Item) -> String) {
        self.title = title
        self.isRight = isRight
        self.cell = cell
    }
}

/// A list for people: a header, then a row for each item, in columns as wide as their content.
struct TextTable {
    private var widths: [Int] = []
    private var hasHeader = false
    /// Only a cell that is longer than any line a person would read shifts the rest of its row.
    private static let widthMax = 200

    /// Prints items, with the header before the first of them; prints nothing for no items
    /// or no columns. A later
    /// call with the same columns continues the table, and its columns are at least as wide.
    mutating func write<Item>(_ items: [Item], _ columns: [Column<Item>]) {
        guard !items.isEmpty, !columns.isEmpty else { return }
        var rows = items.map { item in columns.map { $0.cell(item) } }
        let titles = columns.map { Output.strings[$0.title] }
        if !hasHeader { widths = titles.map { TextColumns.count($0) } }
        for row in rows {
            for (number, cell) in row.enumerated() {
                widths[number] = max(widths[number], min(TextColumns.count(cell), Self.widthMax))
            }
        }
        if !hasHeader { rows.insert(titles, at: 0) }
        hasHeader = true
        for row in rows { Output.line(line(row, columns.map(\.isRight))) }
    }

    private func line(_ cells: [String], _ areRight: [Bool]) -> String {
        let padded = cells.enumerated().map { number, cell in
            TextColumns.count(cell) > widths[number]
                ? cell : TextColumns.fit(cell, widths[number], alignRight: areRight[number])
        }
        return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
}
