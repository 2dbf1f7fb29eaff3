import Basics
import ContentPackages
import DurableFiles
import Foundation
package import StoreModel

/// The folder of one device and one account, and the paths below it. Creating this value touches no
/// file; `make()` creates the folder.
package struct DeviceFolder: Sendable {
    /// `STORE/devices/DEVICE/ACCOUNT`.
    package let path: String
    private let storeFolder: String
    private let account: AccountName
    /// Whether content may still lie as before packages, a version's files in its own folder:
    /// `PackageFormMove` gives it the form of a package as soon as the disk can be written to.
    var hasOlderForm = false

    /// - Throws: `invalidName` if either name could not safely be part of a path (`NameRule`).
    package init(storeFolder: String, device: DeviceName, account: AccountName)
        throws(StoreError)
    {
        try NameRule.check(device.rawValue, for: "device")
        try NameRule.check(account.rawValue, for: "account")
        path = "\(storeFolder)/devices/\(device)/\(account)"
        self.storeFolder = storeFolder
        self.account = account
    }

    /// The devices that were ever opened on a store, sorted by device, then by account.
    package static func devices(
        in storeFolder: String
    ) -> [(device: DeviceName, account: AccountName)] {
        let root = storeFolder + "/devices"
        func names(_ path: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
        }
        return names(root).flatMap { device in
            names(root + "/" + device)
                .filter { access("\(root)/\(device)/\($0)/device.sqlite", F_OK) == 0 }
                .map { (DeviceName(device), AccountName($0)) }
        }
    }

    /// Whether no other device of the account was ever opened on this store.
    var isAccountsOnlyOne: Bool {
        Self.devices(in: storeFolder).count { $0.account == account } == 1
    }

    package var databasePath: String { path + "/device.sqlite" }
    /// Of the delivery lease (`DeliveryLease`).
    var leasePath: String { path + "/lease" }
    /// The lock file with one locked byte for each payment that is being sent (`PaymentOwnership`).
    var sendersPath: String { path + "/senders" }
    /// Of the lock that a process holds while an app in it finishes its transactions by itself.
    var appPath: String { path + "/app.lock" }
    /// Of the lock that a process holds while it is a shop, whose person apps can ask.
    var shopPath: String { path + "/shop.lock" }
    /// Of the lock that a process holds while it sends changed values.
    var valuesLockPath: String { path + "/values.lock" }
    /// Downloaded packages, as `content/PRODUCT/CONTENT/VERSION`, each a folder with
    /// `ContentInfo.plist` and `Contents`.
    package var contentPath: String { path + "/content" }
    /// Packages that are still being fetched, as `partial/PRODUCT/CONTENT`.
    package var partialPath: String { path + "/partial" }

    /// Safe to call again.
    ///
    /// - Throws: `deviceUnreadable` if `content`, `partial` or the tag file in one of them is a
    ///   symbolic link or not of the expected kind; `storeUnreadable` if other users may write into
    ///   the device's folder; errors of a failing disk.
    func make() throws(StoreError) {
        try refuseLinks()
        try PrivateFolder.make(path)
        try opened { device in
            for name in ["content", "partial"] {
                try Self.markAsCache(try device.folder(name, isMade: true))
            }
        }
    }

    /// - Throws: `storeReadOnly` if there is no folder; `storeUnreadable` if other users may write
    ///   into it.
    func find() throws(StoreError) {
        try refuseLinks()
        _ = try PrivateFolder.makeOrRead(path)
    }

    /// Throws `storeUnreadable` if the folder, or one of the two above it, is a link.
    private func refuseLinks() throws(StoreError) {
        try PrivateFolder.refuseLinks([String(path.dropFirst(storeFolder.count))], in: storeFolder)
    }

    /// Opens the folder of a device, `STORE/devices/DEVICE/ACCOUNT`, without following a link below
    /// the store's folder. A path of fewer steps is opened as it is.
    static func open(_ path: String) throws(StoreError) -> OpenFolder {
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        guard steps.count > 3 else { return try OpenFolder(path: path) }
        let store = steps.dropLast(3).joined(separator: "/")
        return try OpenFolder(path: store.isEmpty ? "/" : store)
            .folder(steps.suffix(3).joined(separator: "/"))
    }

    /// Marks a folder as a cache, so that backup programs leave it out (Cache Directory Tagging
    /// Specification): the content can be downloaded again.
    static func markAsCache(_ folder: OpenFolder) throws(StoreError) {
        let name = "CACHEDIR.TAG"
        let text = Data("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)
        if let status = folder.status(name), status.st_mode & S_IFMT == S_IFREG,
            Int(status.st_size) == text.count
        {
            return
        }
        // Written in place: a temporary file would be left behind by a kill before its rename.
        let descriptor = try folder.openFile(name, O_WRONLY | O_CREAT)
        defer { close(descriptor) }
        let path = folder.path + "/" + name
        // A file with a second hard link may belong to another program, so it is not written.
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink <= 1 else {
            throw StoreError(
                .storeUnreadable, subject: path, found: "a second name of another file")
        }
        let failure = text.withUnsafeBytes { writeAll($0, to: descriptor) }
        if let failure { throw StoreError(errno: failure, path: path) }
    }

    /// Opens this folder and runs `body`, which reaches everything below it without following a
    /// symbolic link. Errors are converted as in `inDevice`.
    func opened<Value>(_ body: (OpenFolder) throws -> Value) throws(StoreError) -> Value {
        try inDevice { try body(Self.open(path)) }
    }

    /// Runs `body` and converts its errors into those of the device: `storeFull` becomes
    /// `deviceFull`, `storeUnreadable` and `storeReadOnly` become `deviceUnreadable`.
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

    /// A symbolic link in its place does not count.
    func hasContent(_ row: Download) -> Bool { contents(of: row) != nil }

    /// Where the content of the version that the row names lies, in this folder; nil if it is not
    /// here.
    func contents(of row: Download) -> String? {
        guard let device = try? Self.open(path), hasVersion(row.folderPath, in: device) else {
            return nil
        }
        let isPackage = !hasOlderForm || device.hasNamedPackage(row.folderPath)
        return row.folderPath + (isPackage ? "/" + ContentInfo.contentsFolder : "")
    }

    private func hasVersion(_ name: String, in folder: OpenFolder) -> Bool {
        hasOlderForm ? folder.isFolder(name) : folder.hasPackage(name)
    }

    /// The version of a package whose files are on this device: the recorded version if its folder
    /// exists, otherwise the newest version that has one, as during an update. A version's folder
    /// exists only once it is complete. Nil for a cancelled or deleted download.
    func installedVersion(of row: Download) -> String? {
        guard row.state != .cancelled, row.state != .deleted else { return nil }
        if hasContent(row) { return row.version }
        guard row.state != .finished else { return nil }
        return versions(row.productID, row.contentID).last
    }

    /// The newest last.
    func versions(_ product: ProductID, _ contentID: String) -> [String] {
        guard
            let folder = try? Self.open(path).folder("content/\(product)/\(contentID)"),
            let items = try? folder.items()
        else { return [] }
        return items.map(\.name).filter { hasVersion($0, in: folder) }.sorted { one, other in
            guard let first = ContentVersion(one), let second = ContentVersion(other) else {
                return ContentVersion(one) == nil && ContentVersion(other) != nil
            }
            return first < second
        }
    }

    /// Removes all versions of a package except `version` and those that a reader in any process
    /// has open. Those are removed when the reader closes them, or at a later launch.
    func dropOldVersions(of product: ProductID, _ contentID: String, keeping version: String) {
        let kept = version.split(separator: "/").first.map(String.init) ?? version
        for old in versions(product, contentID) where old != kept {
            dropVersion(old, of: product, contentID)
        }
    }

    /// Unless a reader in any process has it open.
    func dropVersion(_ version: String, of product: ProductID, _ contentID: String) {
        try? opened { device in
            let package = try device.folder("content/\(product)/\(contentID)")
            let folder = try package.folder(version)
            guard folder.lock(isExclusive: true) else { return }
            try drop(version, of: package)
        }
    }

    /// The sum of the lengths of an unfinished package's files.
    func partialBytes(_ product: ProductID, _ contentID: String) -> Int64 {
        let partial = "\(partialPath)/\(product)/\(contentID)"
        let fetched = Self.bytes(below: partial + "/files")
        // Once all files are here, `PackageFetcher` makes a package of them before it moves that.
        return fetched > 0
            ? fetched : Self.bytes(below: partial + "/package/" + ContentInfo.contentsFolder)
    }

    /// The bytes of an unfinished download that are on the disk. All of them, if its files have been
    /// moved into place and its end is not recorded, or it was stopped meanwhile.
    func receivedBytes(of row: Download) -> Int64 {
        let partial = partialBytes(row.productID, row.contentID)
        return partial == 0 && hasContent(row) ? row.bytesExpected : min(partial, row.bytesExpected)
    }

    var allPartialBytes: Int64 {
        let products = (try? Self.open(path).folder("partial").items()) ?? []
        return products.filter { $0.kind == .folder }
            .reduce(0) { $0 + Self.bytes(below: partialPath + "/" + $1.name) }
    }

    /// Of the content of the package version that the row names, on the disk.
    func bytes(of row: Download) -> Int64 {
        contents(of: row).map { Self.bytes(below: path + "/" + $0) } ?? 0
    }

    /// Locks the folder of a package's version, so that no reader opens it; nil if a reader has it
    /// open. The lock lasts as long as the returned folder is open.
    func lock(_ row: Download) -> OpenFolder? {
        guard let opened = try? Self.open(path).folder(row.folderPath),
            opened.lock(isExclusive: true)
        else { return nil }
        return opened
    }

    /// A failure is ignored.
    func remove(_ row: Download) {
        try? opened { device in
            try drop(
                row.version, of: try device.folder("content/\(row.productID)/\(row.contentID)"))
        }
    }

    /// Of all plain files; links are not followed.
    private static func bytes(below files: String) -> Int64 {
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

    /// Bytes that this user may still write to the device's file system; nil if statvfs(3) fails.
    /// Less if the operator has limited the disk (`DownloadFaults.diskBytes`).
    var freeBytes: Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let free = Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        guard let disk = DownloadFaultFile(folder: path).read().diskBytes else { return free }
        return min(free, max(0, disk - Self.bytes(below: contentPath) - allPartialBytes))
    }

    /// One package in the folder `content` or `partial`. A failure is ignored.
    func remove(_ contentID: String, of product: ProductID, from name: String) {
        try? opened { device in
            try drop(contentID, of: try device.folder("\(name)/\(product)"))
        }
    }

    /// Removes the folder of a product without packages in `content` or `partial`. The caller must
    /// make sure that no download of the product starts meanwhile. A failure is ignored.
    func removeEmpty(_ product: ProductID, in name: String) {
        try? opened { try $0.folder(name).removeEmptyFolder(product.rawValue) }
    }

    /// Those in the folder `content` or `partial`. A failure is ignored.
    func removeAll(of product: ProductID, from name: String) {
        try? opened { device in
            try drop(product.rawValue, of: try device.folder(name))
        }
    }

    /// Deletes a folder. First one rename moves it to `trash`, so that a kill leaves no
    /// half-deleted package in place; then it is removed from there without following symbolic
    /// links.
    func drop(_ name: String, of folder: OpenFolder) throws(StoreError) {
        let device = try Self.open(path)
        let isThere = folder.status(name) != nil
        guard isThere || device.status("trash") != nil else { return }
        let trash = try device.folder("trash", isMade: true)
        if isThere {
            try folder.move(name, into: trash, as: UUID().uuidString.lowercased())
        }
        // All of the trash is emptied, because an earlier process may have been killed between its
        // rename and its removal.
        Self.empty(trash)
    }

    /// Deletes the folders that a killed process left in `trash`, and what `PackageFormMove` left
    /// unless it is still to end. A failure is ignored.
    func emptyTrash() {
        guard !hasOlderForm, let device = try? Self.open(path) else { return }
        try? drop(PackageFormMove.made, of: device)
    }

    private static func empty(_ trash: OpenFolder) {
        for item in (try? FileManager.default.contentsOfDirectory(atPath: trash.path)) ?? [] {
            try? FileManager.default.removeItem(atPath: trash.path + "/" + item)
        }
    }
}
