/// Bytes as lower-case hexadecimal, two digits for each.
package enum HexText {
    package static func of(_ bytes: some Sequence<UInt8>) -> String {
        var letters: [UInt8] = []
        for byte in bytes { append(byte, to: &letters) }
        return String(decoding: letters, as: UTF8.self)
    }

    /// One UTF-16 code unit as an escape of JSON: `\u202e` (RFC 8259, 7).
    package static func jsonEscape(of unit: UInt16) -> String {
        "\\u" + of([UInt8(unit >> 8), UInt8(unit & 0xFF)])
    }

    static func append(_ byte: UInt8, to letters: inout [UInt8]) {
        let digits: StaticString = "0123456789abcdef"
        letters.append(digits.utf8Start[Int(byte >> 4)])
        letters.append(digits.utf8Start[Int(byte & 15)])
    }
}
