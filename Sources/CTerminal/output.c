#define _GNU_SOURCE
#include "output.h"

#include "CTerminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <term.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/// The descriptor that curses writes to: a duplicate of `file` while output is gathered, otherwise
/// of standard output.
static int curses_end = -1;
/// A file in memory.
static int file = -1;
static bool is_gathering;

/// The terminal, opened a second time with O_NONBLOCK. The flag belongs to the open file, so
/// setting it on standard output would also set it for the shell.
static int terminal = STDOUT_FILENO;
/// Whether the terminal was opened again. Otherwise `terminal` is standard output, which may block.
static bool never_blocks;

static char *unsent;
static size_t unsent_start, unsent_end, unsent_room;
/// Control sequences that go before the cells of the next update.
static char queue[256];

/// Opens the terminal of standard output a second time; -1 if that fails.
static int open_again(void) {
    const char *names[] = {"/proc/self/fd/1", ttyname(STDOUT_FILENO), "/dev/tty"};
    struct stat wanted, found;
    if (fstat(STDOUT_FILENO, &wanted) != 0) return -1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i] == NULL) continue;
        int opened = open(names[i], O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (opened < 0) continue;
        if (fstat(opened, &found) == 0 && found.st_rdev == wanted.st_rdev) return opened;
        close(opened);
    }
    return -1;
}

FILE *output_stream(void) {
    static FILE *stream;
    if (stream == NULL) {
        curses_end = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        file = memfd_create("screen", MFD_CLOEXEC);
        stream = curses_end < 0 ? NULL : fdopen(curses_end, "w");
        int again = open_again();
        never_blocks = again >= 0;
        if (never_blocks) terminal = again;
    }
    // newterm(3) reads the mode of the descriptor, so it must be the terminal.
    if (is_gathering) is_gathering = dup3(STDOUT_FILENO, curses_end, O_CLOEXEC) < 0;
    return stream;
}

void gather(void) {
    if (!is_gathering && file >= 0) is_gathering = dup3(file, curses_end, O_CLOEXEC) >= 0;
}

/// False if there is no memory.
static bool make_room(size_t length) {
    if (unsent_start == unsent_end) unsent_start = unsent_end = 0;
    if (unsent_room - unsent_end >= length) return true;
    size_t room = 2 * (unsent_end + length);
    char *larger = realloc(unsent, room);
    if (larger == NULL) return false;
    unsent = larger;
    unsent_room = room;
    return true;
}

static void append(const char *bytes, size_t length) {
    if (!make_room(length)) return;
    memcpy(unsent + unsent_end, bytes, length);
    unsent_end += length;
}

static bool takes_more(int milliseconds) {
    struct pollfd room = {.fd = terminal, .events = POLLOUT};
    return poll(&room, 1, milliseconds) == 1;
}

bool ct_flush(void) {
    while (unsent_start < unsent_end) {
        size_t length = unsent_end - unsent_start;
        if (!never_blocks) {
            // A write to standard output may block. When poll(2) reports it as writable, 256 bytes
            // are few enough to fit.
            if (!takes_more(0)) return false;
            if (length > 256) length = 256;
        }
        ssize_t written = write(terminal, unsent + unsent_start, length);
        if (written > 0) {
            unsent_start += (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            return false;
        } else if (written == 0 || errno != EINTR) {
            // The terminal is gone.
            unsent_start = unsent_end;
        }
    }
    return true;
}

int waiting_output(void) { return unsent_start < unsent_end ? terminal : -1; }

static long long milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

bool drain(int milliseconds) {
    long long end = milliseconds_now() + milliseconds;
    while (!ct_flush()) {
        long long left = end - milliseconds_now();
        if (left <= 0) return false;
        takes_more((int)left);
    }
    return true;
}

void send_instead(const char *bytes, size_t length) {
    unsent_start = unsent_end = 0;
    // Restarts output that Ctrl-S may have stopped before the screen was opened.
    tcflow(STDOUT_FILENO, TCOON);
    for (int attempt = 0; attempt < 2 && length > 0; attempt++) {
        ssize_t written = !never_blocks && !takes_more(0) ? 0 : write(terminal, bytes, length);
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
        // If the terminal accepts nothing, drops the kernel's queue to make room.
        if (length > 0) tcflush(STDOUT_FILENO, TCOFLUSH);
    }
}

/// Appends to `unsent` what curses has written. Returns its start in `unsent`.
static size_t take_gathered(void) {
    off_t length = is_gathering ? lseek(file, 0, SEEK_CUR) : 0;
    if (length <= 0 || !make_room((size_t)length)) return unsent_end;
    ssize_t count = pread(file, unsent + unsent_end, (size_t)length, 0);
    // The next update overwrites these bytes; the offset of the file is then the update's length.
    lseek(file, 0, SEEK_SET);
    size_t start = unsent_end;
    if (count > 0) unsent_end += (size_t)count;
    return start;
}

void release(const char *before, const char *question, const char *after) {
    append(queue, strlen(queue));
    queue[0] = 0;
    append(before, strlen(before));
    size_t asked = strlen(question);
    if (asked == 0) {
        take_gathered();
    } else if (make_room(asked)) {
        size_t start = take_gathered();
        append(question, asked);
        char *body = unsent + start, *end = unsent + unsent_end - asked;
        char *clear = clear_screen == NULL ? NULL : memmem(
            body, (size_t)(end - body), clear_screen, strlen(clear_screen));
        if (clear != NULL) {
            memmove(clear + asked, clear, (size_t)(end - clear));
            memcpy(clear, question, asked);
        }
    }
    append(after, strlen(after));
    ct_flush();
}

void ct_send(const char *sequence) {
    append(sequence, strlen(sequence));
    ct_flush();
}

void ct_queue(const char *sequence) {
    if (strlen(queue) + strlen(sequence) < sizeof queue) strcat(queue, sequence);
}
