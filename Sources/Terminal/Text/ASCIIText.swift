import Foundation

/// Replacements of characters on screens that show only ASCII.
enum ASCIIText {
    /// A text of the same meaning, its digit, or its base letter; "?" if there is none.
    static func near(_ character: Character) -> String {
        if let known = known[character] { return known }
        let scalars = character.unicodeScalars
        if scalars.first?.properties.numericType == .decimal,
            let digit = character.wholeNumberValue
        {
            return String(digit)
        }
        if scalars.contains(where: \.isRegionalIndicator) {
            return scalars.filter(\.isRegionalIndicator).map(\.letterOfFlag).joined()
        }
        if let narrow = scalars.first?.halfWidth { return String(narrow) }
        // A word stays readable when its letters lose their accents.
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
        // A price must keep its currency. "¥" is the sign of two currencies (JPY, CNY), so it has
        // no code.
        "€": "EUR", "£": "GBP", "¥": "Y", "￥": "Y", "₹": "INR", "₩": "KRW", "₽": "RUB",
        "₺": "TRY", "₫": "VND", "₪": "ILS", "₴": "UAH", "₱": "PHP", "฿": "THB", "¢": "c",
        "٫": ".", "٬": ",",
    ]
}

extension String {
    /// Canonically decomposed, without combining marks.
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
