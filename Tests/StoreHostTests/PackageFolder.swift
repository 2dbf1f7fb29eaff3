import Foundation

/// A temporary folder with a catalog's content.
final class PackageFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "storefront-packages-" + UUID().uuidString
        try write("old text", to: path + "/Content/book/part/one.txt")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to path: String) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// The texts of all files below a folder.
    func files(of folder: String) throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            var isFolder: ObjCBool = false
            let path = folder + "/" + name
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
                !isFolder.boolValue
            else { continue }
            files[name] = try String(contentsOfFile: path, encoding: .utf8)
        }
        return files
    }
}
