import Foundation
import ShopText
@testable import StoreModel
import Synchronization

/// A store, device and operator in one. They record their calls in order, and answer each with a
/// fixed value or the given error.
final class FakeStore: Store, ShopDevice, StoreOperator, OfferSigner {
    func sign(_ payment: Payment) async throws(StoreError) -> OfferSignature {
        try answer(.jws("a.b.c"))
    }

    private let called = Mutex<[String]>([])
    private let error: StoreError?
    private let launchError: StoreError?
    let (stream, updating) = AsyncStream.makeStream(of: DeviceUpdate.self)
    let (wakes, waking) = AsyncStream.makeStream(of: DownloadWake.self)
    let (batches, feeding) = AsyncThrowingStream.makeStream(of: StoreEventBatch.self)

    /// One product's files, by path, and the place at which a person stopped reading.
    private let files: [String: Data]
    private let place: ReadingPlace?
    private let eventCount: Int64

    init(
        failing error: StoreError? = nil, atLaunch launchError: StoreError? = nil,
        files: [String: Data] = [:], place: ReadingPlace? = nil, eventCount: Int64 = 0
    ) {
        self.files = files
        self.place = place
        self.eventCount = eventCount
        self.error = error
        self.launchError = launchError
    }

    var calls: [String] { called.withLock { $0 } }

    private func note(_ call: String = #function) {
        called.withLock { $0.append(String(call.prefix { $0 != "(" })) }
    }

    private func answer<Value>(_ value: Value, _ call: String = #function)
        throws(StoreError) -> Value
    {
        note(call)
        if let error { throw error }
        return value
    }

    // MARK: - Both sides

    let identity = AppIdentity(bundleID: "lantern")
    let account: AccountName = "aoi"
    let device: DeviceName = "phone"
    let rootCertificate = Data()
    static let settings = AccountSettings(name: "aoi", territory: "USA")
    static let cursor = FeedCursor(epoch: 1, position: 1)

    func head() async throws(StoreError) -> FeedCursor { try answer(Self.cursor) }
    func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark? {
        try answer(FeedMark(rawValue: "mark"))
    }
    func settings() async throws(StoreError) -> AccountSettings { try answer(Self.settings) }
    func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome {
        try answer(.finished)
    }

    // MARK: - Store

    func products(_ identifiers: [ProductID]?) async throws(StoreError) -> ProductsResponse {
        try answer(ProductsResponse(products: [], invalidProductIDs: [], catalogRevision: 1))
    }
    func purchase(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        try answer(.pending(request: TransactionID(1), reason: .askToBuy))
    }
    func outcome(of payment: Payment) async throws(StoreError) -> PurchaseOutcome? {
        try answer(nil)
    }
    func knows(_ id: TransactionID) async throws(StoreError) -> Bool { try answer(true) }
    func claim(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        try answer("a.b.c")
    }
    func unfinished(allDevices: Bool) async throws(StoreError) -> [UnfinishedTransaction] {
        try answer([])
    }
    func restorable(before: TransactionID?, limit: Int) async throws(StoreError) -> RestorePage {
        try answer(RestorePage([], isLast: true))
    }
    func history(before: TransactionID?, limit: Int) async throws(StoreError)
        -> [SignedTransaction]
    { try answer([]) }
    func events(before: FeedCursor?, filter: HistoryFilter, limit: Int) async throws(StoreError)
        -> HistoryPage
    {
        let last = (before?.position ?? eventCount + 1) - 1
        let first = max(1, last - Int64(limit) + 1)
        return try answer(
            HistoryPage(
                events: stride(from: last, through: first, by: -1).map { LogTests.event($0) },
                next: first > 1 ? FeedCursor(epoch: 1, position: first) : nil))
    }
    func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        try answer("a.b.c")
    }
    func entitlements() async throws(StoreError) -> [Entitlement] { try answer([]) }
    func subscriptionStatuses() async throws(StoreError) -> [SubscriptionStatus] {
        try answer([])
    }
    func manageSubscriptions() async throws(StoreError) { try answer(()) }
    func offers(of product: ProductID) async throws(StoreError) -> [OfferAnswer] {
        try answer([])
    }
    func redemption(of code: String) async throws(StoreError) -> CodeRedemption {
        throw StoreError(.invalidOfferIdentifier, found: code)
    }
    func receipt(_ options: ReceiptOptions) async throws(StoreError) -> SignedReceipt {
        try answer("a.b.c")
    }
    func appTransaction() async throws(StoreError) -> SignedAppTransaction {
        try answer("a.b.c")
    }
    func revokedCertificates() async throws(StoreError) -> SignedRevocationList {
        try answer("a.b.c")
    }
    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest
    { try answer(ContentManifest(contentID: "", version: "", files: [])) }
    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data { try answer(Data()) }
    func updates(after cursor: FeedCursor) -> StoreEventStream { StoreEventStream { { nil } } }

    // MARK: - ShopDevice

