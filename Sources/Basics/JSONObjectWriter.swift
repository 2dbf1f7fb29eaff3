/// Writes one JSON object (RFC 8259) as bytes: members in the order of the calls, nil members left
/// out, no white space. Equal calls give equal bytes. `JSONEncoder` costs as much as an ECDSA
/// signature; this costs a few microseconds.
package struct JSONObjectWriter {
    private var bytes: [UInt8] = []

    /// `capacity` is the expected length in bytes.
    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
        bytes.append(UInt8(ascii: "{"))
    }

    /// `name` must be unique in its object and need no escaping, here and below.
    package mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        begin(name)
        appendQuoted(text)
    }

    package mutating func member(_ name: String, _ number: Int64?) {
        guard let number else { return }
        begin(name)
        append(number)
    }

    package mutating func member(_ name: String, _ number: Int?) {
        member(name, number.map(Int64.init))
    }

    package mutating func member(_ name: String, _ flag: Bool?) {
        guard let flag else { return }
        begin(name)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// `write` adds the object's members.
    package mutating func object(_ name: String, _ write: (inout JSONObjectWriter) -> Void) {
        begin(name)
        bytes.append(UInt8(ascii: "{"))
        write(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func member(_ name: String, _ texts: [String]) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            appendQuoted(text)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Each already encoded as JSON.
    package mutating func member(_ name: String, objects: [[UInt8]]) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        for (index, object) in objects.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: object)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// UTF-8.
    package consuming func finished() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private mutating func begin(_ name: String) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func appendQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: Self.mustEscape) {
            for byte in text.utf8 { appendEscaped(byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        guard Self.mustEscape(byte) else {
            bytes.append(byte)
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            let digits: StaticString = "0123456789abcdef"
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(digits.utf8Start[Int(byte >> 4)])
            bytes.append(digits.utf8Start[Int(byte & 15)])
        }
    }

    private mutating func append(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
