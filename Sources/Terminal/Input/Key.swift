/// A pressed key, as far as the bytes of terminals distinguish keys.
package enum Key: Hashable, Sendable {
    /// A typed character, space included.
    case character(Character)
    /// A letter with Ctrl, in lower case.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right
    case home, end, pageUp, pageDown
    /// A function key, from 1 for F1.
    case function(Int)
}

/// A click or a turn of the wheel. The terminal is not asked to report movements.
package enum PointerEvent: Hashable, Sendable {
    /// A press of the first button.
    case clicked(Position)
    /// Rows to scroll by, negative for upwards.
    case wheel(Position, rows: Int)
}
