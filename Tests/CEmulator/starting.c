#define _GNU_SOURCE
#include "CEmulator.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int ce_start(
    const char *path, char *const arguments[], char *const environment[], int columns, int rows,
    int *descriptor) {
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    pid_t id = forkpty(descriptor, NULL, NULL, &size);
    if (id == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        // The program inherits none of the tests' descriptors.
        close_range(3, ~0U, 0);
        execve(path, arguments, environment);
        _exit(127);
    }
    if (id > 0) {
        fcntl(*descriptor, F_SETFD, FD_CLOEXEC);
        fcntl(*descriptor, F_SETFL, O_NONBLOCK);
    }
    return id;
}

bool ce_hold_output(int descriptor, bool holds) {
    char name[64];
    if (ptsname_r(descriptor, name, sizeof name) != 0) return false;
    int other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (other < 0) return false;
    bool is_done = tcflow(other, holds ? TCOOFF : TCOON) == 0;
    close(other);
    return is_done;
}

void ce_set_size(int descriptor, int columns, int rows) {
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    ioctl(descriptor, TIOCSWINSZ, &size);
}
