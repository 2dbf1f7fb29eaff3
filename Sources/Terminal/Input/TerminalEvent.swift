/// An event from the terminal to the program.
package enum TerminalEvent: Hashable, Sendable {
    case key(Key)
    case pointer(PointerEvent)
    /// A whole pasted text with `\n` line ends (bracketed paste). It is never split into keys, so
    /// that a paste cannot press a key.
    case pasted(String)
    case resized(Size)
    /// The program was continued after a stop (SIGCONT), and its screen was painted again.
    case resumed
    /// The terminal has reported its background, which differs from the assumed one.
    case background(Background)
    /// Another thread has called `Waker.wake`.
    case woken
    /// The program must end now: the terminal was closed, or a signal requests the end.
    case ended(Ending)

    /// The reason why the program must end.
    package enum Ending: Hashable, Sendable {
        /// SIGHUP, or the terminal was closed.
        case hungUp
        /// A signal that ends a program, such as SIGINT, SIGTERM or SIGQUIT, by its number.
        case signal(Int32)
    }
}

/// The abilities of a terminal. A drawing depends on these, on the size, and on no other property
/// of the terminal.
package struct Capabilities: Sendable {
    package var colors: ColorLevel
    package var measure: TextMeasure
    /// Before the terminal's report, the assumed background.
    package var background: Background
    /// Nil for the theme that fits the background.
    package var themeName: ThemeName?
    /// By the terminal, the locale or the user.
    package var isASCII: Bool { measure.isASCII }

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
