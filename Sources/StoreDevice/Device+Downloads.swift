import DurableFiles
import Foundation
package import StoreModel

extension Device {
    package func downloadWakes() -> AsyncStream<DownloadWake> { downloadManager.subscribe() }

    package func downloads() async throws(StoreError) -> [Download] {
        // Read before the rows: if the takeover ended in between, the rows could be older than this
        // flag.
        let takesOver = downloadManager.takesOver
        let plan = try await database.read { try DownloadPlan(DeviceRecords($0)) }
        let rows = plan.rows.map(downloadManager.withLiveState)
        guard rows.contains(where: \.isUnderWay) else { return rows }
        let isAttended = await isAttended
        return rows.map { row in
            var row = row
            row.needsConsent = row.isUnderWay && plan.needsConsent(row.productID)
            row.isWorkedOn = isAttended && row.isUnderWay && !row.needsConsent
            // The process that runs an active download is about to stop it, or has ended without
            // recording that.
            if row.state == .active, row.needsConsent || !isAttended || takesOver {
                row.state = .waiting
                row.bytesPerSecond = nil
            }
            return row
        }
    }

    package func contentPath(of product: ProductID, contentID: String) async throws(StoreError)
        -> String?
    {
        let open = try await openPackages(of: product)
        guard open.costs[contentID] == nil else { return nil }
        return open.rows.first { $0.contentID == contentID }
            .map {
                open.reader.embedded[contentID] ?? folder.content(product, contentID, $0.version)
            }
    }

    /// The transaction that opens the product's content now: its own, or that of a product that
    /// unlocks it; nil if there is none.
    func transaction(opening product: ProductID) async throws(StoreError) -> TransactionID? {
        let own = try await database.read {
            try DeviceRecords($0).transaction(delivering: product)
        }
        if let own { return own }
        return try await unlockRecorder.transaction(opening: product)
    }

    /// The product's packages on this device, each in its installed version: while an update is
    /// being fetched, that is the older version.
    func installedPackages(of product: ProductID) async throws(StoreError) -> [Download] {
        try await database.read { try DeviceRecords($0).downloads(of: product) }
            .map(downloadManager.withLiveState).compactMap(\.inInstalledVersion)
    }

    package func perform(
        _ operation: ContentOperation, on product: ProductID, package: String? = nil
    ) async throws(StoreError) -> [Download] {
        switch operation {
        case .pauseDownloads: try await pauseDownloads(of: product, package: package)
        case .resumeDownloads: try await resumeDownloads(of: product, package: package)
        case .consentToDownload: try await consentToDownload(of: product, package: package)
        case .makeRoom: return try await makeRoom(for: product, package: package)
        case .cancelDownloads: try await cancelDownloads(of: product, package: package)
        case .deleteContent: try await deleteContent(of: product)
        }
        return []
    }

    package func pauseDownloads(
        of product: ProductID, package: String? = nil
    ) async throws(StoreError) {
        try await change(
            product, package, to: .paused, from: [.waiting, .active],
            logging: .downloadPaused(product))
    }

    /// Queues a product's packages for download, at the version in the catalog; those of a product
    /// that is not for sale to the account any more at the version that was announced for them. An
    /// installed package of that version is not fetched again. A package that is neither on this
    /// device nor in the catalog is removed from the records.
    ///
    /// - Parameters:
    ///   - package: only this one, named by its identifier or its version.
    ///   - isFirst: whether these downloads come before all others, because a person asks for them
    ///     now.
    /// - Throws: `notEntitled` if this device has no valid delivery of the product, nor of one that
    ///   unlocks it; `contentUnavailable` if the product hosts no content; `downloadNotFound` if it
    ///   has no such package.
    package func resumeDownloads(
        of product: ProductID, package: String? = nil, isFirst: Bool = true
    ) async throws(StoreError) {
        guard let transaction = try await transaction(opening: product) else {
            throw StoreError(.notEntitled, productID: product, reason: .content)
        }
        guard let sold = try await store.products([product]).products.first else {
            // It is no longer sold to this account, who keeps what it bought, as it was announced.
            try await change(
                product, package, to: .waiting, from: [.paused, .failed, .cancelled, .deleted],
                logging: .downloadResumed(product))
            return await downloadManager.reconcileNow()
        }
        let offered = sold.hostedContent
        guard !offered.isEmpty else { throw StoreError(.contentUnavailable, productID: product) }
        let hosted = offered.filter { package == nil || package == $0.id || package == $0.version }
        guard !hosted.isEmpty else {
            throw Self.noPackage(package, of: product, known: offered.map(\.id))
        }
        let unplaced = Set(
            hosted.filter { !folder.versions(product, $0.id).contains($0.version) }.map(\.id))
        let now = clock.now()
        try await database.writeTogether { db in
            let records = DeviceRecords(db)
            let known = Set(try records.downloads(of: product).map(\.contentID))
            try records.forgetDropped(of: product, keeping: Set(offered.map(\.id)))
            var isResumed = false
            for content in hosted {
                try records.noteInstalled(of: product, before: content)
                if unplaced.contains(content.id) {
                    // A `finished` row whose folder is gone, perhaps deleted by hand, is fetched
                    // again too.
                    let isStopped = try records.setState(
                        .waiting, of: product, contentID: content.id,
                        from: [.paused, .failed, .cancelled, .finished, .deleted])
                    if isStopped || !known.contains(content.id) { isResumed = true }
                }
                try records.addDownload(content, of: product, transaction: transaction)
            }
            if isResumed { try records.log(.downloadResumed(product), at: now) }
            if isFirst, !unplaced.isEmpty {
                try records.askForDownloads(
                    of: product, packages: package == nil ? nil : hosted.map(\.id))
            }
        }
        await downloadManager.reconcileNow()
    }

