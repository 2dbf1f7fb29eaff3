import Foundation

/// Whole StoreKit configurations, as Xcode writes them: ten made for these tests, one for each
/// version of the format and two that are none, and real files of public repositories where their
/// folder lies beside the project, which does not contain them.
enum ConfigurationFiles {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
    private static let made = here.appending(path: "Configurations").path
    /// The folder `../shared/catalogs`, relative to the project's root.
    private static let real = here.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/catalogs").path

    static let paths: [String] = {
        let found = [made, real].map { folder in
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
            return (names ?? []).filter { $0.hasSuffix(".storekit") }.sorted()
                .map { folder + "/" + $0 }
        }
        if found[1].isEmpty { print("no real catalogs beside the project: 0 files tried") }
        return found[0] + found[1]
    }()

    static func name(_ path: String) -> String { URL(filePath: path).lastPathComponent }
}
