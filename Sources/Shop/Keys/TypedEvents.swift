package import Terminal

/// The events of the terminal that were read and are not carried out yet, in order.
///
/// A key may take longer than the next one to arrive: a held key, or a text that was pasted as keys.
/// The loop then gives a text field all waiting characters as one text, and a signal that ends the
/// program overtakes the rest.
package struct TypedEvents {
    private var events: [TerminalEvent] = []
    private var next = 0

    /// How many events may wait before no more keys are read. Signals still are.
    package static let most = 1 << 13

    package init() {}

    package var isEmpty: Bool { next == events.count }
    package var isFull: Bool { events.count - next >= Self.most }

    package mutating func add(_ more: [TerminalEvent]) {
        events.removeFirst(next)
        next = 0
        events += more
    }

    /// The next event. Characters that follow each other are one pasted text if the focused text
    /// field takes them all.
    package mutating func take(in state: ShopState, on layout: Layout) -> TerminalEvent? {
        guard !isEmpty else { return nil }
        var typed = ""
        let first = next
        while !isEmpty, !layout.isTooSmall, case .key(.character(let character)) = events[next],
            state.focus.type.typed(String(character)) != nil
        {
            typed.append(character)
            next += 1
        }
        if next > first + 1 { return .pasted(typed) }
        next = first + 1
        return events[first]
    }

    /// Drops all but the event that ends the program, if one waits: a signal, or Ctrl-C, for which
    /// a terminal drops what was typed before it, too (termios(3): NOFLSH).
    package mutating func skipToEnding() {
        let ending = events[next...].firstIndex { event in
            if case .ended = event { true } else { event == .key(.control("c")) }
        }
        if let ending { next = ending }
    }
}
