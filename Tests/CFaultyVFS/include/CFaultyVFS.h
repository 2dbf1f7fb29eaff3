#ifndef C_FAULTY_VFS_H
#define C_FAULTY_VFS_H

/// A disk for SQLite that fails on purpose. Files under a world's folder go through it; all others
/// go straight to the system. Tests only.
typedef struct faulty_world faulty_world;

enum {
    /// The n-th write finds the disk full; the n-th sync or truncate fails.
    FAULTY_FULL = 1,
    /// The n-th write, sync or truncate fails.
    FAULTY_IO = 2,
    /// From the n-th step on nothing works any more: the power is cut.
    FAULTY_CUT = 3,
    /// From the n-th step on the disk is full, until the world is stopped.
    FAULTY_FULL_ON = 4,
};

/// Makes a world of a folder; its `fail_at`-th step fails, none if that is 0. Every world is ended
/// once.
faulty_world *faulty_world_begin(const char *folder, int fail_at, int kind);
void faulty_world_end(faulty_world *world);

/// Counts anew: the `fail_at`-th step from now on fails.
void faulty_world_arm(faulty_world *world, int fail_at);

/// Reads so far, each of a page at most.
int faulty_world_reads(faulty_world *world);

/// Lets no further step fail, be it that of a connection which is only now being closed; a cut
/// stays cut. Whether the step that fails was reached.
int faulty_world_stop(faulty_world *world);

/// Writes what each file was when it was last synced into a folder, as after a power cut. Returns 0
/// if that could not be done.
int faulty_world_save_synced(faulty_world *world, const char *folder);

/// 1 if SQLite finds the database whole.
int faulty_integrity_is_ok(const char *path);

#endif
