/// Text that a person types or pastes: into the search, a filter of a log, the palette or the help.
enum TypedText {
    /// In characters.
    static let lengthMax = 100

    /// Without control characters, cut at `lengthMax`.
    static func appending(_ added: String, to text: String) -> String {
        let visible = added.filter { character in
            character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }
        return String((text + visible).prefix(lengthMax))
    }
}

/// The words of a filter, as every screen compares them: all must be found, in any order, without
/// case, accents and width.
package struct WordFilter: Hashable, Sendable {
    /// Folded (`SearchIndex.fold`).
    let words: [String]

    /// The words of a typed text, between white space, folded as `SearchIndex` folds.
    package init(_ text: String) {
        words = SearchIndex.fold(text).split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Whether every word is found in these texts together.
    package func matches(_ texts: [String]) -> Bool {
        guard !words.isEmpty else { return true }
        let folded = SearchIndex.fold(texts.joined(separator: " "))
        return words.allSatisfy { folded.contains($0) }
    }
}
