import DurableFiles
import Foundation
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
    /// The last answers that this process knows to be written.
    private struct Written {
        var entitlements: KeptEntitlements?
        var settings: KeptSettings?
        var catalog: KeptCatalog?
        var family: KeptFamily?
        var subscriptions: KeptSubscriptions?
        var requests: KeptRequests?
        var unfinished: KeptUnfinished?
        var history: KeptHistory?
    }
    private let written = Mutex(Written())
    /// The answers that are still to be written.
    private struct Waiting {
        /// Whether the device is launched, so that its process lives on and can write in the
        /// background.
        var isFollowing = false
        var entitlements: (answer: KeptEntitlements, contact: KeptClock)?
        var settings: KeptSettings?
        var products: (answer: ProductsResponse, asOf: Timestamp)?
        var family: KeptFamily?
        var subscriptions: KeptSubscriptions?
        var requests: KeptRequests?
        var unfinished: KeptUnfinished?
        var history: KeptHistory?
    }
    private let waiting = Mutex(Waiting())
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

    /// Writes answers in the background from now on, until `suspend`.
    func follow() { waiting.withLock { $0.isFollowing = true } }

    /// Writes the waiting answers. From then on each answer is written before its call returns.
    func suspend() async {
        waiting.withLock { $0.isFollowing = false }
        await writeNow()
    }

    /// Writes the waiting answers now, and returns when that has succeeded or failed.
    private func writeNow() async { await background.runNow() }

    /// Writes an answer: in the background if the device is launched, otherwise before returning.
    private func write(_ add: @Sendable (inout Waiting) -> Void) async {
        let isFollowing = waiting.withLock { waiting in
            add(&waiting)
            return waiting.isFollowing
        }
        if isFollowing {
            background.schedule { [weak self] in await self?.writeWaiting() }
        } else {
            await writeWaiting()
        }
    }

    private func writeWaiting() async {
        let taken = waiting.withLock { waiting in
            defer { waiting = Waiting(isFollowing: waiting.isFollowing) }
            return waiting
        }
        if let (answer, contact) = taken.entitlements { await keep(answer, contact) }
        if let settings = taken.settings { await keep(settings) }
        if let (answer, asOf) = taken.products { await keep(answer, at: asOf) }
        if let answer = taken.family { await keep(answer, as: .family, \.family) }
        if let answer = taken.subscriptions {
            await keep(answer, as: .subscriptions, \.subscriptions)
        }
        if let answer = taken.requests { await keep(answer, as: .requests, \.requests) }
        if let answer = taken.unfinished { await keep(answer, as: .unfinished, \.unfinished) }
        if let answer = taken.history { await keep(answer, as: .history, \.history) }
    }

    /// Writes an answer if it differs from the last written one, or if that is too old.
    private func keep<Answer: KeptWithTime>(
        _ answer: Answer, as name: KeptAnswer,
        _ path: any WritableKeyPath<Written, Answer?> & Sendable
    ) async {
        var before = written.withLock { $0[keyPath: path] }
        if before == nil { before = await kept(name, as: Answer.self) }
        if let before, before.saysTheSame(as: answer), !isOld(before.asOf, at: answer.asOf) {
            return written.withLock { $0[keyPath: path] = before }
        }
        let isKept: Void? = try? await database.writeTogether {
            try DeviceRecords($0).keep(name, answer)
        }
        if isKept != nil { written.withLock { $0[keyPath: path] = answer } }
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

    /// Records the present state of the store's clock as the device's last contact with the store.
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

    /// A kept answer; nil if there is none. An altered answer is reported and counts as none.
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

    /// Whether a written answer is so old that it must be written again to renew its time.
    private func isOld(_ asOf: Timestamp, at now: Timestamp) -> Bool {
        now.milliseconds(since: asOf) > DeviceLimits.keptAnswerMillisecondsMax
    }

    // MARK: - Entitlements

    func entitlements() async throws(StoreError) -> DeviceAnswer<[Entitlement]> {
        do throws(StoreError) {
            let answer = try await store.entitlements()
            let now = clock.now()
            let contact = clock.liveReading()
            await write {
                $0.entitlements = (KeptEntitlements(entitlements: answer, asOf: now), contact)
            }
            return DeviceAnswer(answer, asOf: now, isFresh: true)
        } catch  where error.isNetworkOff {
            return try await knownEntitlements()
        }
    }

    private func keep(_ answer: KeptEntitlements, _ contact: KeptClock) async {
        var before = written.withLock { $0.entitlements }
        if before == nil { before = await kept(.entitlements, as: KeptEntitlements.self) }
        if let before, !isOld(before.asOf, at: answer.asOf),
            before.entitlements.map(\.withoutSignature)
                == answer.entitlements.map(\.withoutSignature)
        {
            return written.withLock { $0.entitlements = before }
        }
        // An entitlement that this device cannot verify is not written: later it would look
        // altered.
        let whole = answer
        var answer = answer
        answer.entitlements = await keeper.verifiable(answer.entitlements)
        let proven = answer
        let isKept: Void? = try? await database.writeTogether { db in
            let records = DeviceRecords(db)
            try records.keep(.entitlements, proven)
            try records.keep(.contact, contact)
        }
        if isKept != nil { written.withLock { $0.entitlements = whole } }
    }

    /// The entitlements that the device's records and the last answer prove together, without a
    /// network.
    private func knownEntitlements() async throws(StoreError) -> DeviceAnswer<[Entitlement]> {
        await useKeptClock()
        let now = clock.now()
        let answer = await kept(.entitlements, as: KeptEntitlements.self)
        let contact = await kept(.contact, as: KeptClock.self)
        var known: [TransactionID: Transaction] = [:]
        var renews: [TransactionID: Bool] = [:]
        for transaction in try await keeper.proven(answer?.entitlements ?? []) {
            known[transaction.payload.transactionId] = transaction
            let entry = answer?.entitlements.first {
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
        let graces = try await graces(answer?.entitlements ?? [], at: now)
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
        let asOf = [answer?.asOf, contact?.at].compactMap { $0 }.max() ?? .earliest
        return DeviceAnswer(entitlements, asOf: asOf, isFresh: false)
    }

    /// The ends of the grace periods that have not ended, by transaction, as far as the last kept
    /// answer proves them. In a grace period the renewal's charge has failed, but access continues.
    func keptGraces(at now: Timestamp) async -> [TransactionID: Timestamp] {
        await writeNow()
        guard let answer = await kept(.entitlements, as: KeptEntitlements.self) else { return [:] }
        return (try? await graces(answer.entitlements, at: now)) ?? [:]
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
        do throws(StoreError) {
            let answer = KeptSettings(settings: try await store.settings(), asOf: clock.now())
            await write { $0.settings = answer }
            return DeviceAnswer(answer.settings, asOf: answer.asOf, isFresh: true)
        } catch  where error.isNetworkOff {
            await writeNow()
            guard let answer = await kept(.settings, as: KeptSettings.self),
                answer.settings.name == store.account
            else { throw error }
            return DeviceAnswer(answer.settings, asOf: answer.asOf, isFresh: false)
        }
    }

    private func keep(_ answer: KeptSettings) async {
        var before = written.withLock { $0.settings }
        if before == nil { before = await kept(.settings, as: KeptSettings.self) }
        if let before, before.settings == answer.settings, !isOld(before.asOf, at: answer.asOf) {
            return written.withLock { $0.settings = before }
        }
        let isKept: Void? = try? await database.writeTogether {
            try DeviceRecords($0).keep(.settings, answer)
        }
        if isKept != nil { written.withLock { $0.settings = answer } }
    }

    // MARK: - Family, subscriptions, requests and history

    func familyStatus() async throws(StoreError) -> DeviceAnswer<FamilyStatus> {
        do throws(StoreError) {
            let answer = KeptFamily(status: try await store.familyStatus(), asOf: clock.now())
            await write { $0.family = answer }
            return DeviceAnswer(answer.status, asOf: answer.asOf, isFresh: true)
        } catch  where error.isNetworkOff {
            await writeNow()
            guard let answer = await kept(.family, as: KeptFamily.self) else { throw error }
            return DeviceAnswer(answer.status, asOf: answer.asOf, isFresh: false)
        }
    }

    func subscriptionStatuses() async throws(StoreError) -> DeviceAnswer<[SubscriptionStatus]> {
        do throws(StoreError) {
            let answer = KeptSubscriptions(
                statuses: try await store.subscriptionStatuses(), asOf: clock.now())
            await write { $0.subscriptions = answer }
            return DeviceAnswer(answer.statuses, asOf: answer.asOf, isFresh: true)
        } catch  where error.isNetworkOff {
            await writeNow()
            guard let answer = await kept(.subscriptions, as: KeptSubscriptions.self) else {
                throw error
            }
            return DeviceAnswer(answer.statuses, asOf: answer.asOf, isFresh: false)
        }
    }

    func requests() async throws(StoreError) -> DeviceAnswer<[ApprovalRequest]> {
        do throws(StoreError) {
            let answer = KeptRequests(requests: try await store.requests(), asOf: clock.now())
            await write { $0.requests = answer }
            return DeviceAnswer(answer.requests, asOf: answer.asOf, isFresh: true)
        } catch  where error.isNetworkOff {
            await writeNow()
            guard let answer = await kept(.requests, as: KeptRequests.self) else { throw error }
            return DeviceAnswer(answer.requests, asOf: answer.asOf, isFresh: false)
        }
    }

    /// The account's unfinished transactions on all its devices. Without a network, the store's
    /// last answer without those that a person has finished here since.
    func unfinished() async throws(StoreError) -> DeviceAnswer<[UnfinishedTransaction]> {
        do throws(StoreError) {
            let answer = KeptUnfinished(
                transactions: try await store.unfinished(allDevices: true), asOf: clock.now())
            await write { $0.unfinished = answer }
            return DeviceAnswer(answer.transactions, asOf: answer.asOf, isFresh: true)
        } catch  where error.isNetworkOff {
            await writeNow()
            guard let answer = await kept(.unfinished, as: KeptUnfinished.self) else { throw error }
            let finished = Set(
                try await database.read { try DeviceRecords($0).queuedFinishes() })
            return DeviceAnswer(
                answer.transactions.filter { !finished.contains($0.id) }, asOf: answer.asOf,
                isFresh: false)
        }
    }

    /// Removes a finished transaction from the kept answer, so that the device does not list it as
    /// unfinished later. A failure to write is ignored.
    func noteFinished(_ id: TransactionID) async {
        await writeNow()
        guard var answer = await kept(.unfinished, as: KeptUnfinished.self),
            answer.transactions.contains(where: { $0.id == id })
        else { return }
        answer.transactions.removeAll { $0.id == id }
        await keep(answer, as: .unfinished, \.unfinished)
    }

    /// Whether the last kept history shows a transaction as finished. False also if that history is
    /// older than the transaction's finish.
    func isKnownAsFinished(_ id: TransactionID) async -> Bool {
        await writeNow()
        guard let history = await kept(.history, as: KeptHistory.self) else { return false }
        return history.events.contains { event in
            if case .finished(let finished) = event.change { finished == id } else { false }
        }
    }

    /// A page of the account's transactions, newest first. Without a network, those that this
    /// device has delivered and can verify, each in its newest state. An empty page is the end.
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
                await write { $0.history = KeptHistory(events: newest, asOf: now) }
            }
            return DeviceAnswer(page, asOf: now, isFresh: true)
        } catch  where error.isNetworkOff {
            await writeNow()
            guard let answer = await kept(.history, as: KeptHistory.self) else { throw error }
            var filter = filter
            filter.account = nil
            let events = answer.events.filter {
                filter.shows($0) && (cursor == nil || $0.cursor.position <= cursor?.position ?? 0)
            }
            return DeviceAnswer(
                HistoryPage(events: events, next: nil), asOf: answer.asOf, isFresh: false)
        }
    }

    // MARK: - Products

    func products(_ identifiers: [ProductID]?) async throws(StoreError)
        -> DeviceAnswer<ProductsResponse>
    {
        do throws(StoreError) {
            let response = try await store.products(identifiers)
            let now = clock.now()
            if identifiers == nil { await write { $0.products = (response, now) } }
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

    /// Products by identifier, as the store describes them or last described them.
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
        var before = written.withLock { $0.catalog }
        if before == nil { before = await kept(.catalog, as: KeptCatalog.self) }
        let isSame = before?.isSame(as: catalog) ?? false
        if isSame, let before, !isOld(before.asOf, at: now) {
            return written.withLock { $0.catalog = before }
        }
        let isKept: Void? = try? await database.writeTogether { db in
            let records = DeviceRecords(db)
            if !isSame { try records.keep(.products, response) }
            try records.keep(.catalog, catalog)
        }
        if isKept != nil { written.withLock { $0.catalog = catalog } }
    }
}

