/// One character as a terminal shows it.
package struct Glyph: Hashable, Sendable {
    let code: CharacterCode
    /// 1 or 2.
    package let width: UInt8

    package init(text: String, width: UInt8) {
        code = CharacterCode(text)
        self.width = width
    }

    package var text: String { code.text }
    var isSpace: Bool { code == .space }
}

/// Text whose columns are known and which cannot move a cursor: only a `TextMeasure` makes it.
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

    package static let empty = MeasuredText(glyphs: [])

    package var isEmpty: Bool { glyphs.isEmpty }

    package var text: String { glyphs.map(\.text).joined() }

    package static func + (left: MeasuredText, right: MeasuredText) -> MeasuredText {
        MeasuredText(glyphs: left.glyphs + right.glyphs)
    }

    /// The first glyphs that fit into `limit` columns.
    package func prefix(columns limit: Int) -> MeasuredText {
        var width = 0
        return MeasuredText(
            glyphs: Array(
                glyphs.prefix { glyph in
                    width += Int(glyph.width)
                    return width <= limit
                }))
    }

    /// The last glyphs that fit into `limit` columns.
    package func suffix(columns limit: Int) -> MeasuredText {
        var width = 0
        let last = glyphs.reversed().prefix { glyph in
            width += Int(glyph.width)
            return width <= limit
        }
        return MeasuredText(glyphs: last.reversed())
    }

    /// Without the first `count` glyphs, nor the spaces that follow them.
    package func dropFirst(_ count: Int) -> MeasuredText {
        MeasuredText(glyphs: Array(glyphs.dropFirst(count).drop(while: \.isSpace)))
    }
}
