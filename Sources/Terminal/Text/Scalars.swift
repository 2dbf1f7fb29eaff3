import Foundation

extension Unicode.Scalar {
    /// Neither a control character nor one that only directs others.
    var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    /// Shown in the cell of the character before it.
    var isMark: Bool {
        // A variation selector changes the width on some terminals and not on others, and so does
        // what encloses (a keycap).
        guard properties.generalCategory == .nonspacingMark else { return false }
        return !(0xFE00...0xFE0F).contains(value) && !(0xE0100...0xE01EF).contains(value)
    }

    var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    /// F of the flag of France; itself if it is none.
    var letterOfFlag: String {
        guard isRegionalIndicator, let letter = Unicode.Scalar(value - 0x1F1E6 + 0x41) else {
            return String(self)
        }
        return String(letter)
    }

    /// "A" of the "Ａ" that is as wide as a Chinese character.
    var halfWidth: Unicode.Scalar? {
        (0xFF01...0xFF5E).contains(value) ? Unicode.Scalar(value - 0xFEE0) : nil
    }

    /// The first part of a syllable whose other parts would take no columns of their own.
    var isHangulJamo: Bool { (0x1100...0x115F).contains(value) }

    static func composed(_ character: Character) -> [Unicode.Scalar] {
        Array(String(character).precomposedStringWithCanonicalMapping.unicodeScalars)
    }
}

extension Character {
    /// No-break spaces in prices: a terminal breaks nothing, and fonts lack the narrow one.
    var isNoBreakSpace: Bool { self == "\u{A0}" || self == "\u{202F}" || self == "\u{2009}" }
}
