#include "CFaultyVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The content of one file as of its last sync.
typedef struct synced_file {
    char *path;
    char *bytes;
    long length;
    int is_known;
    struct synced_file *next;
} synced_file;

struct faulty_world {
    char *folder;
    int fail_at;
    int kind;
    int steps;
    int reads;
    int has_fired;
    synced_file *files;
    struct faulty_world *next;
};

typedef struct {
    sqlite3_file base;
    faulty_world *world;
    synced_file *synced;
    // The file object of the system's VFS follows in the same allocation.
} faulty_file;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static faulty_world *worlds;
static sqlite3_vfs *system_vfs;
static sqlite3_vfs faulty_vfs;
static sqlite3_io_methods methods;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((faulty_file *)file + 1); }

static faulty_world *world_of(const char *path) {
    for (faulty_world *world = worlds; path && world; world = world->next) {
        if (strncmp(path, world->folder, strlen(world->folder)) == 0) return world;
    }
    return NULL;
}

// MARK: - Synced content

static synced_file *remembered(faulty_world *world, const char *path) {
    for (synced_file *file = world->files; file; file = file->next) {
        if (strcmp(file->path, path) == 0) return file;
    }
    synced_file *file = calloc(1, sizeof *file);
    file->path = strdup(path);
    file->next = world->files;
    world->files = file;
    return file;
}

static void remember(synced_file *file) {
    free(file->bytes);
    file->bytes = NULL;
    file->length = 0;
    FILE *stream = fopen(file->path, "rb");
    if (!stream) return;
    fseek(stream, 0, SEEK_END);
    file->length = ftell(stream);
    rewind(stream);
    file->bytes = malloc(file->length ? file->length : 1);
    if (fread(file->bytes, 1, file->length, stream) != (size_t)file->length) file->length = 0;
    fclose(stream);
    file->is_known = 1;
}

// MARK: - Steps that may fail

enum step { STEP_WRITE, STEP_SYNC, STEP_TRUNCATE, STEP_DELETE };

static int is_cut(faulty_world *world) { return world->kind == FAULTY_CUT && world->has_fired; }

static int code_of(faulty_world *world, enum step step) {
    switch (step) {
    case STEP_WRITE:
        return world->kind == FAULTY_FULL || world->kind == FAULTY_FULL_ON ? SQLITE_FULL
                                                                           : SQLITE_IOERR_WRITE;
    case STEP_SYNC: return SQLITE_IOERR_FSYNC;
    case STEP_TRUNCATE: return SQLITE_IOERR_TRUNCATE;
    case STEP_DELETE: return SQLITE_IOERR_DELETE;
    }
    return SQLITE_IOERR;
}

static int take_step(faulty_world *world, enum step step) {
    pthread_mutex_lock(&lock);
    int code = SQLITE_OK;
    if (is_cut(world)) {
        code = code_of(world, step);
    } else if (step != STEP_DELETE) {
        world->steps += 1;
        int is_on = world->kind == FAULTY_FULL_ON && world->fail_at && step == STEP_WRITE;
        if (world->steps == world->fail_at || (is_on && world->steps > world->fail_at)) {
            world->has_fired = 1;
            code = code_of(world, step);
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int faulty_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = take_step(((faulty_file *)file)->world, STEP_WRITE);
    return code ? code : real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = take_step(((faulty_file *)file)->world, STEP_TRUNCATE);
    return code ? code : real(file)->pMethods->xTruncate(real(file), size);
}

static int faulty_sync(sqlite3_file *file, int flags) {
    faulty_file *faulty = (faulty_file *)file;
    int code = take_step(faulty->world, STEP_SYNC);
    if (code) return code;
    // The real disk is not synced: only the copy in memory survives a simulated power cut.
    pthread_mutex_lock(&lock);
    remember(faulty->synced);
    pthread_mutex_unlock(&lock);
    (void)flags;
    return SQLITE_OK;
}

// MARK: - Everything else

static int faulty_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }
static int faulty_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    pthread_mutex_lock(&lock);
    ((faulty_file *)file)->world->reads += 1;
    pthread_mutex_unlock(&lock);
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}
static int faulty_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}
static int faulty_lock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xLock(real(file), level);
}
static int faulty_unlock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xUnlock(real(file), level);
}
static int faulty_check(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int faulty_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int faulty_sector(sqlite3_file *file) {
    return real(file)->pMethods->xSectorSize(real(file));
}
static int faulty_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
static int faulty_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **at) {
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, at);
}
static int faulty_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void faulty_shm_barrier(sqlite3_file *file) {
    real(file)->pMethods->xShmBarrier(real(file));
}
static int faulty_shm_unmap(sqlite3_file *file, int is_last) {
    return real(file)->pMethods->xShmUnmap(real(file), is_last);
}

