/// A key a person pressed, as far as terminals tell keys apart.
package enum Key: Hashable, Sendable {
    /// Something that can be typed. Space is one of them.
    case character(Character)
    /// A letter with Ctrl, in lower case.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right
    case home, end, pageUp, pageDown
    case function(Int)
}

/// What a pointer did. Only clicks and the wheel are asked of the terminal: selecting text with the
/// pointer stays the terminal's own where a person wants that.
package enum PointerEvent: Hashable, Sendable {
    case clicked(Position)
    case wheel(Position, rows: Int)
}
