import CDurableFiles
package import Foundation
package import StoreModel

/// An open folder. Everything below it is opened relative to it (openat(2)), one name at a time,
/// and symbolic links are never followed: a link or folder that another program plants, moves or
/// replaces cannot lead outside. Data written to a deleted folder is lost with the folder.
///
/// A failed system call throws `storeReadOnly`, `storeFull` or `storeUnreadable`. A link where a
/// file or folder should be is `storeUnreadable`, and `found` says so.
package final class OpenFolder: Sendable {
    let descriptor: Int32
    /// For messages, since the folder may have been moved.
    package let path: String

    /// The folder must exist. Links in `path` itself are followed: the user chooses where the store
    /// lies.
    package init(path: String) throws(StoreError) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
    }

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Opens a folder below this one.
    ///
    /// - Parameters:
    ///   - path: names separated by `/`; an empty name, `.` and `..` throw `storeUnreadable`.
    ///   - isMade: creates the folders that are missing (0700).
    package func folder(_ path: some StringProtocol, isMade: Bool = false)
        throws(StoreError) -> OpenFolder
    {
        var folder = self
        for name in path.split(separator: "/", omittingEmptySubsequences: false) {
            folder = try folder.next(String(name), isMade: isMade)
        }
        return folder
    }

    private func next(_ name: String, isMade: Bool) throws(StoreError) -> OpenFolder {
        try check(name)
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var opened = openat(descriptor, name, flags)
        if opened < 0, errno == ENOENT, isMade {
            guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else {
                throw failure(name)
            }
            opened = openat(descriptor, name, flags)
        }
        guard opened >= 0 else { throw failure(name) }
        return OpenFolder(descriptor: opened, path: path + "/" + name)
    }

    /// Throws `storeUnreadable` for a link, a pipe or anything but a plain file. The caller closes
    /// the descriptor. With `O_CREAT` a missing file is created with mode 0600.
    package func openFile(_ name: String, _ flags: Int32) throws(StoreError) -> Int32 {
        try check(name)
        // O_NONBLOCK: opening a planted pipe must not block.
        let file = openat(descriptor, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(name) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw StoreError(
                .storeUnreadable, subject: path + "/" + name, found: "no plain file",
                expected: "a file")
        }
        return file
    }

    /// stat(2); of a link, the link's own. Nil if there is no entry, or it cannot be read. Follows
    /// links in the folders on the way.
    package func status(_ path: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// By one rename(2): atomic, and it replaces a file of the new name. Not durable before both
    /// folders are synced.
    package func move(_ name: String, into folder: OpenFolder, as newName: String)
        throws(StoreError)
    {
        try check(name)
        try folder.check(newName)
        guard renameat(descriptor, name, folder.descriptor, newName) == 0 else {
            throw failure(name)
        }
    }

    /// Does nothing if the folder is not empty.
    package func removeEmptyFolder(_ name: String) throws(StoreError) {
        try check(name)
        guard unlinkat(descriptor, name, AT_REMOVEDIR) != 0 else { return }
        let isKept = errno == ENOTEMPTY || errno == EEXIST || errno == ENOENT
        guard isKept else { throw failure(name) }
    }

    /// An advisory lock (flock(2)), held until the folder is closed; does not wait. False if
    /// another open folder holds a lock that conflicts.
    package func lock(isExclusive: Bool) -> Bool {
        flock(descriptor, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0
    }

    /// Makes files created, renamed and removed in this folder durable (fsync(2)).
    package func sync() throws(StoreError) {
        // Some file systems cannot sync a folder (EINVAL); a read-only one need not (EROFS).
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
            throw StoreError(errno: errno, path: path)
        }
    }

    /// syncfs(2): one wait instead of one fsync(2) for each file. Throws if any of it could not be
    /// written since this folder was opened.
    package func syncFileSystem() throws(StoreError) {
        guard cdf_sync_file_system(descriptor) == 0 else {
            throw StoreError(errno: errno, path: path)
        }
    }

    private func check(_ name: String) throws(StoreError) {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")),
            !name.utf8.contains(0)
        else {
            throw StoreError(
                .storeUnreadable, subject: path, found: "\"\(name)\"", expected: "a plain name")
        }
    }

    private func failure(_ name: String) -> StoreError {
        let code = errno
        var error = StoreError(errno: code, path: path + "/" + name)
        let isLink = status(name).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
        if isLink { error.found = "a link, which is not followed" }
        return error
    }
}
