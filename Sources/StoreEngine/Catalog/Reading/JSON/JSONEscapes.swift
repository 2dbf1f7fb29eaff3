/// The backslash sequences of a JSON text.
enum JSONEscapes {
    /// Half a surrogate pair becomes the replacement character, as everywhere in Swift.
    static func resolve(_ raw: ArraySlice<UInt8>) -> String {
        var units: [UInt16] = []
        var rest = raw
        while let slash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            units.append(contentsOf: String(decoding: rest[..<slash], as: UTF8.self).utf16)
            guard slash + 1 < rest.endIndex else { break }
            let letter = rest[slash + 1]
            rest = rest[(slash + 2)...]
            if letter == UInt8(ascii: "u") {
                let digits = String(decoding: rest.prefix(4), as: UTF8.self)
                units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
                rest = rest.dropFirst(4)
            } else {
                units.append(plain(letter))
            }
        }
        units.append(contentsOf: String(decoding: rest, as: UTF8.self).utf16)
        return String(decoding: units, as: UTF16.self)
    }

    private static func plain(_ letter: UInt8) -> UInt16 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: UInt16(letter)
        }
    }
}
