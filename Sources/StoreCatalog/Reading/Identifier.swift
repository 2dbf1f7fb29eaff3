/// What products, sections, groups and packages may be called.
enum Identifier {
    static let lengthMax = 200

    static func isGood(_ text: String) -> Bool {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= lengthMax, bytes.allSatisfy(isGood) else {
            return false
        }
        // `.` and `..` are places in a file system and nobody's name.
        return text != "." && text != ".."
    }

    private static func isGood(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x5F, 0x2D: true
        default: false
        }
    }

    /// The same text with what is not allowed replaced by `_`; nil where nothing sensible is left.
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
