import DurableFiles
import Foundation
package import StoreModel

/// Where a device keeps its things for one account.
package struct DeviceFolder: Sendable {
    package let path: String

    /// The folder inside a store's folder; names are checked before they become a path.
    package init(storeFolder: String, device: DeviceName, account: AccountName)
        throws(StoreError)
    {
        try NameRule.check(device.rawValue, for: "device")
        try NameRule.check(account.rawValue, for: "account")
        path = "\(storeFolder)/devices/\(device)/\(account)"
    }

    package var databasePath: String { path + "/device.sqlite" }
    package var leasePath: String { path + "/lease" }
    package var contentPath: String { path + "/content" }
    package var partialPath: String { path + "/partial" }
    /// What is being deleted: moved here in one step, so that a kill leaves nothing half in place.
    var trashPath: String { path + "/trash" }

    package func make() throws(StoreError) {
        for folder in [path, contentPath, partialPath] { try PrivateFolder.make(folder) }
        try markAsCache()
    }

    /// What can be fetched again is not worth a backup (Cache Directory Tagging Specification).
    private func markAsCache() throws(StoreError) {
        for folder in [contentPath, partialPath] {
            let tag = folder + "/CACHEDIR.TAG"
            let text = Data("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)
            var status = stat()
            if lstat(tag, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                Int(status.st_size) == text.count
            {
                continue
            }
            // Straight into place: a file made beside it first would stay behind after a kill.
            let descriptor = open(tag, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw StoreError(errno: errno, path: tag) }
            defer { close(descriptor) }
            let count = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count == text.count else { throw StoreError(errno: errno, path: tag) }
        }
    }

    func content(_ product: ProductID, _ contentID: String, _ version: String) -> String {
        "\(contentPath)/\(product)/\(contentID)/\(version)"
    }

    func partial(_ product: ProductID, _ contentID: String) -> String {
        "\(partialPath)/\(product)/\(contentID)"
    }
}

/// Which names may become part of a path.
package enum NameRule {
    package static func check(_ name: String, for subject: String) throws(StoreError) {
        let isGood =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: ".-_@+".utf8.contains(byte)
                }
            } && name.first != "." && name.first != "-"
        guard !isGood else { return }
        throw StoreError(
            .invalidName, subject: subject, found: name,
            expected: "1 to 64 letters, digits or . - _ @ +, beginning with a letter or digit")
    }
}
