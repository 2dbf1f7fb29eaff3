/// An event from the terminal to the program.
package enum TerminalEvent: Hashable, Sendable {
    case key(Key)
    case pointer(PointerEvent)
    /// A whole pasted text with `\n` line ends (bracketed paste). It is never split into keys, so
    /// that a paste cannot press a key.
    case pasted(String)
    /// The terminal's new size.
    case resized(Size)
    /// The program was continued after a stop (SIGCONT), and its screen was painted again.
    case resumed
    /// The terminal has told its background, and it is not the one assumed until now.
    case background(Background)
    /// Another thread has called `Waker.wake`.
    case woken
    /// The program must end now: the terminal is gone, or a signal says so.
    case ended(Ending)

    /// Why the program must end.
    package enum Ending: Hashable, Sendable {
        /// SIGHUP, or the terminal was closed.
        case hungUp
        /// A signal that ends a program, such as INT, TERM or QUIT, by its number.
        case signal(Int32)
    }
}

/// The abilities of a terminal. Drawings depend on these and on the size, and on nothing else of
/// the terminal.
package struct Capabilities: Sendable {
    /// The colours that drawings are shown in.
    package var colors: ColorLevel
    /// Turns text into what the terminal can show.
    package var measure: TextMeasure
    /// The terminal's own background, as far as it is known.
    package var background: Background
    /// The theme that was chosen; nil for the one that suits the background.
    package var themeName: ThemeName?
    /// Whether only ASCII is shown, because the terminal or the user asks for it.
    package var isASCII: Bool { measure.isASCII }

    /// Memberwise: the values are not checked.
    package init(
        colors: ColorLevel, measure: TextMeasure, background: Background = .dark,
        themeName: ThemeName? = nil
    ) {
        self.colors = colors
        self.measure = measure
        self.background = background
        self.themeName = themeName
    }
}
