import CTerminal
import Glibc
import Terminal

extension CursesTerminal {
    /// Returns the terminfo name under which the screen was opened.
    static func open() throws(TerminalError) -> String {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw .notATerminal
        }
        let named = variable("TERM")
        if named.isEmpty || named == "dumb" || named == "unknown" { throw .dumb(named) }
        ct_remember_mode()
        // Many terminals have their own terminfo entry, which this machine may lack. All of these
        // terminals understand xterm's sequences.
        let names: [String] = [named, "xterm-256color", "xterm"]
        guard let name = names.first(where: { ct_open($0) }) else { throw .unknownTerminal(named) }
        guard ct_can_move() else {
            ct_close()
            throw .dumb(named)
        }
        return name
    }

    /// The requested colours, but no more than terminfo's count allows. Without a request, none if
    /// NO_COLOR is set (no-color.org).
    static func colors(wanted: ColorLevel?, count: Int) -> ColorLevel {
        let possible: ColorLevel = count >= 256 ? .rich : count >= 8 ? .basic : .mono
        switch wanted {
        case .rich, .trueColor: return possible
        case .basic: return possible == .mono ? .mono : .basic
        case .mono: return .mono
        case nil: return variable("NO_COLOR").isEmpty ? possible : .mono
        }
    }

    /// The query is about synchronized updates (DECRQM). None is sent if STOREFRONT_NO_SYNC is set.
    static func supportsModeQuery(_ terminal: String) -> Bool {
        variable("STOREFRONT_NO_SYNC").isEmpty && !printsQueries(terminal)
    }

    /// Operating system commands (OSC) query the terminal's background and set the clipboard. GNU
    /// screen is sent none: it delivers the answer to whichever of its windows is in sight, and
    /// prints the part of a command beyond 767 bytes.
    static func understandsCommands(_ terminal: String) -> Bool {
        let isScreen =
            !variable("STY").isEmpty
            || (terminal.hasPrefix("screen") && variable("TMUX").isEmpty)
        return !isScreen && !printsQueries(terminal)
    }

    /// The queries that the terminal does not understand.
    private static func printsQueries(_ terminal: String) -> Bool {
        ["linux", "vt", "cons", "eterm", "sun", "ansi"].contains { terminal.hasPrefix($0) }
    }

    /// The background until the terminal reports another: from COLORFGBG, otherwise dark.
    static var assumedBackground: Background {
        Background(colorFGBG: variable("COLORFGBG")) ?? .dark
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}
