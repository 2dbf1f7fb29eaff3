import Basics
import DurableFiles
import Foundation
import StoreModel

/// The files of a device that hold one signed text each. A file is replaced by one rename, so a
/// reader gets the old text or the new one. It is not synced: the store makes each of them anew, and
/// a text that was lost or altered fails verification.
struct SignedFiles: Sendable {
    /// The files, by name.
    enum Name: String {
        case receipt = "receipt.jws"
        case appTransaction = "app-transaction.jws"
        case revokedCertificates = "revoked-certificates.jws"
    }

    let folder: DeviceFolder

    func path(of name: Name) -> String { folder.path + "/" + name.rawValue }

    /// The text of a file; nil if there is none. Throws `deviceUnreadable`.
    func read(_ name: Name) throws(StoreError) -> String? {
        try folder.opened { device in
            guard device.status(name.rawValue) != nil else { return nil }
            let file = try device.openFile(name.rawValue, O_RDONLY)
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            let data: Data
            do { data = try handle.read(upToCount: Self.byteCountMax) ?? Data() } catch {
                throw StoreError(
                    .deviceUnreadable, subject: path(of: name), cause: "\(error)")
            }
            let text = String(decoding: data, as: UTF8.self)
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
    }

    /// Replaces a file. Throws `deviceFull` or `deviceUnreadable`; the old file then stays.
    func write(_ text: String, to name: Name) throws(StoreError) {
        let new = name.rawValue + ".new"
        let bytes = Array((text + "\n").utf8)
        try folder.opened { device in
            let file = try lockedFile(new, in: device)
            defer { close(file) }
            guard ftruncate(file, 0) == 0 else {
                throw StoreError(errno: errno, path: device.path + "/" + new)
            }
            if let failure = bytes.withUnsafeBytes({ writeAll($0, to: file) }) {
                throw StoreError(errno: failure, path: device.path + "/" + new)
            }
            try device.move(new, into: device, as: name.rawValue)
        }
    }

    /// The file that a new text is written to, locked until it is closed: of several processes one
    /// at a time writes it. A process that ends in any way loses the lock, and the next one writes
    /// over what it left.
    private func lockedFile(_ name: String, in device: OpenFolder) throws -> Int32 {
        while true {
            let file = try device.openFile(name, O_WRONLY | O_CREAT)
            var mine = stat()
            if flock(file, LOCK_EX) == 0, fstat(file, &mine) == 0,
                let there = device.status(name), there.st_ino == mine.st_ino
            {
                return file
            }
            // Another process has moved it into place while this one waited for the lock.
            close(file)
        }
    }

    /// More than any receipt that is verified has.
    private static let byteCountMax = 64 * 1024 * 1024 + 1
}
