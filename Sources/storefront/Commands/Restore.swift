import ArgumentParser
import ShopText
import StoreDevice
import StoreModel

struct Restore: StoreCommand {
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
        var all = GlobalOptions(of: self)
        if case .atOnce(let count) = downloads { all.parallel = count }
        return all
    }

    func run(in store: OpenStore) async throws {
        let device = try await store.device()
        let watcher = DeviceWatcher(device, remarksOf: store)
        // Read before the launch, which may deliver the same purchases first.
        let before = Set(try await device.deliveries().map(\.transactionID))
        try await store.launchToDeliver(device)
        var summary: RestoreSummary
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
        var unverified: [UnverifiedSale] = []
        do {
            unverified = try await store.waitUntilIdle(
                device, watcher, progress: options.json ? nil : progress)
        } catch let error as StoreError where error.code == .deviceBusy {
            // The restore has recorded every owned purchase. The other process delivers the rest.
            Output.note(Output.strings.message(for: error).line)
        }
        progress.end()
        await watcher.end()
        await device.writeReceipt()
        try await store.noteOverdue()
        summary.restored(since: before)
        let listed = Set((summary.restored + summary.alreadyHere).map(\.transactionId))
        let delivered = try await device.deliveries().filter {
            !$0.isVoid && !before.contains($0.transactionID)
                && !listed.contains($0.transactionID)
        }
        let isVerified = summary.unverifiedCount == 0 && unverified.isEmpty
        if options.json {
            let notDelivered = unverified.map {
                ["transactionId": $0.id, "verificationError": $0.reason] as JSONFields
            }
            try Output.json(
                JSONFields(
                    summary,
                    [
                        "delivered": delivered.isEmpty ? nil : delivered,
                        "notDelivered": notDelivered.isEmpty ? nil : notDelivered,
                    ]))
            if !isVerified { throw Exit.notVerified }
            return
        }
        try await Self.list(summary, delivered, in: store)
        for sale in unverified {
            Output.error(
                .unverifiedUnfinished(
                    transaction: sale.id.description, reason: sale.reason.rawValue))
        }
        if summary.unverifiedCount > 0 {
            Output.error(.unverifiedNotRestored(summary.unverifiedCount))
        }
        let many = summary.restored.count
        if many > 0 { Output.line(.restoredCount(many)) }
        if !delivered.isEmpty { Output.line(.deliveredCount(delivered.count)) }
        if many == 0, delivered.isEmpty { Output.line(.nothingNew) }
        if summary.leavesConsumables == true { Output.line(.consumablesNotRestored) }
        if !isVerified { throw Exit.notVerified }
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
        cameBack now: [DeliveryRecord], since before: Set<TransactionID>, in store: OpenStore,
        json: Bool
    ) async throws {
        let new = now.filter { !before.contains($0.transactionID) }
        guard !new.isEmpty, !json else { return }
        try await write(
            new.map { Row(.restoredRow, $0) }, in: store)
        Output.line(.restoredBeforeFailure(new.count))
    }

    private static func list(
        _ summary: RestoreSummary, _ delivered: [DeliveryRecord], in store: OpenStore
    ) async throws {
        func rows(_ payloads: [TransactionPayload], _ state: ColumnText) -> [Row] {
            payloads.map { Row(state: state, id: $0.transactionId, product: $0.productId) }
        }
        try await write(
            delivered.map { Row(.deliveredRow, $0) } + rows(summary.restored, .restoredRow)
                + rows(summary.alreadyHere, .hereRow), in: store)
    }

    /// A purchase, and what the restore did with it.
    fileprivate struct Row {
        var state: ColumnText
        var id: TransactionID
        var product: ProductID
        var quantity = 1
    }

    private static func write(_ rows: [Row], in store: OpenStore) async throws {
        let names = try await ProductNames(rows.map(\.product), in: store)
        var table = TextTable()
        table.write(
            rows,
            [
                Column(.columnState) { Output.strings[$0.state] },
                Column(.columnTransaction) { $0.id.description },
                Column(.columnProduct, mayBeCut: true) {
                    names.item($0.product, quantity: $0.quantity)
                },
                Column(.columnIdentifier) { $0.product.rawValue },
            ])
    }
}

extension Restore.Row {
    fileprivate init(_ state: ColumnText, _ record: DeliveryRecord) {
        self.init(
            state: state, id: record.transactionID, product: record.productID,
            quantity: record.quantity)
    }
}

extension RestoreSummary {
    /// Counts as restored what was not on the device when the command began, whether the restore
    /// or the launch has recorded it.
    fileprivate mutating func restored(since before: Set<TransactionID>) {
        let all = restored + alreadyHere
        restored = all.filter { !before.contains($0.transactionId) }
        alreadyHere = all.filter { before.contains($0.transactionId) }
    }
}

/// The value of `--downloads`: which downloads a restore starts.
enum RestoredDownloads: ExpressibleByArgument {
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
