/// Bytes as lower-case hexadecimal, two digits for each.
package enum HexText {
    package static func of(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let letters = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: letters, as: UTF8.self)
    }
}
