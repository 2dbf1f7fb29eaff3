import DurableFiles
import StoreModel
import StoreSigning
import Synchronization

/// The store's answers about the account and the products, kept for use without a network.
///
/// With a network, each answer comes from the store. It is written if it differs from the last
/// written answer, or if that is more than a minute old. A launched device writes it in the
/// background; any other device writes it before the call returns. A failure to write does not fail
/// the call. Without a network, answers are computed from the written ones and the device's own
/// records.
final class StoreKnowledge: Sendable {
    private let store: any Store
    private let database: DurableDatabase
    private let processor: DeliveryProcessor
    private let keeper: RecordKeeper
    private let clock: DeviceClock
    private let network: DeviceNetwork
    private let entitlementsKept = KeptSlot<[Entitlement]>(.entitlements) {
        $0.map(\.withoutSignature) == $1.map(\.withoutSignature)
    }
    private let settingsKept = KeptSlot<AccountSettings>(.settings, isSame: ==)
    private let familyKept = KeptSlot<FamilyStatus>(.family, isSame: ==)
    private let subscriptionsKept = KeptSlot<[SubscriptionStatus]>(.subscriptions) {
        $0.map(\.contents) == $1.map(\.contents)
    }
    private let requestsKept = KeptSlot<[ApprovalRequest]>(.requests, isSame: ==)
    private let unfinishedKept = KeptSlot<[UnfinishedTransaction]>(.unfinished) {
        $0.map(\.contents) == $1.map(\.contents)
    }
    private let historyKept = KeptSlot<[StoreEvent]>(.history, isSame: ==)
    /// The last one that this process knows to be written.
    private let catalog = Mutex<KeptCatalog?>(nil)
    /// Still to be written.
    private let waitingProducts = Mutex<(answer: ProductsResponse, asOf: Timestamp)?>(nil)
    /// Whether the device is launched, so that its process lives on and can write in the
    /// background.
    private let isFollowing = Mutex(false)
    private let background = BackgroundWork()

    init(
        processor: DeliveryProcessor, keeper: RecordKeeper, clock: DeviceClock,
        network: DeviceNetwork
    ) {
        store = processor.store
        database = processor.database
        self.processor = processor
        self.keeper = keeper
        self.clock = clock
        self.network = network
    }

    // MARK: - Writing in the background

    /// Until `suspend`.
    func follow() { isFollowing.withLock { $0 = true } }

    /// Writes the waiting answers. From then on each answer is written before its call returns.
    func suspend() async {
        isFollowing.withLock { $0 = false }
        await writeNow()
    }

    /// Returns when that has succeeded or failed.
    private func writeNow() async { await background.runNow() }

    /// Writes what waits: in the background if the device is launched, otherwise before returning.
    private func writeSoon() async {
        if isFollowing.withLock({ $0 }) {
            background.schedule { [weak self] in await self?.writeWaiting() }
        } else {
            await writeWaiting()
        }
    }

    private func writeWaiting() async {
        // An entitlement that this device cannot verify is not written: later it would look
        // altered.
        await write(entitlementsKept) { [keeper] in await keeper.verifiable($0) }
        await write(settingsKept)
        if let (answer, asOf) = waitingProducts.withLock({ $0.take() }) {
            await keep(answer, at: asOf)
        }
        await write(familyKept)
        await write(subscriptionsKept)
        await write(requestsKept)
        await write(unfinishedKept)
        await write(historyKept)
    }

    /// Writes the answer that waits in a slot if it differs from the last written one, or if that
    /// is too old.
    ///
    /// - Parameter proven: the part of an answer that is written.
    private func write<Answer>(
        _ slot: KeptSlot<Answer>, proven: (Answer) async -> Answer = { $0 }
    ) async {
        guard let (kept, contact) = slot.state.withLock({ $0.waiting.take() }) else { return }
        var before = slot.state.withLock { $0.written }
        if before == nil { before = await last(slot) }
        if let before, slot.isSame(before.answer, kept.answer), !isOld(before.asOf, at: kept.asOf) {
            return slot.state.withLock { $0.written = before }
        }
        let row = Kept(answer: await proven(kept.answer), asOf: kept.asOf)
        let isKept: Void? = try? await database.writeTogether { db in
            let records = DeviceRecords(db)
            try records.keep(slot.name, row)
            if let contact { try records.keep(.contact, contact) }
        }
        if isKept != nil { slot.state.withLock { $0.written = kept } }
    }

