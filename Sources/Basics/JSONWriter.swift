import Foundation

/// Writes values as JSON (RFC 8259): members in the order in which the value encodes them, nil
/// members left out, no white space, UUIDs in lower case. Equal values give equal bytes, unless
/// they hold dictionaries or sets.
///
/// `JSONEncoder` takes three and a half times as long: a quarter more for a signature (`make bench`:
/// "JWS sign"). It writes fractions, which this type refuses, and `Data`, `Date` and `URL` in forms
/// of their own.
package final class JSONWriter: Encoder, SingleValueEncodingContainer {
    // Only one task has a writer. To check each access would make it half as slow again ("JWS sign").
    @exclusivity(unchecked) private var bytes: [UInt8] = []
    /// The ends of the objects and arrays that are being written. A container does not tell when it
    /// has its last member: the next member of an outer one ends it.
    @exclusivity(unchecked) private var ends: [UInt8] = []

    /// UTF-8. Throws for a fraction, and what the value throws.
    package static func bytes(of value: some Encodable) throws -> [UInt8] {
        let writer = JSONWriter()
        try writer.encode(value)
        writer.end(to: 0)
        return writer.bytes
    }

    private init() { bytes.reserveCapacity(1024) }

    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members(writer: self, depth: begin("{", "}")))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        Elements(writer: self, depth: begin("[", "]"))
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func begin(_ start: Unicode.Scalar, _ end: Unicode.Scalar) -> Int {
        bytes.append(UInt8(ascii: start))
        ends.append(UInt8(ascii: end))
        return ends.count
    }

    private func end(to depth: Int) {
        while ends.count > depth { bytes.append(ends.removeLast()) }
    }

    /// Before each member or element of the container at this depth.
    fileprivate func next(in depth: Int) -> JSONWriter {
        end(to: depth)
        if bytes.last != UInt8(ascii: "{"), bytes.last != UInt8(ascii: "[") {
            bytes.append(UInt8(ascii: ","))
        }
        return self
    }

    fileprivate func next(_ name: String, in depth: Int) -> JSONWriter {
        next(in: depth).encode(name)
        bytes.append(UInt8(ascii: ":"))
        return self
    }

    package func encodeNil() { bytes.append(contentsOf: "null".utf8) }

    package func encode(_ flag: Bool) { bytes.append(contentsOf: (flag ? "true" : "false").utf8) }

    package func encode(_ number: some BinaryFloatingPoint & Encodable) throws {
        let context = EncodingError.Context(codingPath: [], debugDescription: "a fraction")
        throw EncodingError.invalidValue(number, context)
    }

    package func encode(_ number: some BinaryInteger & Encodable) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    package func encode(_ value: some Encodable) throws {
        if type(of: value) == UUIDText.self, let text = value as? UUIDText {
            encode(text.uuid)
        } else if type(of: value) == UUID.self, let uuid = value as? UUID {
            encode(uuid)
        } else {
            try value.encode(to: self)
        }
    }

    private func encode(_ uuid: UUID) {
        bytes.append(UInt8(ascii: "\""))
        withUnsafeBytes(of: uuid.uuid) { parts in
            for (index, byte) in parts.enumerated() {
                // The groups of a UUID (RFC 9562): 4, 2, 2, 2 and 6 bytes.
                if (4...10).contains(index), index.isMultiple(of: 2) {
                    bytes.append(UInt8(ascii: "-"))
                }
                HexText.append(byte, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package func encode(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            if text.contains(where: Self.mustEscape) {
                for byte in text { append(byte) }
            } else {
                bytes.append(contentsOf: text)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private func append(_ byte: UInt8) {
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
            bytes.append(contentsOf: "u00".utf8)
            HexText.append(byte, to: &bytes)
        }
    }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    private func next(_ key: Key) -> JSONWriter { writer.next(key.stringValue, in: depth) }

    func encodeNil(forKey key: Key) { next(key).encodeNil() }

    func encode(_ value: some Encodable, forKey key: Key) throws { try next(key).encode(value) }

    func encode(_ text: String, forKey key: Key) { next(key).encode(text) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { next(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        next(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { writer.next("super", in: depth) }

    func superEncoder(forKey key: Key) -> any Encoder { next(key) }
}

private struct Elements: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let depth: Int
    var count = 0
    var codingPath: [any CodingKey] { [] }

    private mutating func next() -> JSONWriter {
        count += 1
        return writer.next(in: depth)
    }

    mutating func encodeNil() { next().encodeNil() }

    mutating func encode(_ value: some Encodable) throws { try next().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        next().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { next() }
}
