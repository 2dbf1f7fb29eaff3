#include "CTerminal.h"

#include <nss.h>
#include <unistd.h>

// Without /proc the Swift runtime of a static program aborts before `main`. This constructor runs
// earlier and prints the reason.
__attribute__((constructor(101))) static void require_proc(void) {
    static const char words[] = "storefront: /proc is not mounted here, and storefront needs it.\n";
    if (access("/proc/self/maps", R_OK) == 0) return;
    // If this cannot be written, the exit code is the only message (69: EX_UNAVAILABLE,
    // sysexits.h).
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    _exit(69);
}

void ct_find_names_in_files(void) {
    __nss_configure_lookup("passwd", "files");
    __nss_configure_lookup("group", "files");
    __nss_configure_lookup("hosts", "files dns");
}

// The compiler's start files register the unwind frames of a static program by these two functions.
// The linker replaces them with the empty ones here (--wrap in .ci/link). The runtime would
// sort the hundred thousand registered frames when a thread first unwinds its stack, as the main
// thread does when it exits before other threads: 50 ms in each command. Without registration it
// finds the frames in the table that the linker has sorted (.eh_frame_hdr).

void __wrap___register_frame_info(const void *frames, void *object) {
    (void)frames;
    (void)object;
}

void *__wrap___deregister_frame_info(const void *frames) {
    (void)frames;
    return 0;
}
