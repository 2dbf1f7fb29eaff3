import Foundation
import StoreModel
import Synchronization

/// A store that behaves like `inner`, except where a test overrides a step.
struct ScriptedStore: Store {
    typealias Purchase = @Sendable (Payment) async throws(StoreError) -> PurchaseOutcome
    typealias Bytes =
        @Sendable (_ path: String, _ offset: Int64, _ count: Int)
        async throws(StoreError) -> Data

    let inner: any Store
    /// Called before the real purchase; an error that it throws replaces the purchase.
    var beforePurchase: @Sendable (Payment) async throws(StoreError) -> Void = { _ in }
    /// Called after the real purchase; if it throws, the answer is lost.
    var afterPurchase: @Sendable (Payment) async throws(StoreError) -> Void = { _ in }
    var beforeValue: @Sendable (AccountValue) async throws(StoreError) -> Void = { _ in }
    /// Called after the value is recorded; if it throws, the answer is lost.
    var afterValue: @Sendable (AccountValue) async throws(StoreError) -> Void = { _ in }
    var beforeFinish: @Sendable (TransactionID) async throws(StoreError) -> Void = { _ in }
    var beforeUnfinished: @Sendable () async throws(StoreError) -> Void = {}
    var beforeRestorable: @Sendable () async throws(StoreError) -> Void = {}
    /// Applied to every signed transaction that the store returns.
    var handOut: @Sendable (SignedTransaction) -> SignedTransaction = { $0 }
    var changeManifest: @Sendable (ContentManifest) -> ContentManifest = { $0 }
    var beforeManifest: @Sendable () async throws(StoreError) -> Void = {}
    var beforeBytes: @Sendable (String, Int64, Int) async throws(StoreError) -> Void = {
        _, _, _ in
    }
    var changeBytes: @Sendable (Data, String) -> Data = { bytes, _ in bytes }
    var changeReceipt: @Sendable (SignedReceipt) async throws(StoreError) -> SignedReceipt = { $0 }
    var changeAppTransaction: @Sendable (SignedAppTransaction) -> SignedAppTransaction = { $0 }
    var changeRevoked:
        @Sendable (SignedRevocationList) async throws(StoreError) -> SignedRevocationList = { $0 }
    /// Whether the store's server cannot be reached.
    var isAway: @Sendable () -> Bool = { false }
    /// The position at which every feed begins; nil for the requested cursor.
    var feedStart: FeedCursor?
    var otherRoot: Data?

    init(_ inner: some Store) { self.inner = inner }

    private func refuseAway() throws(StoreError) {
        if isAway() {
            throw StoreError(.storeUnreachable, subject: "postgresql://example.com/shop")
        }
    }

