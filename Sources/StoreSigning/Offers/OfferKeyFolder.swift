import Foundation
import Glibc
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

    /// The key that was written last.
    func latest() throws(StoreError) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var latest: (id: String, written: timespec)?
        for name in names.sorted() where name.hasSuffix(Self.suffix) {
            let id = String(name.dropLast(Self.suffix.count))
            var status = stat()
            guard Self.isGood(id), lstat(folder + "/" + name, &status) == 0 else { continue }
            let written = status.st_mtim
            if let known = latest?.written,
                (known.tv_sec, known.tv_nsec) > (written.tv_sec, written.tv_nsec)
            {
                continue
            }
            latest = (id, written)
        }
        return latest?.id
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