/// A kept answer and the store's time as of which it holds.
private protocol KeptWithTime: Codable, Sendable {
    var asOf: Timestamp { get }
    /// Whether both answers have the same contents, even if as of different times.
    func saysTheSame(as other: Self) -> Bool
}

extension KeptFamily: KeptWithTime {
    fileprivate func saysTheSame(as other: KeptFamily) -> Bool { status == other.status }
}

extension KeptRequests: KeptWithTime {
    fileprivate func saysTheSame(as other: KeptRequests) -> Bool { requests == other.requests }
}

extension KeptUnfinished: KeptWithTime {
    /// Signed texts are not compared, because each process of a store signs anew.
    fileprivate func saysTheSame(as other: KeptUnfinished) -> Bool {
        transactions.map(\.id) == other.transactions.map(\.id)
            && transactions.map(\.transaction.revision)
                == other.transactions.map(\.transaction.revision)
            && transactions.map(\.device) == other.transactions.map(\.device)
    }
}

extension KeptHistory: KeptWithTime {
    fileprivate func saysTheSame(as other: KeptHistory) -> Bool { events == other.events }
}

extension KeptSubscriptions: KeptWithTime {
    /// The payloads are compared, not the signed texts, because the store signs anew for each
    /// answer.
    fileprivate func saysTheSame(as other: KeptSubscriptions) -> Bool {
        statuses.map(\.contents) == other.statuses.map(\.contents)
    }
}

extension SubscriptionStatus {
    /// The status, with the unverified payloads of its signed texts in their place.
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
    /// This answer reduced to some products (`Store.products`); unchanged if `identifiers` is nil.
    fileprivate func only(_ identifiers: [ProductID]?) -> ProductsResponse {
        guard let identifiers else { return self }
        let wanted = Set(identifiers)
        let found = products.filter { wanted.contains($0.id) }
        let known = Set(found.map(\.id))
        return ProductsResponse(
            products: found, invalidProductIDs: identifiers.filter { !known.contains($0) },
            catalogRevision: catalogRevision)
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
    /// Whether the transaction's period has begun. The store records a renewal up to a day before
    /// its period begins.
    fileprivate func hasBegun(at now: Timestamp) -> Bool {
        transactionReason != .renewal || purchaseDate <= now
    }

    /// Whether this transaction entitles to its product at a given time, by the store's rule
    /// (StoreKit: `currentEntitlements`).
    func entitles(at now: Timestamp) -> Bool {
        guard revocationDate == nil else { return false }
        return switch type {
        case .consumable: false
        case .nonConsumable, .nonRenewing: true
        case .autoRenewable: expiresDate.map { $0 > now } ?? true
        }
    }
}
