#ifndef C_DURABLE_FILES_H
#define C_DURABLE_FILES_H

/// Writes everything of the file system that holds this file to the disk, folders included, and
/// returns when it is there. Reports what failed to be written since `fd` was opened. 0, or -1 with
/// errno (syncfs(2), which Swift's Glibc module hides).
int cdf_sync_file_system(int fd);

#endif
