#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include "CTerminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

// term.h calls its numbers by very plain names.
#undef columns
#undef lines

static SCREEN *screen;
static WINDOW *page;
static bool shows_cursor;
/// The pair of each colour of xterm's palette, made when it is first used.
static short pairs[256];
static short pair_count;

// MARK: - One write an update

// curses writes to the terminal at each move of the cursor: dozens of writes, and a terminal may
// show what is between them. So it writes to a descriptor of its own, which an update points to a
// file in memory; what was gathered there goes to the terminal in one piece.
static int terminal_copy = -1;
static int gathered = -1;
static FILE *output;
static bool is_gathering;
static bool has_updated;
static char queue[256];

static bool prepare_output(void) {
    if (output != NULL) return true;
    terminal_copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    gathered = memfd_create("screen", MFD_CLOEXEC);
    output = terminal_copy < 0 ? NULL : fdopen(terminal_copy, "w");
    return output != NULL;
}

static void gather(void) {
    if (gathered < 0 || is_gathering) return;
    is_gathering = dup3(gathered, terminal_copy, O_CLOEXEC) >= 0;
}

static void write_all(const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) {
            // Another program has left the terminal non-blocking.
            struct pollfd room = {.fd = STDOUT_FILENO, .events = POLLOUT};
            if (poll(&room, 1, -1) >= 0 || errno == EINTR) continue;
        }
        if (written <= 0) return;
        bytes += written;
        length -= (size_t)written;
    }
}

/// The length of a sequence here that sets attributes (ESC [ ... m), or 0.
static size_t attributes_at(const char *bytes, size_t length) {
    if (length < 3 || bytes[0] != '\033' || bytes[1] != '[') return 0;
    size_t at = 2;
    while (at < length && ((bytes[at] >= '0' && bytes[at] <= '9') || bytes[at] == ';')) at++;
    return at < length && bytes[at] == 'm' ? at + 1 : 0;
}

/// The length of a way back to the plain character set here, or 0. No cell of ours ever leaves it,
/// but xterm's entry in terminfo goes back to it with every change of attributes.
static size_t charset_at(const char *bytes, size_t length) {
    return length >= 3 && memcmp(bytes, "\033(B", 3) == 0 ? 3 : 0;
}

/// Leaves out what changes nothing, a quarter of a small update: ways back to the plain character
/// set, and attributes that the very next sequence takes back. Returns the new length.
static size_t shorten(char *bytes, size_t length) {
    size_t kept = 0, at = 0;
    while (at < length) {
        size_t charset = charset_at(bytes + at, length - at);
        if (charset > 0) {
            at += charset;
            continue;
        }
        size_t count = attributes_at(bytes + at, length - at);
        if (count > 0) {
            size_t next = at + count;
            while (charset_at(bytes + next, length - next) > 0) next += 3;
            if (attributes_at(bytes + next, length - next) > 0 &&
                (bytes[next + 2] == 'm' ||
                 (bytes[next + 2] == '0' && strchr(";m", bytes[next + 3]) != NULL))) {
                at = next;
                continue;
            }
        } else {
            count = 1;
        }
        memmove(bytes + kept, bytes + at, count);
        kept += count;
        at += count;
    }
    return kept;
}

/// What was gathered goes to the terminal, between the other two. A terminal that does not
/// understand the question may show half of it: so it is asked just before the screen is cleared.
static void release(const char *before, const char *question, const char *after) {
    off_t length = 0;
    if (is_gathering) {
        length = lseek(gathered, 0, SEEK_CUR);
        dup3(STDOUT_FILENO, terminal_copy, O_CLOEXEC);
        is_gathering = false;
    }
    char *update = malloc((size_t)length + 1);
    char *all = malloc(strlen(queue) + strlen(before) + (size_t)length + strlen(question) +
                       strlen(after) + 1);
    if (update != NULL && all != NULL) {
        ssize_t count = length > 0 ? pread(gathered, update, (size_t)length, 0) : 0;
        size_t end = count > 0 ? (size_t)count : 0;
        // The first one may find the terminal as another program left it.
        if (has_updated) end = shorten(update, end);
        has_updated = true;
        char *clear = clear_screen == NULL || question[0] == 0
                          ? NULL : memmem(update, end, clear_screen, strlen(clear_screen));
        size_t gap = clear == NULL ? end : (size_t)(clear - update);
        char *next = stpcpy(stpcpy(all, queue), before);
        next = mempcpy(next, update, gap);
        next = stpcpy(next, question);
        next = mempcpy(next, update + gap, end - gap);
        next = stpcpy(next, after);
        write_all(all, (size_t)(next - all));
    }
    free(update);
    free(all);
    queue[0] = 0;
    if (length > 0) lseek(gathered, 0, SEEK_SET);
}

