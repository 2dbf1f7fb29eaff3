import Basics
package import Foundation
package import StoreModel

/// The files of one hosted package as they were found inside the content folder. It serves many
/// reads, so that each read need not search the folder.
///
/// A file is read only if its path still leads to the file that was found. A file that was
/// replaced, by a link or another file, is not read until the package is opened again.
package struct HostedPackage: Sendable {
    let files: [String: HostedFile]

    init(_ files: [HostedFile]) {
        self.files = Dictionary(
            files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// At most `count` bytes of a file and at most `HostedContentFolder.readBytesMax`: fewer at its
    /// end, none after it. Nil if there is no such file, or its path leads to another file by now.
    /// Throws `contentUnavailable` for a negative offset or count, and if reading fails.
    package func bytes(
        path: String, offset: Int64, count: Int
    ) throws(StoreError) -> Data? {
        guard offset >= 0, count >= 0 else {
            throw HostedContentFolder.unavailable(
                path, found: "\(offset)", expected: "an offset of at least 0")
        }
        guard let file = files[path], let descriptor = file.open() else { return nil }
        defer { close(descriptor) }
        do {
            return try readAll(
                descriptor, at: offset, count: min(count, HostedContentFolder.readBytesMax))
        } catch { throw file.unreadable(error.code) }
    }
}

extension HostedFile {
    /// Nil if the path leads to another file, a link or no file. The caller closes the descriptor.
    func open() -> Int32? {
        // `O_NONBLOCK`: opening a pipe in the file's place must not wait for its other end.
        let descriptor = Foundation.open(
            realPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            UInt64(status.st_dev) == device, UInt64(status.st_ino) == inode
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    func unreadable(_ code: Int32) -> StoreError {
        StoreError(
            .contentUnavailable, subject: UntrustedText.short(path),
            found: "a file that cannot be read", expected: "a readable file",
            cause: systemMessage(code))
    }
}
