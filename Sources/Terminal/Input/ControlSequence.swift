/// A control sequence, `ESC [ parameters final` (ECMA-48): terminals send it for most keys, for
/// clicks and for reports.
struct ControlSequence {
    private let mark: UInt8?
    private let numbers: [Int]
    private let intermediates: [UInt8]
    private let final: UInt8

    init(parameters: [UInt8], final: UInt8) {
        self.final = final
        // Most keys have no parameters.
        guard !parameters.isEmpty else {
            (mark, numbers, intermediates) = (nil, [], [])
            return
        }
        var rest = parameters[...]
        // A leading "<", "=", ">" or "?" marks a private sequence, whose meaning differs from the
        // standard.
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            mark = first
            rest = rest.dropFirst()
        } else {
            mark = nil
        }
        let split = rest.firstIndex { $0 < 0x30 } ?? rest.endIndex
        intermediates = Array(rest[split...])
        numbers = rest[..<split].split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
        )
        .map { digits in
            digits.reduce(0) { value, digit in
                (0x30...0x39).contains(digit) ? min(value * 10 + Int(digit) - 0x30, 99_999) : value
            }
        }
    }

    /// Passes the meaning of the sequence to the decoder: a key, a click, a mode report, or
    /// nothing.
    func report(to decoder: inout KeyDecoder) {
        switch (mark, intermediates) {
        case (nil, []): decoder.found(KeyTable.control(final, numbers.first ?? 0))
        case (UInt8(ascii: "<"), []): reportPointer(to: &decoder)
        case (UInt8(ascii: "?"), [UInt8(ascii: "$")])
        where final == UInt8(ascii: "y") && numbers.count == 2:
            decoder.found(.mode(numbers[0], state: numbers[1]))
        default: break
        }
    }

    /// `ESC [ < button ; column ; row`, then M for a press or m for a release (xterm, mode 1006).
    private func reportPointer(to decoder: inout KeyDecoder) {
        guard final == UInt8(ascii: "M"), numbers.count == 3 else { return }
        let place = Position(column: numbers[1] - 1, row: numbers[2] - 1)
        if let event = KeyTable.pointer(numbers[0], place) {
            decoder.found(.event(.pointer(event)))
        }
    }
}
