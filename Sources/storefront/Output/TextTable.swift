import ShopText

/// A list for people: a header, then a row for each item, in columns as wide as their content.
struct TextTable {
    /// A column: its title, and whether its content is aligned right, as prices are.
    struct Column {
        var title: CommandText
        var isRight = false

        init(_ title: CommandText, isRight: Bool = false) {
            self.title = title
            self.isRight = isRight
        }
    }

    private let columns: [Column]
    private var widths: [Int]
    private var hasHeader = false
    /// A longer cell shifts only the rest of its own row.
    private static let widthMax = 44

    init(_ columns: [Column]) {
        self.columns = columns
        widths = columns.map { TextColumns.count(Output.strings[$0.title]) }
    }

    /// Prints rows, with the header before the first of them; prints nothing for no rows. A later
    /// call continues the table, and its columns are at least as wide.
    mutating func write(_ rows: [[String]]) {
        guard !rows.isEmpty else { return }
        for row in rows {
            for (number, cell) in row.enumerated() {
                widths[number] = max(widths[number], min(TextColumns.count(cell), Self.widthMax))
            }
        }
        if !hasHeader { Output.line(line(columns.map { Output.strings[$0.title] })) }
        hasHeader = true
        for row in rows { Output.line(line(row)) }
    }

    private func line(_ cells: [String]) -> String {
        let padded = cells.enumerated().map { number, cell in
            TextColumns.count(cell) > widths[number]
                ? cell
                : TextColumns.fit(cell, widths[number], alignRight: columns[number].isRight)
        }
        return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
}
