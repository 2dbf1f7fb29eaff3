#if PostgreSQL
/// What statements and texts become for PostgreSQL.
enum PostgreSQLText {
    /// Parameters are `$1`, `$2`…; no statement has a question mark elsewhere.
    static func statement(_ sql: String) -> String {
        var result = ""
        var count = 0
        var rest = sql[...]
        while let mark = rest.firstIndex(of: "?") {
            result += rest[..<mark] + "$"
            rest = rest[rest.index(after: mark)...]
            if rest.first?.isNumber != true {
                count += 1
                result += String(count)
            }
        }
        return result + rest
    }

    /// A statement that creates a table or an index, written for SQLite. Texts compare byte by byte,
    /// whatever the collation of the database is.
    static func creation(_ sql: String) -> String {
        sql.replacing(" INTEGER", with: " bigint")
            .replacing(" TEXT", with: " text COLLATE \"C\"")
            .replacing(" BLOB", with: " bytea")
            .replacing("WITHOUT ROWID", with: "")
    }

    /// A name in quotes.
    static func identifier(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    /// PostgreSQL's texts cannot hold U+0000, which SQLite's can: here it is U+0001 with a zero
    /// behind it, and U+0001 itself has a one behind it.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= 1 }) else { return text }
        return text.replacing("\u{1}", with: "\u{1}1").replacing("\u{0}", with: "\u{1}0")
    }

    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(1) else { return text }
        return text.replacing("\u{1}0", with: "\u{0}").replacing("\u{1}1", with: "\u{1}")
    }
}
#endif
