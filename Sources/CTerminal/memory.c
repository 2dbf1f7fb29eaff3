#define _GNU_SOURCE
#include "CTerminal.h"

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int give_back(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        uintptr_t first = start & ~(page - 1);
        uintptr_t last = (start + part->p_filesz) & ~(page - 1);
        // Nobody has written there, so the file is read again where it is needed.
        if (last > first) madvise((void *)first, last - first, MADV_DONTNEED);
    }
    return 1;  // the program alone, which comes first
}

void ct_give_back_code(void) { dl_iterate_phdr(give_back, NULL); }