    /// Each request for bytes of content waits at the gate.
    mutating func holdBytes(at gate: Gate) {
        beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
            await gate.pass()
        }
    }

    var identity: AppIdentity { inner.identity }
    var account: AccountName { inner.account }
    var device: DeviceName { inner.device }
    var rootCertificate: Data { otherRoot ?? inner.rootCertificate }

    func settings() async throws(StoreError) -> AccountSettings { try await inner.settings() }

    func products(_ identifiers: [ProductID]?) async throws(StoreError) -> ProductsResponse {
        try await inner.products(identifiers)
    }

    func purchase(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        try refuseAway()
        try await beforePurchase(payment)
        let outcome = try await inner.purchase(payment)
        try await afterPurchase(payment)
        guard case .purchased(let signed, let id, let alreadyOwned) = outcome else {
            return outcome
        }
        return .purchased(handOut(signed), id: id, alreadyOwned: alreadyOwned)
    }

    func outcome(of payment: Payment) async throws(StoreError) -> PurchaseOutcome? {
        try refuseAway()
        return try await inner.outcome(of: payment)
    }

    func requests() async throws(StoreError) -> [ApprovalRequest] {
        try await inner.requests()
    }

    func withdraw(_ request: TransactionID) async throws(StoreError) {
        try await inner.withdraw(request)
    }

    func resolve(_ request: TransactionID) async throws(StoreError) {
        try await inner.resolve(request)
    }

    func requestRefund(of id: TransactionID, reason: RefundReason) async throws(StoreError)
        -> RefundRequest
    {
        try await inner.requestRefund(of: id, reason: reason)
    }

    func noteCancelledPurchase(of product: ProductID) async throws(StoreError) {
        try await inner.noteCancelledPurchase(of: product)
    }

    func values() async throws(StoreError) -> [String: String] { try await inner.values() }

    func setValue(_ change: AccountValue) async throws(StoreError) {
        try await beforeValue(change)
        try await inner.setValue(change)
        try await afterValue(change)
    }

    func knows(_ id: TransactionID) async throws(StoreError) -> Bool {
        try await inner.knows(id)
    }

    func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome {
        try refuseAway()
        try await beforeFinish(id)
        return try await inner.finish(id)
    }

    func claim(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        handOut(try await inner.claim(id))
    }

    func unfinished(allDevices: Bool) async throws(StoreError) -> [UnfinishedTransaction] {
        try await beforeUnfinished()
        return try await inner.unfinished(allDevices: allDevices).map { waiting in
            var waiting = waiting
            waiting.transaction.signed = handOut(waiting.transaction.signed)
            return waiting
        }
    }

    func restorable(before: TransactionID?, limit: Int) async throws(StoreError) -> RestorePage {
        try await beforeRestorable()
        var page = try await inner.restorable(before: before, limit: limit)
        for index in page.transactions.indices {
            page.transactions[index].signed = handOut(page.transactions[index].signed)
        }
        return page
    }

    func history(before: TransactionID?, limit: Int) async throws(StoreError)
        -> [SignedTransaction]
    { try await inner.history(before: before, limit: limit).map(handOut) }

    func events(before: FeedCursor?, filter: HistoryFilter, limit: Int) async throws(StoreError)
        -> HistoryPage
    { try await inner.events(before: before, filter: filter, limit: limit) }

    func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        handOut(try await inner.transaction(id))
    }

    func receipt(_ options: ReceiptOptions) async throws(StoreError) -> SignedReceipt {
        let receipt = try await inner.receipt(options)
        return try await changeReceipt(receipt)
    }

    func appTransaction() async throws(StoreError) -> SignedAppTransaction {
        changeAppTransaction(try await inner.appTransaction())
    }

    func revokedCertificates() async throws(StoreError) -> SignedRevocationList {
        try await changeRevoked(inner.revokedCertificates())
    }

    func familyStatus() async throws(StoreError) -> FamilyStatus {
        try await inner.familyStatus()
    }

    func manageSubscriptions() async throws(StoreError) {
        try await inner.manageSubscriptions()
    }

    func subscriptionStatuses() async throws(StoreError) -> [SubscriptionStatus] {
        try await inner.subscriptionStatuses()
    }

    func offers(of product: ProductID) async throws(StoreError) -> [OfferAnswer] {
        try await inner.offers(of: product)
    }

    func redemption(of code: String) async throws(StoreError) -> CodeRedemption {
        try await inner.redemption(of: code)
    }

    func overdueSince() async throws(StoreError) -> Timestamp? { try await inner.overdueSince() }

    func entitlements() async throws(StoreError) -> [Entitlement] {
        try refuseAway()
        return try await inner.entitlements()
    }

    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest
    {
        try await beforeManifest()
        return changeManifest(
            try await inner.contentManifest(product: product, contentID: contentID))
    }

    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        try await beforeBytes(path, offset, count)
        let bytes = try await inner.contentBytes(
            product: product, contentID: contentID, path: path, offset: offset, count: count)
        return changeBytes(bytes, path)
    }

    func head() async throws(StoreError) -> FeedCursor {
        try refuseAway()
        return try await inner.head()
    }

    func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark? {
        try await inner.mark(at: cursor)
    }

    func updates(after cursor: FeedCursor) -> StoreEventStream {
        let feed = inner.updates(after: feedStart ?? cursor)
        return StoreEventStream { [self] in
            var iterator = feed.makeAsyncIterator()
            return {
                guard var batch = try await iterator.next() else { return nil }
                batch.events = batch.events.map(handOut)
                return batch
            }
        }
    }

    private func handOut(_ event: StoreEvent) -> StoreEvent {
        var event = event
        if let issued = event.issued { event.issued?.signed = handOut(issued.signed) }
        return event
    }
}

/// A gate that holds other tasks: closed at first, and open for good after `open`.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watching: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    func pass() async {
        for watcher in arrive() { watcher.resume() }
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until the gate is open. Cancelling the calling task opens it.
    func passWhenCancelled() async {
        await withTaskCancellationHandler {
            await pass()
        } onCancel: {
            open()
        }
    }

    private func arrive() -> [CheckedContinuation<Void, Never>] {
        state.withLock { state in
            state.arrivals += 1
            defer { state.watching = [] }
            return state.watching
        }
    }

    /// Waits until a task has arrived at the gate.
    func reached() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.arrivals == 0 { state.watching.append(continuation) }
                return state.arrivals > 0
            }
            if isReached { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }
}

/// A counter that any task may increase.
final class Tally: Sendable {
    private let amount = Mutex<Int64>(0)

    var count: Int64 { amount.withLock { $0 } }

    @discardableResult
    func add(_ more: Int64 = 1) -> Int64 {
        amount.withLock { amount in
            amount += more
            return amount
        }
    }
}
