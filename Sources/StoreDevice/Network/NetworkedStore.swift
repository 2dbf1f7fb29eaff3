import Foundation
import StoreModel

/// A store behind a device's network. While the network is cut, every call throws
/// `StoreError.networkIsOff` without reaching the store, and feeds end with that error. A call that
/// the store's server did not answer turns the network off until the server answers again.
///
/// A payment that reached the store while the network was being cut throws `outcomeUnknown`: the
/// store may have sold it, but its answer is lost.
struct NetworkedStore: Store {
    private let inner: any Store
    private let network: DeviceNetwork

    /// The error of a call that does not get through; nil while the network is on.
    private var obstacle: StoreError? { network.obstacle(on: device) }

    /// Throws while the network is off.
    private func reached<Value>(
        _ call: (any Store) async throws -> Value
    ) async throws(StoreError) -> Value {
        try network.check(on: device)
        do { return try await call(inner) } catch {
            let error = error as? StoreError ?? StoreError(.unknown, cause: "\(error)")
            note(error)
            throw error
        }
    }

    /// As `reached`, after the delay of a slow network: for what a customer waits for.
    private func reachedInTime<Value>(
        _ call: (any Store) async throws -> Value
    ) async throws(StoreError) -> Value {
        try await network.delay(on: device)
        return try await reached(call)
    }

    private func note(_ error: StoreError) {
        network.note(error) { [inner] () async throws(StoreError) in _ = try await inner.head() }
    }

    init(_ inner: any Store, network: DeviceNetwork) {
        self.inner = inner
        self.network = network
    }

    var identity: AppIdentity { inner.identity }
    var account: AccountName { inner.account }
    var device: DeviceName { inner.device }
    var rootCertificate: Data { inner.rootCertificate }

    func settings() async throws(StoreError) -> AccountSettings {
        try await reached { try await $0.settings() }
    }

    func products(_ identifiers: [ProductID]?) async throws(StoreError) -> ProductsResponse {
        try await reachedInTime { try await $0.products(identifiers) }
    }

    func purchase(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        try await network.delay(on: device)
        switch network.state() {
        case .off, .serverAway: throw obstacle ?? .networkIsOff(on: device)
        case .on, .slow:
            let outcome = try await reached { try await $0.purchase(payment) }
            if network.isCut { throw .answerLost }
            return outcome
        case .offAfterPayment(let milliseconds):
            // The network is cut before the payment is passed on. So this payment is the last that
            // reaches the store, and no event of its sale arrives before the network is back.
            try network.set(.off(milliseconds: milliseconds))
            _ = try? await inner.purchase(payment)
            throw .answerLost
        }
    }

    func outcome(of payment: Payment) async throws(StoreError) -> PurchaseOutcome? {
        try await reached { try await $0.outcome(of: payment) }
    }

    func requests() async throws(StoreError) -> [ApprovalRequest] {
        try await reached { try await $0.requests() }
    }

    func withdraw(_ request: TransactionID) async throws(StoreError) {
        try await reached { try await $0.withdraw(request) }
    }

    func resolve(_ request: TransactionID) async throws(StoreError) {
        try await reached { try await $0.resolve(request) }
    }

    func requestRefund(of id: TransactionID, reason: RefundReason) async throws(StoreError)
        -> RefundRequest
    { try await reached { try await $0.requestRefund(of: id, reason: reason) } }

    func noteCancelledPurchase(of product: ProductID) async throws(StoreError) {
        try await reached { try await $0.noteCancelledPurchase(of: product) }
    }

    func values() async throws(StoreError) -> [String: String] {
        try await reached { try await $0.values() }
    }

    func setValue(_ change: AccountValue) async throws(StoreError) {
        try await reached { try await $0.setValue(change) }
    }

    func receipt(_ options: ReceiptOptions) async throws(StoreError) -> SignedReceipt {
        try await reached { try await $0.receipt(options) }
    }

    func appTransaction() async throws(StoreError) -> SignedAppTransaction {
        try await reached { try await $0.appTransaction() }
    }

    func revokedCertificates() async throws(StoreError) -> SignedRevocationList {
        try await reached { try await $0.revokedCertificates() }
    }

    func knows(_ id: TransactionID) async throws(StoreError) -> Bool {
        try await reached { try await $0.knows(id) }
    }

    func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome {
        try await reached { try await $0.finish(id) }
    }

    func claim(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        try await reached { try await $0.claim(id) }
    }

    func unfinished(allDevices: Bool) async throws(StoreError) -> [UnfinishedTransaction] {
        try await reached { try await $0.unfinished(allDevices: allDevices) }
    }

    func restorable(before: TransactionID?, limit: Int) async throws(StoreError) -> RestorePage {
        try await reachedInTime { try await $0.restorable(before: before, limit: limit) }
    }

    func history(before: TransactionID?, limit: Int) async throws(StoreError) -> [SignedTransaction]
    {
        try await reached { try await $0.history(before: before, limit: limit) }
    }

    func events(before: FeedCursor?, filter: HistoryFilter, limit: Int) async throws(StoreError)
        -> HistoryPage
    { try await reached { try await $0.events(before: before, filter: filter, limit: limit) } }

    func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        try await reached { try await $0.transaction(id) }
    }

    func entitlements() async throws(StoreError) -> [Entitlement] {
        try await reached { try await $0.entitlements() }
    }

    func familyStatus() async throws(StoreError) -> FamilyStatus {
        try await reached { try await $0.familyStatus() }
    }

    func subscriptionStatuses() async throws(StoreError) -> [SubscriptionStatus] {
        try await reachedInTime { try await $0.subscriptionStatuses() }
    }

    func manageSubscriptions() async throws(StoreError) {
        try await reached { try await $0.manageSubscriptions() }
    }

    func offers(of product: ProductID) async throws(StoreError) -> [OfferAnswer] {
        try await reached { try await $0.offers(of: product) }
    }

    func redemption(of code: String) async throws(StoreError) -> CodeRedemption {
        try await reached { try await $0.redemption(of: code) }
    }

    func overdueSince() async throws(StoreError) -> Timestamp? {
        try await reached { try await $0.overdueSince() }
    }

    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest
    { try await reached { try await $0.contentManifest(product: product, contentID: contentID) } }

    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    )
        async throws(StoreError) -> Data
    {
        try await reached {
            try await $0.contentBytes(
                product: product, contentID: contentID, path: path, offset: offset, count: count)
        }
    }

    func head() async throws(StoreError) -> FeedCursor { try await reached { try await $0.head() } }

    func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark? {
        try await reached { try await $0.mark(at: cursor) }
    }

    /// While the network is cut, a batch is not passed on: the feed ends with
    /// `StoreError.networkIsOff`. A new feed after the same cursor starts with that batch.
    func updates(after cursor: FeedCursor) -> StoreEventStream {
        let feed = inner.updates(after: cursor)
        return StoreEventStream { [self] in
            var iterator = feed.makeAsyncIterator()
            return {
                try network.check(on: device)
                do {
                    guard let batch = try await iterator.next() else { return nil }
                    try network.check(on: device)
                    return batch
                } catch {
                    if let error = error as? StoreError { note(error) }
                    throw error
                }
            }
        }
    }
}
