/// The byte ranges of the three parts of a compact JWS (RFC 7515 §7.1) in its text.
struct CompactJWS {
    let header: Range<Int>
    let payload: Range<Int>
    let signature: Range<Int>

    /// Nil unless the text has exactly three parts and at most `byteCountMax` bytes.
    init?(_ text: Span<UInt8>, byteCountMax: Int = transactionByteCountMax) {
        guard text.count <= byteCountMax,
            let first = Self.firstDot(in: text, from: 0),
            let second = Self.firstDot(in: text, from: first + 1),
            Self.firstDot(in: text, from: second + 1) == nil
        else { return nil }
        header = 0..<first
        payload = (first + 1)..<second
        signature = (second + 1)..<text.count
    }

    /// Apple's transactions have about 6 kB. The limit bounds the memory that a text of unknown
    /// origin can take.
    static let transactionByteCountMax = 256 * 1024
    /// A receipt has about 1 kB for each transaction.
    static let receiptByteCountMax = 64 * 1024 * 1024

    private static func firstDot(in text: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < text.count {
            if text[index] == UInt8(ascii: ".") { return index }
            index += 1
        }
        return nil
    }
}
