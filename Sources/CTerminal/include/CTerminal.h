#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>
#include <stdint.h>

// Everything below is for one thread, the one that opened the screen, unless it says otherwise.
// Nothing of curses shows: its globals and macros stay behind these functions.

// MARK: - Characters (columns.c)

/// The columns a character takes in a terminal (wcwidth(3)), which Swift's Glibc module hides.
/// -1 for a character that is not printable. Needs a UTF-8 LC_CTYPE.
int ct_columns(uint32_t scalar);

/// Takes the person's LC_CTYPE; where none is named or it is missing, C.UTF-8; where its charset is
/// not UTF-8, C. Before any thread starts.
void ct_adopt_locale(void);

/// Whether the environment names the C or POSIX locale, which has ASCII alone.
bool ct_asks_for_ascii(void);

/// Whether the current LC_CTYPE is UTF-8.
bool ct_is_utf8(void);

// MARK: - Signals and waiting (waiting.c)

/// Blocks the signals below in this thread and all it starts later. Before any thread starts.
void ct_block_signals(void);

/// A descriptor that is readable when TSTP, WINCH, CONT, or a signal that ends a process is pending.
int ct_signal_descriptor(void);

/// The next pending signal, or 0.
int ct_next_signal(int descriptor);

/// A descriptor that `ct_wake` makes readable, from any thread.
int ct_wake_descriptor(void);
void ct_wake(int descriptor);
void ct_wake_clear(int descriptor);

enum {
    CT_INPUT = 1,
    CT_SIGNAL = 2,
    CT_BELL = 4,
    /// Nobody is at the other end of the input.
    CT_GONE = 8,
    /// The terminal takes more of what it has not taken yet.
    CT_OUTPUT = 16,
};

/// Waits until something is readable and says what; 0 when `nanoseconds` have passed, or when
/// something else interrupted the wait. A negative time has no end.
int ct_wait(int signals, int wake, int64_t nanoseconds);

/// What can be read from the input now; 0 at its end, -1 for an error. Call it after CT_INPUT.
long ct_read(uint8_t *bytes, long limit);

/// Stops this process and its group as Ctrl-Z does, and returns when it is continued.
void ct_stop_group(void);

// MARK: - The screen (screen.c)

/// Opens the screen on standard input and output for this kind of terminal, in raw mode. False if
/// terminfo does not know it.
bool ct_open(const char *terminal);

/// Gives the terminal back, for good.
void ct_close(void);

/// Gives the terminal back until `ct_enter`.
void ct_leave(void);

/// Takes it again; the next update paints everything.
void ct_enter(void);

/// Whether the terminal can put the cursor anywhere, without which nothing can be painted.
bool ct_can_move(void);

/// Whether a wide character next to the lower right cell is torn when that cell is painted: without
/// a way to stop wrapping (in screen, in tmux) curses fills the cell by inserting.
bool ct_tears_corner(void);

/// How many colours terminfo says there are; less than 8 if colours cannot be used.
int ct_colors(void);

/// The pair of this colour on the terminal's own background; 0 if it cannot be had.
int ct_pair(int color);

/// What the terminal says its size is; false if it does not say.
bool ct_measure(int *columns, int *rows);

/// The size the screen has been given.
void ct_size(int *columns, int *rows);
void ct_resize(int columns, int rows);

enum { CT_BOLD = 1, CT_DIM = 2, CT_REVERSE = 4, CT_UNDERLINE = 8 };

/// Puts one character with up to four marks into a cell, 0 where there is none. Never scrolls.
void ct_put(
    int column, int row, uint32_t base, uint32_t mark1, uint32_t mark2, uint32_t mark3,
    uint32_t mark4, int attributes, int pair);

/// Empties the screen at the next update.
void ct_erase(void);

/// Lets the next update paint everything, whatever is thought to be on the screen.
void ct_repaint(void);

/// Brings what was put onto the terminal and leaves the cursor there. `isWhole`: between the marks
/// of a synchronized update, so that no half of it is ever seen. `question` is sent along,
/// where whatever a terminal makes of it is cleared at once. All of this in one write(2), if the
/// terminal takes it; this never waits for it. Only after `ct_flush` has said true.
void ct_update(int column, int row, bool showsCursor, bool isWhole, const char *question);

/// Sends what the terminal has not taken yet. Whether it has everything now; if not, `ct_wait` tells
/// by CT_OUTPUT when it takes more.
bool ct_flush(void);

/// Writes a control sequence, after all that was written before. Between updates only.
void ct_send(const char *sequence);

/// Adds a control sequence to the next update, before its cells.
void ct_queue(const char *sequence);

// MARK: - One static file (static.c)

/// From now on users, groups and hosts are looked up in files and the DNS alone. What
/// nsswitch.conf(5) names besides are shared libraries, which the C library would load into a
/// program that is linked statically, where they crash. Before any thread starts.
void ct_find_names_in_files(void);

// MARK: - Whatever happens (restoring.c)

/// The mode the terminal is in now is the one it is given back in. Before `ct_open`.
void ct_remember_mode(void);

/// From now on a crash, or exit(3), gives the terminal back before anything is said about it.
void ct_guard(void);

/// The terminal has been given back.
void ct_unguard(void);

/// Gives the terminal back at once, if it is guarded, even if it takes no output: what waits for it
/// in the kernel is dropped. Only what may be called in a signal handler.
void ct_restore(void);

/// Sets the mode of `ct_remember_mode`.
void ct_set_mode_of_before(void);

#endif
