/// Makes texts of unknown origin safe to show on a terminal. Unchanged, such a text could move the
/// cursor, recolour the screen, or show a name backwards.
package enum UntrustedText {
    /// Characters.
    package static let quotedMax = 60

    /// Removes escape sequences, control characters, characters that override or isolate the
    /// direction, and invisible characters. Line breaks stay if `keepingLines`, else they become
    /// spaces; tabs become spaces. Emoji joined by ZWJ, flags of regions and the plain direction
    /// marks stay.
    package static func clean(_ text: String, keepingLines: Bool = false) -> String {
        if isHarmless(text) { return text }
        var clean = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        var at = 0
        while at < scalars.count {
            let scalar = scalars[at]
            switch scalar.value {
            case 0x0D where at + 1 < scalars.count && scalars[at + 1] == "\n": at += 1
            case 0x0A, 0x0D, 0x85, 0x2028, 0x2029:
                clean.append(keepingLines ? "\n" : " ")
                at += 1
            case 0x09:
                clean.append(" ")
                at += 1
            case 0x1F3F4:
                let flag = scalars[at...].prefix(flagLength(scalars[at...]))
                clean.append(contentsOf: flag)
                at += flag.count
            default:
                let length = sequenceLength(scalars[at...])
                if length == 0 { clean.append(scalar) }
                at += max(1, length)
            }
        }
        return String(clean)
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

    /// Cleaned and shortened.
    package static func quote(_ text: String) -> String { "\"\(short(text))\"" }

    /// Cleaned, and at most `quotedMax` characters.
    package static func short(_ text: String) -> String {
        // Ordinary characters have far fewer than 16 scalars; texts of longer ones are cut earlier.
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(quotedMax * 16)))
        let clean = clean(start)
        let isWhole = start.utf8.count == text.utf8.count && clean.count <= quotedMax
        return isWhole ? clean : clean.prefix(quotedMax) + "…"
    }

    /// For messages, so that control characters can be seen.
    package static func name(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "a line break"
        case "\t": return "a tab"
        default:
            let isSeen = sequenceLength([scalar]) == 0 && scalar != "\u{FEFF}"
            let code = String(scalar.value, radix: 16, uppercase: true)
            return isSeen ? "`\(scalar)`" : "the control character U+\(code)"
        }
    }

    /// Fast: checks bytes only, and is true for nearly every text.
    private static func isHarmless(_ text: String) -> Bool {
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte < 0x20 || byte == 0x7F { return false }
            // C1 controls, and the blocks with the direction marks and line separators.
            if previous == 0xC2, byte < 0xA0 { return false }
            if previous == 0xE2, byte == 0x80 || byte == 0x81 { return false }
            if previous == 0xEF, byte == 0xBB || byte == 0xBF { return false }
            // The Arabic letter mark, and the tag characters.
            if previous == 0xD8, byte == 0x9C { return false }
            if previous == 0xF3, byte == 0xA0 { return false }
            previous = byte
        }
        return true
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
        case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x202A...0x202E, 0x2060...0x2064,
            0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            return 1
        default: return 0
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
