import DurableFiles
package import StoreModel

extension Device {
    /// The bytes that content occupies on this device's disk, and the bytes that are free there.
    package func contentSpace() async throws(StoreError) -> ContentSpace {
        let rows = try await downloadManager.installed()
        return ContentSpace(
            packages: rows.count, bytes: rows.reduce(0) { $0 + folder.bytes(of: $1) },
            partialBytes: folder.allPartialBytes, freeBytes: folder.freeBytes)
    }

    /// Removes downloaded content until at least so many bytes are freed. Of the packages that can
    /// be fetched again, those opened longest ago go first; one that a reader has open stays, in
    /// whichever process. Each is logged, stays owned, and is fetched again by `resumeDownloads`.
    ///
    /// - Returns: the removed packages as they were, with their bytes on the disk as
    ///   `bytesReceived`; less than asked for where there was not more.
    package func freeContent(bytes: Int64) async throws(StoreError) -> [Download] {
        let removed = try await downloadManager.freeContent(bytes: bytes)
        if !removed.isEmpty { await downloadManager.reconcile() }
        return removed
    }

    /// Makes room for a product's downloads and resumes them; see `ShopDevice.makeRoom`.
    package func makeRoom(for product: ProductID) async throws(StoreError) -> [Download] {
        let rows = try await downloads().filter {
            $0.productID == product && ($0.isUnderWay || $0.state == .failed || $0.state == .paused)
        }
        // The bytes that a download said it needs, else those it has not received yet. The disk may
        // have more room by now.
        let needed = rows.reduce(Int64(0)) { sum, row in
            sum + (row.error?.neededBytes ?? max(0, row.bytesExpected - row.bytesReceived))
        }
        let missing = folder.freeBytes.map { max(0, needed - $0) } ?? needed
        let removed = try await downloadManager.freeContent(bytes: missing)
        try await resumeDownloads(of: product)
        return removed
    }

    /// Fetches a product's packages on a metered connection; see `ShopDevice.consentToDownload`.
    package func consentToDownload(of product: ProductID) async throws(StoreError) {
        try NameRule.checkProduct(product)
        try await database.writeTogether { try DeviceRecords($0).setConsent(true, to: product) }
        try await resumeDownloads(of: product)
    }
}