    func launch() async throws(StoreError) {
        note()
        if let launchError { throw launchError }
    }
    var holdsLease: Bool { get async { true } }
    func buy(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        try answer(.pending(request: TransactionID(1), reason: .askToBuy))
    }
    func restore() async throws(StoreError) -> RestoreSummary { try answer(RestoreSummary()) }
    func claim(_ id: TransactionID) async throws(StoreError) { try answer(()) }
    func requests() async throws(StoreError) -> [ApprovalRequest] { try answer([]) }
    func withdraw(_ request: TransactionID) async throws(StoreError) { try answer(()) }
    func resolve(_ request: TransactionID) async throws(StoreError) { try answer(()) }
    func requestRefund(of id: TransactionID, reason: RefundReason) async throws(StoreError)
        -> RefundRequest
    {
        try answer(
            RefundRequest(
                transactionID: id, account: account, device: device, productID: "a",
                reason: reason, askedAt: Timestamp(milliseconds: 0)))
    }
    func noteCancelledPurchase(of product: ProductID) async throws(StoreError) {
        try answer(())
    }
    func values() async throws(StoreError) -> [String: String] { try answer([:]) }
    func setValue(_ change: AccountValue) async throws(StoreError) { try answer(()) }
    func refundRequests() async throws(StoreError) -> [RefundRequest] { try answer([]) }
    func contentUpdates() async throws(StoreError) -> [ContentUpdate] { try answer([]) }
    func updateContent(of product: ProductID) async throws(StoreError) -> [ContentUpdate] {
        try answer([])
    }
    var downloadFaults: DownloadFaults { DownloadFaults(stallAt: 7) }
    func setDownloadFaults(_ faults: DownloadFaults) async throws(StoreError) {
        try answer((), "setDownloadFaults \(faults.count)")
    }
    func network() -> NetworkState { .on }
    func setNetwork(_ change: NetworkChange) async throws(StoreError) {
        try answer((), "setNetwork \(change)")
    }
    func knownRequests() async throws(StoreError) -> DeviceAnswer<[ApprovalRequest]> {
        DeviceAnswer(try answer([]), asOf: .earliest, isFresh: true)
    }
    func entitlements() async throws(StoreError) -> DeviceAnswer<[Entitlement]> {
        DeviceAnswer(try answer([]), asOf: .earliest, isFresh: true)
    }
    func products(_ identifiers: [ProductID]?) async throws(StoreError)
        -> DeviceAnswer<ProductsResponse>
    {
        DeviceAnswer(
            try answer(ProductsResponse(products: [], invalidProductIDs: [], catalogRevision: 1)),
            asOf: .earliest, isFresh: true)
    }
    func accountSettings() async throws(StoreError) -> DeviceAnswer<AccountSettings> {
        DeviceAnswer(try answer(Self.settings), asOf: .earliest, isFresh: true)
    }
    func isSignedIn() async throws(StoreError) -> Bool { try answer(true) }
    func setSignedIn(_ isSignedIn: Bool) async throws(StoreError) {
        try answer((), "setSignedIn \(isSignedIn)")
    }
    func queuedPayments() async throws(StoreError) -> [QueuedPayment] { try answer([]) }
    func latestDeliveries() async throws(StoreError) -> [DeliveryRecord] { try answer([]) }
    func spend(_ spend: Spend) async throws(StoreError) -> Balance {
        try answer(Balance(unit: spend.unit, amount: 0))
    }
    func open(
        _ contentID: String, of product: ProductID, for cost: Grant
    ) async throws(StoreError) -> Balance? {
        try answer(Balance(unit: cost.unit, amount: 25))
    }
    func verify(
        _ signed: SignedTransaction
    ) async -> VerificationResult<TransactionPayload> {
        note()
        return .unverified(nil, .invalidEncoding)
    }
    func receipt() async throws(StoreError) -> KeptReceipt? { try answer(nil) }
    func refreshReceipt(_ options: ReceiptOptions) async throws(StoreError) -> KeptReceipt {
        try answer(
            KeptReceipt(signed: "a.b.c", path: "/", verified: .failure(.invalidEncoding)))
    }
    func promotedPurchases() async throws(StoreError) -> [PromotedPurchase] { try answer([]) }
    func askedPayments() async throws(StoreError) -> [Payment] { try answer([]) }
    func answer(_ payment: PaymentID, _ answer: AskedPayment.Answer) async throws(StoreError) {
        try self.answer(())
    }
    func drop(_ payment: PaymentID) async throws(StoreError) -> PurchaseOutcome? {
        try answer(nil)
    }
    func dropPromoted(_ product: ProductID) async throws(StoreError) -> Bool { try answer(true) }
    func subscriptions() async throws(StoreError) -> DeviceAnswer<[VerifiedSubscription]> {
        try answer(DeviceAnswer([], asOf: .earliest, isFresh: true))
    }
    func events(before: FeedCursor?, filter: HistoryFilter, limit: Int) async throws(StoreError)
        -> DeviceAnswer<HistoryPage>
    {
        let page: HistoryPage = try await events(
            before: before, filter: filter, limit: limit)
        return DeviceAnswer(page, asOf: .earliest, isFresh: true)
    }
    func appTransaction() async throws(StoreError) -> KeptAppTransaction {
        try answer(
            KeptAppTransaction(signed: "a.b.c", path: "/", verified: .failure(.invalidEncoding)))
    }
    func refreshAppTransaction() async throws(StoreError) -> KeptAppTransaction {
        try answer(
            KeptAppTransaction(signed: "d.e.f", path: "/", verified: .failure(.invalidEncoding)))
    }
    func familyStatus() async throws(StoreError) -> FamilyStatus { try answer(FamilyStatus()) }
    func familyStatus() async throws(StoreError) -> DeviceAnswer<FamilyStatus> {
        try answer(DeviceAnswer(FamilyStatus(), asOf: .earliest, isFresh: true))
    }
    func families() async throws(StoreError) -> [Family] { try answer([]) }
    func family(of account: AccountName) async throws(StoreError) -> Family? { try answer(nil) }
    func notices() async throws(StoreError) -> [AccountNotice] { try answer([]) }
    func overdueSince() async throws(StoreError) -> Timestamp? { try answer(nil) }
    func balances() async throws(StoreError) -> [Balance] { try answer([]) }
    func downloads() async throws(StoreError) -> [Download] { try answer([]) }
    func perform(
        _ operation: ContentOperation, on product: ProductID, package: String?
    ) async throws(StoreError) -> [Download] { try answer([], operation.rawValue) }
    func contentPath(of product: ProductID, contentID: String) async throws(StoreError)
        -> String?
    { try answer(nil) }
    func contentFiles(of product: ProductID) async throws(StoreError) -> [ContentFile] {
        try answer(
            files.sorted { $0.key < $1.key }.map { path, bytes in
                ContentFile(
                    contentID: "text", version: "1", path: path, absolutePath: "/" + path,
                    length: Int64(bytes.count), kind: .text)
            })
    }
    func closeContent() async { try? answer(()) }
    func readContent(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        try answer(Data((files[path] ?? Data()).dropFirst(Int(offset)).prefix(count)))
    }
    func settings() async throws(StoreError) -> DeviceSettings { try answer(DeviceSettings()) }
    func change(_ settings: DeviceSettings) async throws(StoreError) { try answer(()) }
    func change(_ value: AccountValue) async throws(StoreError) { try answer(()) }
    func readingPlaces(of product: ProductID) async throws(StoreError) -> [ReadingPlace] {
        try answer(place.map { [$0] } ?? [])
    }
    func remember(_ place: ReadingPlace) async throws(StoreError) { try answer(()) }
    func log(_ what: DeviceLogEntry.What) async throws(StoreError) { try answer(()) }
    func logEntries(
        before: Int64?, limit: Int
    ) async throws(StoreError) -> [DeviceLogEntry] { try answer([]) }
    func updates() -> AsyncStream<DeviceUpdate> {
        note()
        return stream
    }
    func downloadWakes() -> AsyncStream<DownloadWake> {
        note()
        return wakes
    }

