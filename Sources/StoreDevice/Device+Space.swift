import DurableFiles
package import StoreModel

extension Device {
    /// Bytes of content on this device's disk, and bytes that are free there.
    package func contentSpace() async throws(StoreError) -> ContentSpace {
        let rows = try await downloadManager.installed()
        return ContentSpace(
            packages: rows.count, bytes: rows.reduce(0) { $0 + folder.bytes(of: $1) },
            partialBytes: folder.allPartialBytes, freeBytes: folder.freeBytes)
    }

    /// Removes downloaded content until at least `bytes` bytes are freed. It removes only packages
    /// that can be fetched again, least recently opened first, and none that a reader in any
    /// process has open. Each removal is logged. A removed package stays owned, and
    /// `resumeDownloads` fetches it again.
    ///
    /// - Returns: the removed packages, with the bytes that they had on the disk as
    ///   `bytesReceived`. Their sum may be less than `bytes`.
    package func freeContent(bytes: Int64) async throws(StoreError) -> [Download] {
        let removed = try await downloadManager.freeContent(bytes: bytes)
        if !removed.isEmpty { await downloadManager.reconcile() }
        return removed
    }

    package func makeRoom(
        for product: ProductID, package: String? = nil
    ) async throws(StoreError) -> [Download] {
        let rows = try await downloads().filter {
            $0.productID == product && $0.isNamed(package)
                && ($0.isUnderWay || $0.state == .failed || $0.state == .paused)
        }
        // The bytes that the download's error says it needs, or else the bytes it has not received.
        // The free space may have grown since.
        let needed = rows.reduce(Int64(0)) { sum, row in
            sum + (row.error?.neededBytes ?? max(0, row.bytesExpected - row.bytesReceived))
        }
        let missing = folder.freeBytes.map { max(0, needed - $0) } ?? needed
        let removed = try await downloadManager.freeContent(bytes: missing)
        try await resumeDownloads(of: product, package: package)
        return removed
    }

    package func consentToDownload(
        of product: ProductID, package: String? = nil
    ) async throws(StoreError) {
        try NameRule.checkProduct(product)
        try await database.writeTogether { try DeviceRecords($0).setConsent(true, to: product) }
        try await resumeDownloads(of: product, package: package)
    }
}