static int faulty_open(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    pthread_mutex_lock(&lock);
    faulty_world *world = world_of(path);
    synced_file *synced = world ? remembered(world, path) : NULL;
    // Content from before this world counts as synced. A journal that was deleted is empty.
    if (synced && !synced->is_known) remember(synced);
    pthread_mutex_unlock(&lock);
    if (!world) return system_vfs->xOpen(system_vfs, path, file, flags, out_flags);

    faulty_file *faulty = (faulty_file *)file;
    faulty->base.pMethods = NULL;
    int code = system_vfs->xOpen(system_vfs, path, real(file), flags, out_flags);
    if (code == SQLITE_OK || real(file)->pMethods) faulty->base.pMethods = &methods;
    faulty->world = world;
    faulty->synced = synced;
    return code;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *path, int sync) {
    (void)vfs;
    pthread_mutex_lock(&lock);
    faulty_world *world = world_of(path);
    pthread_mutex_unlock(&lock);
    if (world) {
        int code = take_step(world, STEP_DELETE);
        if (code) return code;
    }
    int code = system_vfs->xDelete(system_vfs, path, sync);
    if (world && code == SQLITE_OK) {
        pthread_mutex_lock(&lock);
        synced_file *file = remembered(world, path);
        remember(file);
        file->is_known = 0;
        pthread_mutex_unlock(&lock);
    }
    return code;
}

static void install(void) {
    system_vfs = sqlite3_vfs_find(NULL);
    methods = (sqlite3_io_methods){
        .iVersion = 2,
        .xClose = faulty_close,
        .xRead = faulty_read,
        .xWrite = faulty_write,
        .xTruncate = faulty_truncate,
        .xSync = faulty_sync,
        .xFileSize = faulty_size,
        .xLock = faulty_lock,
        .xUnlock = faulty_unlock,
        .xCheckReservedLock = faulty_check,
        .xFileControl = faulty_control,
        .xSectorSize = faulty_sector,
        .xDeviceCharacteristics = faulty_characteristics,
        .xShmMap = faulty_shm_map,
        .xShmLock = faulty_shm_lock,
        .xShmBarrier = faulty_shm_barrier,
        .xShmUnmap = faulty_shm_unmap,
    };
    faulty_vfs = *system_vfs;
    faulty_vfs.zName = "faulty";
    faulty_vfs.szOsFile = system_vfs->szOsFile + (int)sizeof(faulty_file);
    faulty_vfs.pNext = NULL;
    faulty_vfs.xOpen = faulty_open;
    faulty_vfs.xDelete = faulty_delete;
    sqlite3_vfs_register(&faulty_vfs, 1);
}

// MARK: - Worlds

faulty_world *faulty_world_begin(const char *folder, int fail_at, int kind) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    faulty_world *world = calloc(1, sizeof *world);
    world->folder = strdup(folder);
    world->fail_at = fail_at;
    world->kind = kind;
    pthread_mutex_lock(&lock);
    world->next = worlds;
    worlds = world;
    pthread_mutex_unlock(&lock);
    return world;
}

// Files of this world may still be open, so the world is only removed from the list: files opened
// later use the system's VFS. Its memory is never freed, which is harmless in a test.
void faulty_world_end(faulty_world *world) {
    pthread_mutex_lock(&lock);
    for (faulty_world **next = &worlds; *next; next = &(*next)->next) {
        if (*next == world) {
            *next = world->next;
            break;
        }
    }
    for (synced_file *file = world->files; file; file = file->next) {
        free(file->bytes);
        file->bytes = NULL;
        file->length = 0;
    }
    pthread_mutex_unlock(&lock);
}

void faulty_world_arm(faulty_world *world, int fail_at) {
    pthread_mutex_lock(&lock);
    world->steps = 0;
    world->has_fired = 0;
    world->fail_at = fail_at;
    pthread_mutex_unlock(&lock);
}

int faulty_world_reads(faulty_world *world) {
    pthread_mutex_lock(&lock);
    int reads = world->reads;
    pthread_mutex_unlock(&lock);
    return reads;
}

int faulty_world_stop(faulty_world *world) {
    pthread_mutex_lock(&lock);
    int has_fired = world->has_fired;
    world->fail_at = 0;
    pthread_mutex_unlock(&lock);
    return has_fired;
}

int faulty_world_save_synced(faulty_world *world, const char *folder) {
    int is_good = 1;
    pthread_mutex_lock(&lock);
    for (synced_file *file = world->files; file; file = file->next) {
        if (!file->is_known) continue;
        const char *name = strrchr(file->path, '/');
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, name ? name + 1 : file->path);
        FILE *stream = fopen(path, "wb");
        if (!stream || fwrite(file->bytes, 1, file->length, stream) != (size_t)file->length) {
            is_good = 0;
        }
        if (stream) fclose(stream);
    }
    pthread_mutex_unlock(&lock);
    return is_good;
}

int faulty_integrity_is_ok(const char *path) {
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int is_ok = 0;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
        // Another connection may still be closing the file.
        && sqlite3_busy_timeout(db, 10000) == SQLITE_OK
        && sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &statement, NULL) == SQLITE_OK
        && sqlite3_step(statement) == SQLITE_ROW) {
        is_ok = strcmp((const char *)sqlite3_column_text(statement, 0), "ok") == 0;
    }
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return is_ok;
}
