import DurableFiles
import StoreModel

/// The installed packages, and the removal of those that can be fetched again.
extension DownloadManager {
    nonisolated func freeContent(bytes: Int64) async throws(StoreError) -> [Download] {
        guard bytes > 0 else { return [] }
        let uses = try await database.read { try DeviceRecords($0).lastUses() }
        let rows = try await installed().filter { $0.state == .finished }.sorted { one, other in
            let first = uses[.init(one), default: 0]
            let second = uses[.init(other), default: 0]
            return (first, one.transactionID) < (second, other.transactionID)
        }
        var removed: [Download] = []
        var freed: Int64 = 0
        for row in rows where freed < bytes {
            // A package that a reader in any process has open is locked.
            guard let lock = folder.lock(row) else { continue }
            defer { withExtendedLifetime(lock) {} }
            let length = folder.bytes(of: row)
            let now = processor.clock.now()
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
            row.installedBytes = nil
            removed.append(row)
        }
        return removed
    }

    /// Each in its installed version.
    nonisolated func installed() async throws(StoreError) -> [Download] {
        try await database.read { try DeviceRecords($0).downloads() }
            .map(withLiveState).compactMap(\.inInstalledVersion)
    }
}

extension Download {
    /// With the length of that version; nil if no version is installed.
    var inInstalledVersion: Download? {
        installedVersion.map { version in
            var row = self
            row.version = version
            row.bytesExpected = installedBytes ?? bytesExpected
            return row
        }
    }
}
