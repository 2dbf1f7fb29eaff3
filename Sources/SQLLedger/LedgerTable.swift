/// A table of a ledger, read from the statement that creates it: so each table is declared once.
package struct LedgerTable: Hashable, Sendable {
    enum Kind: String {
        case integer = "INTEGER"
        case text = "TEXT"
        case blob = "BLOB"
    }

    /// A column, as the statement declares it.
    package struct Column: Hashable, Sendable {
        var name: String
        var kind: Kind
    }

    package let name: String
    package let columns: [Column]
    /// Of the primary key, in its order.
    package let key: [Column]

    /// All of `LedgerTables`, in the order in which they are created.
    package static let all = LedgerTables.statements.compactMap { LedgerTable(creation: $0) }

    /// Nil for a statement that creates no table.
    private init?(creation sql: String) {
        let start = "CREATE TABLE "
        guard sql.hasPrefix(start), let open = sql.firstIndex(of: "("),
            let close = sql.lastIndex(of: ")")
        else { return nil }
        name = sql[..<open].dropFirst(start.count).split(separator: " ").joined()
        var columns: [Column] = []
        var key: [String] = []
        for part in Self.parts(sql[sql.index(after: open)..<close]) {
            let words = part.split(whereSeparator: \.isWhitespace)
            guard words.count > 1 else { continue }
            if words[0] == "PRIMARY" {
                key = part.split { !($0.isLetter || $0 == "_") }.dropFirst(2).map(String.init)
            } else if let kind = Kind(rawValue: String(words[1])) {
                columns.append(Column(name: String(words[0]), kind: kind))
                if part.contains("PRIMARY KEY") { key = [String(words[0])] }
            }
        }
        self.columns = columns
        self.key = key.compactMap { name in columns.first { $0.name == name } }
    }

    /// Parted by the commas outside of parentheses.
    private static func parts(_ text: Substring) -> [Substring] {
        var depth = 0
        return text.split { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return character == "," && depth == 0
        }
    }
}
