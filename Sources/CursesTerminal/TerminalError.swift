/// The reason why frames cannot be shown on standard input and output.
package enum TerminalError: Error, Hashable, Sendable {
    /// Standard input or output is not a terminal.
    case notATerminal
    /// No cursor movement. The value is TERM, which may be empty.
    case dumb(String)
    /// terminfo has no entry for TERM, nor for xterm-256color and xterm. The value is TERM.
    case unknownTerminal(String)
}
