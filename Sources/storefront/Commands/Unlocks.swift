import ArgumentParser
import Basics
import Foundation
import ShopText
import StoreDevice
import StoreHost
import StoreModel

struct Unlocks: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlocks",
        abstract: "What this device's purchases unlock, as other programs read it.",
        discussion: """
            The device keeps a signed record in a file, for other programs of the same app: \
            the products that may be used, what they unlock, as of when, and until when that holds. \
            It is written at purchase, refund, expiry and launch, and is always whole. \
            Documentation/unlocks.md has the format, and ten lines that read it.

            EXAMPLES
              storefront unlocks
              storefront unlocks --json | jq -r '.unlocks[]'
              storefront unlocks --path
              storefront unlocks --watch
            """)

    @Flag(help: "Print the path of the file; the public key is beside it, in unlocks.pem.")
    var path = false
    @Flag(help: "Keep watching: print the record again whenever it grants something else.")
    var watch = false

    @OptionGroup var given: CustomerOptions

    func validate() throws {
        if path, watch { throw ValidationError("--path and --watch are two different things.") }
    }

    var readsDevice: Bool { !watch }

    func run(in store: OpenStore) async throws {
        let device = try await store.device()
        guard watch else {
            await store.recordDue()
            try await device.takeInChanges()
            let record = try await device.unlockRecord()
            for error in device.alteredRecords {
                Output.error(Output.strings.message(for: error).line)
            }
            guard !path else {
                return Output.line(
                    try DeviceFolder(
                        storeFolder: store.host.folder, device: store.deviceName,
                        account: store.account
                    ).unlocksPath)
            }
            try Self.write(record, json: options.json)
            return await noteUndelivered(in: store)
        }
        let (wakes, areWatched) = device.unlockWakes()
        if !areWatched { Output.note(Output.strings[StatusText.notWatching]) }
        try await store.launchToDeliver(device, leavingPayments: true)
        var last: ActiveUnlocks?
        for await _ in wakes {
            let record = try await device.unlockRecord()
            guard record.active != last else { continue }
            last = record.active
            try Self.write(record, json: options.json)
        }
    }

    private static func write(_ record: UnlockRecord, json: Bool) throws {
        guard !json else { return try Output.json(record) }
        let strings = Output.strings
        let names = record.unlocks.map { UntrustedText.clean($0.rawValue) }
        Output.line(
            .unlocksLine(
                names, hasProducts: !record.products.isEmpty, asOf: strings.date(record.asOf),
                until: record.validUntil.map { strings.date($0) }))
        for product in record.products {
            let end = product.until.map { "  " + strings[.until(strings.date($0))] } ?? ""
            Output.line("  \(UntrustedText.clean(product.productID.rawValue))\(end)")
        }
    }
}
