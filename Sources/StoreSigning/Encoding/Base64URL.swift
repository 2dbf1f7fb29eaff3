/// base64url without padding (RFC 7515 §2, RFC 4648 §5), on bytes. Foundation has only the standard
/// alphabet, and replacing characters in a `String` afterwards costs more than an ECDSA signature.
package enum Base64URL {
    static func encodedCount(_ byteCount: Int) -> Int {
        byteCount / 3 * 4 + [0, 2, 3][byteCount % 3]
    }

    /// `output` must have room for `encodedCount(input.count)` bytes. Returns how many were
    /// written.
    @discardableResult
    static func encode(_ input: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int
    {
        precondition(output.count >= encodedCount(input.count))
        let alphabet = alphabet.utf8Start
        func symbol(_ bits: UInt32) -> UInt8 { alphabet[Int(bits & 63)] }

        var source = 0
        var target = 0
        while source + 3 <= input.count {
            let bits =
                UInt32(input[source]) << 16 | UInt32(input[source + 1]) << 8
                | UInt32(input[source + 2])
            output[target] = symbol(bits >> 18)
            output[target + 1] = symbol(bits >> 12)
            output[target + 2] = symbol(bits >> 6)
            output[target + 3] = symbol(bits)
            source += 3
            target += 4
        }
        switch input.count - source {
        case 1:
            let bits = UInt32(input[source]) << 4
            output[target] = symbol(bits >> 6)
            output[target + 1] = symbol(bits)
            target += 2
        case 2:
            let bits = UInt32(input[source]) << 10 | UInt32(input[source + 1]) << 2
            output[target] = symbol(bits >> 12)
            output[target + 1] = symbol(bits >> 6)
            output[target + 2] = symbol(bits)
            target += 3
        default: break
        }
        return target
    }

    package static func encode(_ input: Span<UInt8>) -> String {
        String(unsafeUninitializedCapacity: encodedCount(input.count)) { encode(input, into: $0) }
    }

    /// Nil for padding, white space, foreign characters, an impossible length, or spare bits that
    /// are not zero. So two texts never stand for the same bytes, and a signed text cannot be
    /// rewritten into another one that verifies too.
    package static func decode(_ input: Span<UInt8>) -> [UInt8]? {
        let spare = input.count % 4
        guard spare != 1 else { return nil }
        let count = input.count / 4 * 3 + (spare == 0 ? 0 : spare - 1)
        let values = values
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            initialized = count
            isValid = decode(input, values: values.span, into: output)
            if !isValid { initialized = 0 }
        }
        return isValid ? bytes : nil
    }

    private static func decode(
        _ input: Span<UInt8>, values: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        // Every character outside the alphabet has the high bit set in `values`, so one test at the
        // end finds all of them.
        var seen: UInt8 = 0
        func value(_ index: Int) -> UInt32 {
            let value = values[Int(input[index])]
            seen |= value
            return UInt32(value)
        }

        var source = 0
        var target = 0
        while source + 4 <= input.count {
            let bits =
                value(source) << 18 | value(source + 1) << 12 | value(source + 2) << 6
                | value(source + 3)
            output[target] = UInt8(truncatingIfNeeded: bits >> 16)
            output[target + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            output[target + 2] = UInt8(truncatingIfNeeded: bits)
            source += 4
            target += 3
        }
        var spareBits: UInt32 = 0
        switch input.count - source {
        case 2:
            let bits = value(source) << 6 | value(source + 1)
            output[target] = UInt8(truncatingIfNeeded: bits >> 4)
            spareBits = bits & 0b1111
        case 3:
            let bits = value(source) << 12 | value(source + 1) << 6 | value(source + 2)
            output[target] = UInt8(truncatingIfNeeded: bits >> 10)
            output[target + 1] = UInt8(truncatingIfNeeded: bits >> 2)
            spareBits = bits & 0b11
        default: break
        }
        return seen & notInAlphabet == 0 && spareBits == 0
    }

    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    private static let notInAlphabet: UInt8 = 0x80

    /// The six bits of each character; `notInAlphabet` for all other bytes.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: notInAlphabet, count: 256)
        for value in 0..<64 { values[Int(alphabet.utf8Start[value])] = UInt8(value) }
        return values
    }()
}
