import Basics
import DurableFiles
import Foundation
import StoreModel
import StoreSigning

/// Writes the record by which other programs learn what this device unlocks (`UnlockRecord`).
///
/// It is written at launch, and whenever what it grants has changed: after a delivery, a revision, a
/// restore, at the end of a subscription, and when the clock or the catalog changes. A record that
/// is missing, was edited, is another device's or is an older one of this device is replaced as soon
/// as a launched device sees it. Readers find a whole record at any time: it is replaced by a rename.
actor UnlockRecorder {
    private let processor: DeliveryProcessor
    private let keeper: RecordKeeper
    private let knowledge: StoreKnowledge
    private let hub: UpdateHub
    private let folder: String
    private let elapsed: any Clock<Duration>
    /// The update that was asked for last; each waits for the one before.
    private var last: Task<UnlockRecord?, Never>?
    private var timer: Task<Void, Never>?
    private var isFollowing = false
    private var isWatching = false
    /// The record that was written at last by this process.
    private var written: SmallFile.Mark?
    /// Whether it was written since the launch.
    private var isWrittenSinceLaunch = false
    private let background = BackgroundWork()
    /// A failure is published once, until an update succeeds.
    private var hasReportedTrouble = false

    init(
        processor: DeliveryProcessor, keeper: RecordKeeper, knowledge: StoreKnowledge,
        hub: UpdateHub, folder: DeviceFolder, elapsed: any Clock<Duration>
    ) {
        self.processor = processor
        self.keeper = keeper
        self.knowledge = knowledge
        self.hub = hub
        self.folder = folder.path
        self.elapsed = elapsed
    }

    /// Begins to write the record also at the end of what it grants, and when somebody changes its
    /// file. Writes it anew in the background, unless a delivery writes it first.
    func follow() {
        isFollowing = true
        isWrittenSinceLaunch = false
        background.schedule { [weak self] in await self?.updateAfterLaunch() }
        guard !isWatching else { return }
        isWatching =
            FileWatcher.shared?.watchEntry(UnlockFiles.record, ofFolder: folder) { [weak self] in
                guard let self else { return false }
                Task { await self.updateIfFollowing() }
                return true
            } ?? false
    }

    private func updateAfterLaunch() async {
        if !isWrittenSinceLaunch { await update(isAnew: true) }
    }

    /// After the file was changed: if by anybody else than this process, it is looked at.
    private func updateIfFollowing() async {
        let path = folder + "/" + UnlockFiles.record
        guard isFollowing, written == nil || written != SmallFile.Mark(path: path) else { return }
        await update()
    }

    /// Ends the wait for the record's end of validity.
    func suspend() async {
        await background.runNow()
        isFollowing = false
        timer?.cancel()
        _ = await last?.value
    }

    /// Writes the record if it is not the present one.
    ///
    /// - Parameter isAnew: also if it grants the same, so that it holds as of now.
    /// - Returns: the present record; nil if it could not be computed or written.
    @discardableResult
    func update(isAnew: Bool = false) async -> UnlockRecord? {
        let task = Task { [last] in
            _ = await last?.value
            return await self.write(isAnew: isAnew)
        }
        last = task
        return await task.value
    }

    private func write(isAnew: Bool) async -> UnlockRecord? {
        do throws(StoreError) {
            let lock = try await takeLock()
            defer { lock.release() }
            let record = try await writeLocked(isAnew: isAnew)
            hasReportedTrouble = false
            wait(until: record.validUntil)
            return record
        } catch {
            if !error.isNetworkOff, !hasReportedTrouble {
                hasReportedTrouble = true
                hub.publish(.trouble(error, in: .unlocks, ended: false))
            }
            return nil
        }
    }

    /// Waits for other processes, which hold the lock for as long as it takes to write a file.
    private func takeLock() async throws(StoreError) -> FileLock {
        let path = folder + "/" + UnlockFiles.lock
        for _ in 0..<Self.triesMax {
            if let lock = try DeliveryLease.takeNow(path) { return lock }
            try? await Task.sleep(for: Self.tryPause)
        }
        throw StoreError(.deviceBusy, subject: path)
    }

    private static let triesMax = 1_000
    private static let tryPause = Duration.milliseconds(5)

    private func writeLocked(isAnew: Bool) async throws(StoreError) -> UnlockRecord {
        let now = processor.clock.now()
        let active = try await activeUnlocks(at: now)
        let key = try await key()
        try place(key)
        let found = read(by: key)
        if !isAnew, let found, found.active == active { return found }
        let record = UnlockRecord(
            identity: processor.store.identity, device: processor.store.device,
            asOf: max(now, found?.asOf ?? now), active)
        do throws(StoreError) {
            // Not synced with its folder: after a power cut the next launch writes it anew.
            written = try SmallFile.replace(
                UnlockFiles.record, in: OpenFolder(path: folder),
                with: Data((try key.sign(record) + "\n").utf8), .whole)
            isWrittenSinceLaunch = true
        } catch { throw error.onDevice }
        return record
    }

    private func key() async throws(StoreError) -> UnlockKey {
        try await processor.database.read { db in
            let records = DeviceRecords(db)
            // Made with the registration of the device.
            guard try !records.areUnsealed() else {
                throw StoreError(.deviceUnreadable, subject: UnlockFiles.record)
            }
            return try UnlockKey(sealKey: records.sealKey())
        }
    }

    /// The record in place, if it is this device's and whole. Anything else is reported.
    private func read(by key: UnlockKey) -> UnlockRecord? {
        let path = folder + "/" + UnlockFiles.record
        guard access(path, F_OK) == 0 else { return nil }
        let bytes = SmallFile.read(
            UnlockFiles.record, in: folder, bytesMax: UnlockFiles.bytesMax)
        let text = bytes.map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)
        }
        guard let record = text.flatMap({ key.verify($0) }) else {
            keeper.report(altered: UnlockFiles.record)
            return nil
        }
        return record
    }

    /// Puts the public key in place, unless it is.
    private func place(_ key: UnlockKey) throws(StoreError) {
        let pem = Data(key.publicPEM.utf8)
        guard SmallFile.read(UnlockFiles.key, in: folder, bytesMax: 1024) != pem else { return }
        do throws(StoreError) {
            try SmallFile.replace(UnlockFiles.key, in: OpenFolder(path: folder), with: pem)
        } catch { throw error.onDevice }
    }

    // MARK: - What it grants

    private func activeUnlocks(at now: Timestamp) async throws(StoreError) -> ActiveUnlocks {
        let proven = try await keeper.provenPurchases().map(\.payload)
        let graces = await graces(of: proven, at: now)
        let purchases = proven.filter {
            $0.entitles(at: now) || graces[$0.transactionId] != nil
        }
        let products = try await knowledge.products(Set(purchases.map(\.productId)))
        var owned: [ProductID: ActiveUnlocks.Owned] = [:]
        for (id, bought) in Dictionary(grouping: purchases, by: \.productId) {
            guard let latest = bought.max(by: { $0.transactionId < $1.transactionId }) else {
                continue
            }
            var until = graces[latest.transactionId] ?? latest.expiresDate
            if latest.type == .nonRenewing, let period = products[id]?.nonRenewingPeriod {
                until = TimedAccess.end(
                    of: bought.map { .init(at: $0.purchaseDate, quantity: $0.quantity) },
                    period: period)
                if let until, until <= now { continue }
            }
            owned[id] = ActiveUnlocks.Owned(
                productID: id, type: latest.type, transactionID: latest.transactionId,
                until: until)
        }
        let unlocks = Set(owned.keys.flatMap { products[$0]?.unlocks ?? [] })
        return ActiveUnlocks(
            unlocks: unlocks.sorted(), products: owned.values.sorted { $0.productID < $1.productID }
        )
    }

    /// When access ends to subscriptions whose renewal could not be charged: the store gives them a
    /// grace period. Asks it only if one has expired here; without a network the last answer holds.
    private func graces(
        of proven: [TransactionPayload], at now: Timestamp
    ) async -> [TransactionID: Timestamp] {
        let hasExpired = proven.contains { payload in
            payload.type == .autoRenewable && payload.revocationDate == nil
                && payload.expiresDate.map { $0 <= now } == true
        }
        guard hasExpired else { return [:] }
        do throws(StoreError) {
            let current = try await processor.store.entitlements()
            var ends: [TransactionID: Timestamp] = [:]
            for entitlement in current where entitlement.type == .autoRenewable {
                if let until = entitlement.until, until > now {
                    ends[entitlement.transactionID] = until
                }
            }
            return ends
        } catch {
            return error.isNetworkOff ? await knowledge.keptGraces(at: now) : [:]
        }
    }

    /// Updates the record when the first of its products ends. The store's clock may be moved or
    /// stopped meanwhile: then that event updates it.
    private func wait(until end: Timestamp?) {
        timer?.cancel()
        timer = nil
        guard isFollowing, let end else { return }
        let left = max(1, end.milliseconds - processor.clock.now().milliseconds)
        timer = Task { [weak self, elapsed] in
            let pause = Duration.milliseconds(min(left, Self.pauseMillisecondsMax))
            guard (try? await elapsed.sleep(for: pause)) != nil else { return }
            await self?.update()
        }
    }

    private static let pauseMillisecondsMax: Int64 = 60 * 60 * 1000
}