    /// Then written; without a network the last written one.
    private func answer<Answer>(
        _ slot: KeptSlot<Answer>, _ ask: () async throws(StoreError) -> Answer
    ) async throws(StoreError) -> DeviceAnswer<Answer> {
        do throws(StoreError) {
            let kept = Kept(answer: try await ask(), asOf: clock.now())
            slot.state.withLock { $0.waiting = (kept, nil) }
            await writeSoon()
            return DeviceAnswer(kept.answer, asOf: kept.asOf, isFresh: true)
        } catch  where error.isNetworkOff {
            await writeNow()
            guard let kept = await last(slot) else { throw error }
            return DeviceAnswer(kept.answer, asOf: kept.asOf, isFresh: false)
        }
    }

    /// The last written one; nil if there is none.
    private func last<Answer>(_ slot: KeptSlot<Answer>) async -> Kept<Answer>? {
        await kept(slot.name, as: Kept<Answer>.self)
    }

    /// Asks the store for everything that the device may need without a network, and writes the
    /// answers. For a command that buys, so that the device then knows as much about the purchase
    /// as after a session of the shop. An answer that cannot be read now stays as it was.
    func keepAll() async {
        _ = try? await entitlements()
        _ = try? await settings()
        _ = try? await products(nil)
        _ = try? await familyStatus()
        _ = try? await subscriptionStatuses()
        _ = try? await requests()
        _ = try? await unfinished()
        _ = try? await events(
            before: nil, filter: HistoryFilter(), limit: DeviceLimits.keptEventsMax)
        await writeNow()
    }

    // MARK: - Contact

    func keepContact() async {
        let reading = clock.liveReading()
        clock.keep(reading)
        try? await database.writeTogether { try DeviceRecords($0).keep(.contact, reading) }
    }

    /// Continues the device's clock from the last recorded contact, or from the store's present
    /// clock if none is recorded.
    func useKeptClock() async {
        await writeNow()
        clock.keep(await kept(.contact, as: KeptClock.self) ?? clock.liveReading())
    }

    /// Nil if there is none. An altered answer is reported and counts as none.
    private func kept<Value: Decodable & Sendable>(
        _ answer: KeptAnswer, as type: Value.Type
    ) async -> Value? {
        do throws(StoreError) {
            return try await database.read { try DeviceRecords($0).kept(answer, as: type) }
        } catch {
            if error.code == .recordAltered { keeper.report(altered: answer.rawValue) }
            return nil
        }
    }

    /// An old answer must be written again to renew its time.
    private func isOld(_ asOf: Timestamp, at now: Timestamp) -> Bool {
        now.milliseconds(since: asOf) > DeviceLimits.keptAnswerMillisecondsMax
    }

    // MARK: - Entitlements

    func entitlements() async throws(StoreError) -> DeviceAnswer<[Entitlement]> {
        do throws(StoreError) {
            let answer = try await store.entitlements()
            let kept = Kept(answer: answer, asOf: clock.now())
            let contact = clock.liveReading()
            entitlementsKept.state.withLock { $0.waiting = (kept, contact) }
            await writeSoon()
            return DeviceAnswer(answer, asOf: kept.asOf, isFresh: true)
        } catch  where error.isNetworkOff {
            return try await knownEntitlements()
        }
    }

