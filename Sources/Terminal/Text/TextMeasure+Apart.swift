/// Texts that would read the same where their ends are cut.
extension TextMeasure {
    /// For each text that is cut at so many columns and then reads like another one: how many glyphs
    /// all texts that read so have in common at their beginning. Empty if no two read the same.
    /// Equal texts count as one.
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

    /// The text in at most `limit` columns. Where it is too long, it is cut in its middle: the rest
    /// after the first `common` glyphs is kept, with as many whole words before it as leave the
    /// beginning half of the room. A rest that needs more than half is cut at its end.
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
