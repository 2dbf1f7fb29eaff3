#define _GNU_SOURCE
#include "CTerminal.h"
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/// The signals that end, stop or continue a process and can be caught, and SIGWINCH. Left out are
/// crashes, which must be handled at once (restoring.c), and SIGTTIN and SIGTTOU, which stop a
/// process in the background.
static void fill(sigset_t *signals) {
    static const int watched[] = {
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH, SIGCONT, SIGUSR1, SIGUSR2, SIGALRM,
        SIGVTALRM, SIGPROF, SIGPIPE, SIGIO, SIGPWR, SIGSTKFLT, SIGXCPU, SIGXFSZ};
    sigemptyset(signals);
    for (size_t i = 0; i < sizeof watched / sizeof watched[0]; i++) sigaddset(signals, watched[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) sigaddset(signals, number);
}

void ct_block_signals(void) {
    sigset_t signals;
    fill(&signals);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

int ct_signal_descriptor(void) {
    sigset_t signals;
    fill(&signals);
    return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

int ct_next_signal(int descriptor) {
    struct signalfd_siginfo info;
    return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

int ct_wake_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void ct_wake(int descriptor) {
    uint64_t one = 1;
    // The write fails only if the counter is at its maximum; the descriptor is readable then.
    ssize_t written = write(descriptor, &one, sizeof one);
    (void)written;
}

void ct_wake_clear(int descriptor) {
    uint64_t count;
    ssize_t got = read(descriptor, &count, sizeof count);
    (void)got;
}

int ct_wait(int signals, int wake, int64_t nanoseconds) {
    struct pollfd watched[] = {
        {.fd = STDIN_FILENO, .events = POLLIN},
        {.fd = signals, .events = POLLIN},
        {.fd = wake, .events = POLLIN},
        {.fd = waiting_output(), .events = POLLOUT},
    };
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    if (ppoll(watched, 4, nanoseconds < 0 ? NULL : &limit, NULL) <= 0) return 0;
    int ready = 0;
    if (watched[0].revents & POLLIN) ready |= CT_INPUT;
    if (watched[0].revents & (POLLHUP | POLLERR | POLLNVAL)) ready |= CT_GONE;
    if (watched[1].revents & POLLIN) ready |= CT_SIGNAL;
    if (watched[2].revents & POLLIN) ready |= CT_WAKE;
    if (watched[3].revents) ready |= CT_OUTPUT;
    return ready;
}

long ct_read(uint8_t *bytes, long limit) {
    for (;;) {
        ssize_t count = read(STDIN_FILENO, bytes, (size_t)limit);
        if (count >= 0 || errno != EINTR) return count;
    }
}

void ct_stop_group(void) {
    struct sigaction stop = {.sa_handler = SIG_DFL}, before;
    sigemptyset(&stop.sa_mask);
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTSTP);
    sigaction(SIGTSTP, &stop, &before);
    // SIGTSTP is still blocked here, so that a pending SIGTSTP and this one stop the process only
    // once.
    kill(0, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stops, NULL);
    // The process is stopped here until SIGCONT. The SIGCONT is consumed, because the return of
    // this function reports it.
    sigset_t resumed;
    sigemptyset(&resumed);
    sigaddset(&resumed, SIGCONT);
    struct timespec now = {0};
    sigtimedwait(&resumed, NULL, &now);
    pthread_sigmask(SIG_BLOCK, &stops, NULL);
    sigaction(SIGTSTP, &before, NULL);
}
