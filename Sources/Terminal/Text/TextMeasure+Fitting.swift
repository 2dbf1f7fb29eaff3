extension TextMeasure {
    /// At most `limit` columns; what is left out is told by an ellipsis.
    package func fit(_ text: String, columns limit: Int) -> MeasuredText {
        fit(measure(text), columns: limit)
    }

    package func fit(_ measured: MeasuredText, columns limit: Int) -> MeasuredText {
        if measured.columns <= limit { return measured }
        guard limit > 0 else { return .empty }
        let ellipsis = measure("…")
        // Three columns in ASCII: one dot alone would look like the end of a sentence.
        guard limit > ellipsis.columns else { return measured.prefix(columns: limit) }
        return measured.prefix(columns: limit - ellipsis.columns) + ellipsis
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
            if glyph.isSpace, width >= limit {
                lines.append(MeasuredText(glyphs: trimmed(line[...])))
                (line, width, lastBreak) = ([], 0, nil)
                continue
            }
            if width + Int(glyph.width) > limit {
                let cut = glyph.width == 2 ? line.count : lastBreak ?? line.count
                lines.append(MeasuredText(glyphs: trimmed(line[..<cut])))
                line = Array(line[cut...].drop(while: \.isSpace))
                width = line.reduce(0) { $0 + Int($1.width) }
                lastBreak = nil
            }
            line.append(glyph)
            width += Int(glyph.width)
            if glyph.isSpace || glyph.width == 2 { lastBreak = line.count }
        }
        lines.append(MeasuredText(glyphs: trimmed(line[...])))
        return lines
    }

    private func trimmed(_ glyphs: ArraySlice<Glyph>) -> [Glyph] {
        Array(glyphs.reversed().drop(while: \.isSpace).reversed())
    }
}
