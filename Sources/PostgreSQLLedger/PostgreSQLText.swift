#if PostgreSQL
/// Rewrites statements and texts for PostgreSQL.
enum PostgreSQLText {
    /// Parameters are `$1`, `$2`… A question mark in quotes stays.
    static func statement(_ sql: String) -> String {
        var result: [UInt8] = []
        var count = 0
        var quote: UInt8?
        var isParameter = false
        for byte in sql.utf8 + [0] {
            if isParameter, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte),
                result.last == UInt8(ascii: "$")
            {
                count += 1
                result += Array(String(count).utf8)
            }
            isParameter = quote == nil && byte == UInt8(ascii: "?")
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            }
            result.append(isParameter ? UInt8(ascii: "$") : byte)
        }
        return String(decoding: result.dropLast(), as: UTF8.self)
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

    /// A text in quotes.
    static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

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
