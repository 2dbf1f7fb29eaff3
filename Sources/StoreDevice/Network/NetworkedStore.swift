import Foundation
import StoreModel

/// A store behind a device's network. While the network is cut, every call throws
/// `StoreError.networkIsOff` without reaching the store, and feeds end with that error.
///
/// A payment that reached the store while the network was being cut throws `outcomeUnknown`: the
/// store may have sold it, but its answer is lost.
struct NetworkedStore: Store {
    private let inner: any Store
    private let network: Network

    /// The device's network; the errors it throws name the device.
    private struct Network: Sendable {
        let switching: DeviceNetwork
        let device: DeviceName

        var isOff: Bool { switching.isOff }
        func state() -> NetworkState { switching.state() }
        func set(_ change: NetworkChange) throws(StoreError) { try switching.set(change) }
        func check() throws(StoreError) { if isOff { throw .networkIsOff(on: device) } }

        func delay() async throws(StoreError) {
            do throws(StoreError) { try await switching.delay() } catch {
                throw .networkIsOff(on: device)
            }
        }
    }

    /// As `reached`, after the delay of a slow network: for what a customer waits for.
    private func reachedInTime() async throws(StoreError) -> any Store {
        try await network.delay()
        return inner
    }

    /// Throws while the network is cut.
    private var reached: any Store {
        get throws(StoreError) {
            try network.check()
            return inner
        }
    }

    init(_ inner: any Store, network: DeviceNetwork) {
        self.inner = inner
        self.network = Network(switching: network, device: inner.device)
    }

    var identity: AppIdentity { inner.identity }
    var account: AccountName { inner.account }
    var device: DeviceName { inner.device }
    var rootCertificate: Data { inner.rootCertificate }

    func settings() async throws(StoreError) -> AccountSettings { try await reached.settings() }

    func products(_ identifiers: [ProductID]?) async throws(StoreError) -> ProductsResponse {
        try await reachedInTime().products(identifiers)
    }

    func purchase(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        try await network.delay()
        switch network.state() {
        case .off: throw .networkIsOff(on: device)
        case .on, .slow:
            let outcome = try await inner.purchase(payment)
            if network.isOff { throw .answerLost }
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
        try await reached.outcome(of: payment)
    }

    func requests() async throws(StoreError) -> [ApprovalRequest] { try await reached.requests() }

    func withdraw(_ request: TransactionID) async throws(StoreError) {
        try await reached.withdraw(request)
    }

    func resolve(_ request: TransactionID) async throws(StoreError) {
        try await reached.resolve(request)
    }

    func requestRefund(of id: TransactionID, reason: RefundReason) async throws(StoreError)
        -> RefundRequest
    { try await reached.requestRefund(of: id, reason: reason) }

    func noteCancelledPurchase(of product: ProductID) async throws(StoreError) {
        try await reached.noteCancelledPurchase(of: product)
    }

    func values() async throws(StoreError) -> [String: String] { try await reached.values() }

    func setValue(_ change: AccountValue) async throws(StoreError) {
        try await reached.setValue(change)
    }

    func receipt(_ options: ReceiptOptions) async throws(StoreError) -> SignedReceipt {
        try await reached.receipt(options)
    }

    func appTransaction() async throws(StoreError) -> SignedAppTransaction {
        try await reached.appTransaction()
    }

    func revokedCertificates() async throws(StoreError) -> SignedRevocationList {
        try await reached.revokedCertificates()
    }

    func knows(_ id: TransactionID) async throws(StoreError) -> Bool { try await reached.knows(id) }

    func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome {
        try await reached.finish(id)
    }

    func claim(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        try await reached.claim(id)
    }

    func unfinished(allDevices: Bool) async throws(StoreError) -> [UnfinishedTransaction] {
        try await reached.unfinished(allDevices: allDevices)
    }

    func restorable(before: TransactionID?, limit: Int) async throws(StoreError) -> RestorePage {
        try await reachedInTime().restorable(before: before, limit: limit)
    }

    func history(before: TransactionID?, limit: Int) async throws(StoreError) -> [SignedTransaction]
    {
        try await reached.history(before: before, limit: limit)
    }

    func events(before: FeedCursor?, filter: HistoryFilter, limit: Int) async throws(StoreError)
        -> HistoryPage
    { try await reached.events(before: before, filter: filter, limit: limit) }

    func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        try await reached.transaction(id)
    }

    func entitlements() async throws(StoreError) -> [Entitlement] {
        try await reached.entitlements()
    }

    func familyStatus() async throws(StoreError) -> FamilyStatus {
        try await reached.familyStatus()
    }

    func subscriptionStatuses() async throws(StoreError) -> [SubscriptionStatus] {
        try await reachedInTime().subscriptionStatuses()
    }

    func manageSubscriptions() async throws(StoreError) { try await reached.manageSubscriptions() }

    func offers(of product: ProductID) async throws(StoreError) -> [OfferAnswer] {
        try await reached.offers(of: product)
    }

    func redemption(of code: String) async throws(StoreError) -> CodeRedemption {
        try await reached.redemption(of: code)
    }

    func overdueSince() async throws(StoreError) -> Timestamp? { try await reached.overdueSince() }

    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest
    { try await reached.contentManifest(product: product, contentID: contentID) }

    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    )
        async throws(StoreError) -> Data
    {
        try await reached.contentBytes(
            product: product, contentID: contentID, path: path, offset: offset, count: count)
    }

    func head() async throws(StoreError) -> FeedCursor { try await reached.head() }

    func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark? {
        try await reached.mark(at: cursor)
    }

    /// While the network is cut, a batch is not passed on: the feed ends with
    /// `StoreError.networkIsOff`. A new feed after the same cursor starts with that batch.
    func updates(after cursor: FeedCursor) -> StoreEventStream {
        let feed = inner.updates(after: cursor)
        return StoreEventStream { [network] in
            var iterator = feed.makeAsyncIterator()
            return {
                try network.check()
                guard let batch = try await iterator.next() else { return nil }
                try network.check()
                return batch
            }
        }
    }
}
