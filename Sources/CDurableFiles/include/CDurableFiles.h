#ifndef C_DURABLE_FILES_H
#define C_DURABLE_FILES_H

/// Writes everything on the file system of this open file to the disk, folders included (syncfs(2),
/// which Swift's Glibc module hides), and returns when it is done. Returns 0, or -1 with errno set
/// if that failed or if any write on that file system has failed since `fd` was opened.
int cdf_sync_file_system(int fd);

#endif
