/// Decodes the escape sequences of JSON strings (RFC 8259 §7).
enum JSONEscapes {
    /// An unpaired surrogate becomes U+FFFD, as Swift decodes it.
    static func resolve(_ raw: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var rest = raw
        while let slash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            bytes.append(contentsOf: rest[..<slash])
            guard slash + 1 < rest.endIndex else { break }
            if rest[slash + 1] == UInt8(ascii: "u") {
                rest = rest[slash...]
                bytes.append(contentsOf: units(&rest).utf8)
            } else {
                bytes.append(plain(rest[slash + 1]))
                rest = rest[(slash + 2)...]
            }
        }
        bytes.append(contentsOf: rest)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A run of `\u` sequences is decoded together, because two may be a surrogate pair.
    private static func units(_ rest: inout ArraySlice<UInt8>) -> String {
        var units: [UInt16] = []
        while rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            let digits = String(decoding: rest.dropFirst(2).prefix(4), as: UTF8.self)
            units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
            rest = rest.dropFirst(6)
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func plain(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }
}
