/// Turns any text into what a terminal can show, and says how many columns it takes: by the same
/// measure the terminal library uses (wcwidth(3)), never by the look of a character.
package struct TextMeasure: Sendable {
    /// Columns of a scalar: 0, 1, 2, or -1 for what cannot be shown.
    package typealias Columns = @Sendable (Unicode.Scalar) -> Int

    private let columns: Columns
    /// Characters outside ASCII are shown as "?" (or a near one).
    package let isASCII: Bool

    package init(isASCII: Bool = false, columns: @escaping Columns) {
        self.columns = columns
        self.isASCII = isASCII
    }

    /// Control characters, direction marks and line ends become nothing or a space; what terminals
    /// disagree about (joined emoji, flags, skin tones, newer characters) becomes its first
    /// character or "?".
    package func measure(_ text: String) -> MeasuredText {
        var glyphs: [Glyph] = []
        glyphs.reserveCapacity(text.utf8.count)
        for character in text { append(character, to: &glyphs) }
        return MeasuredText(glyphs: glyphs)
    }

    private func append(_ character: Character, to glyphs: inout [Glyph]) {
        if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F {
            glyphs.append(Glyph(text: String(character), width: 1))
            return
        }
        if character.isNewline || character == "\t" || isSpace(character) {
            glyphs.append(Glyph(text: " ", width: 1))
            return
        }
        let scalars = character.unicodeScalars
        let shown = scalars.filter { columns($0) != 0 || isMark($0) }
        guard let base = shown.first(where: { columns($0) != 0 }) else { return }
        if isASCII {
            for near in ASCIIText.near(character) {
                glyphs.append(Glyph(text: String(near), width: 1))
            }
            return
        }
        let width = columns(base)
        guard width == 1 || width == 2 else {
            if !isControl(base) { glyphs.append(Glyph(text: "?", width: 1)) }
            return
        }
        let marks = shown.drop { $0 != base }.dropFirst()
        // A terminal cell holds one character with up to four marks.
        let isPlain = marks.allSatisfy(isMark) && marks.count <= 4
        var cell = String.UnicodeScalarView()
        cell.append(base)
        if isPlain { cell.append(contentsOf: marks) }
        glyphs.append(Glyph(text: String(cell), width: UInt8(width)))
        // Scripts whose clusters take more than one cell each show them one after the other.
        if !isPlain, !isEmoji(base) {
            for scalar in marks where columns(scalar) == 1 || columns(scalar) == 2 {
                glyphs.append(Glyph(text: String(scalar), width: UInt8(columns(scalar))))
            }
        }
    }

    private func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard columns(scalar) == 0 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark:
            // A variation selector changes the width on some terminals and not on others.
            return !(0xFE00...0xFE0F).contains(scalar.value)
        default: return false
        }
    }

    private func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private func isSpace(_ character: Character) -> Bool {
        // No-break spaces in prices: a terminal breaks nothing, and fonts lack the narrow one.
        character == "\u{A0}" || character == "\u{202F}" || character == "\u{2009}"
    }

    private func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmojiPresentation || scalar.properties.isEmoji
    }

    // MARK: - Fitting

    /// At most `limit` columns; what is left out is told by an ellipsis.
    package func fit(_ text: String, columns limit: Int) -> MeasuredText {
        fit(measure(text), columns: limit)
    }

    package func fit(_ measured: MeasuredText, columns limit: Int) -> MeasuredText {
        if measured.columns <= limit { return measured }
        guard limit > 0 else { return .empty }
        let ellipsis = measure(isASCII || columns("…") != 1 ? "." : "…")
        return measured.prefix(columns: limit - 1) + ellipsis
    }

    /// Lines of at most `limit` columns, broken at spaces, or anywhere in a word that is too long
    /// and in scripts that have no spaces.
    package func wrap(_ text: String, columns limit: Int) -> [MeasuredText] {
        guard limit > 1 else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap {
            wrapLine(measure(String($0)).glyphs, limit)
        }
    }

    private func wrapLine(_ glyphs: [Glyph], _ limit: Int) -> [MeasuredText] {
        var lines: [MeasuredText] = []
        var line: [Glyph] = []
        var width = 0
        var lastBreak: Int?
        for glyph in glyphs {
            if glyph.text == " ", width >= limit {
                lines.append(MeasuredText(glyphs: line))
                (line, width, lastBreak) = ([], 0, nil)
                continue
            }
            if width + Int(glyph.width) > limit {
                let cut = glyph.width == 2 ? line.count : lastBreak ?? line.count
                lines.append(MeasuredText(glyphs: trimmed(line[..<cut])))
                line = Array(line[cut...].drop { $0.text == " " })
                width = line.reduce(0) { $0 + Int($1.width) }
                lastBreak = nil
            }
            line.append(glyph)
            width += Int(glyph.width)
            if glyph.text == " " || glyph.width == 2 { lastBreak = line.count }
        }
        lines.append(MeasuredText(glyphs: trimmed(line[...])))
        return lines
    }

    private func trimmed(_ glyphs: ArraySlice<Glyph>) -> [Glyph] {
        Array(glyphs.reversed().drop { $0.text == " " }.reversed())
    }
}