    // MARK: - StoreOperator

    func pendingRequests() async throws(StoreError) -> [ApprovalRequest] { try answer([]) }
    func settings(of account: AccountName) async throws(StoreError) -> AccountSettings {
        try answer(Self.settings)
    }
    func perform(_ action: OperatorAction) async throws(StoreError) -> [StoreEvent] {
        var events: [StoreEvent] = []
        if case .failNext(let call, let error, let count, _, _) = action {
            let fault = Fault(id: 1, call: call, error: error, remaining: count)
            events = [
                StoreEvent(
                    cursor: Self.cursor, at: .earliest, account: nil, device: nil,
                    change: .faultSet(fault))
            ]
        }
        return try answer(events, "perform \(action)")
    }
    func refusal(of action: OperatorAction) async throws(StoreError) -> StoreError? {
        try answer(nil)
    }
    func packageReleases() async throws(StoreError) -> [PackageRelease] { try answer([]) }
    func faults() async throws(StoreError) -> [Fault] { try answer([]) }
    func clock() async throws(StoreError) -> ClockReading {
        try answer(ClockReading(now: .earliest, state: .system, renewals: .standard))
    }
    func takings() async throws(StoreError) -> [SalesTotals] { try answer([]) }
    func history(before: FeedCursor?, filter: HistoryFilter, limit: Int) async throws(StoreError)
        -> HistoryPage
    { try answer(HistoryPage(events: [], next: nil)) }
    func upcoming(limit: Int) async throws(StoreError) -> [UpcomingItem] { try answer([]) }
    func events(after cursor: FeedCursor) -> StoreEventStream {
        note()
        let batches = batches
        return StoreEventStream {
            var iterator = batches.makeAsyncIterator()
            return { try await iterator.next(isolation: #isolation) }
        }
    }
}
