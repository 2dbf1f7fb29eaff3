import Foundation

/// Real files from public repositories, in a folder beside the project, which does not contain
/// them.
enum SharedCatalogs {
    /// The folder `../shared/catalogs`, relative to the project's root.
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/catalogs").path

    static let names: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        let files = (names ?? []).filter { $0.hasSuffix(".storekit") }.sorted()
        if files.isEmpty { print("no shared catalogs beside the project: 0 files tried") }
        return files
    }()

    static func path(_ name: String) -> String { folder + "/" + name }
}
