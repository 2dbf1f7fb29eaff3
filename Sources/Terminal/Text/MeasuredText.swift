/// One character as a terminal shows it.
package struct Glyph: Hashable, Sendable {
    let code: CharacterCode
    /// Columns: 1 or 2.
    package let width: UInt8

    init(text: String, width: UInt8) {
        code = CharacterCode(text)
        self.width = width
    }

    /// The character with its marks.
    package var text: String { code.text }
    var isSpace: Bool { code == .space }
}

/// Text of known width and without control characters. Only a `TextMeasure` creates it.
package struct MeasuredText: Hashable, Sendable {
    /// The characters, in order.
    package let glyphs: [Glyph]
    /// The columns of all glyphs together.
    package let columns: Int

    init(glyphs: [Glyph]) {
        self.glyphs = glyphs
        columns = glyphs.reduce(0) { $0 + Int($1.width) }
    }

    init(oneColumnEach glyphs: [Glyph]) {
        self.glyphs = glyphs
        columns = glyphs.count
    }

    static let empty = MeasuredText(glyphs: [])

    /// Whether the text has no glyphs.
    package var isEmpty: Bool { glyphs.isEmpty }

    /// The glyphs as a string.
    package var text: String { glyphs.map(\.text).joined() }

    /// Both texts, one after the other.
    package static func + (left: MeasuredText, right: MeasuredText) -> MeasuredText {
        MeasuredText(glyphs: left.glyphs + right.glyphs)
    }

    /// The first glyphs that fit into `limit` columns.
    func prefix(columns limit: Int) -> MeasuredText {
        var width = 0
        return MeasuredText(
            glyphs: Array(
                glyphs.prefix { glyph in
                    width += Int(glyph.width)
                    return width <= limit
                }))
    }
}
