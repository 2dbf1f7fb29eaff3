#if os(Linux)
import Foundation
package import StoreModel

/// Finds the configuration of a process that names none.
package enum ConfigurationFile {
    /// The file that `$STOREKIT_CONFIGURATION` names, else the only configuration in the working
    /// folder or the nearest of its parents that has one, up to that of a `Package.swift`.
    ///
    /// - Throws: `fileUnreadable` if there is none, and if a folder has several; `found` lists them.
    package static func find(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        from folder: String = FileManager.default.currentDirectoryPath
    ) throws(StoreError) -> String {
        if let named = environment["STOREKIT_CONFIGURATION"], !named.isEmpty {
            let path = (named as NSString).expandingTildeInPath
            return path.hasPrefix("/") ? path : folder + "/" + path
        }
        let folders = ancestors(of: folder)
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let found = names.filter { $0.hasSuffix(".storekit") }.sorted()
            if found.count > 1 {
                throw StoreError(
                    .fileUnreadable, subject: folder, found: found.joined(separator: ", "),
                    expected: "one configuration, or its name in $STOREKIT_CONFIGURATION")
            }
            if let only = found.first { return folder + "/" + only }
            if names.contains("catalog.json") { return folder + "/catalog.json" }
        }
        throw StoreError(
            .fileUnreadable, subject: folders.last, found: "no StoreKit configuration",
            expected: "a .storekit file, or its path in $STOREKIT_CONFIGURATION")
    }

    /// A folder and its parents, up to the one with a `Package.swift`, else up to the root.
    package static func ancestors(of folder: String) -> [String] {
        var path = URL(filePath: folder).standardizedFileURL.path
        var folders = [path]
        while path != "/", !FileManager.default.fileExists(atPath: path + "/Package.swift") {
            path = (path as NSString).deletingLastPathComponent
            folders.append(path)
        }
        return folders
    }
}
#endif
