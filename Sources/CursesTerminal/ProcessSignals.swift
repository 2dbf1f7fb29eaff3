import CTerminal
import Glibc

/// What a program has to do for its terminal before its first thread starts.
package enum ProcessSignals {
    /// Blocks the signals a terminal and its person send, in this thread and all later ones: a
    /// `CursesTerminal` reads them in its own time. Takes the locale, and makes the terminal's own
    /// word about its size the one that counts.
    package static func prepare() {
        ct_block_signals()
        ct_adopt_locale()
        unsetenv("LINES")
        unsetenv("COLUMNS")
    }
}
