#define _GNU_SOURCE
#include "CDurableFiles.h"

#include <unistd.h>

int cdf_sync_file_system(int fd) { return syncfs(fd); }
