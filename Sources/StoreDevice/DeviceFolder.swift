import Basics
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
    /// One locked byte for each payment that is being sent.
    var sendersPath: String { path + "/senders" }
    package var contentPath: String { path + "/content" }
    package var partialPath: String { path + "/partial" }

    /// Makes the folders, or takes those that are there. Throws `deviceUnreadable` where a link
    /// stands in the place of one of them, or of a file in them.
    package func make() throws(StoreError) {
        try PrivateFolder.make(path)
        try opened { device in
            for name in ["content", "partial"] {
                try Self.markAsCache(try device.folder(name, isMade: true))
            }
        }
    }

    /// What can be fetched again is not worth a backup (Cache Directory Tagging Specification).
    private static func markAsCache(_ folder: OpenFolder) throws(StoreError) {
        let name = "CACHEDIR.TAG"
        let text = Data("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)
        if let status = folder.status(name), status.st_mode & S_IFMT == S_IFREG,
            Int(status.st_size) == text.count
        {
            return
        }
        // Straight into place: a file made beside it first would stay behind after a kill.
        let descriptor = try folder.openFile(name, O_WRONLY | O_CREAT)
        defer { close(descriptor) }
        let path = folder.path + "/" + name
        // What has a second name is somebody else's file.
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink <= 1 else {
            throw StoreError(
                .storeUnreadable, subject: path, found: "a second name of another file")
        }
        let failure = text.withUnsafeBytes { writeAll($0, to: descriptor) }
        if let failure { throw StoreError(errno: failure, path: path) }
    }

    /// Works in this folder, reached without following a link below it. What fails is told as the
    /// device's own trouble.
    func opened<Value>(_ body: (OpenFolder) throws -> Value) throws(StoreError) -> Value {
        try inDevice { try body(OpenFolder(path: path)) }
    }

    /// The device's disk is full, not the store's.
    func inDevice<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
        do {
            return try body()
        } catch {
            let error = error as? StoreError ?? StoreError(.systemError, cause: "\(error)")
            throw error.onDevice
        }
    }

    // MARK: - Packages

    func content(_ product: ProductID, _ contentID: String, _ version: String) -> String {
        "\(contentPath)/\(product)/\(contentID)/\(version)"
    }

    /// Whether what was downloaded is still in place.
    func hasContent(_ row: Download) -> Bool {
        let path = "content/\(row.productID)/\(row.contentID)/\(row.version)"
        guard let status = try? OpenFolder(path: self.path).status(path) else { return false }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    /// Bytes of an unfinished package on the disk.
    func partialBytes(_ product: ProductID, _ contentID: String) -> Int64 {
        let files = "\(partialPath)/\(product)/\(contentID)/files"
        guard let names = FileManager.default.enumerator(atPath: files) else { return 0 }
        var sum: Int64 = 0
        while let name = names.nextObject() as? String {
            var status = stat()
            if lstat(files + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                sum += Int64(status.st_size)
            }
        }
        return sum
    }

    /// Bytes this device may still write; nil where nobody knows.
    var freeBytes: Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    func removePartial(_ product: ProductID, _ contentID: String) {
        try? opened { device in
            try drop(contentID, of: try device.folder("partial/\(product)"))
        }
    }

    /// Removes all packages of a product from `content` or `partial`.
    func removeAll(of product: ProductID, from name: String) {
        try? opened { device in
            try drop(product.rawValue, of: try device.folder(name))
        }
    }

    /// Deletes a folder: moved to the trash in one step, so that a kill leaves nothing half in
    /// place, then removed from there, links as links.
    func drop(_ name: String, of folder: OpenFolder) throws(StoreError) {
        guard folder.status(name) != nil else { return }
        let device = try OpenFolder(path: path)
        let trash = try device.folder("trash", isMade: true)
        try folder.move(name, into: trash, as: UUID().uuidString.lowercased())
        // With whatever a kill left there.
        for item in (try? FileManager.default.contentsOfDirectory(atPath: trash.path)) ?? [] {
            try? FileManager.default.removeItem(atPath: trash.path + "/" + item)
        }
    }
}

/// Which names may become part of a path.
package enum NameRule {
    /// - Parameter lengthMax: characters it may have at most.
    package static func check(
        _ name: String, for subject: String, lengthMax: Int = 64
    ) throws(StoreError) {
        let isGood =
            (1...lengthMax).contains(name.utf8.count)
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
            expected:
                "1 to \(lengthMax) letters, digits or . - _ @ +, beginning with a letter or digit")
    }
}
