import CTerminal
import Glibc

/// The preparation of a process for a `CursesTerminal`.
package enum ProcessSignals {
    /// Blocks the signals that a terminal sends, and others that end a process, in this thread and
    /// all later ones: a `CursesTerminal` reads them while it waits. Sets LC_CTYPE from the
    /// environment (`ct_adopt_locale`), and removes LINES and COLUMNS, so that the size comes from
    /// the terminal. Call it before any thread starts.
    package static func prepare() {
        ct_block_signals()
        ct_adopt_locale()
        unsetenv("LINES")
        unsetenv("COLUMNS")
    }
}
