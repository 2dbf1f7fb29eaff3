#include "CTerminal.h"

#include <nss.h>
#include <unistd.h>

// The Swift runtime of a static program aborts without /proc before `main`: this says so first.
__attribute__((constructor(101))) static void require_proc(void) {
    static const char words[] = "storefront: /proc is not mounted here, and storefront needs it.\n";
    if (access("/proc/self/maps", R_OK) == 0) return;
    // There is nobody to tell where this cannot be written; the code says it as well.
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    _exit(69);
}

void ct_find_names_in_files(void) {
    __nss_configure_lookup("passwd", "files");
    __nss_configure_lookup("group", "files");
    __nss_configure_lookup("hosts", "files dns");
}

// The compiler's start files announce the frames of a static program to the unwinder by these two,
// which the linker lets go here (--wrap in the Makefile). Announced, a hundred thousand frames are
// sorted when a thread first unwinds its stack, as the main one does when it leaves the work to
// others: 50 ms of each command. Unannounced, they are found in the table that the linker sorted.

void __wrap___register_frame_info(const void *frames, void *object) {
    (void)frames;
    (void)object;
}

void *__wrap___deregister_frame_info(const void *frames) {
    (void)frames;
    return 0;
}