    /// The entitlements that the device's records and the last answer prove together, without a
    /// network.
    private func knownEntitlements() async throws(StoreError) -> DeviceAnswer<[Entitlement]> {
        await useKeptClock()
        let now = clock.now()
        let kept = await last(entitlementsKept)
        let contact = await self.kept(.contact, as: KeptClock.self)
        var known: [TransactionID: Transaction] = [:]
        var renews: [TransactionID: Bool] = [:]
        for transaction in try await keeper.proven(kept?.answer ?? []) {
            known[transaction.payload.transactionId] = transaction
            let entry = kept?.answer.first {
                $0.transactionID == transaction.payload.transactionId
            }
            renews[transaction.payload.originalTransactionId] = entry?.renews
        }
        for transaction in try await keeper.provenPurchases() {
            known[transaction.payload.transactionId] = transaction
        }
        // Only the latest period of a subscription entitles.
        var latest: [TransactionID: TransactionID] = [:]
        for (id, transaction) in known
        where transaction.payload.type == .autoRenewable
            && transaction.payload.hasBegun(at: now)
        {
            let chain = transaction.payload.originalTransactionId
            latest[chain] = max(latest[chain] ?? id, id)
        }
        let graces = try await graces(kept?.answer ?? [], at: now)
        let entitlements = known.sorted { $0.key < $1.key }.map(\.value).filter { transaction in
            let payload = transaction.payload
            return (payload.entitles(at: now) || graces[payload.transactionId] != nil)
                && payload.hasBegun(at: now)
                && (latest[payload.originalTransactionId].map { $0 == payload.transactionId }
                    ?? true)
        }.map { transaction in
            let payload = transaction.payload
            return Entitlement(
                transaction: transaction.signed, transactionID: payload.transactionId,
                productID: payload.productId, type: payload.type,
                until: graces[payload.transactionId] ?? payload.expiresDate,
                renews: payload.expiresDate == nil
                    ? nil : renews[payload.originalTransactionId])
        }
        let asOf = [kept?.asOf, contact?.at].compactMap { $0 }.max() ?? .earliest
        return DeviceAnswer(entitlements, asOf: asOf, isFresh: false)
    }

    /// The ends of the grace periods that have not ended, by transaction, as far as the last kept
    /// answer proves them. In a grace period the renewal's charge has failed, but access continues.
    func keptGraces(at now: Timestamp) async -> [TransactionID: Timestamp] {
        await writeNow()
        guard let kept = await last(entitlementsKept) else { return [:] }
        return (try? await graces(kept.answer, at: now)) ?? [:]
    }

    /// The ends of grace periods, by transaction. Each is proven by a signed transaction and a
    /// signed renewal info of the same subscription.
    private func graces(
        _ entitlements: [Entitlement], at now: Timestamp
    ) async throws(StoreError) -> [TransactionID: Timestamp] {
        let graced = entitlements.filter { $0.renewalInfo != nil }
        guard !graced.isEmpty else { return [:] }
        var ends: [TransactionID: Timestamp] = [:]
        for transaction in try await keeper.proven(graced) {
            let payload = transaction.payload
            let text = graced.first { $0.transactionID == payload.transactionId }?.renewalInfo
            guard let text, payload.revocationDate == nil,
                let info = try? await processor.verifier.verify(text),
                info.originalTransactionId == payload.originalTransactionId,
                info.productId == payload.productId,
                let end = info.gracePeriodExpiresDate, end > now
            else { continue }
            ends[payload.transactionId] = end
        }
        return ends
    }

    // MARK: - Settings

    func settings() async throws(StoreError) -> DeviceAnswer<AccountSettings> {
        let answer = try await answer(settingsKept) { () throws(StoreError) in
            try await store.settings()
        }
        guard answer.isFresh || answer.value.name == store.account else {
            throw network.obstacle(on: store.device) ?? .networkIsOff(on: store.device)
        }
        return answer
    }

    // MARK: - Family, subscriptions, requests and history

    func familyStatus() async throws(StoreError) -> DeviceAnswer<FamilyStatus> {
        try await answer(familyKept) { () throws(StoreError) in try await store.familyStatus() }
    }

    func subscriptionStatuses() async throws(StoreError) -> DeviceAnswer<[SubscriptionStatus]> {
        try await answer(subscriptionsKept) { () throws(StoreError) in
            try await store.subscriptionStatuses()
        }
    }

    func requests() async throws(StoreError) -> DeviceAnswer<[ApprovalRequest]> {
        try await answer(requestsKept) { () throws(StoreError) in try await store.requests() }
    }

