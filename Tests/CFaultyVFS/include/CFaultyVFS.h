#ifndef C_FAULTY_VFS_H
#define C_FAULTY_VFS_H

/// An SQLite VFS for tests, whose steps fail as a test asks. A world is a folder with its failure:
/// the VFS handles the files in a world's folder, and passes all others to the system's VFS.
typedef struct faulty_world faulty_world;

enum {
    /// The n-th step fails: a write with a full disk, a sync or truncate with an I/O error.
    FAULTY_FULL = 1,
    /// The n-th step (write, sync or truncate) fails with an I/O error.
    FAULTY_IO = 2,
    /// Every step from the n-th on fails, as after a power cut.
    FAULTY_CUT = 3,
    /// Every write from the n-th step on fails with a full disk, until `faulty_world_stop`.
    FAULTY_FULL_ON = 4,
};

/// Makes a world for a folder. Its `fail_at`-th step fails; no step fails if that is 0. A second
/// `faulty_world_end` of the same world does nothing.
faulty_world *faulty_world_begin(const char *folder, int fail_at, int kind);
void faulty_world_end(faulty_world *world);

/// Starts counting again: the `fail_at`-th step from now on fails.
void faulty_world_arm(faulty_world *world, int fail_at);

/// Number of reads so far; each reads one page at most.
int faulty_world_reads(faulty_world *world);

/// Lets all later steps succeed, even of a connection that is still closing; after a power cut
/// every step still fails. Returns whether the failing step was reached.
int faulty_world_stop(faulty_world *world);

/// Writes each file with its content at its last sync, which survives a power cut, into a folder.
/// Returns 0 if that failed.
int faulty_world_save_synced(faulty_world *world, const char *folder);

/// 1 if SQLite's integrity check finds no error.
int faulty_integrity_is_ok(const char *path);

#endif
