/// The keys of the byte sequences that xterm, rxvt, the Linux console, screen and tmux send. No
/// sequence has different keys in two of them, so one table serves all.
enum KeyTable {
    /// For one notch of the wheel.
    private static let wheelRows = 3

    /// Of a control character that is not part of a sequence.
    static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1C...0x1F: .control(Character(Unicode.Scalar(byte + 0x40)))
        default: nil
        }
    }

    /// `ESC O byte` (SS3).
    static func shifted(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "I"): .tab
        case UInt8(ascii: "X"): .character("=")
        // The keypad in application mode (DECKPAM), which an earlier program may have left on.
        case UInt8(ascii: "j")...UInt8(ascii: "y"):
            .character(Character(Unicode.Scalar(byte - 0x40)))
        default: letter(byte)
        }
    }

    /// `ESC [ number final` (CSI). Modifiers after the number are ignored.
    static func control(_ final: UInt8, _ number: Int) -> Key? {
        switch final {
        case UInt8(ascii: "~"), UInt8(ascii: "^"), UInt8(ascii: "@"): numbered(number)
        case UInt8(ascii: "Z"): .backTab
        // F1 to F4 are excluded, because a cursor position report (CPR) ends with R, too.
        case UInt8(ascii: "P")...UInt8(ascii: "S") where number > 1: nil
        default: letter(final)
        }
    }

    private static func letter(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(byte) - 0x4F)
        default: nil
        }
    }

    private static func numbered(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    /// From a button code of xterm's mouse reports: a press of the first button, or the wheel. Nil
    /// for other buttons, releases, and cells outside the screen.
    static func pointer(_ code: Int, _ place: Position) -> PointerEvent? {
        guard place.column >= 0, place.row >= 0 else { return nil }
        // Ignores the bits of Shift, Alt and Ctrl.
        switch code & ~0b11100 {
        case 0: return .clicked(place)
        case 64: return .wheel(place, rows: -wheelRows)
        case 65: return .wheel(place, rows: wheelRows)
        default: return nil
        }
    }
}
