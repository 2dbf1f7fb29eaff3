#ifndef C_FAULTY_VFS_H
#define C_FAULTY_VFS_H

/// An SQLite VFS that fails on purpose. Files under a world's folder go through it; all others go
/// straight to the system's VFS. For tests only.
typedef struct faulty_world faulty_world;

enum {
    /// The n-th step fails: a write with a full disk, a sync or truncate with an I/O error.
    FAULTY_FULL = 1,
    /// The n-th step (write, sync or truncate) fails with an I/O error.
    FAULTY_IO = 2,
    /// Every step from the n-th on fails, as after a power cut.
    FAULTY_CUT = 3,
    /// From the n-th step on every write finds the disk full, until the world is stopped.
    FAULTY_FULL_ON = 4,
};

/// Makes a world of a folder. Its `fail_at`-th step fails; none does if that is 0. Ending a world
/// twice is harmless.
faulty_world *faulty_world_begin(const char *folder, int fail_at, int kind);
void faulty_world_end(faulty_world *world);

/// Starts counting again: the `fail_at`-th step from now on fails.
void faulty_world_arm(faulty_world *world, int fail_at);

/// Number of reads so far; each reads one page at most.
int faulty_world_reads(faulty_world *world);

/// Makes no further step fail, not even of a connection that is still closing; after a cut
/// everything goes on failing. Returns whether the failing step was reached.
int faulty_world_stop(faulty_world *world);

/// Writes each file into a folder as it was when it was last synced, as after a power cut. Returns
/// 0 if that failed.
int faulty_world_save_synced(faulty_world *world, const char *folder);

/// 1 if SQLite's integrity check finds no error.
int faulty_integrity_is_ok(const char *path);

#endif
