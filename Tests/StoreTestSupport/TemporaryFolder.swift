import Foundation

/// A temporary folder for one test, deleted with the last reference to it.
package final class TemporaryFolder: Sendable {
    /// The folder's path, without a slash at its end.
    package let path: String

    /// Creates the folder under the system's temporary one.
    package init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "storefront-test-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path(percentEncoded: false).trimmingSuffix("/")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, creating the folders above it.
    package func write(_ text: String, to file: String) throws {
        let url = URL(filePath: path + "/" + file)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// The bytes, rights and time of change of every file and folder in a folder.
    package func state(of folder: String = ".") throws -> [String: [String]] {
        let place = path + "/" + folder
        let names = try FileManager.default.subpathsOfDirectory(atPath: place)
        return try Dictionary(
            uniqueKeysWithValues: (names + ["."]).map { name in
                let path = place + "/" + name
                let facts = try FileManager.default.attributesOfItem(atPath: path)
                let bytes = FileManager.default.contents(atPath: path)?.base64EncodedString()
                return (
                    name,
                    [
                        bytes ?? "", "\(facts[.posixPermissions] ?? 0)",
                        "\(facts[.modificationDate] ?? 0)",
                    ]
                )
            })
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
