import Basics
import DurableFiles
import Foundation
package import StoreEngine
package import StoreModel

/// The folder of a machine for a store in a database, in the person's data folder: the records
/// and downloads of its devices, copies of packages, and the log of its servers' requests.
package struct MachineFolder: Sendable {
    package let path: String

    /// Does not access the disk. The folder is named by the store's id, not by its address, which may
    /// be spelled in several ways.
    package init(of database: StoreDatabase, in paths: StoragePaths) throws(StoreError) {
        path = try paths.dataFolder() + "/databases/" + database.id.uuidString.lowercased()
    }

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