    /// Of all the account's devices. Without a network, the store's last answer without those that
    /// a person has finished here since.
    func unfinished() async throws(StoreError) -> DeviceAnswer<[UnfinishedTransaction]> {
        var answer = try await answer(unfinishedKept) { () throws(StoreError) in
            try await store.unfinished(allDevices: true)
        }
        guard !answer.isFresh else { return answer }
        let finished = Set(try await database.read { try DeviceRecords($0).queuedFinishes() })
        answer.value.removeAll { finished.contains($0.id) }
        return answer
    }

    /// Removes a finished transaction from the kept answer, so that the device does not list it as
    /// unfinished later. A failure to write is ignored.
    func noteFinished(_ id: TransactionID) async {
        await writeNow()
        guard var kept = await last(unfinishedKept), kept.answer.contains(where: { $0.id == id })
        else { return }
        kept.answer.removeAll { $0.id == id }
        unfinishedKept.state.withLock { [kept] in $0.waiting = (kept, nil) }
        await write(unfinishedKept)
    }

    /// Whether the last kept history shows a transaction as finished. False also if that history is
    /// older than the transaction's finish.
    func isKnownAsFinished(_ id: TransactionID) async -> Bool {
        await writeNow()
        return await last(historyKept)?.answer.contains { event in
            if case .finished(let finished) = event.change { finished == id } else { false }
        } ?? false
    }

    /// Newest first. Without a network, those that this device has delivered and can verify, each
    /// in its newest state. An empty page is the end.
    func transactions(
        before last: TransactionID?, limit: Int
    ) async throws(StoreError) -> DeviceAnswer<[SignedTransaction]> {
        do throws(StoreError) {
            let page = try await store.history(before: last, limit: limit)
            return DeviceAnswer(page, asOf: clock.now(), isFresh: true)
        } catch  where error.isNetworkOff {
            await useKeptClock()
            let contact = await kept(.contact, as: KeptClock.self)
            return DeviceAnswer(
                try await keeper.transactions(before: last, limit: limit),
                asOf: contact?.at ?? .earliest, isFresh: false)
        }
    }

    func events(
        before cursor: FeedCursor?, filter: HistoryFilter, limit: Int
    ) async throws(StoreError) -> DeviceAnswer<HistoryPage> {
        do throws(StoreError) {
            let page = try await store.events(before: cursor, filter: filter, limit: limit)
            let now = clock.now()
            if cursor == nil, filter == HistoryFilter(),
                page.next == nil || limit >= DeviceLimits.keptEventsMax
            {
                let newest = Array(page.events.prefix(DeviceLimits.keptEventsMax))
                historyKept.state.withLock {
                    $0.waiting = (Kept(answer: newest, asOf: now), nil)
                }
                await writeSoon()
            }
            return DeviceAnswer(page, asOf: now, isFresh: true)
        } catch  where error.isNetworkOff {
            await writeNow()
            guard let kept = await last(historyKept) else { throw error }
            var filter = filter
            filter.account = nil
            let events = kept.answer.filter {
                filter.shows($0) && (cursor == nil || $0.cursor.position <= cursor?.position ?? 0)
            }
            return DeviceAnswer(
                HistoryPage(events: events, next: nil), asOf: kept.asOf, isFresh: false)
        }
    }

    // MARK: - Products

    func products(_ identifiers: [ProductID]?) async throws(StoreError)
        -> DeviceAnswer<ProductsResponse>
    {
        do throws(StoreError) {
            let response = try await store.products(identifiers)
            let now = clock.now()
            if identifiers == nil {
                waitingProducts.withLock { $0 = (response, now) }
                await writeSoon()
            }
            return DeviceAnswer(response, asOf: now, isFresh: true)
        } catch  where error.isNetworkOff {
            await writeNow()
            guard let response = await kept(.products, as: ProductsResponse.self),
                let catalog = await kept(.catalog, as: KeptCatalog.self)
            else { throw error }
            return DeviceAnswer(
                response.only(identifiers), asOf: catalog.asOf, isFresh: false)
        }
    }

