/// Texts that read the same after their ends are cut.
extension TextMeasure {
    /// For each text that, cut at `limit` columns, reads like another one: the number of glyphs
    /// that all texts with the same cut form have in common at their beginning. Empty if no two
    /// texts read the same. Equal texts count as one.
    package func alike(_ texts: some Sequence<String>, columns limit: Int) -> [String: Int] {
        var groups: [String: Set<String>] = [:]
        for text in Set(texts) {
            let measured = measure(text)
            guard measured.columns > limit else { continue }
            groups[fit(measured, columns: limit).text, default: []].insert(text)
        }
        var common: [String: Int] = [:]
        for group in groups.values where group.count > 1 {
            let shared = sharedBeginning(of: group)
            for text in group { common[text] = shared }
        }
        return common
    }

    private func sharedBeginning(of texts: Set<String>) -> Int {
        var shared: [Glyph]?
        for text in texts {
            let glyphs = measure(text).glyphs
            guard let known = shared else {
                shared = glyphs
                continue
            }
            shared = zip(known, glyphs).prefix { $0 == $1 }.map { $0.0 }
        }
        return shared?.count ?? 0
    }

    /// A text that is too long is cut in its middle: the part after the first `common` glyphs is
    /// kept, and whole words before it while the beginning keeps half of the columns. If that part
    /// needs more than half, its end is cut.
    package func fit(_ text: String, columns limit: Int, keepingAfter common: Int)
        -> MeasuredText
    {
        let measured = measure(text)
        let glyphs = measured.glyphs
        let ellipsis = measure("…")
        let room = limit - ellipsis.columns
        guard measured.columns > limit, glyphs.indices.contains(common), room >= 4 else {
            return fit(measured, columns: limit)
        }
        let half = room - room / 2
        let words = glyphs.indices.prefix(common + 1).filter {
            $0 > 0 && glyphs[$0 - 1].isSpace && !glyphs[$0].isSpace
        }
        let ends = (words + [common]).map { MeasuredText(glyphs: Array(glyphs[$0...])) }
        let end = fit(
            ends.first { $0.columns <= half } ?? MeasuredText(glyphs: Array(glyphs[common...])),
            columns: half)
        let beginning = measured.prefix(columns: room - end.columns).glyphs
        let last = beginning.lastIndex { !$0.isSpace }
        return MeasuredText(glyphs: Array(beginning.prefix((last ?? -1) + 1))) + ellipsis + end
    }
}
