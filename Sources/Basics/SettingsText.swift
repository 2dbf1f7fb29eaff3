/// A settings file: the part of TOML 1.0 that settings need, read a line at a time. A line is
/// empty, a comment, a table's `[name]`, or `name = value`, where the value is a string, a list of strings
/// on one line, `true`, `false` or a whole number.
///
/// Strict: whatever else a line holds is a problem of it, and the line is left out. The other lines
/// hold all the same. Below a table's line that is a problem, all lines up to the next table are
/// left out.
package struct SettingsText: Sendable {
    /// What a line sets a name to.
    package enum Value: Hashable, Sendable {
        case text(String)
        case list([String])
        case flag(Bool)
        case number(Int64)
    }

    /// A line that sets a name.
    package struct Entry: Hashable, Sendable {
        /// Nil above the first table.
        package let table: String?
        package let name: String
        package let value: Value
        package let line: Int
    }

    /// Why a line cannot be read.
    package struct Fault: Error, Hashable, Sendable {
        package let found: String
        package let expected: Expected

        init(_ found: String, _ expected: Expected) {
            self.found = found
            self.expected = expected
        }
    }

    /// What should stand in place of what was found.
    package enum Expected: Hashable, Sendable {
        case utf8, noControl
        /// `name = value`, `[table]` or a comment.
        case line
        case value
        /// The end of a string or a list on its line.
        case end
        /// `\"` or `\\`.
        case escape
        case lineEnd
        /// A name or a table once; line `first` has it.
        case once(first: Int)
    }

    package private(set) var entries: [Entry] = []
    /// The tables with the lines of their names.
    package private(set) var tables: [(name: String, line: Int)] = []
    package private(set) var problems: [(line: Int, fault: Fault)] = []

    package init(_ bytes: [UInt8]) {
        var table: String?
        var isLeftOut = false
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            let number = index + 1
            do throws(Fault) {
                var line = try SettingsLine(bytes.last == 0x0D ? bytes.dropLast() : bytes)
                if line.isAtEnd { continue }
                if line.isTable {
                    isLeftOut = true
                    let name = try line.tableName()
                    (table, isLeftOut) = (name, false)
                    let first = tables.first { $0.name == name }
                    tables.append((name, number))
                    if let first { throw Fault("[\(name)]", .once(first: first.line)) }
                } else if !isLeftOut {
                    let (name, value) = try line.assignment()
                    let first = entries.first { $0.table == table && $0.name == name }
                    if let first { throw Fault(name, .once(first: first.line)) }
                    entries.append(Entry(table: table, name: name, value: value, line: number))
                }
            } catch {
                problems.append((number, error))
            }
        }
    }
}

private typealias Fault = SettingsText.Fault

/// Reads one line from left to right.
private struct SettingsLine {
    private let scalars: [Unicode.Scalar]
    private var at = 0

    init(_ bytes: ArraySlice<UInt8>) throws(Fault) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Fault(String(decoding: bytes, as: UTF8.self), .utf8)
        }
        scalars = Array(text.unicodeScalars)
        let control = scalars.first { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }
        if let control { throw Fault(UntrustedText.name(control), .noControl) }
        skipBlanks()
    }

    /// A comment ends a line.
    var isAtEnd: Bool { at == scalars.count || scalars[at] == "#" }
    var isTable: Bool { next == "[" }
    private var next: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }
    private var rest: String { Self.text(scalars[at...]) }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private mutating func skipBlanks() {
        while let next, next == " " || next == "\t" { at += 1 }
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        at += 1
        skipBlanks()
        return true
    }

    private mutating func word() -> String {
        let word = scalars[at...].prefix {
            $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                || $0 == "_" || $0 == "-"
        }
        at += word.count
        skipBlanks()
        return Self.text(word)
    }

    private func checkEnd() throws(Fault) {
        if !isAtEnd { throw Fault(rest, .lineEnd) }
    }

    mutating func tableName() throws(Fault) -> String {
        let whole = rest
        _ = skip("[")
        let name = word()
        guard !name.isEmpty, skip("]") else { throw Fault(whole, .line) }
        try checkEnd()
        return name
    }

    mutating func assignment() throws(Fault) -> (String, SettingsText.Value) {
        let whole = rest
        let name = word()
        guard !name.isEmpty, skip("=") else { throw Fault(whole, .line) }
        let value = try value()
        skipBlanks()
        try checkEnd()
        return (name, value)
    }

    private mutating func value() throws(Fault) -> SettingsText.Value {
        switch next {
        case "\""?, "'"?: return .text(try string())
        case "["?: return .list(try list())
        default: break
        }
        let bare = Self.text(scalars[at...].prefix { ![" ", "\t", "#"].contains($0) })
        at += bare.unicodeScalars.count
        switch bare {
        case "true": return .flag(true)
        case "false": return .flag(false)
        default:
            guard let number = Int64(bare) else { throw Fault(bare, .value) }
            return .number(number)
        }
    }

    /// Between `"`, with escapes, or between `'`, without them.
    private mutating func string() throws(Fault) -> String {
        let whole = rest
        let quote = scalars[at]
        var text: [Unicode.Scalar] = []
        at += 1
        while let scalar = next {
            at += 1
            if scalar == quote { return Self.text(text) }
            guard scalar == "\\", quote == "\"" else {
                text.append(scalar)
                continue
            }
            guard let escaped = next, escaped == "\"" || escaped == "\\" else {
                throw Fault("\\" + (next.map { String($0) } ?? ""), .escape)
            }
            text.append(escaped)
            at += 1
        }
        throw Fault(whole, .end)
    }

    private mutating func list() throws(Fault) -> [String] {
        let whole = rest
        var texts: [String] = []
        _ = skip("[")
        while !skip("]") {
            guard !isAtEnd else { throw Fault(whole, .end) }
            guard next == "\"" || next == "'" else { throw Fault(rest, .value) }
            texts.append(try string())
            skipBlanks()
            guard skip(",") || next == "]" || isAtEnd else { throw Fault(rest, .lineEnd) }
        }
        return texts
    }
}
