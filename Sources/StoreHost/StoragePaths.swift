import Foundation

/// Where everything lives (XDG Base Directory Specification). Values of the environment come in as
/// an argument, so that what is chosen can be told and tested.
package struct StoragePaths: Sendable {
    package var environment: [String: String]
    package var currentFolder: String
    package var programPath: String

    package init(environment: [String: String], currentFolder: String, programPath: String) {
        self.environment = environment
        self.currentFolder = currentFolder
        self.programPath = programPath
    }

    /// Those of this process.
    package static var current: StoragePaths {
        StoragePaths(
            environment: ProcessInfo.processInfo.environment,
            currentFolder: FileManager.default.currentDirectoryPath,
            programPath: CommandLine.arguments.first ?? "storefront")
    }

    package var dataFolder: String { base("XDG_DATA_HOME", ".local/share") + "/storefront" }
    package var configurationFolder: String { base("XDG_CONFIG_HOME", ".config") + "/storefront" }
    package var logFolder: String { base("XDG_STATE_HOME", ".local/state") + "/storefront" }

    /// The specification: a relative path in one of its variables is to be ignored.
    private func base(_ variable: String, _ fallback: String) -> String {
        if let path = environment[variable], path.hasPrefix("/") { return path }
        return (environment["HOME"] ?? "") + "/" + fallback
    }

    /// Where a store is kept: what was chosen, else one folder for each bundle id.
    package func storeFolder(option: String?, bundleID: String) -> String {
        if let chosen = option ?? environment["STOREFRONT_STORE"], !chosen.isEmpty {
            return absolute(chosen)
        }
        return dataFolder + "/" + bundleID
    }

    /// The catalog to open, and nil where there is none at all.
    package func catalogFile(option: String?) -> String? {
        if let chosen = option ?? environment["STOREFRONT_CATALOG"], !chosen.isEmpty {
            return absolute(chosen)
        }
        let candidates = [currentFolder + "/catalog.json"] + installedCatalogs
        return candidates.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The demo beside an installed program: PREFIX/bin/storefront, PREFIX/share/storefront.
    private var installedCatalogs: [String] {
        let real = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let prefix = (((real ?? programPath) as NSString).deletingLastPathComponent as NSString)
            .deletingLastPathComponent
        return [prefix + "/share/storefront/catalog.json"]
    }

    private func absolute(_ path: String) -> String {
        let expanded = (path as NSString).expandingTildeInPath
        return expanded.hasPrefix("/") ? expanded : currentFolder + "/" + expanded
    }
}
