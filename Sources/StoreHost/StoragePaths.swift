import Foundation
package import StoreModel

/// The folders and files the program uses (XDG Base Directory Specification). The environment comes
/// in as a value, so that the choice can be tested. Methods throw `invalidName` for a path that
/// cannot be determined: no home folder, no working folder, or bytes that are not UTF-8.
package struct StoragePaths: Sendable {
    /// The environment variables.
    package var environment: [String: String]
    /// The working folder; nil if it was deleted while the program runs.
    var currentFolder: String?
    /// The program's path, used if /proc/self/exe cannot be read.
    var programPath: String
    /// The home folder in the user database (getpwuid(3)), used if $HOME is no absolute path; nil
    /// if the user is not in it.
    var listedHome: String?

    init(
        environment: [String: String], currentFolder: String?, programPath: String,
        listedHome: String? = nil
    ) {
        self.environment = environment
        self.currentFolder = currentFolder
        self.programPath = programPath
        self.listedHome = listedHome
    }

    /// The paths of this process.
    package static var current: StoragePaths {
        StoragePaths(
            environment: ProcessInfo.processInfo.environment,
            currentFolder: workingFolder,
            programPath: CommandLine.arguments.first ?? "storefront",
            listedHome: getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map {
                String(cString: $0)
            })
    }

    /// Nil if the folder was deleted: `FileManager` returns an empty path then.
    private static var workingFolder: String? {
        let path = FileManager.default.currentDirectoryPath
        return path.hasPrefix("/") ? path : nil
    }

    /// The parent of all stores: `$XDG_DATA_HOME/storefront`, by default ~/.local/share/storefront.
    package func dataFolder() throws(StoreError) -> String {
        try base("XDG_DATA_HOME", ".local/share")
    }

    /// `$XDG_CONFIG_HOME/storefront`, by default ~/.config/storefront.
    package func configurationFolder() throws(StoreError) -> String {
        try base("XDG_CONFIG_HOME", ".config")
    }

    /// `$XDG_STATE_HOME/storefront`, by default ~/.local/state/storefront.
    package func logFolder() throws(StoreError) -> String {
        try base("XDG_STATE_HOME", ".local/state")
    }

    /// A relative path in an XDG variable is ignored, as the specification says.
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

    /// The folder of a store: the option, else $STOREFRONT_STORE, else a folder for the bundle id
    /// in the data folder. A leading `~` is expanded.
    package func storeFolder(option: String?, bundleID: String) throws(StoreError) -> String {
        if let chosen = option ?? environment["STOREFRONT_STORE"], !chosen.isEmpty {
            return try absolute(chosen)
        }
        return try dataFolder() + "/" + bundleID
    }

    /// The catalog file to open: the option, else $STOREFRONT_CATALOG, else catalog.json in the
    /// working folder, else the installed demo. Nil if none exists; a file named by option or
    /// variable need not exist.
    package func catalogFile(option: String?) throws(StoreError) -> String? {
        if let chosen = option ?? environment["STOREFRONT_CATALOG"], !chosen.isEmpty {
            return try absolute(chosen)
        }
        let here = currentFolder.map { [$0 + "/catalog.json"] } ?? []
        return (here + installedCatalogs).first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The demo catalog of an installed program: PREFIX/bin/storefront, PREFIX/share/storefront.
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

    /// Bytes that are not UTF-8 were replaced by U+FFFD when the path was read. Two such folders
    /// would share one path, so it is refused.
    private func exact(_ path: String) throws(StoreError) -> String {
        guard !path.contains("\u{FFFD}") else {
            throw StoreError(
                .invalidName, subject: "path", found: path, expected: "a path in UTF-8")
        }
        return path
    }
}
