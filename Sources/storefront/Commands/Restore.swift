import ArgumentParser
import ShopText
import StoreDevice
import StoreModel

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring past purchases back to this device.",
        discussion: """
            Non-consumables and subscriptions are recorded at once; hosted content is downloaded \
            on demand (storefront downloads resume ID). Consumables never come back: they were \
            used where they were bought. \
            What an earlier command left unfinished on this device is delivered and finished too.

            EXAMPLE
              storefront restore --device tablet
            """)

    @OptionGroup var given: DownloadingOptions
    var options: GlobalOptions { given.all }

    func run() async throws {
        try await reporting(options) {
            let store = try await options.open()
            let device = try await store.device()
            let watcher = DeviceWatcher(device, remarksOf: store)
            try await store.launch(device)
            let before = try await device.latestDeliveries()
            let summary: RestoreSummary
            do throws(StoreError) { summary = try await device.restore() } catch {
                try await Self.list(
                    cameBack: device.latestDeliveries(), since: before, in: store,
                    json: options.json)
                throw error
            }
            try await store.waitUntilIdle(device, watcher)
            await watcher.end()
            await device.writeReceipt()
            try await store.noteOverdue()
            guard !options.json else { return try Output.json(summary) }
            try await Self.list(summary, in: store)
            if summary.unverifiedCount > 0 {
                Output.error(.unverifiedNotRestored(summary.unverifiedCount))
            }
            let many = summary.restored.count
            Output.line(many == 0 ? .nothingNew : .restoredCount(many))
        }
    }

    /// What a restore brought before it failed.
    private static func list(
        cameBack now: [DeliveryRecord], since before: [DeliveryRecord], in store: OpenStore,
        json: Bool
    ) async throws {
        let known = Set(before.map(\.transactionID))
        let new = now.filter { !known.contains($0.transactionID) }
        guard !new.isEmpty, !json else { return }
        let names = try await ProductNames(new.map(\.productID), in: store)
        let strings = Output.strings
        var table = TextTable([
            .init(.columnState), .init(.columnTransaction), .init(.columnProduct),
            .init(.columnIdentifier),
        ])
        table.write(
            new.map { record in
                [
                    strings[.restoredRow], record.transactionID.description,
                    names.item(record.productID), record.productID.rawValue,
                ]
            })
        Output.line(.restoredBeforeFailure(new.count))
    }

    private static func list(_ summary: RestoreSummary, in store: OpenStore) async throws {
        let strings = Output.strings
        let rows =
            summary.restored.map { (CommandText.restoredRow, $0) }
            + summary.alreadyHere.map { (CommandText.hereRow, $0) }
        let names = try await ProductNames(rows.map(\.1.productId), in: store)
        var table = TextTable([
            .init(.columnState), .init(.columnTransaction), .init(.columnProduct),
            .init(.columnIdentifier),
        ])
        table.write(
            rows.map { state, payload in
                [
                    strings[state], payload.transactionId.description,
                    names.item(payload.productId), payload.productId.rawValue,
                ]
            })
    }
}
