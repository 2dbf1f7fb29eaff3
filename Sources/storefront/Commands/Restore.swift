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
            on demand (storefront downloads resume ID), or after that so many packages at a time \
            (--downloads). Consumables never come back: they were \
            used where they were bought. \
            What an earlier command left unfinished on this device is delivered and finished too; a \
            payment that was never answered is told, and not sent.

            EXAMPLE
              storefront restore --device tablet
              storefront restore --device tablet --downloads 2

            EXIT CODES
              0 restored   12 failed   13 something could not be verified   69 store unavailable
            """)

    @Option(
        help: ArgumentHelp(
            "Download the content afterwards, so many packages at a time; or none.",
            valueName: "count|none"))
    var downloads = RestoredDownloads.none

    @OptionGroup var given: DownloadingOptions
    var options: GlobalOptions {
        var all = given.all
        if case .atOnce(let count) = downloads { all.parallel = count }
        return all
    }

    func run() async throws {
        try await reporting(options) {
            let store = try await options.open()
            let device = try await store.device()
            let watcher = DeviceWatcher(device, remarksOf: store)
            try await store.launchToDeliver(device)
            let before = try await device.latestDeliveries()
            let summary: RestoreSummary
            do throws(StoreError) { summary = try await device.restore() } catch {
                try await Self.list(
                    cameBack: device.latestDeliveries(), since: before, in: store,
                    json: options.json)
                if error.isNetworkOff, !options.json { Output.note(.restoreLostNothing) }
                throw error
            }
            // The restore has recorded every owned purchase before the first download begins.
            if case .atOnce = downloads { try await Self.download(summary, on: device) }
            let progress = ProgressLine()
            let showing = Task {
                for await _ in device.downloadWakes() {
                    if let rows = try? await device.downloads(), !options.json {
                        progress.show(rows)
                    }
                }
            }
            var unverified: [UnverifiedSale] = []
            do { unverified = try await store.waitUntilIdle(device, watcher) } catch let
                error as StoreError where error.code == .deviceBusy
            {
                // What was restored is recorded; the rest is the other process's to deliver.
                Output.note(Output.strings.message(for: error).line)
            }
            showing.cancel()
            progress.end()
            await watcher.end()
            await device.writeReceipt()
            try await store.noteOverdue()
            let isVerified = summary.unverifiedCount == 0 && unverified.isEmpty
            if options.json {
                try Output.json(RestoreLine(summary, unverified))
                if !isVerified { throw Exit.notVerified }
                return
            }
            try await Self.list(summary, in: store)
            for sale in unverified {
                Output.error(
                    .unverifiedUnfinished(
                        transaction: sale.id.description, reason: sale.reason.rawValue))
            }
            if summary.unverifiedCount > 0 {
                Output.error(.unverifiedNotRestored(summary.unverifiedCount))
            }
            let many = summary.restored.count
            Output.line(many == 0 ? .nothingNew : .restoredCount(many))
            if summary.leavesConsumables == true { Output.line(.consumablesNotRestored) }
            if !isVerified { throw Exit.notVerified }
        }
    }

    /// Queues the content of restored purchases, and of purchases whose content was missing here.
    private static func download(_ summary: RestoreSummary, on device: Device) async throws {
        let unfetched: [StoreError.Code] = [
            .contentUnavailable, .productUnavailable, .notEntitled,
        ]
        let products = (summary.restored + summary.alreadyHere).map(\.productId)
        for product in Set(products).sorted() {
            do throws(StoreError) {
                try await device.resumeDownloads(of: product, isFirst: false)
            } catch {
                // These purchases have nothing to download; continue with the others.
                guard unfetched.contains(error.code) else { throw error }
            }
        }
    }

    /// Lists the purchases that a restore recorded before it failed.
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

/// The result of a restore, in JSON.
private struct RestoreLine: Encodable {
    let summary: RestoreSummary
    /// The sales of this device that it could not verify, and so has not delivered.
    let unverified: [UnverifiedSale]

    init(_ summary: RestoreSummary, _ unverified: [UnverifiedSale]) {
        self.summary = summary
        self.unverified = unverified
    }

    private enum Key: CodingKey { case notDelivered }

    private struct Sale: Encodable {
        var transactionId: TransactionID
        var verificationError: VerificationError
    }

    func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        guard !unverified.isEmpty else { return }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(
            unverified.map { Sale(transactionId: $0.id, verificationError: $0.reason) },
            forKey: .notDelivered)
    }
}

/// The value of `--downloads`: which downloads a restore starts.
enum RestoredDownloads: ExpressibleByArgument {
    /// The restore downloads nothing; the person downloads content on demand.
    case none
    /// The restore downloads all content, this many packages at the same time.
    case atOnce(Int)

    init?(argument: String) {
        if argument == "none" {
            self = .none
        } else if let count = Int(argument), (1...32).contains(count) {
            self = .atOnce(count)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { "none" }
}
