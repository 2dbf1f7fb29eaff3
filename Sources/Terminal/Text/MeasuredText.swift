/// One character as a terminal shows it.
package struct Glyph: Hashable, Sendable {
    let code: CharacterCode
    /// 1 or 2.
    package let width: UInt8

    init(text: String, width: UInt8) {
        code = CharacterCode(text)
        self.width = width
    }

    /// With its marks.
    package var text: String { code.text }
    var isSpace: Bool { code == .space }
}

/// Text of known width and without control characters. Only a `TextMeasure` creates it.
package struct MeasuredText: Hashable, Sendable {
    package let glyphs: [Glyph]
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

    package var isEmpty: Bool { glyphs.isEmpty }

    package var text: String { glyphs.reduce(into: "") { $0 += $1.text } }

    package static func + (left: MeasuredText, right: MeasuredText) -> MeasuredText {
        MeasuredText(glyphs: left.glyphs + right.glyphs)
    }

    /// As many glyphs as fit into `limit` columns.
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
