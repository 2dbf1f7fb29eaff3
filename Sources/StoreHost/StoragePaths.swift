import Foundation
package import StoreModel

/// The folders and files that the program uses (XDG Base Directory Specification). The environment
/// is passed as a value, so that the choice can be tested. Methods throw `invalidName` if a path
/// cannot be determined: there is no home folder or working folder, or the path is not UTF-8.
package struct StoragePaths: Sendable {
    package var environment: [String: String]
    /// Nil if it was deleted after the program started.
    var currentFolder: String?
    /// argv[0], used if /proc/self/exe cannot be read.
    var programPath: String
    /// getpwuid(3), used if $HOME is not an absolute path; nil if the database does not have the
    /// user.
    var listedHome: String?

    package static var current: StoragePaths {
        StoragePaths(
            environment: ProcessInfo.processInfo.environment,
            currentFolder: workingFolder,
            programPath: CommandLine.arguments.first ?? "storefront",
            listedHome: getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map {
                String(cString: $0)
            })
    }

    /// Nil for a deleted folder, for which `FileManager` returns an empty path.
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

    /// A relative path in the variable is ignored, as the specification requires.
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

    /// The option, else $STOREFRONT_STORE; nil if none is given. A leading `~` of a folder is
    /// expanded.
    package func chosenStore(option: String?) throws(StoreError) -> StoreAddress? {
        guard let chosen = option ?? environment["STOREFRONT_STORE"], !chosen.isEmpty else {
            return nil
        }
        guard !DatabaseAddress.isAddress(chosen) else {
            return .database(try DatabaseAddress(chosen))
        }
        return .folder(try absolute(chosen))
    }

    /// Tells an address apart from the same text where other variables of libpq complete it.
    package func key(of address: DatabaseAddress) -> String {
        let variables = Self.completing.compactMap { name in
            environment[name].map { " \(name)=\($0)" }
        }
        return address.text + variables.joined()
    }

    private static let completing = [
        "PGDATABASE", "PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE", "PGSERVICEFILE", "PGUSER",
    ]

    /// The chosen one, else a folder with the bundle id as its name in the data folder.
    package func store(option: String?, bundleID: String) throws(StoreError) -> StoreAddress {
        if let chosen = try chosenStore(option: option) { return chosen }
        return .folder(try dataFolder() + "/" + bundleID)
    }

    /// Whether a person has named a catalog, by the option or by $STOREFRONT_CATALOG.
    package func namesCatalog(option: String?) -> Bool {
        (option ?? environment["STOREFRONT_CATALOG"])?.isEmpty == false
    }

    /// The option, else $STOREFRONT_CATALOG, else catalog.json in the working folder, else the
    /// installed demo. Nil if none exists. A file named by the option or the variable is returned
    /// even if it does not exist.
    package func catalogFile(option: String?) throws(StoreError) -> String? {
        if let chosen = option ?? environment["STOREFRONT_CATALOG"], !chosen.isEmpty {
            return try absolute(chosen)
        }
        let here = currentFolder.map { [$0 + "/catalog.json"] } ?? []
        return (here + installedCatalogs).first { FileManager.default.fileExists(atPath: $0) }
    }

    /// PREFIX/share/storefront for PREFIX/bin/storefront.
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

    /// Refuses a path with U+FFFD, which replaces bytes that are not UTF-8 when the path is read.
    /// Two different folders could otherwise have the same path.
    private func exact(_ path: String) throws(StoreError) -> String {
        guard !path.contains("\u{FFFD}") else {
            throw StoreError(
                .invalidName, subject: "path", found: path, expected: "a path in UTF-8")
        }
        return path
    }
}
