import DurableFiles
import Foundation
package import StoreModel
import StoreSigning
import Synchronization

/// One account on one device, embedded in the program: the payment queue, the transaction observer,
/// the delivery records and the downloads. Its records and files lie in a `DeviceFolder`, inside
/// the store's folder.
///
/// Several processes may open the same device at once; see `ShopDevice` for which of them delivers.
/// Calls of the protocol keep the guarantees written there.
package final class Device: ShopDevice {
    let store: any Store
    let networkSwitch: DeviceNetwork
    let folder: DeviceFolder
    let database: DurableDatabase
    private let notifier: CommitNotifier
    let clock: DeviceClock
    let processor: DeliveryProcessor
    private let hub = UpdateHub()
    let downloadManager: DownloadManager
    /// The versions of packages whose files were listed last.
    let openVersions = OpenVersions()
    private let ownership: PaymentOwnership
    let observer: TransactionObserver
    let keeper: RecordKeeper
    let receipts: ReceiptKeeper
    let knowledge: StoreKnowledge
    let unlockRecorder: UnlockRecorder
    private let following = Mutex<Task<Void, Never>?>(nil)

    /// The account that buys on this device.
    package var account: AccountName { store.account }
    /// This device's name, unique within the account.
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
    ///   - system: the system's clock, by which the store's time goes on without a network.
    ///   - networkTime: the system's times that say when a cut network returns.
    ///   - contentServers: reaches apps' own servers; nil if this program cannot.
    /// - Throws: `rootChanged` if the store signs with another root than the pinned one;
    ///   `storeBehind` if the store has lost entries that this device has read; `invalidName`; what
    ///   opening a folder or database throws.
    package init(
        store: some Store, storeFolder: String, clock: any StoreClock,
        elapsed: any Clock<Duration>, pacer: any Pacer, system: any StoreClock = SystemClock(),
        downloadsAtOnce: Int = DeviceLimits.downloadsAtOnce,
        networkTime: @escaping @Sendable () -> NetworkTime = { .now() },
        contentServers: (any ContentServers)? = nil
    ) async throws(StoreError) {
        folder = try DeviceFolder(
            storeFolder: storeFolder, device: store.device, account: store.account)
        let network = DeviceNetwork(folder: folder.path, elapsed: elapsed, time: networkTime)
        networkSwitch = network
        let store = NetworkedStore(store, network: network)
        self.store = store
        let clock = DeviceClock(live: clock, system: system, network: network)
        self.clock = clock
        try folder.make()
        let notifier = try CommitNotifier(databasePath: folder.databasePath)
        self.notifier = notifier
        database = try DurableDatabase(
            path: folder.databasePath, schema: DeviceSchema.schema, onCommit: { notifier.notify() })
        let root = try await Self.register(store, database, folder)
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
            network: network, products: ProductCache(store: store))
        downloadManager = DownloadManager(
            processor: processor, hub: hub, notifier: notifier, folder: folder, pacer: pacer,
            elapsed: elapsed, atOnce: downloadsAtOnce, contentServers: contentServers)
        ownership = try PaymentOwnership(path: folder.sendersPath)
        keeper = RecordKeeper(processor: processor, hub: hub)
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
        if network.isOff { await knowledge.useKeptClock() }
    }

    /// Registers the device unless it is registered, and returns the pinned root certificate (DER).
    /// If two processes register at once, the first root written stays.
    private static func register(
        _ store: any Store, _ database: DurableDatabase, _ folder: DeviceFolder
    ) async throws(StoreError) -> Data {
        let known = try await database.read { try DeviceRecords($0).value("root", as: Data.self) }
        if let known {
            guard known == store.rootCertificate else {
                throw StoreError(.rootChanged, subject: folder.path)
            }
            if let difference = try await differenceIfReached(store, database) {
                throw difference.error(at: folder.path)
            }
            return known
        }
        let offered = store.rootCertificate
        let head = try await store.head()
        let mark = try await store.mark(at: head)
        return try await database.writeTogether { db in
            let records = DeviceRecords(db)
            if let other = try records.value("root", as: Data.self) { return other }
            try records.set("root", offered)
            try records.setCursor(head, mark)
            return offered
        }
    }

    /// How the store differs from what this device has read; nil also without a network: the
    /// observer then asks when the network is back.
    private static func differenceIfReached(
        _ store: any Store, _ database: DurableDatabase
    ) async throws(StoreError) -> StoreDifference? {
        do throws(StoreError) { return try await StoreDifference.find(store, database) } catch
            where error.isNetworkOff
        { return nil }
    }

    // MARK: - Launching and closing

    /// Registers the transaction observer; see `ShopDevice.launch`. Payments whose sender has ended
    /// are sent again whatever they charge, unless they are too old.
    package func launch() async throws(StoreError) {
        try await observer.launch()
        await follow()
    }

    /// Begins what lasts from launch until `suspend`, beside the observer.
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

    /// Like `launch()`, for a command with another purpose than those payments: a payment whose
    /// sender has ended is held, not sent again, if it would charge more than `limit` or in another
    /// currency.
    package func launch(resendingAtMost limit: Money) async throws(StoreError) {
        try await observer.launch(resendingAtMost: limit)
        await follow()
    }

    /// Whether this process delivers, downloads and finishes for the device.
    package var holdsLease: Bool { get async { await observer.holdsLease } }

    /// Stops observing and downloading and releases the delivery lease, until the next `launch`:
    /// for a program about to be stopped (Ctrl-Z). Update streams stay open, and get what other
    /// processes delivered meanwhile after that launch.
    package func suspend() async {
        await stopFollowing()
        await observer.suspend()
        await receipts.writeNow()
    }

    /// Stops observing and downloading for good, releases the delivery lease, and ends every update
    /// stream. Payments in the queue stay there. Safe to call again.
    package func close() async {
        openVersions.close()
        await downloadManager.close()
        await stopFollowing()
        await observer.close()
        await receipts.writeNow()
        hub.close()
    }

    /// Records the refunds, reversals and deletions that the feed has up to its present end, so
    /// that balances are current without a `launch`. Delivers nothing, publishes nothing and keeps
    /// the cursor; the delivering process reads the same events again, which then changes nothing.
    /// Without a network there is nothing to read, and the balances are those of the last contact.
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
                if !plan.steps.isEmpty { _ = try await processor.record(plan) }
                if batch.cursor.position >= end.position { return }
            }
        } catch { throw error as? StoreError ?? StoreError(.unknown, cause: "\(error)") }
    }

    /// Durable commits of this process to the device's own records, for benchmarks.
    package var commits: Int { database.commits }

    /// A new stream of this process's updates, lossless and in order, beginning with the verified
    /// transactions that are still unfinished. One reader per stream.
    package func updates() -> AsyncStream<DeviceUpdate> { hub.subscribe() }

    /// Ends every update stream after the updates published so far.
    package func endUpdates() { hub.close() }

    /// A new stream that wakes when a download has changed, beginning with one wake. Wakes that
    /// were not read yet are combined into one.
    package func downloadWakes() -> AsyncStream<Void> { downloadManager.subscribe() }

    // MARK: - Buying

    /// Queues a payment, sends it, and returns the store's outcome; see `ShopDevice.buy`.
    /// Idempotent by payment id.
    package func buy(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        let queued = QueuedPayment(payment: payment, state: .purchasing, queuedAt: clock.now())
        ownership.hold(payment.id)
        defer { ownership.release(payment.id) }
        try await refuseSignedOut(payment)
        try await refuseWithoutNetwork(payment)
        let wasQueued = try await retryingUnknownOutcome(payment) { () async throws(StoreError) in
            try await database.writeTogether { db in
                let records = DeviceRecords(db)
                let wasQueued = try records.isQueued(payment.id)
                try records.enqueue(queued)
                return wasQueued
            }
        }
        let outcome: PurchaseOutcome
        do throws(StoreError) {
            outcome = try await retryingUnknownOutcome(payment) { () async throws(StoreError) in
                try await store.purchase(payment)
            }
        } catch  where error.code == .outcomeUnknown {
            // The store may have sold it. The payment stays queued, and the store is asked about it
            // at the next launch at the latest, or when the network is back.
            if networkSwitch.isOff { await knowledge.keepContact() }
            throw error
        } catch  where error.isNetworkOff && wasQueued {
            // Sent before, perhaps: its outcome is known when the network is back.
            throw StoreError.answerLost.about(payment)
        } catch {
            // The store recorded nothing for a refused payment, so the queue need not keep it.
            try await forget(payment, refusedWith: error)
            throw error
        }
        // The store's outcome is final even if this device cannot record it now. The payment then
        // stays queued, and is safe to send again: its id makes it idempotent.
        try? await observer.complete(payment, outcome)
        return outcome
    }

    /// Throws before anything is written if nobody is signed in, or if the product is owned by a
    /// purchase that the store has lost. A payment that was sent before is asked about all the same.
    private func refuseSignedOut(_ payment: Payment) async throws(StoreError) {
        let (isSignedIn, isQueued, isSetAside) = try await database.read { db in
            let records = DeviceRecords(db)
            return (
                try records.isSignedIn, try records.isQueued(payment.id),
                try records.isSetAside(payment.productID)
            )
        }
        if isSetAside && !isQueued { try await refuseOwned(payment.productID) }
        if !isSignedIn && !isQueued {
            do throws(StoreError) { try await refuseSignedOut() } catch {
                throw error.about(payment)
            }
        }
    }

    /// Throws `alreadyOwned` if this device owns a product by a purchase that the store has lost: the
    /// store would charge for it a second time.
    private func refuseOwned(_ product: ProductID) async throws(StoreError) {
        let owned = try await keeper.latestDeliveries().first {
            $0.productID == product && $0.transactionID.number < 0
        }
        if let owned {
            throw StoreError(
                .alreadyOwned, productID: product, transactionID: owned.transactionID)
        }
    }

    /// Throws before anything is written if the device has no network.
    private func refuseWithoutNetwork(_ payment: Payment) async throws(StoreError) {
        guard networkSwitch.isOff else { return }
        let isQueued = try await database.read { try DeviceRecords($0).isQueued(payment.id) }
        throw (isQueued ? StoreError.answerLost : .networkIsOff).about(payment)
    }

    /// Runs `work`, and runs it once more if it throws `outcomeUnknown`: a second run that succeeds
    /// proves that the work is recorded. `work` must be idempotent.
    ///
    /// - Throws: `outcomeUnknown` with the payment's id if the second run fails too.
    private func retryingUnknownOutcome<Value>(
        _ payment: Payment, _ work: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) { return try await work() } catch  where error.code == .outcomeUnknown
        {
            // A second failure of any kind does not prove that the first run recorded nothing.
            if let value = try? await work() { return value }
            throw error.about(payment)
        }
    }

    /// Removes a refused payment from the queue.
    ///
    /// - Throws: `outcomeUnknown` with the payment's id and the cause, if it cannot be removed: a
    ///   later launch may send the payment again, and the store may then sell it.
    private func forget(
        _ payment: Payment, refusedWith refusal: StoreError
    ) async throws(StoreError) {
        let dequeue = { [database] () async throws(StoreError) in
            try await database.writeTogether { try DeviceRecords($0).dequeue(payment.id) }
        }
        do throws(StoreError) { try await retryingUnknownOutcome(payment, dequeue) } catch {
            var unknown = StoreError(
                .outcomeUnknown, subject: error.subject, found: refusal.code.rawValue,
                cause: error.cause)
            unknown = unknown.about(payment)
            throw unknown
        }
    }

    /// The downloads of a transaction that `finish` cancels, those that failed among them.
    package func downloadsToGiveUp(of id: TransactionID) async throws(StoreError) -> [Download] {
        try await downloads().filter { $0.transactionID == id && $0.isGivenUpByFinish }
    }

    /// Cancels what is left to download for a transaction and removes what has come of it, then
    /// acknowledges it at the store. Of an update the version on this device stays. Idempotent.
    package func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome {
        let now = clock.now()
        var installed: [Download] = []
        for product in Set(try await downloadsToGiveUp(of: id).map(\.productID)) {
            installed += try await installedPackages(of: product).filter { $0.state != .finished }
        }
        let kept = installed
        let givenUp = try await database.writeTogether { db in
            let records = DeviceRecords(db)
            let left = try records.downloads().filter {
                $0.transactionID == id && $0.isGivenUpByFinish
            }
            for row in left {
                try records.setState(.cancelled, of: row.productID, contentID: row.contentID)
                if let old = kept.first(where: {
                    $0.productID == row.productID && $0.contentID == row.contentID
                }) {
                    try records.keepInstalled(old)
                }
            }
            if let product = left.first?.productID {
                try records.log(.downloadCancelled(product), at: now)
            }
            return Set(left.map(\.productID))
        }
        if !givenUp.isEmpty { await downloadManager.reconcile() }
        for product in givenUp { folder.removeAll(of: product, from: "partial") }
        let outcome: FinishOutcome
        do throws(StoreError) { outcome = try await store.finish(id) } catch
            where error.isNetworkOff
        {
            try await database.writeTogether { try DeviceRecords($0).queueFinish(id) }
            return .queued
        }
        receipts.purchasesChanged()
        // Once the downloads were cancelled, the observer may have finished the transaction before
        // this call did. To the caller that is this call's doing.
        return !givenUp.isEmpty && outcome == .alreadyFinished ? .finished : outcome
    }

    /// Takes over an unfinished consumable of another device of this account. Its delivery follows
    /// by the observer, when the claim's event arrives.
    package func claim(_ id: TransactionID) async throws(StoreError) {
        try await refuseSignedOut()
        _ = try await store.claim(id)
    }

    /// The account's payments that wait, as the store has them now.
    package func requests() async throws(StoreError) -> [ApprovalRequest] {
        try await store.requests()
    }

    /// Takes a request back. The payment's failure arrives as an event.
    package func withdraw(_ request: TransactionID) async throws(StoreError) {
        try await store.withdraw(request)
    }

    /// Resolves what interrupted a purchase. The sale arrives as an event.
    package func resolve(_ request: TransactionID) async throws(StoreError) {
        try await store.resolve(request)
    }

    /// Asks the operator for a refund.
    package func requestRefund(of id: TransactionID, reason: RefundReason)
        async throws(StoreError) -> RefundRequest
    {
        try await refuseSignedOut()
        return try await store.requestRefund(of: id, reason: reason)
    }

    /// Verifies a signed transaction by the root certificate that this device has pinned. One that
    /// was signed for the operator, and so names no device, can be verified too.
    package func verify(
        _ signed: SignedTransaction
    ) async -> VerificationResult<TransactionPayload> {
        switch await processor.verifier.verify(signed, allowingNoDevice: true) {
        case .verified(let transaction): .verified(transaction.payload)
        case .unverified(let payload, let error): .unverified(payload, error)
        }
    }

    /// Records the account's past purchases on this device, newest first, one durable write per
    /// page (StoreKit: restore). Consumables are not restored, and nothing is downloaded.
    /// Idempotent.
    package func restore() async throws(StoreError) -> RestoreSummary {
        do throws(StoreError) {
            try await refuseSignedOut()
            var summary = try await restoreAll()
            summary.leavesConsumables = await leavesConsumables() ? true : nil
            return summary
        } catch {
            // The log may be on the disk that failed; the error is what the caller must learn.
            try? await log(.restoreFailed(error))
            throw error
        }
    }

    /// Whether consumables were sold to the account, among its newest sales, that this device did not
    /// deliver.
    private func leavesConsumables() async -> Bool {
        let filter = HistoryFilter(kinds: [.sold])
        let page = try? await store.events(
            before: nil, filter: filter, limit: DeviceLimits.restorePage)
        let sold = (page?.events ?? []).compactMap { event -> TransactionID? in
            if case .sold(let sale) = event.change, sale.type == .consumable {
                sale.id
            } else {
                nil
            }
        }
        let delivered = try? await database.read { db in
            try sold.allSatisfy { try DeviceRecords(db).isDelivered($0) }
        }
        return delivered == false
    }

    private func restoreAll() async throws(StoreError) -> RestoreSummary {
        var summary = RestoreSummary()
        var last: TransactionID?
        while true {
            let page = try await store.restorable(before: last, limit: DeviceLimits.restorePage)
            var plan = DeliveryPlan()
            for issued in page.transactions {
                last = issued.id
                switch await processor.verifier.verify(issued.signed) {
                case .verified(let transaction):
                    plan.steps.append(
                        .deliver(
                            VerifiedSale(
                                transaction: transaction, payment: nil, isOurs: false,
                                revision: issued.revision)))
                case .unverified: summary.unverifiedCount += 1
                }
            }
            let isLast = page.isLast || page.transactions.isEmpty
            let before = summary
            let sales = plan.sales
            let new = try await processor.record(plan) { new in
                // The last page's write logs the whole restore.
                isLast ? before.adding(sales, new: new).logged : nil
            }.new
            summary = summary.adding(sales, new: new)
            if isLast {
                try await repairAlteredPurchases()
                await unlockRecorder.update()
                return summary
            }
        }
    }

    /// Asks the store for the present state of lasting purchases whose state was altered here, and
    /// records it: a restore lists only those of which nothing was taken back.
    private func repairAlteredPurchases() async throws(StoreError) {
        let altered = try await database.read { try DeviceRecords($0).alteredPurchases() }
        for id in altered {
            let state: DeliveryRevision
            do throws(StoreError) {
                guard
                    case .verified(let transaction) = await processor.verifier.verify(
                        try await store.transaction(id)),
                    transaction.payload.transactionId == id
                else { continue }
                state = DeliveryRevision(transaction, revision: 0)
            } catch  where error.code == .transactionNotFound {
                state = DeliveryRevision(deleted: id, revision: 0)
            }
            try await database.writeTogether {
                try DeviceRecords($0).repairState(of: id, state, isLasting: true)
            }
        }
    }

    // MARK: - Queries

    /// Payments without an outcome yet, oldest first.
    package func queuedPayments() async throws(StoreError) -> [QueuedPayment] {
        try await database.read { try DeviceRecords($0).queue() }
    }

    /// The queued payments for which an outcome can be expected: a living process is sending them,
    /// or this process holds the lease and will send them.
    package func paymentsBeingSent() async throws(StoreError) -> [QueuedPayment] {
        let isTakingOver = await holdsLease
        return try await queuedPayments().filter {
            $0.state == .purchasing && (isTakingOver || ownership.isHeld($0.payment.id))
        }
    }

    /// Removes a payment from the queue, unless the store has decided it already.
    ///
    /// - Returns: the store's outcome, which is then also recorded here; nil if the payment was
    ///   dropped.
    /// - Throws: `paymentNotQueued`; `deviceBusy` while a process is sending the payment; what
    ///   asking the store throws.
    package func drop(_ id: PaymentID) async throws(StoreError) -> PurchaseOutcome? {
        let queued = try await queuedPayments().first { $0.payment.id == id }
        guard let payment = queued?.payment else {
            throw StoreError(.paymentNotQueued, paymentID: id)
        }
        guard ownership.holdAlone(id) else {
            throw StoreError(.deviceBusy, paymentID: id, subject: folder.path)
        }
        defer { ownership.release(id) }
        if let outcome = try await store.outcome(of: payment) {
            try await observer.complete(payment, outcome)
            return outcome
        }
        try await database.writeTogether { try DeviceRecords($0).dequeue(id) }
        return nil
    }

    /// What this device has granted and not lost again, verified; see
    /// `ShopDevice.latestDeliveries`.
    package func latestDeliveries() async throws(StoreError) -> [DeliveryRecord] {
        try await keeper.latestDeliveries()
    }

    /// Every delivery this device has recorded, by transaction number, read without verifying it
    /// again: for audits and tests. Deliveries set aside by `acceptStore` have negative numbers.
    package func deliveries() async throws(StoreError) -> [DeliveryRecord] {
        try await database.read { try DeviceRecords($0).deliveries() }
    }

    /// What is in each purse; see `ShopDevice.balances`. An altered balance is worked out anew.
    package func balances() async throws(StoreError) -> [Balance] { try await keeper.balances() }

    /// Uses up part of a purse; see `ShopDevice.spend`. Durable when it returns, and idempotent by
    /// the spend's id.
    ///
    /// - Returns: the purse with what is left in it.
    /// - Throws: `insufficientBalance`; `spendMismatch` if this id was used with other contents;
    ///   `invalidName` if the amount is outside `Spend.amounts`.
    package func spend(_ spend: Spend) async throws(StoreError) -> Balance {
        guard Spend.amounts.contains(spend.amount) else {
            throw StoreError(
                .invalidName, subject: "amount", found: String(spend.amount),
                expected: "a number from 1")
        }
        // Repairs altered balances before anything is spent from one of them.
        _ = try await keeper.balances()
        let now = clock.now()
        return try await database.writeTogether { try DeviceRecords($0).spend(spend, at: now) }
    }

    /// One `recordAltered` error for each altered record that this process has found so far. They
    /// were published as trouble too; this is for commands that read no updates.
    package var alteredRecords: [StoreError] { keeper.altered }

    /// All recorded downloads with their present progress; see `ShopDevice.downloads`.
    package func downloads() async throws(StoreError) -> [Download] {
        let plan = try await database.read { try DownloadPlan(DeviceRecords($0)) }
        let rows = plan.rows.map(downloadManager.withLiveState)
        guard rows.contains(where: \.isUnderWay) else { return rows }
        let isAttended = await isAttended
        return rows.map { row in
            var row = row
            row.needsConsent = row.isUnderWay && plan.needsConsent(row.productID)
            row.isWorkedOn = isAttended && row.isUnderWay && !row.needsConsent
            // The process that ran an active download has ended without recording it.
            if !isAttended, row.state == .active {
                row.state = .waiting
                row.bytesPerSecond = nil
            }
            return row
        }
    }

    /// Whether any process, this one or another, delivers and downloads for the device.
    package var isAttended: Bool {
        get async {
            if await observer.holdsLease { return true }
            return DeliveryLease.isHeld(folder.leasePath)
        }
    }

    /// The folder of a finished package; nil while it is not on this device.
    package func contentPath(of product: ProductID, contentID: String) async throws(StoreError)
        -> String?
    {
        let rows = try await installedPackages(of: product)
        return rows.first { $0.contentID == contentID }
            .map { folder.content(product, contentID, $0.version) }
    }

    /// The product's packages that are on this device, in the version that is: an older one while a
    /// newer is fetched.
    func installedPackages(of product: ProductID) async throws(StoreError) -> [Download] {
        try await database.read { try DeviceRecords($0).downloads(of: product) }
            .map(downloadManager.withLiveState).compactMap { row in
                row.installedVersion.map { version in
                    var row = row
                    row.version = version
                    return row
                }
            }
    }

    // MARK: - Downloads

    /// Pauses a product's downloads. Fetched bytes stay, for `resumeDownloads`.
    ///
    /// - Throws: `downloadNotFound`, `downloadNotActive`; `contentUnavailable` if the product hosts
    ///   no content; `productUnavailable` if the store does not know it.
    package func pauseDownloads(of product: ProductID) async throws(StoreError) {
        try await change(
            product, to: .paused, from: [.waiting, .active], logging: .downloadPaused(product))
    }

    /// Queues a product's packages for download, at the version the catalog has now. A package that
    /// is in place is not fetched again.
    ///
    /// - Throws: `notEntitled` if this device has no valid delivery of the product;
    ///   `contentUnavailable` if the product hosts no content.
    package func resumeDownloads(of product: ProductID) async throws(StoreError) {
        try await resumeDownloads(of: product, isFirst: true)
    }

    /// The same for one of many products.
    ///
    /// - Parameter isFirst: whether it comes before all other downloads, as what a person asks for now.
    package func resumeDownloads(of product: ProductID, isFirst: Bool) async throws(StoreError) {
        let delivered = try await database.read {
            try DeviceRecords($0).transaction(delivering: product)
        }
        guard let delivered else { throw StoreError(.notEntitled, productID: product) }
        let hosted = try await store.products([product]).products.first?.hostedContent ?? []
        guard !hosted.isEmpty else { throw StoreError(.contentUnavailable, productID: product) }
        let unplaced = Set(
            hosted.filter { !isInPlace(product, $0) }.map(\.id))
        let now = clock.now()
        try await database.writeTogether { db in
            let records = DeviceRecords(db)
            let known = Set(try records.downloads(of: product).map(\.contentID))
            var isResumed = false
            for content in hosted {
                if unplaced.contains(content.id) {
                    // A `finished` row whose folder is gone, perhaps deleted by hand, is fetched
                    // again too.
                    let isStopped = try records.setState(
                        .waiting, of: product, contentID: content.id,
                        from: [.paused, .failed, .cancelled, .finished, .deleted])
                    if isStopped || !known.contains(content.id) { isResumed = true }
                }
                try records.addDownload(content, of: product, transaction: delivered)
            }
            if isResumed { try records.log(.downloadResumed(product), at: now) }
            if isFirst, !unplaced.isEmpty { try records.askForDownloads(of: product) }
        }
        await downloadManager.reconcileNow()
    }

    private func isInPlace(_ product: ProductID, _ content: HostedContent) -> Bool {
        FileManager.default.fileExists(
            atPath: folder.content(product, content.id, content.version))
    }

    /// Cancels a product's downloads, removes what was fetched of them, and finishes their
    /// transactions, for which nothing is left to fetch. Throws as `pauseDownloads` does.
    package func cancelDownloads(of product: ProductID) async throws(StoreError) {
        try NameRule.checkProduct(product)
        // Of an update only the update is given up.
        let installed = try await installedPackages(of: product).filter { $0.state != .finished }
        try await change(
            product, to: .cancelled, from: [.waiting, .active, .paused, .failed],
            keeping: installed, logging: .downloadCancelled(product))
        folder.removeAll(of: product, from: "partial")
        let transactions = try await database.read {
            Set(try DeviceRecords($0).downloads(of: product).map(\.transactionID))
        }
        // Without a download to wait for, the transaction can be finished.
        try await processor.finish(transactions.sorted())
    }

    /// Deletes a product's downloaded packages. `resumeDownloads` fetches them again.
    ///
    /// - Throws: `downloadNotFound` if none is downloaded; otherwise as `pauseDownloads`.
    package func deleteContent(of product: ProductID) async throws(StoreError) {
        do throws(StoreError) {
            try await change(
                product, to: .deleted, from: [.finished], logging: .contentDeleted(product))
        } catch  where error.code == .downloadNotActive {
            throw StoreError(.downloadNotFound, productID: product, found: error.found)
        }
        folder.removeAll(of: product, from: "content")
    }

    /// Changes the state of a product's downloads that are in one of the allowed states, and logs
    /// that if there was one.
    ///
    /// - Parameter installed: packages that become finished again at their installed version.
    /// - Throws: `downloadNotActive` if none of them is in such a state or in the new one already;
    ///   `downloadNotFound`, `contentUnavailable` or `productUnavailable` if there is no download.
    private func change(
        _ product: ProductID, to state: Download.State, from allowed: [Download.State],
        keeping installed: [Download] = [], logging what: DeviceLogEntry.What
    ) async throws(StoreError) {
        try NameRule.checkProduct(product)
        let now = clock.now()
        let found = try await database.writeTogether { db in
            let records = DeviceRecords(db)
            let rows = try records.downloads(of: product)
            var isChanged = false
            for row in rows {
                let isRowChanged = try records.setState(
                    state, of: product, contentID: row.contentID, from: allowed)
                isChanged = isChanged || isRowChanged
                if isRowChanged,
                    let kept = installed.first(where: { $0.contentID == row.contentID })
                {
                    try records.keepInstalled(kept)
                }
            }
            if isChanged { try records.log(what, at: now) }
            return rows.map(\.state)
        }
        guard let first = found.first else { throw try await absence(of: product) }
        guard found.contains(where: { allowed.contains($0) || $0 == state }) else {
            throw StoreError(.downloadNotActive, productID: product, found: first.rawValue)
        }
        await downloadManager.reconcile()
    }

    /// The error that explains why this device has no download of a product.
    private func absence(of product: ProductID) async throws(StoreError) -> StoreError {
        guard let known = try await store.products([product]).products.first else {
            return StoreError(.productUnavailable, productID: product)
        }
        return StoreError(
            known.hostedContent.isEmpty ? .contentUnavailable : .downloadNotFound,
            productID: product)
    }
}

