import Basics
package import DurableFiles
import Foundation
package import StoreModel
import StoreSigning
import Synchronization

/// One account on one device, embedded in the program: the payment queue, the transaction observer,
/// the delivery records and the downloads. Its records and files lie in a `DeviceFolder`, inside
/// the store's folder.
///
/// Several processes may open the same device at once; see `ShopDevice` for which of them delivers
/// and for the guarantees of its methods.
package final class Device: ShopDevice {
    let store: any Store
    let networkSwitch: DeviceNetwork
    let folder: DeviceFolder
    let database: DurableDatabase
    private let notifier: CommitNotifier
    let clock: DeviceClock
    let processor: DeliveryProcessor
    private let hub = DeviceUpdates()
    let downloadManager: DownloadManager
    let openVersions = OpenVersions()
    let ownership: PaymentOwnership
    let observer: TransactionObserver
    let keeper: RecordKeeper
    let receipts: ReceiptKeeper
    let knowledge: StoreKnowledge
    let unlockRecorder: UnlockRecorder
    private let following = Mutex<Task<Void, Never>?>(nil)
    let elapsed: any Clock<Duration>
    /// Since a reading place was last sent; nil if none was, and after `closeContent`.
    let placeSent = Mutex<Stopwatch?>(nil)
    /// Nil in a process that is no shop.
    let shop = Mutex<OpenedShop?>(nil)
    /// See `reportedReason`.
    let reported = Mutex<VerificationError?>(nil)
    /// Of an app that finishes its transactions by itself; other processes then do not.
    private let app: Mutex<Presence?>

    package var account: AccountName { store.account }
    package var device: DeviceName { store.device }

    deinit { following.withLock { $0?.cancel() } }

    /// Opens a device, or registers a new one. Registration pins the store's root certificate and
    /// starts reading the feed at its present end. Nothing is delivered before `launch`.
    ///
    /// - Parameters:
    ///   - storeFolder: the folder of the store; the device's own folder is made inside it.
    ///   - clock: the store's time, for the dates in records.
    ///   - elapsed: elapsed time, for download rates and for pauses between retries of downloads.
    ///   - pacer: limits the speed of downloads.
    ///   - downloadsAtOnce: how many packages are fetched at the same time; at least 1.
    ///   - system: the system's clock, from which the store's time is computed without a network.
    ///   - networkTime: the system's times, which tell when a cut network returns.
    ///   - contentServers: reaches apps' own servers; nil if this program cannot.
    ///   - isDurable: false for a device whose store ends with this process: nothing is synced.
    ///   - leavesFinishing: whether the app finishes what it bought (StoreKit: `finish()`); otherwise
    ///     the device finishes what it has delivered and downloaded.
    ///   - isOnlyRead: for a folder that cannot be written to: nothing is registered or created.
    ///     The device's records can be read; everything else throws `storeReadOnly`.
    ///   - onDelay: called repeatedly when opening the records takes longer than a second.
    /// - Throws: `storeReadOnly` for a device that `isOnlyRead` and is not registered;
    ///   `rootChanged` if the store signs with another root than the pinned one; `storeBehind` if
    ///   the store has lost entries that this device has read; `invalidName`; errors of opening a
    ///   folder or database.
    package init(
        store: some Store, storeFolder: String, clock: any StoreClock,
        elapsed: any Clock<Duration>, pacer: any Pacer, system: any StoreClock = SystemClock(),
        downloadsAtOnce: Int = DeviceLimits.downloadsAtOnce,
        networkTime: @escaping @Sendable () -> NetworkTime = { .now() },
        contentServers: (any ContentServers)? = nil, isDurable: Bool = true,
        leavesFinishing: Bool = false, isOnlyRead: Bool = false,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in }
    ) async throws(StoreError) {
        var folder = try DeviceFolder(
            storeFolder: storeFolder, device: store.device, account: store.account)
        try DurableDatabase.refuseOlder(folder.databasePath)
        let network = DeviceNetwork(folder: folder.path, elapsed: elapsed, time: networkTime)
        networkSwitch = network
        let store = NetworkedStore(store, network: network)
        self.store = store
        self.elapsed = elapsed
        let clock = DeviceClock(live: clock, system: system, network: network)
        self.clock = clock
        if isOnlyRead { try folder.find() } else { try folder.make() }
        let notifier = try CommitNotifier(databasePath: folder.databasePath)
        self.notifier = notifier
        database = try DurableDatabase(
            path: folder.databasePath, schema: DeviceSchema.schema, isDurable: isDurable,
            onDelay: onDelay, onCommit: { notifier.notify() })
        let (root, isForeign) = try await Self.register(store, database, folder)
        folder.hasOlderForm = try await !Self.moveToPackages(
            database, folder, isOnlyRead: isOnlyRead)
        self.folder = folder
        let identity = store.identity
        let files = SignedFiles(folder: folder)
        let verifier = DeviceVerifier(
            try TransactionVerifier(
                rootCertificate: root, bundleID: identity.bundleID,
                environment: identity.environment,
                device: DeviceVerification(
                    bundleID: identity.bundleID, account: store.account, device: store.device)),
            store: store, files: files, hub: hub)
        receipts = ReceiptKeeper(store: store, verifier: verifier, files: files)
        let processor = DeliveryProcessor(
            store: store, database: database, verifier: verifier, clock: clock,
            network: network, products: ProductCache(store: store), folder: folder,
            leavesFinishing: leavesFinishing)
        downloadManager = DownloadManager(
            processor: processor, hub: hub, notifier: notifier, folder: folder, pacer: pacer,
            elapsed: elapsed, atOnce: downloadsAtOnce, contentServers: contentServers)
        ownership = try PaymentOwnership(path: folder.sendersPath)
        keeper = RecordKeeper(processor: processor, hub: hub)
        if isForeign { keeper.report(altered: StoreError.Reason.anotherDevice.rawValue) }
        knowledge = StoreKnowledge(
            processor: processor, keeper: keeper, clock: clock, network: network)
        unlockRecorder = UnlockRecorder(
            processor: processor, keeper: keeper, knowledge: knowledge, hub: hub, folder: folder,
            elapsed: elapsed)
        observer = TransactionObserver(
            processor: processor, hub: hub, downloads: downloadManager,
            finisher: Finisher(processor: processor, hub: hub), receipts: receipts,
            resender: PaymentResender(processor: processor, hub: hub, ownership: ownership),
            notifier: notifier, unlocks: unlockRecorder,
            leasePath: folder.leasePath)
        self.processor = processor
        // Without the lock only this process knows: no other one opens a store that ends with it.
        app = Mutex(
            leavesFinishing && isDurable && !isOnlyRead ? Presence(path: folder.appPath) : nil)
        if network.isOff { await knowledge.useKeptClock() }
    }

    /// Registers the device unless it is registered, and returns the pinned root certificate (DER).
    /// If two processes register at once, the first root written stays. Records that were made for
    /// another device are removed, and this device is registered as a new one: whatever they grant
    /// belongs to the other device, which has its own.
    private static func register(
        _ store: any Store, _ database: DurableDatabase, _ folder: DeviceFolder
    ) async throws(StoreError) -> (root: Data, isForeign: Bool) {
        let owner = RecordOwner(store)
        let (known, found) = try await database.read { db in
            let records = DeviceRecords(db)
            return (try records.value("root", as: Data.self), try records.owner())
        }
        guard known == nil || known == store.rootCertificate else {
            throw StoreError(.rootChanged, subject: folder.path)
        }
        if let known, found == owner {
            if let difference = try await differenceIfReached(store, database) {
                throw difference.error(at: folder.path)
            }
            return (known, false)
        }
        let offered = store.rootCertificate
        let start: (head: FeedCursor, mark: FeedMark?)?
        do throws(StoreError) {
            let head = try await store.head()
            start = (head, try await store.mark(at: head))
        } catch  where known != nil && error.isNetworkOff {
            // The observer begins at the feed's end when the network is back.
            start = nil
        }
        return try await database.writeTogether { [start] db in
            let records = DeviceRecords(db)
            let root = try records.value("root", as: Data.self)
            if let root, try records.owner() == owner { return (root, false) }
            if root != nil { try records.removeAll() }
            try records.set("root", offered)
            try records.notePackageForm()
            try records.setOwner(owner)
            if let start { try records.setCursor(start.head, start.mark) }
            return (offered, root != nil)
        }
    }

    /// How the store's history differs from what this device has read; nil if it does not, or
    /// without a network. The observer then compares them when the network is back.
    private static func differenceIfReached(
        _ store: any Store, _ database: DurableDatabase
    ) async throws(StoreError) -> StoreDifference? {
        do throws(StoreError) { return try await StoreDifference.find(store, database) } catch
            where error.isNetworkOff
        { return nil }
    }

    // MARK: - Launching and closing

    /// See `ShopDevice.launch`. Payments whose sender has ended are sent again whatever they
    /// charge, unless they are too old (`DeviceLimits.resendMillisecondsMax`).
    package func launch() async throws(StoreError) {
        try await observer.launch()
        await follow()
        shop.withLock { shop in
            if let opened = shop, opened.presence == nil {
                shop = OpenedShop(presence: Presence(path: folder.shopPath))
            }
        }
    }

    private func follow() async {
        following.withLock { $0 = $0 ?? followNetwork() }
        knowledge.follow()
        await unlockRecorder.follow()
    }

    private func stopFollowing() async {
        following.withLock { following in
            following?.cancel()
            following = nil
        }
        await unlockRecorder.suspend()
        await knowledge.suspend()
    }

    /// Like `launch()`, for a command that makes a payment of its own. An earlier payment whose
    /// sender has ended is sent again only if it charges at most `limit`, in the same currency;
    /// otherwise it becomes `held`.
    package func launch(resendingAtMost limit: Money) async throws(StoreError) {
        try await observer.launch(resending: .atMost(limit))
        await follow()
    }

    /// Like `launch()`, for a command that buys nothing: a payment whose sender has ended becomes
    /// `held` and is not sent again.
    ///
    /// - Parameter leavingPayments: for a command that runs unattended, the payment is left as it is
    ///   instead; another process sends it or makes it held.
    package func launchToDeliver(leavingPayments: Bool = false) async throws(StoreError) {
        try await observer.launch(resending: leavingPayments ? .leave : .none)
        await follow()
    }

    package var holdsLease: Bool { get async { await observer.holdsLease } }

    package var isAttended: Bool {
        get async {
            if await observer.holdsLease { return true }
            return DeliveryLease.isHeld(folder.leasePath)
        }
    }

    /// `deviceBusy` with the process that holds the delivery lease in `found`; nil if this process
    /// or none holds it.
    package func otherDeliverer() async -> StoreError? {
        guard await !observer.holdsLease, DeliveryLease.isHeld(folder.leasePath) else { return nil }
        return StoreError(
            .held(LockHolder.holding(folder.leasePath)), path: folder.leasePath, busy: .deviceBusy)
    }

    /// Stops observing and downloading and releases the delivery lease, until the next `launch`.
    /// For a program about to be stopped (Ctrl-Z). Update streams stay open; after that launch they
    /// get the events that other processes delivered meanwhile.
    package func suspend() async {
        shop.withLock { $0?.presence = nil }
        await stopFollowing()
        await observer.suspend()
        await receipts.writeNow()
    }

    /// Stops observing and downloading for good, releases the delivery lease, and ends every update
    /// stream. Payments in the queue stay there. Safe to call again.
    package func close() async {
        shop.withLock { $0 = nil }
        app.withLock { $0 = nil }
        await closeContent()
        await downloadManager.close()
        await stopFollowing()
        await observer.close()
        await receipts.writeNow()
        hub.endReaders()
    }

    /// Records the refunds, reversals, deletions and renewals up to the present end of the feed, so
    /// that balances and unlocks are current without a `launch`. It delivers no purchase, finishes
    /// and publishes nothing, and leaves the cursor as it is. The delivering process reads the same
    /// events again, which changes nothing, and publishes as new what this call delivered. Without
    /// a network it does nothing: the balances are as of the last contact.
    package func takeInChanges() async throws(StoreError) {
        if networkSwitch.isOff { return }
        let end = try await store.head()
        guard let start = try await database.read({ try DeviceRecords($0).cursor }),
            start.epoch == end.epoch, start.position < end.position
        else { return }
        do {
            for try await batch in store.updates(after: start) {
                var plan = try await processor.plan(batch)
                plan.keepChanges()
                if !plan.steps.isEmpty {
                    _ = try await processor.record(plan, publishing: .later)
                }
                if batch.reaches(end) { return }
            }
        } catch { throw error as? StoreError ?? StoreError(.unknown, cause: "\(error)") }
    }

    /// Durable commits of this process to the device's records, for benchmarks.
    package var commits: Int { database.commits }

    package func updates() -> AsyncStream<DeviceUpdate> { hub.subscribe() }

    /// After the updates published so far.
    package func endUpdates() { hub.endReaders() }
}
