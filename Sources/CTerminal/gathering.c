#define _GNU_SOURCE
#include "gathering.h"

#include "CTerminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <term.h>
#include <unistd.h>

static int terminal_copy = -1;
/// Where curses writes to: the terminal; a pipe, which is quicker to write to and to read from than
/// a file, but holds little; a file in memory.
static enum place { TO_TERMINAL, TO_PIPE, TO_FILE } place;
static int pipe_ends[2] = {-1, -1};
static int file = -1;
/// Something was released since the screen was taken.
static bool has_released;
/// Where in the file the next update starts, and when the file is begun anew.
static off_t taken;
enum { FILE_BYTES = 1 << 20, PIPE_BYTES = 1 << 16 };
static char *update;
static size_t update_room;
static char queue[256];

FILE *gathering_output(void) {
    static FILE *output;
    if (output != NULL) return output;
    terminal_copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    file = memfd_create("screen", MFD_CLOEXEC);
    // Where a person has too many pipes already, the kernel makes small ones.
    if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0 ||
        fcntl(pipe_ends[0], F_GETPIPE_SZ) < PIPE_BYTES) {
        pipe_ends[0] = pipe_ends[1] = -1;
    }
    output = terminal_copy < 0 ? NULL : fdopen(terminal_copy, "w");
    return output;
}

static void point_to(enum place wanted, int descriptor) {
    if (wanted == place) return;
    if (dup3(descriptor, terminal_copy, O_CLOEXEC) >= 0) place = wanted;
}

void gather(bool is_little) {
    if (is_little && pipe_ends[1] >= 0) {
        point_to(TO_PIPE, pipe_ends[1]);
    } else if (file >= 0) {
        point_to(TO_FILE, file);
    } else {
        point_to(TO_TERMINAL, STDOUT_FILENO);
    }
}

void stop_gathering(void) {
    point_to(TO_TERMINAL, STDOUT_FILENO);
    has_released = false;
}

/// Puts what was gathered since the last time into `update`, after `front` bytes and with room for
/// `end` more. Returns its length.
static size_t take_gathered(size_t front, size_t end) {
    size_t length = 0;
    for (;;) {
        if (update_room < front + length + end + 1024) {
            size_t room = 2 * (front + length + end + 8 * 1024);
            char *larger = realloc(update, room);
            if (larger == NULL) return 0;
            update = larger;
            update_room = room;
        }
        if (place == TO_TERMINAL) return 0;
        size_t room = update_room - front - length - end;
        char *next = update + front + length;
        ssize_t count = place == TO_PIPE ? read(pipe_ends[0], next, room)
                                      : pread(file, next, room, taken);
        if (count <= 0) break;
        length += (size_t)count;
        if (place == TO_FILE) taken += count;
        if ((size_t)count < room) break;
    }
    if (taken >= FILE_BYTES && ftruncate(file, 0) == 0) taken = lseek(file, 0, SEEK_SET);
    return length;
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
        char *sequence = memchr(bytes + at, '\033', length - at);
        size_t plain = sequence == NULL ? length - at : (size_t)(sequence - bytes) - at;
        if (plain > 0) {
            memmove(bytes + kept, bytes + at, plain);
            kept += plain;
            at += plain;
            continue;
        }
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

void release(const char *before, const char *question, const char *after) {
    size_t front = strlen(queue) + strlen(before), asked = strlen(question);
    size_t length = take_gathered(front, asked + strlen(after) + 1);
    if (update == NULL) return;
    char *body = mempcpy(mempcpy(update, queue, strlen(queue)), before, strlen(before));
    // The first one may find the terminal as another program left it.
    if (has_released) length = shorten(body, length);
    has_released = true;
    if (asked > 0) {
        char *clear = clear_screen == NULL
                          ? NULL : memmem(body, length, clear_screen, strlen(clear_screen));
        char *gap = clear == NULL ? body + length : clear;
        memmove(gap + asked, gap, (size_t)(body + length - gap));
        memcpy(gap, question, asked);
        length += asked;
    }
    char *end = stpcpy(body + length, after);
    write_all(update, (size_t)(end - update));
    queue[0] = 0;
}

void ct_send(const char *sequence) { write_all(sequence, strlen(sequence)); }

void ct_queue(const char *sequence) {
    if (strlen(queue) + strlen(sequence) < sizeof queue) strcat(queue, sequence);
}
