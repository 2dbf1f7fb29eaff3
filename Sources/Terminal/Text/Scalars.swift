import Foundation

extension Unicode.Scalar {
    /// Whether the scalar is neither a control nor a format character, nor a line or paragraph
    /// separator (not in the Unicode categories Cc, Cf, Cs, Zl, Zp).
    package var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    /// A combining mark that is kept in the cell of the preceding character.
    var isMark: Bool {
        // Enclosing marks (a keycap) and variation selectors are left out: they change the width of
        // a character on some terminals and not on others.
        guard properties.generalCategory == .nonspacingMark else { return false }
        return !(0xFE00...0xFE0F).contains(value) && !(0xE0100...0xE01EF).contains(value)
    }

    /// One of the two letters that form a flag.
    var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    var letterOfFlag: String {
        guard isRegionalIndicator, let letter = Unicode.Scalar(value - 0x1F1E6 + 0x41) else {
            return String(self)
        }
        return String(letter)
    }

    /// "A" for "Ａ". Nil for any other scalar.
    var halfWidth: Unicode.Scalar? {
        (0xFF01...0xFF5E).contains(value) ? Unicode.Scalar(value - 0xFEE0) : nil
    }

    /// The leading consonant of a decomposed syllable. The other parts of the syllable take no
    /// columns.
    var isHangulJamo: Bool { (0x1100...0x115F).contains(value) }

    /// Canonical composition (NFC).
    static func composed(_ character: Character) -> [Unicode.Scalar] {
        Array(String(character).precomposedStringWithCanonicalMapping.unicodeScalars)
    }
}

extension Character {
    /// A no-break, narrow no-break or thin space, as in formatted prices. Such a space is shown as
    /// a plain space, because fonts may lack it.
    var isNoBreakSpace: Bool { self == "\u{A0}" || self == "\u{202F}" || self == "\u{2009}" }
}
