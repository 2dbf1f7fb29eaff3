import Foundation
package import StoreModel

/// Where everything lives (XDG Base Directory Specification). Values of the environment come in as
/// an argument, so that what is chosen can be told and tested.
package struct StoragePaths: Sendable {
    package var environment: [String: String]
    /// Nil where it was deleted under the program.
    package var currentFolder: String?
    package var programPath: String
    /// What the list of users says, for who has no $HOME; nil for who is not in it.
    package var listedHome: String?

    package init(
        environment: [String: String], currentFolder: String?, programPath: String,
        listedHome: String? = nil
    ) {
        self.environment = environment
        self.currentFolder = currentFolder
        self.programPath = programPath
        self.listedHome = listedHome
    }

    /// Those of this process.
    package static var current: StoragePaths {
        StoragePaths(
            environment: ProcessInfo.processInfo.environment,
            currentFolder: workingFolder,
            programPath: CommandLine.arguments.first ?? "storefront",
            listedHome: getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map {
                String(cString: $0)
            })
    }

    /// FileManager answers with an empty path for a folder that is gone.
    private static var workingFolder: String? {
        let path = FileManager.default.currentDirectoryPath
        return path.hasPrefix("/") ? path : nil
    }

    // All of these throw `invalidName` for a path that cannot be told: no home folder, no working
    // folder, bytes that are no UTF-8.

    package func dataFolder() throws(StoreError) -> String {
        try base("XDG_DATA_HOME", ".local/share")
    }

    package func configurationFolder() throws(StoreError) -> String {
        try base("XDG_CONFIG_HOME", ".config")
    }

    package func logFolder() throws(StoreError) -> String {
        try base("XDG_STATE_HOME", ".local/state")
    }

    /// The specification: a relative path in one of its variables is to be ignored.
    private func base(_ variable: String, _ fallback: String) throws(StoreError) -> String {
        if let path = environment[variable], path.hasPrefix("/") {
            return try exact(path) + "/storefront"
        }
        for home in [environment["HOME"], listedHome].compactMap(\.self) where home.hasPrefix("/") {
            return try exact(home) + "/" + fallback + "/storefront"
        }
        throw StoreError(
            .invalidName, subject: "home folder", found: environment["HOME"] ?? "",
            expected: "$HOME to name a folder, or a store chosen with --store DIR")
    }

    /// Where a store is kept: what was chosen, else one folder for each bundle id.
    package func storeFolder(option: String?, bundleID: String) throws(StoreError) -> String {
        if let chosen = option ?? environment["STOREFRONT_STORE"], !chosen.isEmpty {
            return try absolute(chosen)
        }
        return try dataFolder() + "/" + bundleID
    }

    /// The catalog to open, and nil where there is none at all.
    package func catalogFile(option: String?) throws(StoreError) -> String? {
        if let chosen = option ?? environment["STOREFRONT_CATALOG"], !chosen.isEmpty {
            return try absolute(chosen)
        }
        let here = currentFolder.map { [$0 + "/catalog.json"] } ?? []
        return (here + installedCatalogs).first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The demo beside an installed program: PREFIX/bin/storefront, PREFIX/share/storefront.
    private var installedCatalogs: [String] {
        let real = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let prefix = (((real ?? programPath) as NSString).deletingLastPathComponent as NSString)
            .deletingLastPathComponent
        return [prefix + "/share/storefront/catalog.json"]
    }

    private func absolute(_ path: String) throws(StoreError) -> String {
        let expanded = (path as NSString).expandingTildeInPath
        if expanded.hasPrefix("/") { return try exact(expanded) }
        guard let currentFolder else {
            throw StoreError(
                .invalidName, subject: "path", found: path,
                expected: "a whole path, since the folder you are in is gone")
        }
        return try exact(currentFolder + "/" + expanded)
    }

    /// Bytes that are no UTF-8 come in with a mark in their place: two folders would be one.
    private func exact(_ path: String) throws(StoreError) -> String {
        guard !path.contains("\u{FFFD}") else {
            throw StoreError(
                .invalidName, subject: "path", found: path, expected: "a path in UTF-8")
        }
        return path
    }
}
