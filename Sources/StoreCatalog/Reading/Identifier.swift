/// The rule for identifiers of products, sections, groups, packages and units: 1 to 200 bytes of
/// A-Z, a-z, 0-9, `.`, `_`, `-`.
enum Identifier {
    static let lengthMax = 200

    static func isGood(_ text: String) -> Bool {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= lengthMax, bytes.allSatisfy(isGood) else {
            return false
        }
        // Identifiers become names of folders, where these two have a special meaning.
        return text != "." && text != ".."
    }

    private static func isGood(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x5F, 0x2D: true
        default: false
        }
    }

    /// A valid identifier like the text, with `_` for each character that is not allowed; nil if it
    /// would have no letter or digit.
    static func nearest(to text: String) -> String? {
        guard text.utf8.count <= lengthMax else { return nil }
        let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        var hasLetters = false
        let signs = trimmed.map { sign -> Character in
            guard let byte = sign.asciiValue, isGood(byte) else { return "_" }
            hasLetters = hasLetters || sign.isLetter || sign.isNumber
            return sign
        }
        return hasLetters ? String(signs) : nil
    }
}
