import Dispatch
import Foundation
import StoreKit
import StoreModel

/// Records what an observer of the queue hears, in order.
///
/// `@unchecked Sendable`: its stored properties never change.
final class QueueRecorder: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    struct Call: Sendable {
        /// Such as `updated test.coins purchasing`.
        var text: String
        var transactions: [SKPaymentTransaction] = []
        var downloads: [SKDownload] = []
        var isOnMainQueue = false
    }

    private let calls: AsyncStream<Call>
    private let recording: AsyncStream<Call>.Continuation
    private let wantsPromoted: Bool

    /// Set on the main queue only.
    private let mark = DispatchSpecificKey<Bool>()

    init(wantsPromoted: Bool = false) {
        self.wantsPromoted = wantsPromoted
        (calls, recording) = AsyncStream.makeStream(of: Call.self)
        super.init()
        DispatchQueue.main.setSpecific(key: mark, value: true)
    }

    /// The next call, as soon as there is one.
    func next() async -> Call {
        var iterator = calls.makeAsyncIterator()
        return await iterator.next() ?? Call(text: "nothing")
    }

    /// The next calls' texts.
    func next(_ count: Int) async -> [String] {
        var texts: [String] = []
        for _ in 0..<count { texts.append(await next().text) }
        return texts
    }

    private func record(
        _ text: String, _ transactions: [SKPaymentTransaction] = [], _ downloads: [SKDownload] = []
    ) {
        let list = transactions.map { "\($0.payment.productIdentifier) \($0.transactionState)" }
        recording.yield(
            Call(
                text: ([text] + (list.isEmpty ? [] : [list.joined(separator: ", ")]))
                    .joined(separator: " "), transactions: transactions, downloads: downloads,
                isOnMainQueue: DispatchQueue.getSpecific(key: mark) == true))
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        record("updated", transactions)
    }
    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        record("removed", transactions)
    }
    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        record("restore failed \((error as NSError).code)")
    }
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        record("restore finished")
    }
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        record("downloads", [], downloads)
    }
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        record("promoted \(payment.productIdentifier) \(product.localizedTitle)")
        return wantsPromoted
    }
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        record("storefront \(queue.storefront?.countryCode ?? "none")")
    }
    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        record("revoked \(productIdentifiers.joined(separator: ", "))")
    }
}

/// A store that is the process's while a test runs, with an observer of the queue.
enum QueueTest {
    static func run(
        _ choice: AppStoreSession.Choice? = nil, wantsPromoted: Bool = false,
        _ body: (TestSession, QueueRecorder) async throws -> Void
    ) async throws {
        let test =
            if let choice { try await TestSession(choice) } else { try await TestSession() }
        AppStoreProcess.begin(test.session)
        let recorder = QueueRecorder(wantsPromoted: wantsPromoted)
        SKPaymentQueue.default().add(recorder)
        defer {
            SKPaymentQueue.default().remove(recorder)
            AppStoreProcess.end(test.session)
        }
        try await body(test, recorder)
    }
}

extension TestSession {
    /// A payment for one of a product, with the product as the store shows it.
    func payment(_ id: String) async throws -> SKMutablePayment {
        let request = ProductsAnswer()
        return SKMutablePayment(product: try await request.product(id))
    }

    var device: any ShopDevice { session.device }

    /// The first request that waits for an answer.
    var request: TransactionID {
        get async throws {
            guard let first = try await session.console.pendingRequests().first else {
                throw CancellationError()
            }
            return first.number
        }
    }

    func change(_ body: (inout AccountChange) -> Void) async throws {
        var change = AccountChange(account: "me")
        body(&change)
        try await session.perform(.changeAccount(change))
    }
}

/// Waits for the answer to a products request, as an app does.
///
/// `@unchecked Sendable`: its stored properties never change.
final class ProductsAnswer: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    private let answers: AsyncStream<Result<SKProductsResponse, any Error>>
    private let answering: AsyncStream<Result<SKProductsResponse, any Error>>.Continuation

    override init() {
        (answers, answering) = AsyncStream.makeStream()
        super.init()
    }

    func products(_ ids: Set<String>) async throws -> SKProductsResponse {
        let request = SKProductsRequest(productIdentifiers: ids)
        request.delegate = self
        request.start()
        for await answer in answers { return try answer.get() }
        throw CancellationError()
    }

    func product(_ id: String) async throws -> SKProduct {
        guard let product = try await products([id]).products.first else {
            throw CancellationError()
        }
        return product
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        answering.yield(.success(response))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        answering.yield(.failure(error))
    }
}
