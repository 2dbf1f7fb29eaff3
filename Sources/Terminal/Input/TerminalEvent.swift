/// What reaches a program from its terminal.
package enum TerminalEvent: Hashable, Sendable {
    case key(Key)
    case pointer(PointerEvent)
    /// Text that was pasted, whole: never keys, so that it can press nothing.
    case pasted(String)
    case resized(Size)
    /// Back in the foreground after Ctrl-Z: the screen was drawn anew.
    case resumed
    /// Something was put into the program's mailbox.
    case woken
    /// The terminal is gone, or a signal asks to end: leave now, with this code.
    case ended(Ending)

    package enum Ending: Hashable, Sendable {
        /// Nobody is there any more (SIGHUP, or the terminal was closed).
        case hungUp
        /// INT, TERM or QUIT.
        case signal(Int32)
    }
}

/// What a terminal can show; drawing depends on nothing else of it.
package struct Capabilities: Sendable {
    package var colors: ColorLevel
    package var measure: TextMeasure
    /// Only ASCII can be shown, or only ASCII is wanted.
    package var isASCII: Bool { measure.isASCII }

    package init(colors: ColorLevel, measure: TextMeasure) {
        self.colors = colors
        self.measure = measure
    }
}