    package func cancelDownloads(
        of product: ProductID, package: String? = nil
    ) async throws(StoreError) {
        try NameRule.checkProduct(product)
        // An installed package whose update is cancelled stays installed.
        let installed = try await installedPackages(of: product).filter { $0.state != .finished }
        let changed = try await change(
            product, package, to: .cancelled, from: [.waiting, .active, .paused, .failed],
            keeping: installed, logging: .downloadCancelled(product))
        for contentID in changed { folder.remove(contentID, of: product, from: "partial") }
        let transactions = try await database.read {
            Set(try DeviceRecords($0).downloads(of: product).map(\.transactionID))
        }
        // Delivery is complete without the cancelled downloads, so the transactions can be
        // finished.
        try await processor.finish(transactions.sorted())
    }

    package func deleteContent(of product: ProductID) async throws(StoreError) {
        do throws(StoreError) {
            try await change(
                product, nil, to: .deleted, from: [.finished], logging: .contentDeleted(product))
        } catch  where error.code == .downloadNotActive {
            throw StoreError(.downloadNotFound, productID: product, found: error.found?.text)
        }
        folder.removeAll(of: product, from: "content")
    }

    /// Changes the state of those of a product's downloads that are in one of the allowed states,
    /// and logs the change if there was any.
    ///
    /// - Parameters:
    ///   - package: only the one of this name; nil for all.
    ///   - installed: packages that become finished again at their installed version.
    /// - Returns: the identifiers of the changed packages.
    /// - Throws: `downloadNotActive` if no download is in an allowed state or in the new one
    ///   already; `downloadNotFound`, `contentUnavailable` or `productUnavailable` if there is no
    ///   download.
    @discardableResult
    private func change(
        _ product: ProductID, _ package: String?, to state: Download.State,
        from allowed: [Download.State], keeping installed: [Download] = [],
        logging what: DeviceLogEntry.What
    ) async throws(StoreError) -> [String] {
        try NameRule.checkProduct(product)
        let now = clock.now()
        let (known, changed) = try await database.writeTogether { db in
            let records = DeviceRecords(db)
            let rows = try records.downloads(of: product)
            var changed: [String] = []
            for row in rows where row.isNamed(package) {
                guard
                    try records.setState(
                        state, of: product, contentID: row.contentID, from: allowed)
                else { continue }
                changed.append(row.contentID)
                if let kept = installed.first(where: row.isSamePackage) {
                    try records.keepInstalled(kept)
                }
            }
            if !changed.isEmpty { try records.log(what, at: now) }
            return (rows, changed)
        }
        if known.isEmpty { throw try await absence(of: product) }
        let found = known.filter { $0.isNamed(package) }.map(\.state)
        guard let first = found.first else {
            throw Self.noPackage(package, of: product, known: known.map(\.contentID))
        }
        guard found.contains(where: { allowed.contains($0) || $0 == state }) else {
            throw StoreError(.downloadNotActive, productID: product, found: first.rawValue)
        }
        await downloadManager.reconcile()
        return changed
    }

    private static func noPackage(
        _ package: String?, of product: ProductID, known: [String]
    ) -> StoreError {
        StoreError(
            .downloadNotFound, productID: product, subject: package,
            expected: known.joined(separator: ", "))
    }

    private func absence(of product: ProductID) async throws(StoreError) -> StoreError {
        guard let known = try await store.products([product]).products.first else {
            return StoreError(
                .productUnavailable, productID: product, reason: .content)
        }
        return StoreError(
            known.hostedContent.isEmpty ? .contentUnavailable : .downloadNotFound,
            productID: product)
    }
}

extension NameRule {
    /// Rejects a product identifier that is not a single, harmless folder name. The device checks
    /// this itself, although the catalog has a stricter rule.
    ///
    /// - Throws: `productUnavailable`.
    static func checkProduct(_ product: ProductID) throws(StoreError) {
        let isGood =
            !product.rawValue.isEmpty && !product.rawValue.contains("/")
            && product.rawValue != "." && product.rawValue != ".."
            && !product.rawValue.utf8.contains { $0 < 32 || $0 == 127 }
        guard isGood else {
            throw StoreError(
                .productUnavailable, productID: product, reason: .content)
        }
    }
}
