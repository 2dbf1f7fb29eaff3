/// Makes texts of unknown origin safe to show on a terminal. Unchanged, such a text could move the
/// cursor, recolour the screen, or show a name backwards.
package enum UntrustedText {
    /// Characters.
    package static let quotedMax = 60

    /// Removes escape sequences and hidden characters (`isHidden`). Line breaks stay if
    /// `keepingLines`, else they become spaces; tabs and blank characters that are no kind of space
    /// become spaces. Emoji joined by ZWJ, flags of regions and the plain direction marks stay.
    package static func clean(_ text: String, keepingLines: Bool = false) -> String {
        rewritten(text, keepingLines: keepingLines, escapes: false)
    }

    /// As `clean`, but what `clean` removes is shown as an escape, such as `\u{AD}`: for messages
    /// that quote what a person has typed or a file holds.
    package static func shown(_ text: String, keepingLines: Bool = false) -> String {
        rewritten(text, keepingLines: keepingLines, escapes: true)
    }

    /// Whether every character can be seen and told from others: for paths and other names by which
    /// something is found. Of the spaces it allows the usual one and the ideographic one.
    package static func isPlain(_ text: String) -> Bool {
        isPlainASCII(text)
            || text.unicodeScalars.allSatisfy { scalar in
                scalar == " " || scalar == "\u{3000}"
                    || !isHidden(scalar) && scalar.properties.generalCategory != .spaceSeparator
            }
    }

    /// Whether a terminal shows nothing or an empty cell for a scalar, or obeys it: the controls and
    /// formats of Unicode, what it calls default-ignorable, and the empty Braille pattern. This is
    /// the one list; spaces are not in it, nor what spells words and emoji: joiners, direction
    /// marks, variation selectors and the number signs of Arabic and its relatives.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return !isSpelling(scalar)
        default: break
        }
        if scalar == emptyBraille { return true }
        return properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
    }

    private static let emptyBraille: Unicode.Scalar = "\u{2800}"

    /// The formats without which a word is spelled wrongly: joiners and direction marks, and the
    /// number signs, which Unicode calls Prepended_Concatenation_Mark and Swift does not tell.
    private static func isSpelling(_ format: Unicode.Scalar) -> Bool {
        switch format.value {
        case 0x200C...0x200F: true
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: true
        default: false
        }
    }

    private static func rewritten(_ text: String, keepingLines: Bool, escapes: Bool) -> String {
        if isPlainASCII(text) || !text.unicodeScalars.contains(where: isHidden) { return text }
        var rewritten = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        var at = 0
        while at < scalars.count {
            let scalar = scalars[at]
            switch scalar.value {
            case 0x0D where at + 1 < scalars.count && scalars[at + 1] == "\n": at += 1
            case 0x0A, 0x0D, 0x85, 0x2028, 0x2029:
                rewritten.append(keepingLines ? "\n" : " ")
                at += 1
            case 0x09:
                rewritten.append(" ")
                at += 1
            case emptyBraille.value where !escapes:
                rewritten.append(" ")
                at += 1
            case 0x1F3F4:
                let flag = scalars[at...].prefix(flagLength(scalars[at...]))
                rewritten.append(contentsOf: flag)
                at += flag.count
            default:
                let length = sequenceLength(scalars[at...])
                if length == 0 {
                    rewritten.append(scalar)
                } else if escapes {
                    rewritten += escape(scalar).unicodeScalars
                }
                at += escapes ? 1 : max(1, length)
            }
        }
        return String(rewritten)
    }

    /// As Swift writes it in a text: `\u{AD}`.
    private static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }

    /// The length of a flag sequence that begins with a black flag: tag letters and a cancel tag
    /// follow it, as in the flag of England. 1 if they do not.
    private static func flagLength(_ rest: ArraySlice<Unicode.Scalar>) -> Int {
        let tags = rest.dropFirst().prefix { (0xE0030...0xE007A).contains($0.value) }.count
        let isEnded = rest.dropFirst(1 + tags).first?.value == 0xE007F
        return (1...6).contains(tags) && isEnded ? tags + 2 : 1
    }

    /// Or only white space.
    package static func isBlank(_ text: String) -> Bool {
        // Fast path: most texts begin with a printable ASCII character.
        if let first = text.utf8.first, first > 0x20, first < 0x7F { return false }
        return text.allSatisfy(\.isWhitespace)
    }

    /// Safe to show, and shortened.
    package static func quote(_ text: String) -> String { "\"\(short(text))\"" }

    /// Safe to show, and at most `quotedMax` characters.
    package static func short(_ text: String) -> String {
        // Ordinary characters have far fewer than 16 scalars; texts of longer ones are cut earlier.
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(quotedMax * 16)))
        let shown = shown(start)
        let isWhole = start.utf8.count == text.utf8.count && shown.count <= quotedMax
        return isWhole ? shown : shown.prefix(quotedMax) + "…"
    }

    /// For messages, so that control characters can be seen.
    package static func name(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "a line break"
        case "\t": return "a tab"
        default:
            let code = String(scalar.value, radix: 16, uppercase: true)
            return isPlain(String(scalar)) ? "`\(scalar)`" : "the control character U+\(code)"
        }
    }

    /// Fast: checks bytes only.
    private static func isPlainASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }

    /// Scalars to remove; 0 if the first is harmless.
    private static func sequenceLength(_ rest: ArraySlice<Unicode.Scalar>) -> Int {
        guard let first = rest.first?.value else { return 0 }
        let second = rest.dropFirst().first?.value
        switch first {
        case 0x1B:
            switch second {
            case 0x5B: return 2 + controlLength(rest.dropFirst(2))
            case 0x5D, 0x50, 0x58, 0x5E, 0x5F: return 2 + stringLength(rest.dropFirst(2))
            case .some(0x20...0x2F): return 2 + controlLength(rest.dropFirst(2), isShort: true)
            case .some(0x30...0x7E): return 2
            default: return 1
            }
        case 0x9B: return 1 + controlLength(rest.dropFirst())
        case 0x90, 0x98, 0x9D, 0x9E, 0x9F: return 1 + stringLength(rest.dropFirst())
        default: return rest.first.map(isHidden) == true ? 1 : 0
        }
    }

    /// Parameters and final byte (ECMA-48).
    private static func controlLength(
        _ rest: ArraySlice<Unicode.Scalar>, isShort: Bool = false
    ) -> Int {
        let parameters = rest.prefix { (0x20...(isShort ? 0x2F : 0x3F)).contains($0.value) }.count
        let final = rest.dropFirst(parameters).first?.value
        return final.map { (0x30...0x7E).contains($0) } == true ? parameters + 1 : parameters
    }

    /// With the terminator (ECMA-48); 0 without one, so that an unterminated string does not remove
    /// the text after it.
    private static func stringLength(_ rest: ArraySlice<Unicode.Scalar>) -> Int {
        for (offset, scalar) in rest.enumerated() {
            switch scalar.value {
            case 0x07, 0x9C: return offset + 1
            case 0x1B:
                let closes = rest.dropFirst(offset + 1).first?.value == 0x5C
                return closes ? offset + 2 : 0
            default: continue
            }
        }
        return 0
    }
}
