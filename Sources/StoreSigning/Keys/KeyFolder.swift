import Basics
import Foundation
import Glibc
import StoreModel

/// The files of a set of keys in their folder: reading a set, and making one so that it appears
/// complete or not at all.
struct KeyFolder {
    /// The files of a set, by name.
    enum Part: String, CaseIterable {
        case root = "root.pem"
        case intermediate = "intermediate.pem"
        case leaf = "leaf.pem"
        case leafKey = "leaf.key"
        case revokedLeaf = "revoked.pem"
        case revokedLeafKey = "revoked.key"

        var isSecret: Bool { self == .leafKey || self == .revokedLeafKey }
    }

    /// The contents of a set, all PEM texts.
    typealias Files = [Part: String]

    /// By the names of the files.
    static func texts(_ files: Files) -> [String: String] {
        Dictionary(uniqueKeysWithValues: files.map { ($0.key.rawValue, $0.value) })
    }

    /// Those of the texts that have the names of files.
    static func files(_ texts: [String: String]) -> Files {
        var files = Files()
        for part in Part.allCases { files[part] = texts[part.rawValue] }
        return files
    }

    private let folder: String

    init(path: String) {
        folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    func path(of part: Part) -> String { setPath + "/" + part.rawValue }

    private var setPath: String { folder + "/chain" }
    /// A process that holds the lock and finds this folder may delete it: the process that prepared
    /// it ended before the rename, so nothing was signed with its keys.
    private var unfinishedSet: String { setPath + ".new" }
    private var lockFile: String { folder + "/lock" }

    // MARK: Reading

    /// Nil if there is none. Throws `keysUnreadable` if the set is incomplete, or if another user
    /// owns it or every user may write to it, because another user could then have chosen the keys.
    func load() throws(StoreError) -> Files? {
        guard try exists(setPath) else { return nil }
        for path in [folder, setPath] { try Self.refuseOthers(path) }
        var files = Files()
        for part in Part.allCases {
            files[part] = try Self.read(path(of: part), isSecret: part.isSecret)
        }
        return files
    }

    /// Throws unless the path is a folder that this user owns and that is not writable by all
    /// users. If it is a symbolic link, this user must own the link too.
    private static func refuseOthers(_ path: String) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw unreadable(path, errno) }
        try refuseOthers(status, path)
        guard stat(path, &status) == 0 else { throw unreadable(path, errno) }
        try refuseOthers(status, path)
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(.keysUnreadable, subject: path, cause: "not a folder")
        }
    }

    private static func refuseOthers(_ status: stat, _ path: String) throws(StoreError) {
        guard status.st_uid == geteuid() else {
            throw StoreError(
                .keysUnreadable, subject: path,
                cause: "it belongs to another user (number \(status.st_uid))")
        }
        // The mode of a symbolic link has no effect.
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        guard isLink || status.st_mode & (S_IWOTH | S_IWGRP) == 0 else {
            let right = status.st_mode & S_IFMT == S_IFDIR ? "700" : "600"
            throw StoreError(
                .keysUnreadable, subject: path,
                cause: "others may write to it; if nobody did: chmod \(right)")
        }
    }

    private func exists(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return true }
        guard errno == ENOENT else { throw Self.unreadable(path, errno) }
        return false
    }

    /// The file must be this user's.
    static func read(_ path: String, isSecret: Bool) throws(StoreError) -> String {
        // The store never makes links here, so a link was made by another program. `O_NONBLOCK`:
        // opening a pipe must not wait for its other end.
        let file = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) {
            $0 == ELOOP
                ? StoreError(.keysUnreadable, subject: path, cause: "a link in place of a file")
                : unreadable(path, $0)
        }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.keysUnreadable, subject: path, cause: "not a file")
        }
        try refuseOthers(status, path)
        // A copy may have lost the file's mode. The file is this user's, so the mode can be set
        // again.
        if isSecret, status.st_mode & 0o077 != 0 { fchmod(file.number, 0o600) }
        var bytes = [UInt8](repeating: 0, count: fileByteCountMax + 1)
        var count = 0
        while count < bytes.count {
            let chunk = bytes.withUnsafeMutableBytes {
                Glibc.read(file.number, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if chunk < 0, errno == EINTR { continue }
            if chunk < 0 { throw unreadable(path, errno) }
            if chunk == 0 { break }
            count += chunk
        }
        guard count <= fileByteCountMax,
            let text = String(validating: bytes.prefix(count), as: UTF8.self)
        else { throw StoreError(.keysUnreadable, subject: path, cause: "not a PEM text") }
        return text
    }

    /// The store's certificates are below 1 kB.
    private static let fileByteCountMax = 16 * 1024

    // MARK: Making

    /// Makes the set if there is none while the lock is held. Throws as `load`, and
    /// `storeReadOnly`, `storeFull` or `storeBusy`.
    func loadOrMake(_ make: () throws(StoreError) -> Files) throws(StoreError) -> Files {
        try makeFolder()
        let lock = try lock()
        defer { lock.release() }
        if let files = try load() { return files }
        let files = try make()
        try write(files)
        return files
    }

    private func makeFolder() throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Self.unwritable(folder, systemErrorNumber(of: error) ?? EACCES)
        }
        // The folder may have existed before, open to other users.
        guard chmod(folder, 0o700) == 0 else { throw Self.unwritable(folder, errno) }
        try Self.refuseOthers(folder)
    }

    private func lock() throws(StoreError) -> FileLock {
        do {
            return try FileLock(path: lockFile, mode: .wait(atMost: Self.lockWait))
        } catch {
            if case .system(let code) = error { throw Self.unwritable(lockFile, code) }
            throw StoreError(error, path: lockFile)
        }
    }

    /// Making a set takes milliseconds.
    private static let lockWait = Duration.seconds(5)

    private func write(_ files: Files) throws(StoreError) {
        if try exists(unfinishedSet) {
            do {
                try FileManager.default.removeItem(atPath: unfinishedSet)
            } catch {
                throw StoreError(.storeReadOnly, subject: unfinishedSet, cause: "\(error)")
            }
        }
        guard mkdir(unfinishedSet, 0o700) == 0 else { throw Self.unwritable(unfinishedSet, errno) }
        for (part, text) in files {
            try Self.write(text, to: unfinishedSet + "/" + part.rawValue)
        }
        try Self.synchronize(unfinishedSet)
        guard rename(unfinishedSet, setPath) == 0 else { throw Self.unwritable(setPath, errno) }
        try Self.synchronize(folder)
        // The folder may be new: its own name must be durable too.
        try Self.synchronize(folder + "/..")
    }

    /// Only the user may read the file (0600); it is durable afterwards.
    static func write(_ text: String, to path: String) throws(StoreError) {
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL) { unwritable(path, $0) }
        let failure = Array(text.utf8).withUnsafeBytes { writeAll($0, to: file.number) }
        if let failure { throw unwritable(path, failure) }
        guard fsync(file.number) == 0 else { throw unwritable(path, errno) }
    }

    /// Makes the names inside the folder durable (fsync(2)).
    static func synchronize(_ folder: String) throws(StoreError) {
        let descriptor = try Descriptor.open(folder, O_RDONLY | O_DIRECTORY) {
            unwritable(folder, $0)
        }
        guard fsync(descriptor.number) == 0 else { throw unwritable(folder, errno) }
    }

    // MARK: Errors

    private static func unreadable(_ path: String, _ code: Int32) -> StoreError {
        StoreError(.keysUnreadable, subject: path, cause: systemMessage(code))
    }

    private static func unwritable(_ path: String, _ code: Int32) -> StoreError {
        StoreError(errno: code, path: path, other: .keysUnreadable)
    }
}

/// An open file, closed at the end of the value's lifetime.
private struct Descriptor: ~Copyable {
    let number: Int32

    static func open(
        _ path: String, _ flags: Int32, orThrow error: (Int32) -> StoreError
    ) throws(StoreError) -> Descriptor {
        let number = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw error(errno) }
        return Descriptor(number: number)
    }

    private init(number: Int32) { self.number = number }

    deinit { close(number) }
}
