import Foundation

/// Stores that other versions of the program made, kept in `Tests/Kept`.
package enum KeptStore: String, Sendable {
    /// Version 1 of ledger and device, with three devices.
    case version1 = "version-1"
    /// Made before the first release, with three devices.
    case schema1 = "schema-1"
    /// Made before the first release; this and the next two have no devices.
    case schema6 = "schema-6"
    case schema7 = "schema-7"
    case schema8 = "schema-8"

    package static let older: [Self] = [.schema1, .schema6, .schema7, .schema8]

    /// A copy of the store that a test may change. As in a store, only the owner may read it.
    package func copy() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let names = try FileManager.default.subpathsOfDirectory(atPath: source.path)
        for name in names.sorted() {
            let original = source.path + "/" + name
            let place = folder.path + "/" + name
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: original, isDirectory: &isFolder)
            if isFolder.boolValue {
                try FileManager.default.createDirectory(
                    atPath: place, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } else {
                try FileManager.default.copyItem(atPath: original, toPath: place)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: place)
            }
        }
        return folder
    }

    /// The original, which tests only read.
    private var source: URL { Self.tests.appending(path: "Kept/" + rawValue) }

    /// The path of the demo catalog, from which these stores sold.
    package static var demoCatalog: String {
        tests.deletingLastPathComponent().appending(path: "catalog.json").path
    }

    private static var tests: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    }
}
