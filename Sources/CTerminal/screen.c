#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include "CTerminal.h"
#include "output.h"

#include <curses.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// term.h defines these as macros.
#undef columns
#undef lines

static SCREEN *screen;
static WINDOW *page;
static bool shows_cursor;

/// The terminal's mode while the screen is open. We set it, because curses' own descriptor is then
/// no terminal (output.h).
static struct termios screen_mode;

/// How long to wait for a terminal that accepts no output before restoring its mode.
enum { LEAVING_MILLISECONDS = 150 };

/// Counts of the cells put since the last update, and of their rows. `everything` is true if an
/// update may change other cells too.
static struct {
    bool everything;
    int cells, rows, row;
} changed;

/// The colour pair of each colour of xterm's palette, made at its first use; 0 before.
static short pairs[256];
static short pair_count;

/// With fewer changed rows than this, or fewer changed cells per row on average, curses does not
/// search for scrolled rows.
enum { MOVED_ROWS_MIN = 4, MOVED_CELLS_MIN = 8 };

// MARK: - Opening

static void ignore(int signal) { (void)signal; }

/// Calls newterm(3) while SIGTSTP has a handler. With the default action curses would ignore
/// SIGTSTP during each update, and a SIGTSTP that arrived then would be lost. `ct_next_signal`
/// reads the signals.
static SCREEN *new_screen(const char *terminal, FILE *output) {
    struct sigaction kept, ours = {.sa_handler = ignore};
    sigemptyset(&ours.sa_mask);
    sigaction(SIGTSTP, &ours, &kept);
    SCREEN *made = newterm(terminal, output, stdin);
    sigaction(SIGTSTP, &kept, NULL);
    return made;
}

/// Turns output processing off (termios(3): OPOST). With it the kernel passes an update on in
/// pieces, one for each carriage return and backspace, because it may have to change these
/// characters. The program's output needs no changes.
static void pass_output_unchanged(void) {
    if (tcgetattr(STDOUT_FILENO, &screen_mode) != 0) return;
    screen_mode.c_oflag &= ~(tcflag_t)OPOST;
    tcsetattr(STDOUT_FILENO, TCSANOW, &screen_mode);
}

bool ct_open(const char *terminal) {
    FILE *output = output_stream();
    if (output == NULL) return false;
    fflush(stdout);
    screen = new_screen(terminal, output);
    if (screen == NULL) return false;
    set_term(screen);
    page = stdscr;
    // curses only paints: `ct_read` reads the input, so curses must not check for typed keys.
    typeahead(-1);
    raw();
    noecho();
    nonl();
    pass_output_unchanged();
    scrollok(page, FALSE);
    leaveok(page, FALSE);
    memset(pairs, 0, sizeof pairs);
    pair_count = 0;
    changed.everything = true;
    gather();
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    curs_set(0);
    shows_cursor = false;
    return true;
}

/// Restores the terminal's screen and mode. Some terminals (libvterm, and so Neovim's) keep the
/// cursor's visibility for each screen buffer, so the cursor is made visible again after leaving
/// the alternate one.
static void end_screen(void) {
    endwin();
    release("", "", cursor_normal == NULL ? "" : cursor_normal);
    if (drain(LEAVING_MILLISECONDS)) {
        ct_restore_mode();
    } else {
        ct_restore();
    }
}

void ct_close(void) {
    if (screen == NULL) return;
    end_screen();
    delscreen(screen);
    screen = NULL;
    page = NULL;
}

void ct_leave(void) { end_screen(); }

void ct_enter(void) {
    // curses sets the screen up again at the next update only after endwin(3), which was not called
    // if SIGSTOP stopped the process.
    if (!isendwin()) endwin();
    tcsetattr(STDOUT_FILENO, TCSANOW, &screen_mode);
    changed.everything = true;
    clearok(curscr, TRUE);
}

bool ct_can_move(void) { return cursor_address != NULL; }

bool ct_tears_corner(void) {
    return auto_right_margin && !(enter_am_mode && exit_am_mode);
}

int ct_colors(void) { return has_colors() ? COLORS : 0; }

int ct_pair(int color) {
    if (color < 0 || color > 255 || color >= COLORS) return 0;
    if (pairs[color] == 0) {
        if (pair_count + 1 >= COLOR_PAIRS) return 0;
        if (init_pair(pair_count + 1, (short)color, -1) == ERR) return 0;
        pairs[color] = ++pair_count;
    }
    return pairs[color];
}

void ct_page_colors(int text, int background) {
    // Pairs made with the background -1 follow it: curses looks up the default when it paints.
    assume_default_colors(text, background);
    ct_repaint();
}

bool ct_measure(int *columns, int *rows) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return false;
    if (size.ws_col == 0 || size.ws_row == 0) return false;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return true;
}

void ct_size(int *columns, int *rows) { getmaxyx(page, *rows, *columns); }

void ct_resize(int columns, int rows) {
    changed.everything = true;
    resizeterm(rows, columns);
}

void ct_put(
    int column, int row, uint32_t base, uint32_t mark1, uint32_t mark2, uint32_t mark3,
    uint32_t mark4, int attributes, int pair) {
    wchar_t text[] = {(wchar_t)base, (wchar_t)mark1, (wchar_t)mark2, (wchar_t)mark3,
                      (wchar_t)mark4, 0};
    changed.cells++;
    if (row != changed.row || changed.rows == 0) changed.rows++;
    changed.row = row;
    attr_t attrs = A_NORMAL;
    if (attributes & CT_BOLD) attrs |= A_BOLD;
    if (attributes & CT_DIM) attrs |= A_DIM;
    if (attributes & CT_REVERSE) attrs |= A_REVERSE;
    if (attributes & CT_UNDERLINE) attrs |= A_UNDERLINE;
    cchar_t cell;
    // Unlike wadd_wch, this neither wraps nor scrolls in the lower right cell.
    if (setcchar(&cell, text, attrs, (short)pair, NULL) == OK) {
        mvwadd_wchnstr(page, row, column, &cell, 1);
    }
}

void ct_erase(void) {
    changed.everything = true;
    werase(page);
}

void ct_repaint(void) {
    changed.everything = true;
    clearok(curscr, TRUE);
}

void ct_update(int column, int row, bool shows, bool is_whole, const char *question) {
    // Lets curses scroll rows with the terminal's insert and delete line, so that a list that moves
    // by one row costs one row of output. To find such rows curses reads the whole screen, so it is
    // allowed only when enough cells have changed.
    idlok(page, changed.everything || (changed.rows >= MOVED_ROWS_MIN &&
                                       changed.cells >= MOVED_CELLS_MIN * changed.rows));
    if (shows != shows_cursor) {
        shows_cursor = shows;
        curs_set(shows ? 1 : 0);
    }
    wmove(page, row, column);
    wnoutrefresh(page);
    doupdate();
    memset(&changed, 0, sizeof changed);
    release(is_whole ? "\033[?2026h" : "", question, is_whole ? "\033[?2026l" : "");
}
