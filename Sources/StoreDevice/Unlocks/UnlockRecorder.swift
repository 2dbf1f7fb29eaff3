import Basics
import DurableFiles
import Foundation
import StoreModel
import StoreSigning

/// Writes the record that tells other programs what this device unlocks (`UnlockRecord`).
///
/// It is written at launch and whenever its contents change: after a delivery, a revision, a
/// restore, at the end of a subscription, and when the clock or the catalog changes. A launched
/// device replaces a record that is missing, was edited, belongs to another device or is outdated
/// as soon as it sees that. The file is replaced by a rename, so a reader always finds a complete
/// record.
actor UnlockRecorder {
    private let processor: DeliveryProcessor
    private let keeper: RecordKeeper
    private let knowledge: StoreKnowledge
    private let hub: DeviceUpdates
    private let folder: String
    private let elapsed: any Clock<Duration>
    /// Each update waits for the one before it.
    private var last: Task<UnlockRecord?, Never>?
    private var timer: Task<Void, Never>?
    private var isFollowing = false
    private var isWatching = false
    /// The record that this process has last written.
    private var written: SmallFile.Mark?
    /// By this process.
    private var isWrittenSinceLaunch = false
    private let background = BackgroundWork()
    /// A failure is published once until an update succeeds.
    private var hasReportedTrouble = false

    init(
        processor: DeliveryProcessor, keeper: RecordKeeper, knowledge: StoreKnowledge,
        hub: DeviceUpdates, folder: DeviceFolder, elapsed: any Clock<Duration>
    ) {
        self.processor = processor
        self.keeper = keeper
        self.knowledge = knowledge
        self.hub = hub
        self.folder = folder.path
        self.elapsed = elapsed
    }

    /// From now on also writes the record when a product in it ends and when another process
    /// changes its file. Writes it once in the background, unless a delivery writes it first.
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

    /// Unless this process changed the file.
    private func updateIfFollowing() async {
        let path = folder + "/" + UnlockFiles.record
        guard isFollowing, written == nil || written != SmallFile.Mark(path: path) else { return }
        await update()
    }

    /// Stops waiting for the end of a product in the record, and waits for a running update.
    func suspend() async {
        await background.runNow()
        isFollowing = false
        timer?.cancel()
        _ = await last?.value
    }

    /// Computes the record, and writes it if it differs from the file.
    ///
    /// - Parameter isAnew: whether it is also written if it unlocks the same, to renew its date.
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
            let lock = try await DeliveryLease.takeSoon(folder + "/" + UnlockFiles.lock)
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
            // The folder is not synced: after a power cut the next launch writes the record again.
            written = try SmallFile.replace(
                UnlockFiles.record, in: DeviceFolder.open(folder),
                with: Data((try key.sign(record) + "\n").utf8), .whole)
            isWrittenSinceLaunch = true
        } catch { throw error.onDevice }
        return record
    }

    private func key() async throws(StoreError) -> UnlockKey {
        try await processor.database.read { db in
            guard let key = try DeviceRecords(db).sealKeyIfAny() else {
                throw StoreError(.deviceUnreadable, subject: UnlockFiles.record)
            }
            return try UnlockKey(sealKey: key)
        }
    }

    /// Nil if this device did not sign it; a record that is not this device's is reported.
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

    /// Unless it already holds this key.
    private func place(_ key: UnlockKey) throws(StoreError) {
        let pem = Data(key.publicPEM.utf8)
        guard SmallFile.read(UnlockFiles.key, in: folder, bytesMax: 1024) != pem else { return }
        do throws(StoreError) {
            try SmallFile.replace(UnlockFiles.key, in: DeviceFolder.open(folder), with: pem)
        } catch { throw error.onDevice }
    }

    // MARK: - Granted products

    /// The transaction of an owned product that unlocks another one's content now; nil if none does.
    func transaction(opening product: ProductID) async throws(StoreError) -> TransactionID? {
        guard let unlock = try await knowledge.products([product] as Set)[product]?.unlockedBy
        else { return nil }
        let owned = try await activeUnlocks(at: processor.clock.now()).products
        let products = try await knowledge.products(Set(owned.map(\.productID)))
        return owned.first { products[$0.productID]?.unlocks.contains(unlock) == true }?
            .transactionID
    }

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
            owned[id] = ActiveUnlocks.Owned(latest, until: until)
        }
        let unlocks = Set(owned.keys.flatMap { products[$0]?.unlocks ?? [] })
        return ActiveUnlocks(
            unlocks: unlocks.sorted(), products: owned.values.sorted { $0.productID < $1.productID }
        )
    }

    /// The ends of grace periods, by transaction: the store continues access for a while after a
    /// renewal could not be charged. Asks the store only if a subscription has expired here.
    /// Without a network, the last kept answer counts.
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

    /// When the first of the record's products ends. If the store's clock is moved or stopped
    /// meanwhile, the event of that change updates the record.
    private func wait(until end: Timestamp?) {
        timer?.cancel()
        timer = nil
        guard isFollowing, let end else { return }
        let left = max(1, end.milliseconds(since: processor.clock.now()))
        timer = Task { [weak self, elapsed] in
            let pause = Duration.milliseconds(min(left, Self.pauseMillisecondsMax))
            guard (try? await elapsed.sleep(for: pause)) != nil else { return }
            await self?.update()
        }
    }

    private static let pauseMillisecondsMax: Int64 = 60 * 60 * 1000
}
