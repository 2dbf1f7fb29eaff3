import Basics
import DurableFiles
package import Foundation
package import StoreModel
import Synchronization

extension Device {
    package func contentFiles(of product: ProductID) async throws(StoreError) -> [ContentFile] {
        var files: [ContentFile] = []
        var closed: [Download] = []
        let open = try await openPackages(of: product)
        for var row in open.rows {
            do throws(StoreError) {
                var old = row
                old.version = openVersions.version(of: row) ?? row.version
                if old.version != row.version, folder.hasContent(old) {
                    // A newer version has replaced this row's since the reader opened it. The
                    // reader keeps the open version.
                    row = old
                } else {
                    closed += openVersions.open(row, in: folder)
                }
                files += try open.reader.files(of: row).map { file in
                    var file = file
                    file.cost = open.costs[file.contentID]
                    return file
                }
            } catch  where error.code == .contentUnavailable {
                // The package was deleted after its row was read, so it has no files.
                continue
            }
        }
        await dropReplaced(closed)
        return files
    }

    /// What the account may read now of a product's packages on this device.
    struct OpenPackages {
        /// Empty while nothing opens the product.
        var rows: [Download] = []
        var reader: ContentReader
        /// By package: what is still to be spent before it is read.
        var costs: [String: Grant] = [:]
    }

    func openPackages(of id: ProductID) async throws(StoreError) -> OpenPackages {
        var open = OpenPackages(reader: ContentReader(folder: folder))
        guard let transaction = try await transaction(opening: id) else { return open }
        let product = (try? await knowledge.products([id] as Set))?[id]
        for package in product?.embeddedContent ?? [] {
            guard let path = package.path else { continue }
            open.reader.embedded[package.id] = path
            open.rows.append(
                Download(
                    transactionID: transaction, productID: id, contentID: package.id,
                    version: package.version, state: .finished, bytesReceived: package.length,
                    bytesExpected: package.length))
        }
        open.rows += try await installedPackages(of: id)
        let contents = open.rows.map(\.contentID)
        open.costs = try await database.read { db in
            let records = DeviceRecords(db)
            // Of a product that cannot be looked up now, as they were when it was.
            let known = try product == nil ? records.packageCosts() : [:]
            var unpaid: [String: Grant] = [:]
            for contentID in contents {
                let cost =
                    product.map { $0.cost(of: contentID) }
                    ?? known[PackageKey(product: id, contentID: contentID).text]
                guard let cost, try !records.isOpened(contentID, of: id) else { continue }
                unpaid[contentID] = cost
            }
            return unpaid
        }
        return open
    }

    package func closeContent() async {
        await dropReplaced(openVersions.close())
        placeSent.withLock { $0 = nil }
        let hasUnsent = try? await database.read { try !DeviceRecords($0).unsentValues.isEmpty }
        if hasUnsent == true { _ = try? await processor.syncValues() }
    }

    /// Removes closed versions that a newer one has replaced, unless a reader still has them open.
    /// A failure is ignored: the next launch removes them.
    private func dropReplaced(_ closed: [Download]) async {
        guard !closed.isEmpty,
            let rows = try? await database.read({ try DeviceRecords($0).downloads() })
        else { return }
        for old in closed {
            guard let row = rows.first(where: { $0.isSamePackage(as: old) }),
                row.state == .finished, row.version != old.version, folder.hasContent(row)
            else { continue }
            folder.dropVersion(old.version, of: old.productID, old.contentID)
        }
    }

    package func readContent(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        let open = try await openPackages(of: product)
        guard var row = open.rows.first(where: { $0.contentID == contentID }) else {
            throw StoreError(.contentUnavailable, productID: product, subject: path)
        }
        guard open.costs[contentID] == nil else {
            throw StoreError(.notEntitled, productID: product, reason: .content)
        }
        // The version whose files the reader has listed, even if a newer one has been installed
        // since.
        row.version = openVersions.version(of: row) ?? row.version
        guard offset >= 0, count >= 0 else { return Data() }
        return try open.reader.read(
            path, of: row, offset: offset, count: min(count, DeviceLimits.contentReadMax))
    }

    // MARK: - Faults

    package var downloadFaults: DownloadFaults { DownloadFaultFile(folder: folder.path).read() }

    /// - Throws: `deviceUnreadable`, `deviceFull`.
    package func setDownloadFaults(_ faults: DownloadFaults) async throws(StoreError) {
        try DownloadFaultFile(folder: folder.path).write(faults)
        await downloadManager.reconcileNow()
    }

    // MARK: - Updates

    package func contentUpdates() async throws(StoreError) -> [ContentUpdate] {
        let rows = try await database.read { try DeviceRecords($0).downloads() }
            .map(downloadManager.withLiveState).filter { $0.installedVersion != nil }
        guard !rows.isEmpty else { return [] }
        let asked = Array(Set(rows.map(\.productID)))
        let offered = try await products(asked).value.products
        let byProduct = Dictionary(
            offered.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return rows.compactMap { row in
            guard let installed = row.installedVersion, let product = byProduct[row.productID]
            else { return nil }
            return ContentUpdate.available(of: product, installed: [row.contentID: installed]).first
        }
    }

    package func updateContent(of product: ProductID) async throws(StoreError) -> [ContentUpdate] {
        let updates = try await contentUpdates().filter { $0.productID == product }
        if !updates.isEmpty { try await resumeDownloads(of: product) }
        return updates
    }

    // MARK: - Settings

    package func settings() async throws(StoreError) -> DeviceSettings {
        try await database.read { try DeviceRecords($0).settings }
    }

    package func change(_ settings: DeviceSettings) async throws(StoreError) {
        try await database.writeTogether { try DeviceRecords($0).set(settings) }
        await downloadManager.reconcile()
    }

    package func change(_ value: AccountValue) async throws(StoreError) {
        _ = try await setValue(value)
    }

    package func readingPlaces(of product: ProductID) async throws(StoreError) -> [ReadingPlace] {
        try await database.read { try DeviceRecords($0).readingPlaces(of: product) }
    }

    package func remember(_ place: ReadingPlace) async throws(StoreError) {
        try await database.writeTogether { db in
            let records = DeviceRecords(db)
            try records.remember(place)
            try records.share(place)
        }
        // Each place that is sent is an entry of the ledger for good. The last one is sent by
        // `closeContent`, or here if that has come first.
        let isDue = placeSent.withLock { sent in
            if let sent, sent.elapsed < DeviceLimits.placePause { return false }
            sent = Stopwatch(elapsed)
            return true
        }
        if isDue { _ = try? await processor.syncValues() }
    }

    // MARK: - Log

    package func log(_ what: DeviceLogEntry.What) async throws(StoreError) {
        if case .purchaseCancelled(let product) = what {
            // A customer who cancels the payment sheet also gives up the promoted purchase of that
            // product.
            _ = try await dropPromoted(product)
            // The store records a cancelled purchase as an event, which the history shows. The
            // device logs it only if the store cannot be reached.
            if (try? await store.noteCancelledPurchase(of: product)) != nil { return }
        }
        let now = clock.now()
        try await database.writeTogether { try DeviceRecords($0).log(what, at: now) }
    }

    package func logEntries(
        before: Int64?, limit: Int
    ) async throws(StoreError) -> [DeviceLogEntry] {
        try await database.read { try DeviceRecords($0).logEntries(before: before, limit: limit) }
    }
}
