import CTerminal
import Glibc
import Terminal

extension CursesTerminal {
    /// Opens the screen. Returns the terminfo name under which it was opened.
    static func open() throws(TerminalError) -> String {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw .notATerminal
        }
        let named = variable("TERM")
        if named.isEmpty || named == "dumb" || named == "unknown" { throw .dumb(named) }
        ct_remember_mode()
        // Many terminals have a terminfo entry of their own that this machine may lack. All of
        // those understand xterm's sequences.
        let names: [String] = [named, "xterm-256color", "xterm"]
        guard let name = names.first(where: { ct_open($0) }) else { throw .unknownTerminal(named) }
        guard ct_can_move() else {
            ct_close()
            throw .dumb(named)
        }
        return name
    }

    /// The colours to use: those asked for, but no more than terminfo's count allows. Without a
    /// wish, none if NO_COLOR is set (no-color.org).
    static func colors(wanted: ColorLevel?, count: Int) -> ColorLevel {
        let possible: ColorLevel = count >= 256 ? .rich : count >= 8 ? .basic : .mono
        switch wanted {
        case .rich: return possible
        case .basic: return possible == .mono ? .mono : .basic
        case .mono: return .mono
        case nil: return variable("NO_COLOR").isEmpty ? possible : .mono
        }
    }

    /// Whether the terminal may be asked about synchronized updates (DECRQM). Terminals that are
    /// known to print a query that they do not understand are not asked, and none is if
    /// STOREFRONT_NO_SYNC is set.
    static func supportsModeQuery(_ terminal: String) -> Bool {
        guard variable("STOREFRONT_NO_SYNC").isEmpty else { return false }
        return !["linux", "vt", "cons", "eterm", "sun", "ansi"].contains {
            terminal.hasPrefix($0)
        }
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}