extension Download {
    /// Whether `Device.finish` cancels it: what is not here yet, whether it is under way or has failed.
    fileprivate var isGivenUpByFinish: Bool { !state.isComplete || state == .failed }
}

extension RestoreSummary {
    /// With the sales of one more page, of which those in `new` were recorded just now.
    fileprivate func adding(_ sales: [VerifiedSale], new: Set<TransactionID>) -> RestoreSummary {
        var summary = self
        for sale in sales {
            let payload = sale.transaction.payload
            if new.contains(sale.id) {
                summary.restored.append(payload)
            } else {
                summary.alreadyHere.append(payload)
            }
        }
        return summary
    }

    /// As an entry of the log.
    fileprivate var logged: DeviceLogEntry.What {
        .restored(
            count: restored.count, alreadyHere: alreadyHere.count, unverified: unverifiedCount)
    }
}

extension NameRule {
    /// Rejects a product identifier that would not be a single, harmless folder name. The catalog
    /// has a stricter rule of its own; this check does not rely on it.
    ///
    /// - Throws: `productUnavailable`.
    static func checkProduct(_ product: ProductID) throws(StoreError) {
        let isGood =
            !product.rawValue.isEmpty && !product.rawValue.contains("/")
            && product.rawValue != "." && product.rawValue != ".."
            && !product.rawValue.utf8.contains { $0 < 32 || $0 == 127 }
        guard isGood else { throw StoreError(.productUnavailable, productID: product) }
    }
}

extension StoreError {
    /// The same error with a payment's id and product.
    fileprivate func about(_ payment: Payment) -> StoreError {
        var error = self
        error.paymentID = payment.id
        error.productID = payment.productID
        return error
    }
}
