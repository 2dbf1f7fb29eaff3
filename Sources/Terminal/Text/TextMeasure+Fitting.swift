extension TextMeasure {
    /// An ellipsis replaces an end that does not fit.
    package func fit(_ text: String, columns limit: Int) -> MeasuredText {
        fit(measure(text), columns: limit)
    }

    /// An ellipsis replaces an end that does not fit, unless only the ellipsis would fit.
    package func fit(_ measured: MeasuredText, columns limit: Int) -> MeasuredText {
        if measured.columns <= limit { return measured }
        guard limit > 0 else { return .empty }
        let ellipsis = measure("…")
        // The ellipsis takes three columns in ASCII. If nothing else fits, it is left out, because
        // a part of it would look like the end of a sentence.
        guard limit > ellipsis.columns else { return measured.prefix(columns: limit) }
        return measured.prefix(columns: limit - ellipsis.columns) + ellipsis
    }

    /// Lines break at newlines, at spaces, around wide characters, and inside a word that is longer
    /// than a line. Spaces at a line's end are dropped. No line begins with a closing mark, such as
    /// 。, or ends with an opening mark (JIS X 4051). Empty if `limit` is less than 2.
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
                var cut = glyph.width == 2 ? line.count : lastBreak ?? line.count
                cut = Self.allowedBreak(near: cut, in: line, before: glyph)
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

    /// The last index up to `cut` at which a line of wide characters may end; `cut` if there is
    /// none among the last few characters.
    private static func allowedBreak(near cut: Int, in line: [Glyph], before next: Glyph) -> Int {
        var at = cut
        while at > 1, cut - at < 4 {
            let first = at < line.count ? line[at] : next
            let last = line[at - 1]
            if !closing.contains(first.text), !opening.contains(last.text) { return at }
            guard last.width == 2 else { break }
            at -= 1
        }
        return cut
    }

    private static let closing = Set("、。，．・：；？！」』）】］〉》”’ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々".map(String.init))
    private static let opening = Set("「『（【［〈《“‘".map(String.init))

    private func trimmed(_ glyphs: ArraySlice<Glyph>) -> [Glyph] {
        let end = glyphs.lastIndex { !$0.isSpace }
        return end.map { Array(glyphs[glyphs.startIndex...$0]) } ?? []
    }
}
