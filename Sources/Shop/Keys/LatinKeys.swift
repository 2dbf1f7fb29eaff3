import Terminal

/// The keys that a keyboard of another script sends. Actions are bound to Latin letters; a text
/// field takes what is typed as it is.
enum LatinKeys {
    /// What the key means: a full-width letter is its ASCII letter, a letter of the Russian layout
    /// the one of the same place (`й` is `q`). Any other key is itself.
    static func key(for key: Key) -> Key {
        guard case .character(let typed) = key else { return key }
        return .character(russian[typed] ?? narrow(typed))
    }

    /// Of a full-width letter, digit, sign or space the ASCII one; any other character is itself.
    static func narrow(_ typed: Character) -> Character {
        guard let scalar = typed.unicodeScalars.first, typed.unicodeScalars.count == 1 else {
            return typed
        }
        if scalar == "\u{3000}" { return " " }
        guard (0xFF01...0xFF5E).contains(scalar.value),
            let ascii = Unicode.Scalar(scalar.value - 0xFEE0)
        else { return typed }
        return Character(ascii)
    }

    /// Whether it is a letter of a script that no key is bound to.
    static func isOfOtherScript(_ key: Key) -> Bool {
        guard case .character(let typed) = key, let scalar = typed.unicodeScalars.first else {
            return false
        }
        // The Latin letters, also those with accents, come before U+0250.
        return scalar.value >= 0x250 && typed.isLetter
    }

    /// The layout ЙЦУКЕН over that of the United States, without and with Shift.
    private static let russian: [Character: Character] = {
        let rows: [(String, String)] = [
            ("ё", "`"), ("йцукенгшщзхъ", "qwertyuiop[]"), ("фывапролджэ", "asdfghjkl;'"),
            ("ячсмитьбю", "zxcvbnm,."),
            ("Ё", "~"), ("ЙЦУКЕНГШЩЗХЪ", "QWERTYUIOP{}"), ("ФЫВАПРОЛДЖЭ", "ASDFGHJKL:\""),
            ("ЯЧСМИТЬБЮ", "ZXCVBNM<>"),
        ]
        return Dictionary(
            rows.flatMap { zip($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
    }()
}
