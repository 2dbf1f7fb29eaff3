import DurableFiles
import StoreModel
import Synchronization

/// Downloads that find the disk full.
extension DownloadManager {
    /// Records that a download waits because the disk is full, or that it no longer does: other
    /// processes of the device and the next one to run it tell the person then, who makes room or drops
    /// it. A failure is ignored: a full disk may not take this either.
    ///
    /// - Parameter error: nil when bytes arrive again, or it waits for a place instead.
    func record(fullDisk error: StoreError?, of row: Download) async {
        guard
            let known = try? await database.read({
                try DeviceRecords($0).downloads(of: row.productID)
            }).first(where: row.isSamePackage), known.isUnderWay,
            known.error?.code != error?.code || known.error?.neededBytes != error?.neededBytes
        else { return }
        // The disk may have become full once more during the read.
        let isHeldUp = live.withLock { $0[Key(row)]?.standstill != nil }
        guard isHeldUp == (error != nil) else { return }
        _ = try? await database.write { db in
            try DeviceRecords(db).setFullDisk(
                error, of: row.productID, contentID: row.contentID)
        }
    }

    /// After a full disk: throws the error again, with the figures of now, while the free space is less
    /// than what is still missing, before the manifest and the fetched files are read again.
    func checkRoom(
        for row: Download, after standstill: DownloadJob.Standstill?
    ) throws(StoreError) {
        guard let error = standstill?.error, error.code == .deviceFull else { return }
        let received = live.withLock { $0[Key(row)]?.received } ?? 0
        // A zip file needs more than its own bytes: what was found out at first stays. It takes the
        // place of no other download before there is as much room.
        let missing = max(row.bytesExpected - received, error.neededBytes ?? 0)
        guard let free = folder.freeBytes, free < missing else { return }
        throw StoreError(
            .deviceFull, productID: row.productID, found: String(free),
            expected: error.expected ?? String(missing))
    }

    /// Makes room by itself for a download that found the disk full, if the person has chosen so.
    ///
    /// - Returns: whether anything was removed, so that the download is worth another try.
    func makesRoom(for error: StoreError) async -> Bool {
        let settings = try? await database.read { try DeviceRecords($0).settings }
        guard settings?.makesRoom == true, let needed = error.neededBytes,
            let free = folder.freeBytes
        else { return false }
        let hasRemoved = (try? await freeContent(bytes: needed - free))?.isEmpty == false
        if hasRemoved { wakeReaders() }
        return hasRemoved
    }
}

extension StoreError {
    /// Of a download that found the disk too full: how many bytes it needs; nil if a write found it
    /// out.
    var neededBytes: Int64? { code == .deviceFull ? expected.flatMap { Int64($0) } : nil }
}
