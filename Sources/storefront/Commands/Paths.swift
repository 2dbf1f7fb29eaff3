import Basics
import ArgumentParser
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreHost
import StoreModel

struct Paths: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "paths",
        abstract: "Print where everything lives.",
        discussion: """
            Opens nothing and makes nothing, but for the demo's catalog where no other is found. Of \
            a store in a database it asks the server, and tells its version and those of its \
            settings because of which a power cut may take away what was sold ("unsafe").

            EXAMPLE
              storefront paths --json
            """)

    @OptionGroup var given: PathsOptions

    func run() async throws {
        try await reporting(options) {
            let paths = StoragePaths.current
            let database = try await options.findDatabase(paths)
            let reading = try options.readCatalog(paths, of: database)
            guard let catalog = reading.catalog else { throw BadCatalog(reading: reading) }
            let identity = try options.identity(of: catalog, in: database)
            let address = try paths.store(option: options.store, bundleID: identity.bundleID)
            let all =
                [("catalog", reading.path), ("store", address.text)]
                + (try places(paths, address, database))
                + [
                    ("configuration", try paths.configurationFolder()),
                    ("logs", try paths.logFolder()),
                ]
            guard !options.json else {
                return try Output.json(Dictionary(uniqueKeysWithValues: all))
            }
            for (name, path) in all {
                Output.line(TextColumns.fit(name, 14) + UntrustedText.clean(path))
            }
        }
    }

    /// The places of the store; none for a store in a database that is not made yet.
    private func places(
        _ paths: StoragePaths, _ address: StoreAddress, _ chosen: ChosenDatabase?
    ) throws -> [(String, String)] {
        let folder: String
        var all: [(String, String)]
        switch (address, chosen) {
        case (.folder(let path), _):
            folder = path
            all = [("ledger", path + "/store.sqlite"), ("keys", path + "/keys")]
        case (.database, nil): return []
        case (.database, let chosen?):
            folder = chosen.machine.path
            let server = chosen.database.server
            all = [("server", server.version + (server.isStandby ? ", standby" : ""))]
            if !server.unsafeSettings.isEmpty {
                all.append(
                    ("unsafe", server.unsafeSettings.map { $0 + "=off" }.joined(separator: " ")))
            }
        }
        let device = try options.deviceName(paths, in: chosen, isMade: false)
        let place = try DeviceFolder(
            storeFolder: folder, device: device, account: options.accountName(paths))
        all += [("device", place.path), ("content", place.contentPath)]
        return all
    }
}