// MARK: - Opening

bool ct_open(const char *terminal) {
    if (!prepare_output()) return false;
    fflush(stdout);
    screen = newterm(terminal, output, stdin);
    if (screen == NULL) return false;
    set_term(screen);
    page = stdscr;
    // Bytes are read elsewhere; curses paints only. So it must neither look for keys nor wait.
    typeahead(-1);
    raw();
    noecho();
    nonl();
    scrollok(page, FALSE);
    leaveok(page, FALSE);
    // Rows that moved are moved by the terminal: a list scrolls by a line for the price of a line.
    idlok(page, TRUE);
    memset(pairs, 0, sizeof pairs);
    pair_count = 0;
    // From here on to the first update.
    gather();
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    curs_set(0);
    shows_cursor = false;
    return true;
}

/// Some terminals keep the cursor's visibility with each screen (libvterm, so Neovim's): it is shown
/// once more on the one that is left.
static void end_screen(void) {
    release("", "", "");
    endwin();
    has_updated = false;
    if (cursor_normal != NULL) ct_send(cursor_normal);
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
    // After endwin, an update sets the mode and the screen anew; SIGSTOP came without one.
    if (!isendwin()) endwin();
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

bool ct_measure(int *columns, int *rows) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return false;
    if (size.ws_col == 0 || size.ws_row == 0) return false;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return true;
}

void ct_size(int *columns, int *rows) { getmaxyx(page, *rows, *columns); }

void ct_resize(int columns, int rows) { resizeterm(rows, columns); }

void ct_put(
    int column, int row, uint32_t base, uint32_t mark1, uint32_t mark2, uint32_t mark3,
    uint32_t mark4, int attributes, int pair) {
    wchar_t text[] = {(wchar_t)base, (wchar_t)mark1, (wchar_t)mark2, (wchar_t)mark3,
                      (wchar_t)mark4, 0};
    attr_t look = A_NORMAL;
    if (attributes & CT_BOLD) look |= A_BOLD;
    if (attributes & CT_DIM) look |= A_DIM;
    if (attributes & CT_REVERSE) look |= A_REVERSE;
    if (attributes & CT_UNDERLINE) look |= A_UNDERLINE;
    cchar_t cell;
    // Unlike wadd_wch, this neither wraps nor scrolls at the lower right.
    if (setcchar(&cell, text, look, (short)pair, NULL) == OK) {
        mvwadd_wchnstr(page, row, column, &cell, 1);
    }
}

void ct_erase(void) { werase(page); }

void ct_repaint(void) { clearok(curscr, TRUE); }

void ct_update(int column, int row, bool shows, bool is_whole, const char *question) {
    // After endwin an update sets the terminal's mode, which needs the terminal.
    if (!isendwin()) gather();
    if (shows != shows_cursor) {
        shows_cursor = shows;
        curs_set(shows ? 1 : 0);
    }
    wmove(page, row, column);
    wnoutrefresh(page);
    doupdate();
    release(is_whole ? "\033[?2026h" : "", question, is_whole ? "\033[?2026l" : "");
}

void ct_send(const char *sequence) { write_all(sequence, strlen(sequence)); }

void ct_queue(const char *sequence) {
    if (strlen(queue) + strlen(sequence) < sizeof queue) strcat(queue, sequence);
}
