import DurableFiles
import StoreModel
import Synchronization

extension DownloadManager {
    /// Records that a download waits because the disk is full, or that it no longer does. Other
    /// processes, and the next one that runs the download, then show that to the person, who can
    /// make room or drop the download. A failure is ignored, because a full disk may refuse this
    /// write too.
    ///
    /// - Parameter error: nil when bytes arrive again, or when the download waits for another
    ///   reason.
    func record(fullDisk error: StoreError?, of row: Download) async {
        guard
            let known = try? await database.read({
                try DeviceRecords($0).downloads(of: row.productID)
            }).first(where: row.isSamePackage), known.isUnderWay,
            known.error?.code != error?.code || known.error?.neededBytes != error?.neededBytes
        else { return }
        // A new attempt may have filled the disk again during the read.
        let isHeldUp = live.withLock { $0[PackageKey(row)]?.standstill != nil }
        guard isHeldUp == (error != nil) else { return }
        _ = try? await database.write { db in
            try DeviceRecords(db).setFullDisk(
                error, of: row.productID, contentID: row.contentID)
        }
    }

    /// After a full disk: throws `deviceFull` again, with the present free space, while there is
    /// less than the missing bytes need. This saves reading the manifest and the fetched files
    /// again.
    func checkRoom(
        for row: Download, after standstill: DownloadJob.Standstill?
    ) throws(StoreError) {
        guard let error = standstill?.error, error.code == .deviceFull else { return }
        let received = live.withLock { $0[PackageKey(row)]?.progress?.bytesReceived } ?? 0
        // A zip file needs more than its own bytes, so the first error's number counts if it is
        // larger. Until there is that much room, this download takes no other download's place.
        let missing = max(row.bytesExpected - received, error.neededBytes ?? 0)
        guard let free = folder.freeBytes, free < missing else { return }
        throw StoreError(
            .deviceFull, productID: row.productID, found: free,
            expected: error.neededBytes ?? missing)
    }

    /// Removes content for a download that found the disk full, if the person has chosen that
    /// (`DeviceSettings.makesRoom`).
    ///
    /// - Returns: whether any content was removed, so that the download can be retried.
    func makesRoom(for error: StoreError) async -> Bool {
        let settings = try? await database.read { try DeviceRecords($0).ownSettings }
        guard settings?.makesRoom == true, let needed = error.neededBytes,
            let free = folder.freeBytes
        else { return false }
        let hasRemoved = (try? await freeContent(bytes: needed - free))?.isEmpty == false
        if hasRemoved { wakeReaders() }
        return hasRemoved
    }
}

extension StoreError {
    /// The bytes that the download of this error needs; nil if a write found the disk full, and for
    /// other errors.
    var neededBytes: Int64? { code == .deviceFull ? expected?.number : nil }
}
