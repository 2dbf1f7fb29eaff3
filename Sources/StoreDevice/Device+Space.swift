import DurableFiles
package import StoreModel

extension Device {
    /// What content takes on this device's disk, and what is free there.
    package func contentSpace() async throws(StoreError) -> ContentSpace {
        let rows = try await installed()
        return ContentSpace(
            packages: rows.count, bytes: rows.reduce(0) { $0 + folder.bytes(of: $1) },
            partialBytes: folder.allPartialBytes, freeBytes: folder.freeBytes)
    }

    /// Removes downloaded content until at least so many bytes are freed. What can be
    /// fetched again goes first where it was opened longest ago; what a reader has open stays, in
    /// whichever process. Each is logged, stays owned, and is fetched again by `resumeDownloads`.
    ///
    /// - Returns: what was removed, as it was, with its bytes on the disk as `bytesReceived`; less
    ///   than asked for where there was not more.
    package func freeContent(bytes: Int64) async throws(StoreError) -> [Download] {
        let uses = try await database.read { try DeviceRecords($0).lastUses() }
        let rows = try await installed().filter { $0.state == .finished }.sorted { one, other in
            let first = uses[.init(one), default: 0]
            let second = uses[.init(other), default: 0]
            return (first, one.transactionID) < (second, other.transactionID)
        }
        var removed: [Download] = []
        var freed: Int64 = 0
        for row in rows where freed < bytes {
            // What a reader has open is locked, in whichever process.
            guard let lock = folder.lock(row) else { continue }
            defer { withExtendedLifetime(lock) {} }
            let length = folder.bytes(of: row)
            let now = clock.now()
            let isOurs = try await database.writeTogether { db in
                let records = DeviceRecords(db)
                let isSet = try records.setState(
                    .deleted, of: row.productID, contentID: row.contentID, from: [.finished])
                if isSet { try records.log(.contentDeleted(row.productID), at: now) }
                return isSet
            }
            guard isOurs else { continue }
            folder.remove(row)
            freed += length
            var row = row
            row.state = .deleted
            row.bytesReceived = length
            row.installedVersion = nil
            removed.append(row)
        }
        if !removed.isEmpty { await downloadManager.reconcile() }
        return removed
    }

    /// All packages on this device, in the version that is.
    private func installed() async throws(StoreError) -> [Download] {
        try await database.read { try DeviceRecords($0).downloads() }
            .map(downloadManager.withLiveState).compactMap { row in
                row.installedVersion.map { version in
                    var row = row
                    row.version = version
                    return row
                }
            }
    }
}
