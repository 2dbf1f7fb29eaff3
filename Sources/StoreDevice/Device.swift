import DurableFiles
import Foundation
package import StoreModel
import StoreSigning

/// A phone of an account, embedded: its records beside the store's, its files below them.
package final class Device: ShopDevice {
    private let store: any Store
    private let folder: DeviceFolder
    private let database: DurableDatabase
    private let notifier: CommitNotifier
    private let clock: any StoreClock
    private let processor: DeliveryProcessor
    private let hub = UpdateHub()
    private let downloadManager: DownloadManager
    private let ownership: PaymentOwnership
    private let observer: TransactionObserver
    private let keeper: RecordKeeper

    package var account: AccountName { store.account }
    package var device: DeviceName { store.device }

    /// Opens a device of a store, or registers a new one: it pins the store's root certificate and
    /// begins to read the feed here and now.
    ///
    /// - Throws: `rootChanged` if the store signs with another root than the device was registered
    ///   with, `invalidName`, and what opening a database throws.
    ///
    /// - Parameters:
    ///   - clock: the store's time, for what is recorded.
    ///   - elapsed: elapsed time, for rates and for pauses before something is tried again.
    package init(
        store: some Store, storeFolder: String, clock: any StoreClock,
        elapsed: any Clock<Duration>, pacer: some Pacer
    ) async throws(StoreError) {
        self.store = store
        self.clock = clock
        folder = try DeviceFolder(
            storeFolder: storeFolder, device: store.device, account: store.account)
        try folder.make()
        let notifier = try CommitNotifier(databasePath: folder.databasePath)
        self.notifier = notifier
        database = try DurableDatabase(
            path: folder.databasePath, schema: DeviceSchema.schema, onCommit: { notifier.notify() })
        let root = try await Self.register(store, database, folder)
        let processor = DeliveryProcessor(
            store: store, database: database,
            verifier: try TransactionVerifier(
                rootCertificate: root, bundleID: store.identity.bundleID,
                environment: store.identity.environment),
            clock: clock, products: ProductCache(store: store))
        downloadManager = DownloadManager(
            processor: processor, hub: hub, notifier: notifier, folder: folder, pacer: pacer,
            elapsed: elapsed)
        ownership = try PaymentOwnership(path: folder.sendersPath)
        observer = TransactionObserver(
            processor: processor, hub: hub, downloads: downloadManager,
            finisher: Finisher(processor: processor, hub: hub),
            resender: PaymentResender(processor: processor, hub: hub, ownership: ownership),
            notifier: notifier,
            leasePath: folder.leasePath)
        keeper = RecordKeeper(processor: processor, hub: hub)
        self.processor = processor
    }

    /// The pinned root: the one of the first registration, whoever registers again.
    private static func register(
        _ store: any Store, _ database: DurableDatabase, _ folder: DeviceFolder
    ) async throws(StoreError) -> Data {
        let (known, isUnsealed) = try await database.read { db in
            let records = DeviceRecords(db)
            return (try records.value("root", as: Data.self), try records.areUnsealed())
        }
        if let known {
            guard known == store.rootCertificate else {
                throw StoreError(.rootChanged, subject: folder.path)
            }
            if let end = try await storeBehind(store, database) {
                throw StoreError(
                    .storeBehind, subject: folder.path, found: String(end.store),
                    expected: String(end.device))
            }
            if isUnsealed {
                try await database.writeTogether { try DeviceRecords($0).sealOnce() }
            }
            return known
        }
        let offered = store.rootCertificate
        let head = try await store.head()
        return try await database.writeTogether { db in
            let records = DeviceRecords(db)
            if let other = try records.value("root", as: Data.self) { return other }
            try records.set("root", offered)
            try records.setCursor(head)
            try records.sealOnce()
            return offered
        }
    }

    /// A store that ends before the place this device has read to has lost entries: it would give out
    /// numbers again that this device knows. Nothing is sold to the device until the operator accepts
    /// that (`acceptStore`).
    ///
    /// - Returns: where the store ends and how far the device has read, if the store is behind: by the
    ///   cursor, or because it does not know the last sale that was delivered here.
    static func storeBehind(
        _ store: any Store, _ database: DurableDatabase
    ) async throws(StoreError) -> (store: Int64, device: Int64)? {
        let (cursor, last) = try await database.read { db in
            let records = DeviceRecords(db)
            return (try records.cursor, try records.lastDelivery())
        }
        let head = try await store.head()
        guard let cursor, cursor.epoch == head.epoch else { return nil }
        if cursor.position > head.position { return (head.position, cursor.position) }
        guard let last, try await !store.knows(last.id) else { return nil }
        return (head.position, max(cursor.position, last.asOf))
    }

    // MARK: - Life

    package func launch() async throws(StoreError) { try await observer.launch() }

    /// The same for a command that is about something else: of the payments whose sender has ended,
    /// it sends none again that charges more than this.
    package func launch(resendingAtMost limit: Money) async throws(StoreError) {
        try await observer.launch(resendingAtMost: limit)
    }

    package var holdsLease: Bool { get async { await observer.holdsLease } }

    /// Stops observing and downloading, and lets another process deliver, until `launch`: for a
    /// program that is stopped for a while. Readers of updates stay, and miss nothing.
    package func suspend() async { await observer.suspend() }

    /// Stops observing and downloading for good, and lets another process deliver.
    package func close() async {
        await downloadManager.close()
        await observer.close()
        hub.close()
    }

    /// Records what has become by now of transactions this device has delivered: refunds, reversals,
    /// deletions. Delivers nothing and tells nothing; whichever process delivers meets the same again.
    package func takeInChanges() async throws(StoreError) {
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

    package func updates() -> AsyncStream<DeviceUpdate> { hub.subscribe() }

    /// Ends every reader's stream once it has read what was told until now.
    package func endUpdates() { hub.close() }

    package func downloadWakes() -> AsyncStream<Void> { downloadManager.wakes.subscribe() }

    // MARK: - Buying

    package func buy(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        let queued = QueuedPayment(payment: payment, state: .purchasing, queuedAt: clock.now())
        ownership.hold(payment.id)
        defer { ownership.letGo(payment.id) }
        try await certainly(payment) { () async throws(StoreError) in
            try await database.writeTogether { try DeviceRecords($0).enqueue(queued) }
        }
        let outcome: PurchaseOutcome
        do throws(StoreError) {
            outcome = try await certainly(payment) { () async throws(StoreError) in
                try await store.purchase(payment)
            }
        } catch  where error.code == .outcomeUnknown {
            // It may be sold: it stays queued and is asked about at the next launch.
            throw error
        } catch {
            // A refusal left no trace in the store and needs none here.
            try await forget(payment, refusedWith: error)
            throw error
        }
        // What the store has answered stands, whatever this device can write down now: the payment
        // stays queued then, and asking again with its id changes nothing.
        try? await observer.complete(payment, outcome)
        return outcome
    }

    /// Tries once more where a failed commit left it open whether something was recorded: a commit
    /// that succeeds settles that. Every piece of work given here changes nothing the second time.
    ///
    /// - Throws: `outcomeUnknown` with the payment's id if it is still open afterwards.
    private func certainly<Value>(
        _ payment: Payment, _ work: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) { return try await work() } catch  where error.code == .outcomeUnknown
        {
            // A second failure, of whatever kind, says nothing about the first.
            if let value = try? await work() { return value }
            throw error.about(payment)
        }
    }

    /// Takes a refused payment from the queue. If that fails, it would be sent by a later launch: then
    /// it may still be sold.
    ///
    /// - Throws: `outcomeUnknown` with the payment's id, and why it is still queued.
    private func forget(
        _ payment: Payment, refusedWith refusal: StoreError
    ) async throws(StoreError) {
        let dequeue = { [database] () async throws(StoreError) in
            try await database.writeTogether { try DeviceRecords($0).dequeue(payment.id) }
        }
        do throws(StoreError) { try await certainly(payment, dequeue) } catch {
            var unknown = StoreError(
                .outcomeUnknown, subject: error.subject, found: refusal.code.rawValue,
                cause: error.cause)
            unknown = unknown.about(payment)
            throw unknown
        }
    }

    package func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome {
        let hasGivenUp = try await database.writeTogether { db in
            let records = DeviceRecords(db)
            let left = try records.downloads().filter {
                $0.transactionID == id && (!$0.state.isComplete || $0.state == .failed)
            }
            for row in left {
                try records.setState(.cancelled, of: row.productID, contentID: row.contentID)
            }
            return !left.isEmpty
        }
        let outcome = try await store.finish(id)
        // The observer finishes what has nothing left to fetch, and may have been quicker just now.
        return hasGivenUp && outcome == .alreadyFinished ? .finished : outcome
    }

    package func claim(_ id: TransactionID) async throws(StoreError) {
        _ = try await store.claim(id)
    }

    package func restore() async throws(StoreError) -> RestoreSummary {
        var summary = RestoreSummary()
        var last: TransactionID?
        while true {
            let page = try await store.restorable(before: last, limit: DeviceLimits.restorePage)
            var plan = DeliveryPlan()
            for issued in page {
                switch await processor.verifier.verify(issued.signed) {
                case .verified(let transaction):
                    plan.steps.append(
                        .deliver(
                            VerifiedSale(
                                transaction: transaction, payment: nil, isOurs: false,
                                revision: issued.revision)))
                    last = transaction.payload.transactionId
                case .unverified: summary.unverifiedCount += 1
                }
            }
            let new = try await processor.record(plan).new
            for sale in plan.sales {
                let payload = sale.transaction.payload
                if new.contains(sale.id) {
                    summary.restored.append(payload)
                } else {
                    summary.alreadyHere.append(payload)
                }
            }
            guard page.count == DeviceLimits.restorePage, !plan.steps.isEmpty else {
                return summary
            }
        }
    }

    // MARK: - Looking

    package func queuedPayments() async throws(StoreError) -> [QueuedPayment] {
        try await database.read { try DeviceRecords($0).queue() }
    }

    /// Payments that will get an answer by themselves: a living process is sending them, or this one
    /// takes them over because it delivers. Nobody needs to wait for the others.
    package func paymentsBeingSent() async throws(StoreError) -> [QueuedPayment] {
        let isTakingOver = await holdsLease
        return try await queuedPayments().filter {
            $0.state == .purchasing && (isTakingOver || ownership.isHeld($0.payment.id))
        }
    }

    /// Takes a payment from the queue that was never sent. One the store has decided meanwhile is not
    /// dropped: its outcome is answered.
    ///
    /// - Throws: `paymentNotQueued`; `deviceBusy` while a process is sending it; what asking the store
    ///   throws.
    package func drop(_ id: PaymentID) async throws(StoreError) -> PurchaseOutcome? {
        let queued = try await queuedPayments().first { $0.payment.id == id }
        guard let payment = queued?.payment else {
            throw StoreError(.paymentNotQueued, paymentID: id)
        }
        guard !ownership.isHeld(id) else {
            throw StoreError(.deviceBusy, paymentID: id, subject: folder.path)
        }
        ownership.hold(id)
        defer { ownership.letGo(id) }
        if let outcome = try await store.outcome(of: payment) {
            try await observer.complete(payment, outcome)
            return outcome
        }
        try await database.writeTogether { try DeviceRecords($0).dequeue(id) }
        return nil
    }

    package func latestDeliveries() async throws(StoreError) -> [DeliveryRecord] {
        try await keeper.latestDeliveries()
    }

    /// Everything this device ever recorded, oldest first, as it is written there: for audits.
    package func deliveries() async throws(StoreError) -> [DeliveryRecord] {
        try await database.read { try DeviceRecords($0).deliveries() }
    }

    package func balances() async throws(StoreError) -> [Balance] { try await keeper.balances() }

    package func spend(_ spend: Spend) async throws(StoreError) -> Balance {
        guard Spend.amounts.contains(spend.amount) else {
            throw StoreError(
                .invalidName, subject: "amount", found: String(spend.amount),
                expected: "a number from 1")
        }
        // An altered sum is put right before anything is spent of it.
        _ = try await keeper.balances()
        let now = clock.now()
        return try await database.writeTogether { try DeviceRecords($0).spend(spend, at: now) }
    }

    /// The records that looks of this process found altered, with what was not believed.
    package var alteredRecords: [StoreError] { keeper.altered }

    package func downloads() async throws(StoreError) -> [Download] {
        let rows = try await database.read { try DeviceRecords($0).downloads() }
            .map(downloadManager.completed)
        guard rows.contains(where: { $0.state == .active }), await !isAttended else { return rows }
        // A process that was at it has ended without a word.
        return rows.map { row in
            var row = row
            if row.state == .active { row.state = .waiting }
            return row
        }
    }

    /// Whether some process delivers and downloads for this device.
    package var isAttended: Bool {
        get async {
            if await observer.holdsLease { return true }
            return DeliveryLease.isHeld(folder.leasePath)
        }
    }

    package func contentPath(of product: ProductID, contentID: String) async throws(StoreError)
        -> String?
    {
        let rows = try await database.read { try DeviceRecords($0).downloads(of: product) }
            .map(downloadManager.completed)
        guard let row = rows.first(where: { $0.contentID == contentID && $0.state == .finished })
        else { return nil }
        return folder.content(product, contentID, row.version)
    }

    // MARK: - Downloads

    package func pauseDownloads(of product: ProductID) async throws(StoreError) {
        try await change(product, to: .paused, from: [.waiting, .active])
    }

    package func resumeDownloads(of product: ProductID) async throws(StoreError) {
        let delivered = try await database.read {
            try DeviceRecords($0).transaction(delivering: product)
        }
        guard let delivered else { throw StoreError(.notEntitled, productID: product) }
        let hosted = try await store.products([product]).products.first?.hostedContent ?? []
        guard !hosted.isEmpty else { throw StoreError(.contentUnavailable, productID: product) }
        let unplaced = Set(
            hosted.filter { !isInPlace(product, $0) }.map(\.id))
        try await database.writeTogether { db in
            let records = DeviceRecords(db)
            for content in hosted {
                if unplaced.contains(content.id) {
                    // A package deleted by hand is fetched anew, whatever the row says.
                    try records.setState(
                        .waiting, of: product, contentID: content.id,
                        from: [.paused, .failed, .cancelled, .finished, .deleted])
                }
                try records.addDownload(content, of: product, transaction: delivered)
            }
        }
        await downloadManager.lookNow()
    }

    private func isInPlace(_ product: ProductID, _ content: HostedContent) -> Bool {
        FileManager.default.fileExists(
            atPath: folder.content(product, content.id, content.version))
    }

    package func cancelDownloads(of product: ProductID) async throws(StoreError) {
        try await change(product, to: .cancelled, from: [.waiting, .active, .paused, .failed])
        folder.removeAll(of: product, from: "partial")
        let transactions = try await database.read {
            Set(try DeviceRecords($0).downloads(of: product).map(\.transactionID))
        }
        // Nothing is left to wait for: the purchase itself is done.
        try await processor.finish(transactions.sorted())
    }

    package func deleteContent(of product: ProductID) async throws(StoreError) {
        do throws(StoreError) {
            try await change(product, to: .deleted, from: [.finished])
        } catch  where error.code == .downloadNotActive {
            throw StoreError(.downloadNotFound, productID: product, found: error.found)
        }
        folder.removeAll(of: product, from: "content")
    }

    private func change(
        _ product: ProductID, to state: Download.State, from allowed: [Download.State]
    ) async throws(StoreError) {
        try NameRule.checkProduct(product)
        let found = try await database.writeTogether { db in
            let records = DeviceRecords(db)
            let rows = try records.downloads(of: product)
            for row in rows {
                try records.setState(
                    state, of: product, contentID: row.contentID, from: allowed)
            }
            return rows.map(\.state)
        }
        guard let first = found.first else { throw try await absence(of: product) }
        guard found.contains(where: { allowed.contains($0) || $0 == state }) else {
            throw StoreError(.downloadNotActive, productID: product, found: first.rawValue)
        }
        await downloadManager.look()
    }

    /// Why there is no download of a product here.
    private func absence(of product: ProductID) async throws(StoreError) -> StoreError {
        guard let known = try await store.products([product]).products.first else {
            return StoreError(.productUnavailable, productID: product)
        }
        return StoreError(
            known.hostedContent.isEmpty ? .contentUnavailable : .downloadNotFound,
            productID: product)
    }
}

extension NameRule {
    /// A product's identifier becomes a folder: the catalog's own rule already keeps it harmless,
    /// and this does not rely on it.
    static func checkProduct(_ product: ProductID) throws(StoreError) {
        let isGood =
            !product.rawValue.isEmpty && !product.rawValue.contains("/")
            && product.rawValue != "." && product.rawValue != ".."
            && !product.rawValue.utf8.contains { $0 < 32 || $0 == 127 }
        guard isGood else { throw StoreError(.productUnavailable, productID: product) }
    }
}

extension StoreError {
    /// The same, naming the payment it is about.
    fileprivate func about(_ payment: Payment) -> StoreError {
        var error = self
        error.paymentID = payment.id
        error.productID = payment.productID
        return error
    }
}
