import Basics
import DurableFiles
import Foundation
import StoreDevice
package import StoreEngine
package import StoreModel

/// The folder of a machine for a store in a database, in the person's data folder: the records
/// and downloads of its devices, copies of packages, the log of its servers' requests, and what is
/// known of the store while its server is away.
package struct MachineFolder: Sendable {
    package let path: String

    /// Does not access the disk. The folder is named by the store's id, not by its address, which may
    /// be spelled in several ways.
    package init(of database: StoreDatabase, in paths: StoragePaths) throws(StoreError) {
        path = try Self.parent(in: paths) + "/" + Self.name(of: database.id)
    }

    private static func parent(in paths: StoragePaths) throws(StoreError) -> String {
        try paths.dataFolder() + "/databases"
    }

    private static func name(of id: UUID) -> String { id.uuidString.lowercased() }

    // MARK: - The store

    private static let storeFile = "store.json"
    /// A catalog may be large.
    private static let storeBytesMax = 1 << 30

    /// Keeps what is known of the store (0600, by one rename). A file that says the same stays, but for
    /// its date: an address leads to the store that was opened by it last.
    ///
    /// - Parameter address: by which it was opened (`StoragePaths.key`).
    package func keep(_ store: KnownStore, openedBy address: String) throws(StoreError) {
        let before = SmallFile.read(Self.storeFile, in: path, bytesMax: Self.storeBytesMax)
        var store = store
        let known = before.flatMap { Self.store(in: $0) }?.addresses ?? []
        store.addresses = Set(known).union([address]).sorted()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes: Data
        do { bytes = try encoder.encode(store) } catch {
            throw StoreError(.systemError, subject: Self.storeFile, cause: "\(error)")
        }
        guard bytes != before else {
            utimes(path + "/" + Self.storeFile, nil)
            return
        }
        try SmallFile.replace(Self.storeFile, in: OpenFolder(path: path), with: bytes, .whole)
    }

    /// The store that an address led to when it was last opened here; nil if it never was. A damaged
    /// file counts as none.
    package static func known(at address: String, in paths: StoragePaths) -> KnownStore? {
        guard let parent = try? Self.parent(in: paths) else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        let found = names.compactMap { name -> (store: KnownStore, date: timespec)? in
            let folder = parent + "/" + name
            var status = stat()
            guard lstat(folder + "/" + storeFile, &status) == 0,
                let bytes = SmallFile.read(storeFile, in: folder, bytesMax: storeBytesMax),
                let store = Self.store(in: bytes), Self.name(of: store.id) == name,
                store.addresses.contains(address)
            else { return nil }
            return (store, status.st_mtim)
        }
        return found.max {
            ($0.date.tv_sec, $0.date.tv_nsec) < ($1.date.tv_sec, $1.date.tv_nsec)
        }?.store
    }

    private static func store(in bytes: Data) -> KnownStore? {
        try? JSONDecoder().decode(KnownStore.self, from: bytes)
    }

    // MARK: - The device

    private var nameFile: String { path + "/device" }

    /// The name of this machine's usual device: the machine's name and six digits by chance. It is
    /// kept, so that two machines, or two homes of one, never are one device of the store.
    ///
    /// - Parameter isMade: whether a name is made if there is none.
    /// - Returns: nil if there is none.
    /// - Throws: errors of making the folder and the file.
    package func usualDevice(isMade: Bool = true) throws(StoreError) -> DeviceName? {
        if let name = keptName { return name }
        guard isMade else { return nil }
        try PrivateFolder.make(path)
        let made = Self.hostName + "-" + UUID().uuidString.lowercased().prefix(6)
        let unfinished = nameFile + "." + UUID().uuidString
        guard FileManager.default.createFile(atPath: unfinished, contents: Data(made.utf8)) else {
            throw StoreError(errno: errno, path: unfinished)
        }
        // Another process may make one at the same time: the first one stays.
        defer { unlink(unfinished) }
        guard link(unfinished, nameFile) == 0 || errno == EEXIST, let name = keptName else {
            throw StoreError(errno: errno, path: nameFile)
        }
        return name
    }

    private var keptName: DeviceName? {
        guard let data = FileManager.default.contents(atPath: nameFile),
            let name = String(validating: data, as: UTF8.self),
            (try? NameRule.check(name, for: "device")) != nil
        else { return nil }
        return DeviceName(name)
    }

    /// With the characters that a device's name may have.
    private static var hostName: String {
        let name = (systemHostName() ?? "").utf8.prefix { $0 != UInt8(ascii: ".") }
            .filter {
                let letter = $0 | 0x20
                return (0x61...0x7A).contains(letter) || (0x30...0x39).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
        let text = String(decoding: name.drop { $0 == UInt8(ascii: "-") }.prefix(40), as: UTF8.self)
        return text.isEmpty ? "machine" : text
    }
}
