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
            Opens nothing and makes nothing, but for the demo's catalog where no other is found.

            EXAMPLE
              storefront paths --json
            """)

    @OptionGroup var given: PathsOptions

    func run() async throws {
        try await reporting(options) {
            let paths = StoragePaths.current
            let reading = try options.readCatalog(paths)
            guard let catalog = reading.catalog else { throw BadCatalog(reading: reading) }
            let identity = try options.identity(of: catalog)
            let store = try paths.storeFolder(option: options.store, bundleID: identity.bundleID)
            let account = options.accountName(paths)
            let device = options.deviceName(paths)
            let folder = try DeviceFolder(storeFolder: store, device: device, account: account)
            let all = [
                ("catalog", reading.path), ("store", store), ("ledger", store + "/store.sqlite"),
                ("keys", store + "/keys"), ("device", folder.path),
                ("content", folder.contentPath),
                ("configuration", try paths.configurationFolder()), ("logs", try paths.logFolder()),
            ]
            guard !options.json else {
                return try Output.json(Dictionary(uniqueKeysWithValues: all))
            }
            for (name, path) in all {
                Output.line(TextColumns.fit(name, 14) + UntrustedText.clean(path))
            }
        }
    }
}
