/// Turns the bytes that a terminal sends into keys, clicks and pastes. It keeps an unfinished
/// sequence between two reads. Unknown bytes and sequences are dropped, never typed.
package struct KeyDecoder: Sendable {
    /// A decoded input: an event for the program, or a terminal's report.
    package enum Input: Hashable, Sendable {
        case event(TerminalEvent)
        /// The reply to DECRQM about a private mode (DECRPM): 0 means not recognized, 1 set, 2
        /// reset, 3 permanently set, 4 permanently reset.
        case mode(Int, state: Int)
        /// The reply to OSC 11: the colour of the terminal's background.
        case background(RGB)
    }

    enum State {
        case ground
        /// ESC was read: the Escape key, or the start of a sequence.
        case escape
        /// ESC O was read.
        case shifted
        /// ESC [ was read, and these parameter bytes.
        case control([UInt8])
        /// ESC [ [, as the Linux console sends F1 to F5.
        case console
        /// ESC [ M, a click in xterm's older format (mode 1000): three bytes follow.
        case oldPointer([UInt8])
        /// ESC ], ESC P and the like: a string up to BEL or ESC \.
        case text(isEnding: Bool)
        case paste
    }

    /// The most bytes kept of one paste. The rest is dropped, so that a paste without an end does
    /// not fill the memory.
    package static let pastedBytesMax = 1 << 16
    private static let controlBytesMax = 64
    private static let controlC: UInt8 = 0x03
    /// The most bytes kept of one string. All known replies are shorter.
    private static let replyBytesMax = 64
    /// The length at which a string ends, so that a flood of input without its end is not dropped
    /// for ever.
    package static let stringBytesMax = 1 << 14

    /// Whether the terminal was sent a query that it answers with an OSC string. The decoder then
    /// waits longer for such a string, and recognizes it even if its ESC arrived long before the
    /// rest, so that an answer on a slow line is not taken for typed text.
    package var expectsReply = false

    var state = State.ground
    private var scalar: [UInt8] = []
    private var pasted: [UInt8] = []
    /// How many bytes of the paste's end mark have been matched.
    private var endSeen = 0
    /// How many Ctrl-C were read last in a paste. They are its text if more of it follows, otherwise
    /// the key: its end was lost, and a person wants to leave.
    private var controlCSeen = 0
    /// The OSC string read so far; nil in a string of another kind.
    private var reply: [UInt8]?
    private var stringLength = 0
    private var fixedDeadline: ContinuousClock.Instant?
    /// Whether the last byte was an ESC that was reported as the Escape key while a reply was
    /// expected.
    private var hasGivenUpEscape = false
    private var found: [Input] = []

    package init() {}

    /// In order.
    package mutating func decode(_ bytes: ArraySlice<UInt8>) -> [Input] {
        for byte in bytes { step(byte) }
        return take()
    }

    /// The time to wait for more bytes before a call of `giveUp()`; nil if no input is unfinished.
    package var patience: Duration? {
        switch state {
        case .ground: scalar.isEmpty ? nil : .milliseconds(100)
        case .escape: .milliseconds(25)
        case .paste: controlCSeen > 0 ? .milliseconds(100) : .seconds(2)
        case .text: expectsReply ? .seconds(2) : .milliseconds(100)
        case .shifted, .control, .console, .oldPointer: .milliseconds(100)
        }
    }

    /// When to call `giveUp()` unless more bytes arrive; nil if no input is unfinished. The time of a
    /// string counts from its beginning, and that of Ctrl-C in a paste from the first one, so that
    /// keys pressed meanwhile do not prolong it.
    package mutating func deadline(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let patience else { return nil }
        switch state {
        case .text: break
        case .paste where controlCSeen > 0: break
        default: return now + patience
        }
        let deadline = fixedDeadline ?? now + patience
        fixedDeadline = deadline
        return deadline
    }

    /// Ends every unfinished input: a lone ESC was the Escape key, a paste has ended, and any other
    /// unfinished sequence is dropped. Returns the inputs that this completes.
    package mutating func giveUp() -> [Input] {
        switch state {
        case .escape:
            found.append(.event(.key(.escape)))
            hasGivenUpEscape = expectsReply
        case .paste:
            let isInterrupted = controlCSeen > 0
            endPaste()
            if isInterrupted { ground(Self.controlC) }
        case .ground, .shifted, .control, .console, .oldPointer, .text: break
        }
        state = .ground
        scalar = []
        return take()
    }

    private mutating func take() -> [Input] {
        defer { found.removeAll(keepingCapacity: true) }
        return found
    }

    mutating func found(_ input: Input) { found.append(input) }

    mutating func found(_ key: Key?) {
        if let key { found.append(.event(.key(key))) }
    }

    private mutating func step(_ byte: UInt8) {
        switch state {
        // No sequence contains Ctrl-C, so that key works whatever is left unfinished. A paste may
        // contain it (`controlCSeen`).
        case .shifted, .control, .console, .oldPointer, .text:
            if byte == Self.controlC {
                state = .ground
                return ground(byte)
            }
        case .ground, .escape, .paste: break
        }
        switch state {
        case .ground: ground(byte)
        case .escape: escape(byte)
        case .shifted: shifted(byte)
        case .control(let before): control(byte, before)
        case .console: console(byte)
        case .oldPointer(let before): oldPointer(byte, before)
        case .text(let isEnding): text(byte, isEnding)
        case .paste: paste(byte)
        }
    }

    // MARK: - Typing

    private mutating func ground(_ byte: UInt8) {
        if hasGivenUpEscape {
            hasGivenUpEscape = false
            if byte == UInt8(ascii: "]") { return escape(byte) }
        }
        if byte < 0x20 || byte == 0x7F {
            scalar = []
            if byte == 0x1B { state = .escape } else { found(KeyTable.control(byte)) }
            return
        }
        if byte < 0x80 {
            scalar = []
            return found(.character(Character(Unicode.Scalar(byte))))
        }
        // The first byte of a UTF-8 character discards an unfinished character. A continuation byte
        // without a first byte is itself discarded.
        if byte >= 0xC0 { scalar = [] } else if scalar.isEmpty { return }
        scalar.append(byte)
        guard scalar.count >= Self.length(scalar[0]) else { return }
        defer { scalar = [] }
        guard let text = String(validating: scalar, as: UTF8.self), let typed = text.first,
            text.unicodeScalars.allSatisfy({ $0.value >= 0xA0 })
        else { return }
        found(.character(typed))
    }

    private static func length(_ first: UInt8) -> Int {
        first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    }

    private mutating func escape(_ byte: UInt8) {
        state = .ground
        switch byte {
        case 0x1B:
            // The Escape key was pressed before this byte.
            found(.escape)
            state = .escape
        case UInt8(ascii: "["): state = .control([])
        case UInt8(ascii: "O"): state = .shifted
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "X"):
            reply = byte == UInt8(ascii: "]") ? [] : nil
            state = .text(isEnding: false)
            stringLength = 0
            fixedDeadline = nil
        case 0..<0x20: ground(byte)
        default: break  // a letter with Alt, which means nothing here
        }
    }

    // MARK: - Sequences

    private mutating func shifted(_ byte: UInt8) {
        state = .ground
        if byte < 0x20 { return ground(byte) }
        // Some terminals send modifiers before the final byte, as in ESC O 5 A. They are ignored.
        if (0x30...0x39).contains(byte) { return state = .shifted }
        found(KeyTable.shifted(byte))
    }

    private mutating func console(_ byte: UInt8) {
        state = .ground
        if (0x41...0x45).contains(byte) { found(.function(Int(byte) - 0x40)) }
    }

    private mutating func control(_ byte: UInt8, _ before: [UInt8]) {
        switch byte {
        case 0x1B: state = .escape
        case 0..<0x20, 0x7F...: state = .ground
        case 0x20...0x3F:
            // Parameters beyond any known sequence are dropped, up to the final byte.
            state = .control(before.count < Self.controlBytesMax ? before + [byte] : before)
        case UInt8(ascii: "[") where before.isEmpty: state = .console
        case UInt8(ascii: "M") where before.isEmpty: state = .oldPointer([])
        case UInt8(ascii: "~") where before == Array("200".utf8):
            (state, pasted, endSeen) = (.paste, [], 0)
        default:
            state = .ground
            ControlSequence(parameters: before, final: byte).report(to: &self)
        }
    }

    private mutating func oldPointer(_ byte: UInt8, _ before: [UInt8]) {
        guard before.count == 2 else { return state = .oldPointer(before + [byte]) }
        state = .ground
        // Each byte is 32 more than its value, and columns and rows count from 1.
        let (code, column, row) = (Int(before[0]) - 32, Int(before[1]) - 33, Int(byte) - 33)
        if let event = KeyTable.pointer(code, Position(column: column, row: row)) {
            found(.event(.pointer(event)))
        }
    }

    private mutating func text(_ byte: UInt8, _ isEnding: Bool) {
        stringLength += 1
        guard stringLength <= Self.stringBytesMax else { return state = .ground }
        switch byte {
        case 0x07: endText()
        case UInt8(ascii: "\\") where isEnding: endText()
        case 0x1B: state = .text(isEnding: true)
        default:
            state = .text(isEnding: false)
            if let count = reply?.count, count < Self.replyBytesMax { reply?.append(byte) }
        }
    }

    private mutating func endText() {
        state = .ground
        let text = String(decoding: reply ?? [], as: UTF8.self)
        guard text.hasPrefix("11;"), let color = RGB(specification: text.dropFirst(3)) else {
            return
        }
        found(.background(color))
    }

    // MARK: - Pasting

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func paste(_ byte: UInt8) {
        if byte == Self.controlC {
            keepEndSeen()
            if controlCSeen == 0 { fixedDeadline = nil }
            controlCSeen += 1
            return
        }
        for _ in 0..<controlCSeen { keep(Self.controlC) }
        controlCSeen = 0
        if byte == Self.pasteEnd[endSeen] {
            endSeen += 1
            if endSeen == Self.pasteEnd.count {
                endPaste()
                state = .ground
            }
            return
        }
        // A new match can only start at this byte, because the mark contains no second ESC.
        keepEndSeen()
        if byte == Self.pasteEnd[0] { endSeen = 1 } else { keep(byte) }
    }

    /// The bytes matched so far were text, not the end mark.
    private mutating func keepEndSeen() {
        for known in Self.pasteEnd[..<endSeen] { keep(known) }
        endSeen = 0
    }

    private mutating func keep(_ byte: UInt8) {
        if pasted.count < Self.pastedBytesMax { pasted.append(byte) }
    }

    private mutating func endPaste() {
        // Terminals send a line end as CR, as for the Enter key, and some as CR LF.
        let text = String(decoding: pasted, as: UTF8.self)
            .unicodeScalars.filter { $0 != "\u{FFFD}" }
        var lines = String.UnicodeScalarView()
        var wasReturn = false
        for scalar in text {
            if scalar == "\n", wasReturn {
                wasReturn = false
                continue
            }
            wasReturn = scalar == "\r"
            lines.append(wasReturn ? "\n" : scalar)
        }
        pasted = []
        endSeen = 0
        controlCSeen = 0
        found.append(.event(.pasted(String(lines))))
    }
}
