/// Converts any text into the characters that a terminal can show, with their columns. A function
/// gives the columns of a scalar; for a terminal it is wcwidth(3), which ncurses uses, too.
package struct TextMeasure: Sendable {
    /// The columns of a scalar: 0, 1 or 2; -1 if it cannot be shown.
    package typealias Columns = @Sendable (Unicode.Scalar) -> Int

    let columns: Columns
    private let memo = TextMemo()
    /// Characters outside ASCII are replaced by near ones in ASCII, or by "?".
    package let isASCII: Bool
    /// Whether a character's width on this terminal is uncertain, so that it is replaced, too.
    private let isDoubtful: (@Sendable (Unicode.Scalar) -> Bool)?

    /// `isDoubtful` gets a character's first scalar. `columns` must always return the same number
    /// for the same scalar, because results are cached.
    package init(
        isASCII: Bool = false, isDoubtful: (@Sendable (Unicode.Scalar) -> Bool)? = nil,
        columns: @escaping Columns
    ) {
        self.columns = columns
        self.isASCII = isASCII
        self.isDoubtful = isDoubtful
    }

    /// Control characters and direction marks are removed, line ends and tabs become a space, and
    /// sequences whose width differs between terminals (joined emoji, skin tones) become their
    /// first character. A character without a known width becomes "?".
    package func measure(_ text: String) -> MeasuredText { memo.text(text) { measureAnew(text) } }

    private func measureAnew(_ text: String) -> MeasuredText {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            let known = Self.printable
            return MeasuredText(oneColumnEach: text.utf8.map { known[Int($0) - 0x20] })
        }
        var glyphs: [Glyph] = []
        glyphs.reserveCapacity(text.utf8.count)
        for character in text { append(character, to: &glyphs) }
        return MeasuredText(glyphs: glyphs)
    }

    /// Created once, because most text consists of printable ASCII.
    private static let printable: [Glyph] = (UInt8(0x20)..<0x7F).map {
        Glyph(text: String(Unicode.Scalar($0)), width: 1)
    }

    private func append(_ character: Character, to glyphs: inout [Glyph]) {
        if let byte = character.asciiValue, byte >= 0x20, byte < 0x7F {
            glyphs.append(Self.printable[Int(byte) - 0x20])
            return
        }
        if character.isNewline || character == "\t" || character.isNoBreakSpace {
            glyphs.append(Glyph(text: " ", width: 1))
            return
        }
        var scalars = Array(character.unicodeScalars).filter(\.isVisible)
        guard let first = scalars.first(where: { columns($0) != 0 }) else { return }
        if isASCII && !scalars.allSatisfy(\.isASCII) || isDoubtful?(first) == true {
            for near in ASCIIText.near(character) {
                glyphs.append(Glyph(text: String(near), width: 1))
            }
            return
        }
        // Terminals show the two letters of a flag as one glyph, as two, or as letters. They are
        // always replaced with letters, without the marks that may follow.
        if scalars.contains(where: \.isRegionalIndicator) {
            for scalar in scalars where scalar.isRegionalIndicator {
                glyphs.append(Glyph(text: scalar.letterOfFlag, width: 1))
            }
            return
        }
        // All scalars are ASCII here, so only the first one is shown.
        if isASCII { scalars = [first] }
        if first.isHangulJamo { scalars = Unicode.Scalar.composed(character) }
        appendCells(of: scalars, to: &glyphs)
    }

    /// Appends one cell for each scalar that takes columns, with the marks that follow it. Stops
    /// after an emoji: terminals disagree on the width of an emoji with the scalars joined to it.
    private func appendCells(of scalars: [Unicode.Scalar], to glyphs: inout [Glyph]) {
        var cell = String.UnicodeScalarView()
        var width = 0
        func end() {
            if width > 0 { glyphs.append(Glyph(text: String(cell), width: UInt8(width))) }
            cell = String.UnicodeScalarView()
        }
        for scalar in scalars {
            let more = columns(scalar)
            if more == 0 {
                if width > 0, scalar.isMark, cell.count <= Self.marksMax { cell.append(scalar) }
                continue
            }
            if let base = cell.first, base.properties.isEmoji, !base.isASCII { break }
            end()
            width = more == 1 || more == 2 ? more : 1
            cell.append(more == 1 || more == 2 ? scalar : "?")
        }
        end()
    }

    /// ncurses keeps one character and up to four marks.
    private static let marksMax = 4
}
