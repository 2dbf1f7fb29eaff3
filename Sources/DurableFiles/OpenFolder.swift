import CDurableFiles
package import Foundation
package import StoreModel

/// An open folder. What is below it is reached through it, one name at a time and never through a
/// link: a folder that was planted, moved away or replaced leads nowhere else, and what is written
/// to one that was deleted is written nowhere.
///
/// Every call throws what the system call's failure means for a store; a link where a file or
/// folder should be is `storeUnreadable` with `found` saying so.
package final class OpenFolder: Sendable {
    package let descriptor: Int32
    /// As it was opened, for messages.
    package let path: String

    /// Links in the path itself are followed: where the whole store lies is the person's choice.
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

    /// A folder below, over as many steps as the path has.
    ///
    /// - Parameter isMade: makes what is missing (0700).
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

    /// Opens a file directly in this folder, never a link; made with 0600 if the flags say so.
    /// The caller closes it.
    package func openFile(_ name: String, _ flags: Int32) throws(StoreError) -> Int32 {
        try check(name)
        // A pipe that was planted must not keep anybody waiting.
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

    /// What stands at a path below, a link itself and not where it leads; nil for nothing.
    package func status(_ path: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Moves something of this folder into another one, in one step.
    package func move(_ name: String, into folder: OpenFolder, as newName: String)
        throws(StoreError)
    {
        try check(name)
        try folder.check(newName)
        guard renameat(descriptor, name, folder.descriptor, newName) == 0 else {
            throw failure(name)
        }
    }

    /// Makes what was made, renamed and removed in this folder last.
    package func sync() throws(StoreError) {
        // Some file systems know no sync of a folder.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
            throw StoreError(errno: errno, path: path)
        }
    }

    /// Makes everything last that was written on this folder's file system, with one wait instead
    /// of one for each file. Throws for whatever could not be written since this folder was opened.
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
