import ArgumentParser
import Foundation
import ShopText
import StoreCatalog
import StoreDevice
import StoreHost
import StoreModel

struct Reset: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Empty the store: all that it has sold and knows is removed.",
        discussion: """
            Removes the ledger with its accounts, sales, failures and clock, the hosted packages, and \
            every device with what it has downloaded. The catalog and the keys stay, so that what \
            trusts the store's root certificate still trusts it; the next command makes a new \
            store. On a terminal it asks first. A store that another \
            process has open, such as a shop, is not emptied.

            EXAMPLE
              storefront operator reset --yes
            """)
    @Flag(help: "Do not ask.") var yes = false

    @OptionGroup var given: ActionOptions

    func run() async throws {
        try await reporting(options) {
            try options.refuseCustomer()
            if let organizer = options.organizer {
                throw StoreError(.operatorOnly, found: organizer)
            }
            let paths = StoragePaths.current
            let reading = try options.readCatalog(paths)
            guard let catalog = reading.catalog else { throw BadCatalog(reading: reading) }
            let address = try paths.store(
                option: options.store, bundleID: options.identity(of: catalog).bundleID)
            guard case .folder(let folder) = address else {
                throw ValidationError(
                    "A store in a database is not emptied from here, since it is others', too: "
                        + "\(address.text). Its owner can drop its schema: "
                        + "storefront store drop --confirm NAME")
            }
            guard let bytes = try StoreHost.size(ofStoreAt: folder) else {
                return try write(json: ["store": folder, "removed": false] as JSONFields) {
                    Output.note(.noStoreToReset(store: folder))
                }
            }
            let devices = DeviceFolder.devices(in: folder).count
            if !yes {
                Output.note(
                    .resetTells(
                        store: folder, devices: devices, bytes: bytes, catalog: reading.path))
                guard try isConfirmed() else {
                    Output.note(.resetDeclined)
                    throw Exit.cancelled
                }
            }
            try StoreHost.empty(storeAt: folder)
            try write(
                json: ["store": folder, "removed": true, "devices": devices, "bytes": bytes]
                    as JSONFields
            ) { Output.line(.resetDone(store: folder)) }
        }
    }

    private func isConfirmed() throws -> Bool {
        guard !options.json, Output.errorIsTerminal, isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("Nothing was removed. To empty the store, give --yes.")
        }
        Output.remark(Output.strings[.resetPrompt])
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
