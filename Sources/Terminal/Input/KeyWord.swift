import Basics

extension Key {
    /// The words for keys without a character of their own, as settings and `--keys` write them.
    package static let words: [(word: String, key: Key)] =
        named + (1...12).map { (word: "f\($0)", key: Key.function($0)) }
        // Terminals send Tab for Ctrl-I, Enter for Ctrl-J and Ctrl-M, and Backspace for Ctrl-H.
        + "abcdefgklnopqrstuvwxyz".map { (word: "ctrl-\($0)", key: Key.control($0)) }

    private static let named: [(word: String, key: Key)] = [
        ("enter", .enter), ("esc", .escape), ("tab", .tab), ("shift-tab", .backTab),
        ("btab", .backTab), ("backspace", .backspace), ("del", .delete),
        ("space", .character(" ")), ("comma", .character(",")), ("up", .up), ("down", .down),
        ("left", .left), ("right", .right), ("home", .home), ("end", .end), ("pgup", .pageUp),
        ("pgdn", .pageDown),
    ]

    /// The key of a word, or of one character; nil for anything else.
    package init?(word: String) {
        if let named = Self.words.first(where: { $0.word == word }) {
            self = named.key
        } else if word.count == 1, let character = word.first, character.isShownAlone {
            self = .character(character)
        } else {
            return nil
        }
    }
}

extension Character {
    /// Whether a label can show it: it is no space, control, format or mark, and is assigned.
    fileprivate var isShownAlone: Bool {
        let first = unicodeScalars.first?.properties.generalCategory
        return !isWhitespace && first != .nonspacingMark && first != .enclosingMark
            && unicodeScalars.allSatisfy {
                $0.isVisible && !UntrustedText.isHidden($0)
                    && $0.properties.generalCategory != .unassigned
            }
    }
}
