/// Why the shop cannot be shown here.
package enum TerminalError: Error, Hashable, Sendable {
    /// Input or output is a file or a pipe.
    case notATerminal
    /// This kind of terminal (or none, if empty) cannot put text anywhere but at its end.
    case dumb(String)
    /// terminfo knows neither this kind of terminal nor xterm-256color.
    case unknownTerminal(String)
}
