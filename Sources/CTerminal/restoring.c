#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include "CTerminal.h"
#include "output.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

static const int crashes[] = {SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGSYS};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };

/// The signal handlers that this file's handler replaced, for example the Swift runtime's.
static struct sigaction before[CRASHES];
static bool handles_crashes;
static volatile sig_atomic_t is_guarding;
static struct termios own_mode;
/// The control sequences that restore the screen, prepared for use in a signal handler.
static char sequence[512];
static size_t length;

/// Appends a terminfo string to `sequence` without its delays ($<5>), which only hardware terminals
/// need.
static void add(const char *text) {
    if (text == NULL || text == (char *)-1) return;
    while (*text != 0 && length < sizeof sequence) {
        if (text[0] == '$' && text[1] == '<') {
            const char *end = strchr(text, '>');
            if (end != NULL) {
                text = end + 1;
                continue;
            }
        }
        sequence[length++] = *text++;
    }
}

void ct_restore_mode(void) { tcsetattr(STDIN_FILENO, TCSANOW, &own_mode); }

void ct_restore(void) {
    if (!is_guarding) return;
    is_guarding = 0;
    send_instead(sequence, length);
    ct_restore_mode();
}

/// After a crash the Swift runtime prints a backtrace and then, on a terminal, waits half a minute
/// for a key. This replaces standard input by a pipe with "q", so that the runtime quits at once.
static void answer_quit(void) {
    int ends[2];
    if (pipe(ends) != 0) return;
    ssize_t written = write(ends[1], "qqqq", 4);
    (void)written;
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
}

/// Restores the terminal, runs the handler set before, then ends the process with the same signal.
static void crashed(int number, siginfo_t *info, void *context) {
    int error = errno;
    bool was_guarding = is_guarding;
    ct_restore();
    if (was_guarding) answer_quit();
    for (int i = 0; i < CRASHES; i++) {
        if (crashes[i] != number) continue;
        struct sigaction *next = &before[i];
        if (next->sa_flags & SA_SIGINFO) {
            next->sa_sigaction(number, info, context);
        } else if (next->sa_handler != SIG_DFL && next->sa_handler != SIG_IGN) {
            next->sa_handler(number);
        }
    }
    // The signal is blocked until this handler returns. It then ends the process with its own
    // status.
    signal(number, SIG_DFL);
    raise(number);
    errno = error;
}

static void handle_crashes(void) {
    if (handles_crashes) return;
    handles_crashes = true;
    atexit(ct_restore);
    // After a stack overflow a handler needs a separate stack.
    stack_t stack;
    static char room[64 * 1024];
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
        stack = (stack_t){.ss_sp = room, .ss_size = sizeof room};
        sigaltstack(&stack, NULL);
    }
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &action, &before[i]);
}

void ct_remember_mode(void) { tcgetattr(STDIN_FILENO, &own_mode); }

void ct_guard(void) {
    length = 0;
    add("\033[?2026l\033[?1006l\033[?1000l\033[?2004l");
    add(exit_attribute_mode);
    add(orig_pair);
    add(cursor_normal);
    add(exit_ca_mode);
    add(cursor_normal);
    add("\r");
    handle_crashes();
    is_guarding = 1;
}

void ct_unguard(void) { is_guarding = 0; }