    /// As the store describes them or last described them.
    func products(_ ids: Set<ProductID>) async throws(StoreError) -> [ProductID: Product] {
        do throws(StoreError) { return try await processor.products.products(ids) } catch
            where error.isNetworkOff
        {
            let answer = try await products(ids.sorted())
            return Dictionary(
                answer.value.products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private func keep(_ response: ProductsResponse, at now: Timestamp) async {
        guard response.products.count <= DeviceLimits.cachedProductsMax else { return }
        let catalog = KeptCatalog(response, asOf: now)
        var before = self.catalog.withLock { $0 }
        if before == nil { before = await kept(.catalog, as: KeptCatalog.self) }
        let isSame = before?.isSame(as: catalog) ?? false
        if isSame, let before, !isOld(before.asOf, at: now) {
            return self.catalog.withLock { $0 = before }
        }
        let isKept: Void? = try? await database.writeTogether { db in
            let records = DeviceRecords(db)
            if !isSame { try records.keep(.products, response) }
            try records.keep(.catalog, catalog)
        }
        if isKept != nil { self.catalog.withLock { $0 = catalog } }
    }
}

/// The last answer of one kind that this process knows to be written, and the one that is still to
/// be written.
private final class KeptSlot<Answer: Codable & Sendable>: Sendable {
    struct State {
        var written: Kept<Answer>?
        /// With the state of the store's clock, if that is to be written too.
        var waiting: (answer: Kept<Answer>, contact: KeptClock?)?
    }
    let state = Mutex(State())
    let name: KeptAnswer
    /// Whether two answers have the same contents, even if the store signed them anew.
    let isSame: @Sendable (Answer, Answer) -> Bool

    init(_ name: KeptAnswer, isSame: @escaping @Sendable (Answer, Answer) -> Bool) {
        self.name = name
        self.isSame = isSame
    }
}

extension UnfinishedTransaction {
    /// What tells it apart from other answers, without the signed text, because each process of a
    /// store signs anew.
    fileprivate var contents: String {
        "\(id) \(transaction.revision) \(device?.rawValue ?? "")"
    }
}

extension SubscriptionStatus {
    /// With the unverified payloads of the status's signed texts in their place.
    fileprivate var contents: StatusContents {
        var contents = StatusContents(
            transaction: TransactionVerifier.unverifiedPayload(of: transaction),
            renewalInfo: TransactionVerifier.unverifiedPayload(of: renewalInfo), state: state,
            problem: problem, planCount: plans.count)
        let never = Timestamp(milliseconds: 0)
        contents.transaction?.signedDate = never
        contents.transaction?.deviceVerification = nil
        contents.transaction?.deviceVerificationNonce = nil
        contents.renewalInfo?.signedDate = never
        contents.renewalInfo?.deviceVerification = nil
        contents.renewalInfo?.deviceVerificationNonce = nil
        return contents
    }
}

/// The contents of a status, without the fields that differ with each signing.
private struct StatusContents: Equatable {
    var transaction: TransactionPayload?
    var renewalInfo: RenewalInfoPayload?
    var state: RenewalState
    var problem: SubscriptionProblem?
    var planCount: Int
}

extension ProductsResponse {
    /// See `Store.products`; unchanged if `identifiers` is nil.
    fileprivate func only(_ identifiers: [ProductID]?) -> ProductsResponse {
        guard let identifiers else { return self }
        let wanted = Set(identifiers)
        let found = products.filter { wanted.contains($0.id) }
        let known = Set(found.map(\.id))
        return ProductsResponse(
            products: found, invalidProductIDs: identifiers.filter { !known.contains($0) },
            catalogRevision: catalogRevision,
            pastNames: pastNames?.filter { wanted.contains($0.key) })
    }
}

extension Entitlement {
    /// Each process of a store signs anew, so equal entitlements may differ in their signed texts.
    fileprivate var withoutSignature: Entitlement {
        var entitlement = self
        entitlement.transaction = ""
        entitlement.renewalInfo = nil
        return entitlement
    }
}

extension TransactionPayload {
    /// The store records a renewal up to a day before its period begins.
    fileprivate func hasBegun(at now: Timestamp) -> Bool {
        transactionReason != .renewal || purchaseDate <= now
    }

    /// By the store's rule (StoreKit: `currentEntitlements`).
    func entitles(at now: Timestamp) -> Bool {
        guard revocationDate == nil else { return false }
        return switch type {
        case .consumable: false
        case .nonConsumable, .nonRenewing: true
        case .autoRenewable: expiresDate.map { $0 > now } ?? true
        }
    }
}
