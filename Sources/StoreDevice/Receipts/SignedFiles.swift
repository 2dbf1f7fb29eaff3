import DurableFiles
import Foundation
import StoreModel

/// The files of a device that each hold one signed text. A file is replaced by a rename, so a
/// reader gets the old text or the new one. It is not synced: a lost or altered text fails
/// verification, and the store signs a new one.
struct SignedFiles: Sendable {
    /// The files, by name.
    enum Name: String {
        case receipt = "receipt.jws"
        case appTransaction = "app-transaction.jws"
        case revokedCertificates = "revoked-certificates.jws"
    }

    let folder: DeviceFolder

    func path(of name: Name) -> String { folder.path + "/" + name.rawValue }

    /// Nil if there is no such file. Throws `deviceUnreadable`.
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

    /// Throws `deviceFull` or `deviceUnreadable`; the old file then stays.
    func write(_ text: String, to name: Name) throws(StoreError) {
        try folder.opened { device in
            _ = try SmallFile.replace(
                name.rawValue, in: device, with: Data((text + "\n").utf8), .none)
        }
    }

    /// Larger than any receipt that verifies.
    private static let byteCountMax = 64 * 1024 * 1024 + 1
}
