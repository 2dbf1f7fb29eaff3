/// Text that a person types or pastes: into the search, a filter of a log, the palette or the help.
enum TypedText {
    /// In characters.
    static let lengthMax = 100

    /// In scalars: one character of a pasted text may consist of any number of them.
    static let scalarsMax = 10 * lengthMax

    /// Without control characters, cut at `lengthMax`. Reads no more of a pasted text than that.
    static func appending(_ added: String, to text: String) -> String {
        var (characters, scalars) = (text.count, text.unicodeScalars.count)
        var result = text
        for character in added where character.unicodeScalars.allSatisfy(\.isTyped) {
            characters += 1
            scalars += character.unicodeScalars.count
            guard characters <= lengthMax, scalars <= scalarsMax else { break }
            result.append(character)
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether it is no control character of ASCII.
    fileprivate var isTyped: Bool { value >= 0x20 && value != 0x7F }
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
        return matches(folded: SearchIndex.fold(texts.joined(separator: " ")))
    }

    /// Whether every word is found in a text that is folded already.
    func matches(folded text: String) -> Bool { words.allSatisfy { text.contains($0) } }
}
