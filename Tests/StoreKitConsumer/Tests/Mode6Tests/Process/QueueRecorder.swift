import StoreKit

/// Records what an observer of the queue hears, in order.
///
/// `@unchecked Sendable`: its stored properties never change.
final class QueueRecorder: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    struct Call: Sendable {
        /// Such as `updated consumer.coins purchasing`.
        var text: String
        var transactions: [SKPaymentTransaction] = []
        var isOnMainThread = Thread.isMainThread
    }

    private let calls: AsyncStream<Call>
    private let recording: AsyncStream<Call>.Continuation

    override init() {
        (calls, recording) = AsyncStream.makeStream(of: Call.self)
        super.init()
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

    private func record(_ text: String, _ transactions: [SKPaymentTransaction] = []) {
        let list = transactions.map {
            "\($0.payment.productIdentifier) \(OriginalAPI.transaction($0))"
        }
        let words = [text] + (list.isEmpty ? [] : [list.joined(separator: ", ")])
        recording.yield(Call(text: words.joined(separator: " "), transactions: transactions))
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
        record("restore failed \((error as? SKError)?.errorCode ?? -1)")
    }
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        record("restore finished")
    }
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        record("downloads")
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

/// Waits for the answer to a request, as an app does.
///
/// `@unchecked Sendable`: its stored properties never change.
final class RequestAnswer: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    private let answers: AsyncStream<Result<SKProductsResponse?, any Error>>
    private let answering: AsyncStream<Result<SKProductsResponse?, any Error>>.Continuation

    override init() {
        (answers, answering) = AsyncStream.makeStream()
        super.init()
    }

    static func products(_ ids: Set<String>) async throws -> SKProductsResponse {
        let request = SKProductsRequest(productIdentifiers: ids)
        let answer = RequestAnswer()
        request.delegate = answer
        request.start()
        guard let response = try await answer.next() else { throw CancellationError() }
        return response
    }

    static func product(_ id: String) async throws -> SKProduct {
        guard let product = try await products([id]).products.first else {
            throw Shop.Failure(text: "no \(id)")
        }
        return product
    }

    /// The response; nil if the request has finished without one.
    func next() async throws -> SKProductsResponse? {
        for await answer in answers { return try answer.get() }
        throw CancellationError()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        answering.yield(.success(response))
    }
    func requestDidFinish(_ request: SKRequest) { answering.yield(.success(nil)) }
    func request(_ request: SKRequest, didFailWithError error: any Error) {
        answering.yield(.failure(error))
    }
}
