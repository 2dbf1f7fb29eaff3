/// Turns any text into what a terminal can show, and says how many columns it takes: by the same
/// measure the terminal library uses (wcwidth(3)), never by the look of a character.
package struct TextMeasure: Sendable {
    /// Columns of a scalar: 0, 1, 2, or -1 for what cannot be shown.
    package typealias Columns = @Sendable (Unicode.Scalar) -> Int

    let columns: Columns
    private let memo = TextMemo()
    /// Characters outside ASCII are shown as near ones, or "?".
    package let isASCII: Bool
    /// Characters whose width this terminal may see otherwise: near ones in ASCII stand for them.
    private let isDoubtful: (@Sendable (Unicode.Scalar) -> Bool)?

    package init(
        isASCII: Bool = false, isDoubtful: (@Sendable (Unicode.Scalar) -> Bool)? = nil,
        columns: @escaping Columns
    ) {
        self.columns = columns
        self.isASCII = isASCII
        self.isDoubtful = isDoubtful
    }

    /// Control characters and direction marks become nothing, line ends and tabs a space; what
    /// terminals disagree about (joined emoji, skin tones, newer characters) becomes its first
    /// character or "?".
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

    /// Most of what is ever drawn, made once.
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
        // A flag is two letters, and shown as one glyph, as two, or as letters.
        if scalars.contains(where: \.isRegionalIndicator) {
            for scalar in scalars { glyphs.append(Glyph(text: scalar.letterOfFlag, width: 1)) }
            return
        }
        // Without its accent it is still the letter.
        if isASCII { scalars = [first] }
        if first.isHangulJamo { scalars = Unicode.Scalar.composed(character) }
        appendCells(of: scalars, to: &glyphs)
    }

    /// Each scalar that takes columns starts a cell, its marks join it. What follows an emoji
    /// belongs to it, and no two terminals agree on how wide both are together.
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

    /// A cell of the terminal library holds one character with so many marks.
    private static let marksMax = 4
}

extension TextMeasure {
    /// At most `limit` columns; what is left out is in the middle, because names that begin alike
    /// are told apart by their ends.
    package func fitMiddle(_ text: String, columns limit: Int) -> MeasuredText {
        let measured = measure(text)
        guard measured.columns > limit, limit >= 12 else { return fit(measured, columns: limit) }
        let tail = measured.suffix(columns: limit / 2 - 1)
        let head = fit(measured, columns: limit - tail.columns)
        return head + tail
    }
}
