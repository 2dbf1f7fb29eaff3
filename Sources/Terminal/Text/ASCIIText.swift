import Foundation

/// What stands for a character where only ASCII can be shown.
enum ASCIIText {
    static func near(_ character: Character) -> String {
        if let known = known[character] { return known }
        let scalars = character.unicodeScalars
        if scalars.first?.properties.numericType == .decimal,
            let digit = character.wholeNumberValue
        {
            return String(digit)
        }
        if scalars.contains(where: \.isRegionalIndicator) {
            return scalars.map(\.letterOfFlag).joined()
        }
        if let narrow = scalars.first?.halfWidth { return String(narrow) }
        // é without its accent is still the word.
        let base = String(character).decomposedBase
        return base.unicodeScalars.allSatisfy(\.isASCII) && !base.isEmpty ? base : "?"
    }

    private static let known: [Character: String] = [
        "…": "...", "–": "-", "—": "-", "‘": "'", "’": "'", "“": "\"", "”": "\"", "·": "-",
        "×": "x", "•": "*", "→": "->", "←": "<-", "↑": "^", "↓": "v", "✓": "+", "✔": "+",
        "✗": "x", "✘": "x", "›": ">", "‹": "<", "«": "<<", "»": ">>", "▸": ">", "▶": ">",
        "▾": "v", "▼": "v", "▲": "^", "◀": "<", "●": "*", "○": "o", "◉": "*", "★": "*", "☆": "*",
        "│": "|", "┃": "|", "║": "|", "─": "-", "━": "-", "═": "=",
        "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
        "╭": "+", "╮": "+", "╰": "+", "╯": "+", "█": "#", "▓": "#", "▒": ":", "░": ".",
        "©": "(c)", "®": "(R)", "™": "TM",
        "ß": "ss", "æ": "ae", "ø": "o", "Æ": "AE", "Ø": "O", "œ": "oe", "Œ": "OE",
        // A price is worth nothing without its currency. "¥" is two of them.
        "€": "EUR", "£": "GBP", "¥": "Y", "￥": "Y", "₹": "INR", "₩": "KRW", "₽": "RUB",
        "₺": "TRY", "₫": "VND", "₪": "ILS", "₴": "UAH", "₱": "PHP", "฿": "THB", "¢": "c",
        "٫": ".", "٬": ",",
    ]
}

extension String {
    fileprivate var decomposedBase: String {
        var scalars = String.UnicodeScalarView()
        for scalar in decomposed where scalar.properties.canonicalCombiningClass == .notReordered {
            scalars.append(scalar)
        }
        return String(scalars)
    }

    private var decomposed: [Unicode.Scalar] {
        Array(decomposedStringWithCanonicalMapping.unicodeScalars)
    }
}
