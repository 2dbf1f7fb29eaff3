#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>
#include <stdint.h>

// Call these functions on the thread that opened the screen, unless a comment says otherwise. No
// global and no macro of curses is visible through this header.

// MARK: - Characters (columns.c)

/// The columns that a character takes in a terminal (wcwidth(3), which Swift's Glibc module lacks);
/// -1 for a character that is not printable. Needs a UTF-8 LC_CTYPE. For any thread.
int ct_columns(uint32_t scalar);

/// Sets LC_CTYPE to the locale of the environment; to C.UTF-8 if none is named or it is not
/// installed; to C if its charset is not UTF-8, installed or not. Call it before any thread starts.
void ct_adopt_locale(void);

/// Whether the environment names the C or POSIX locale, which has only ASCII, or a locale of
/// another charset than UTF-8, of which only ASCII is shown.
bool ct_asks_for_ascii(void);

bool ct_is_utf8(void);

// MARK: - Signals and waiting (waiting.c)

/// Blocks the signals that `ct_next_signal` returns, in this thread and all threads that it starts
/// later. Call it before any thread starts.
void ct_block_signals(void);

/// Opens a descriptor (signalfd(2)) that is readable while TSTP, WINCH, CONT or a signal that ends
/// a process is pending; -1 on failure.
int ct_signal_descriptor(void);

/// 0 if no signal is pending.
int ct_next_signal(int descriptor);

/// Opens a descriptor for `ct_wake` (eventfd(2)); -1 on failure.
int ct_wake_descriptor(void);
/// Makes a wake descriptor readable. For any thread.
void ct_wake(int descriptor);
/// Makes a wake descriptor unreadable, until the next `ct_wake`.
void ct_wake_clear(int descriptor);

/// The event that ended `ct_wait`.
enum {
    CT_INPUT = 1,
    CT_SIGNAL = 2,
    CT_WAKE = 4,
    /// The terminal is gone: it was hung up, or its descriptor is not valid.
    CT_GONE = 8,
    /// The terminal accepts more of the output that is kept here (`ct_update`).
    CT_OUTPUT = 16,
};

/// Waits for input, a signal, a wake, or a terminal that accepts kept output, in one ppoll(2).
/// Returns the bits of the events found; 0 after `nanoseconds`, or if the wait was interrupted. A
/// negative time means no limit.
int ct_wait(int signals, int wake, int64_t nanoseconds);

/// Reads at most `limit` bytes of input, after CT_INPUT. Returns their number; 0 at the end of the
/// input, -1 for an error.
long ct_read(uint8_t *bytes, long limit);

/// Stops this process and its process group, as Ctrl-Z does. Returns when the process is continued.
void ct_stop_group(void);

// MARK: - The screen (screen.c)

/// Opens the screen on standard input and output in raw mode, for a terminal of this terminfo name.
/// False if terminfo does not have the name.
bool ct_open(const char *terminal);

/// Restores the terminal's screen and mode, and frees the curses screen. Does nothing if the screen
/// is not open.
void ct_close(void);

/// Restores the terminal's screen and mode until `ct_enter`.
void ct_leave(void);

/// Sets the terminal up again after `ct_leave`, or after the process was stopped. The next update
/// paints everything.
void ct_enter(void);

/// Whether the terminal can move its cursor (terminfo: cup), without which nothing can be painted.
bool ct_can_move(void);

/// Whether painting the lower right cell tears a wide character beside it. Without a way to turn
/// automatic wrapping off (in screen, in tmux) curses writes that cell by inserting a character.
bool ct_tears_corner(void);

/// By terminfo; 0 if it has none.
int ct_colors(void);

/// The colour pair of this colour on the page's background; 0 if there is none.
int ct_pair(int color);

/// Sets the colours of the page: of text without a colour, and of every background. -1 is the
/// terminal's own colour. The next update paints everything.
void ct_page_colors(int text, int background);

/// The size that the terminal reports (TIOCGWINSZ); false if it reports none.
bool ct_measure(int *columns, int *rows);

/// The size of the curses screen.
void ct_size(int *columns, int *rows);
/// resizeterm(3).
void ct_resize(int columns, int rows);

/// The attributes of `ct_put`. They are the raw values of `Style.Weight`.
enum { CT_BOLD = 1, CT_DIM = 2, CT_REVERSE = 4, CT_UNDERLINE = 8 };

/// Puts one character with up to four marks into a cell; unused marks are 0. Never scrolls.
void ct_put(
    int column, int row, uint32_t base, uint32_t mark1, uint32_t mark2, uint32_t mark3,
    uint32_t mark4, int attributes, int pair);

/// Blanks all cells. The terminal is changed by the next update.
void ct_erase(void);

/// Effective in the next update.
void ct_repaint(void);

/// Sends the changed cells to the terminal, with the cursor at this cell. With `isWhole` they are
/// marked as a synchronized update (private mode 2026), which the terminal shows only as a whole.
/// `question` holds the queries to send with the update, or ""; if the terminal prints them, the
/// clearing of the screen that follows removes them.
///
/// Never waits: output that the terminal does not accept is kept, for `ct_flush`. Call this only
/// after `ct_flush` has returned true, so that no more than one update is kept.
void ct_update(int column, int row, bool showsCursor, bool isWhole, const char *question);

/// Sends the output that was kept. Returns whether the terminal has accepted all of it; if not,
/// `ct_wait` reports CT_OUTPUT when the terminal accepts more.
bool ct_flush(void);

/// Sends a control sequence after all earlier output. Between updates only.
void ct_send(const char *sequence);

/// Adds a control sequence before the cells of the next update. At most 255 bytes are kept in all;
/// a sequence that does not fit is dropped.
void ct_queue(const char *sequence);

// MARK: - One static file (static.c)

/// Restricts the lookup of users, groups and hosts to files and the DNS. The other services that
/// nsswitch.conf(5) may name are shared libraries; loaded into a statically linked program, they
/// crash. Call it before any thread starts.
void ct_find_names_in_files(void);

// MARK: - Restoring the terminal (restoring.c)

/// Saves the terminal's present mode for `ct_restore_mode`. Call it before `ct_open`.
void ct_remember_mode(void);

/// Makes a crash and exit(3) restore the terminal, before a message about the crash is printed.
void ct_guard(void);

/// Call it after the terminal's screen and mode are restored.
void ct_unguard(void);

/// Restores the guarded terminal at once. Drops the output that waits in the kernel if the terminal
/// accepts none. Does nothing if the terminal is not guarded. Safe in a signal handler.
void ct_restore(void);

void ct_restore_mode(void);

#endif
