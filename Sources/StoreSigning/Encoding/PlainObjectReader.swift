/// Reads a JSON object as `JSONObjectWriter` writes it: no spaces, no escapes, members in an order
/// the reader knows. Whatever is spelled otherwise is not read at all and left to `JSONDecoder`,
/// which costs a quarter of a signature's check.
struct PlainObjectReader {
    /// Spelled otherwise, or no such object.
    struct NotPlain: Error {}

    private let bytes: [UInt8]
    private var position = 1

    init(_ bytes: [UInt8]) throws(NotPlain) {
        guard bytes.first == UInt8(ascii: "{") else { throw NotPlain() }
        self.bytes = bytes
    }

    /// Nil where this member does not come next.
    mutating func text(_ name: StaticString) throws(NotPlain) -> String? {
        guard begin(name) else { return nil }
        guard take(UInt8(ascii: "\"")) else { throw NotPlain() }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\\") else {
                throw NotPlain()
            }
            position += 1
        }
        let end = position
        guard take(UInt8(ascii: "\"")),
            let text = String(validating: bytes[start..<end], as: UTF8.self)
        else { throw NotPlain() }
        return text
    }

    mutating func number(_ name: StaticString) throws(NotPlain) -> Int64? {
        guard begin(name) else { return nil }
        let isNegative = take(UInt8(ascii: "-"))
        let start = position
        var number: Int64 = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"),
            digit < 10
        {
            let (tens, isTooLong) = number.multipliedReportingOverflow(by: 10)
            let (next, isTooLarge) = tens.subtractingReportingOverflow(Int64(digit))
            guard !isTooLong, !isTooLarge else { throw NotPlain() }
            // Counted downwards: the lowest number has no positive one.
            number = next
            position += 1
        }
        let count = position - start
        guard count > 0, count == 1 || bytes[start] != UInt8(ascii: "0"),
            isNegative || number != .min
        else { throw NotPlain() }
        return isNegative ? number : -number
    }

    mutating func flag(_ name: StaticString) throws(NotPlain) -> Bool? {
        guard begin(name) else { return nil }
        if take("true") { return true }
        guard take("false") else { throw NotPlain() }
        return false
    }

    /// Throws unless this was all.
    mutating func end() throws(NotPlain) {
        guard take(UInt8(ascii: "}")), position == bytes.count else { throw NotPlain() }
    }

    private mutating func begin(_ name: StaticString) -> Bool {
        let start = position
        if start > 1, !take(UInt8(ascii: ",")) { return false }
        if take(UInt8(ascii: "\"")), take(name), take(UInt8(ascii: "\"")),
            take(UInt8(ascii: ":"))
        {
            return true
        }
        position = start
        return false
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[position + offset] != word.utf8Start[offset] {
            return false
        }
        position += count
        return true
    }
}
