import Basics
import Foundation
import StoreModel

/// The folder of the keys that sign promotional offers: `<identifier>.key`, PEM. Only the user may
/// enter the folder (0700) and read the files (0600). A file appears by one rename.
struct OfferKeyFolder: OfferKeyStorage {
    private let folder: String

    init(path: String) {
        folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private static let suffix = ".key"

    func path(of id: String) -> String { folder + "/" + id + Self.suffix }

    func read(_ id: String) throws(StoreError) -> String? {
        guard Self.isGood(id) else { return nil }
        var status = stat()
        guard lstat(path(of: id), &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw StoreError(errno: errno, path: path(of: id), other: .keysUnreadable)
            }
            return nil
        }
        return try KeyFolder.read(path(of: id), isSecret: true)
    }

    /// By the times of their files.
    func ids() throws(StoreError) -> [String] { try written().map(\.id) }

    private func written() throws(StoreError) -> [(id: String, at: timespec)] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            guard access(folder, F_OK) == 0 else { return [] }
            throw StoreError(
                .keysUnreadable, subject: folder, cause: systemMessage(of: error))
        }
        var found: [(id: String, at: timespec)] = []
        for name in names.sorted() where name.hasSuffix(Self.suffix) {
            let id = String(name.dropLast(Self.suffix.count))
            var status = stat()
            guard Self.isGood(id), lstat(folder + "/" + name, &status) == 0 else { continue }
            found.append((id, status.st_mtim))
        }
        return found.sorted { Self.isEarlier($0.at, $1.at) }
    }

    private static func isEarlier(_ time: timespec, _ other: timespec) -> Bool {
        (time.tv_sec, time.tv_nsec) < (other.tv_sec, other.tv_nsec)
    }

    /// Files that are written within one tick of the system's clock have the same time, which would
    /// not tell which one was last.
    private static func date(_ path: String, after last: timespec) {
        var status = stat()
        guard lstat(path, &status) == 0, !isEarlier(last, status.st_mtim) else { return }
        let isFull = last.tv_nsec >= 999_999_999
        let next = timespec(
            tv_sec: last.tv_sec + (isFull ? 1 : 0), tv_nsec: isFull ? 0 : last.tv_nsec + 1)
        utimensat(AT_FDCWD, path, [next, next], 0)
    }

    /// Durable. It replaces a key with the same identifier.
    func write(_ text: String, as id: String) throws(StoreError) {
        guard Self.isGood(id) else {
            throw StoreError(.keysUnreadable, subject: id, cause: "not the identifier of a key")
        }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(.storeReadOnly, subject: folder, cause: "\(error)")
        }
        guard chmod(folder, 0o700) == 0 else {
            throw StoreError(errno: errno, path: folder, other: .keysUnreadable)
        }
        let unfinished = folder + "/.\(UUID().uuidString)"
        try KeyFolder.write(text, to: unfinished)
        if let last = try written().last { Self.date(unfinished, after: last.at) }
        guard rename(unfinished, path(of: id)) == 0 else {
            let code = errno
            unlink(unfinished)
            throw StoreError(errno: code, path: path(of: id), other: .keysUnreadable)
        }
        try KeyFolder.synchronize(folder)
    }

    /// Letters, digits and hyphens, 64 at most: it becomes a file's name.
    private static func isGood(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= 64
            && id.utf8.allSatisfy {
                ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x30 && $0 <= 0x39
                    || $0 == 0x2D
            }
    }
}
