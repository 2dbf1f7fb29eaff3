import Foundation
import StoreKit
import Testing

// As tests of apps write them: subclasses that override what the code under test reads.

private final class MockProduct: SKProduct, @unchecked Sendable {
    private let id: String
    private var amount: NSDecimalNumber

    init(id: String, price: NSDecimalNumber) {
        self.id = id
        amount = price
        super.init()
    }

    override var productIdentifier: String { id }
    override var price: NSDecimalNumber {
        get { amount }
        set { amount = newValue }
    }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { MockPeriod() }
    override var introductoryPrice: SKProductDiscount? { MockDiscount() }
}

private final class MockPeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
    override var numberOfUnits: Int { 3 }
    override var unit: SKProduct.PeriodUnit { .month }
}

private final class MockDiscount: SKProductDiscount, @unchecked Sendable {
    override var paymentMode: SKProductDiscount.PaymentMode { .payUpFront }
    override var type: SKProductDiscount.`Type` { .subscription }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { MockPeriod() }
}

private final class MockSignature: SKPaymentDiscount, @unchecked Sendable {
    override var identifier: String { "mock.offer" }
}

private final class MockPayment: SKPayment, @unchecked Sendable {
    override var productIdentifier: String { "mock.payment" }
}

private final class MockTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let state: SKPaymentTransactionState

    init(state: SKPaymentTransactionState) {
        self.state = state
        super.init()
    }

    override var transactionState: SKPaymentTransactionState { state }
    override var payment: SKPayment { MockPayment() }
    override var transactionIdentifier: String? { "7" }
    override var original: SKPaymentTransaction? { MockTransaction(state: .purchased) }
    override var error: (any Error)? { SKError(.paymentCancelled) }
}

private final class MockQueue: SKPaymentQueue, @unchecked Sendable {
    private(set) var finished: [SKPaymentTransaction] = []
    private(set) var added: [SKPayment] = []

    override func finishTransaction(_ transaction: SKPaymentTransaction) {
        finished.append(transaction)
    }
    override func add(_ payment: SKPayment) { added.append(payment) }
    override func add(_ observer: any SKPaymentTransactionObserver) {}
    override var transactions: [SKPaymentTransaction] { [MockTransaction(state: .restored)] }
}

private final class MockResponse: SKProductsResponse, @unchecked Sendable {
    override var products: [SKProduct] { [MockProduct(id: "mock", price: 1)] }
}

private final class MockRequest: SKProductsRequest, @unchecked Sendable {
    override func start() { delegate?.productsRequest(self, didReceive: MockResponse()) }
    override func cancel() {}
}

private final class MockReceiptRequest: SKReceiptRefreshRequest, @unchecked Sendable {
    override func start() { delegate?.requestDidFinish(self) }
}

private final class MockStorefront: SKStorefront, @unchecked Sendable {
    override var countryCode: String { "JPN" }
}

private final class MockDownload: SKDownload, @unchecked Sendable {
    override var state: SKDownloadState { .finished }
}

@Suite struct MockTests {
    @Test("mocks by subclass are what they say")
    func mocks() async throws {
        let product = MockProduct(id: "mock", price: 2)
        product.price = 3
        #expect(SKPayment(product: product).productIdentifier == "mock" && product.price == 3)
        #expect(product.subscriptionPeriod?.numberOfUnits == 3)
        #expect(product.introductoryPrice?.paymentMode == .payUpFront)
        #expect(product.localizedTitle == "" && product.discounts.isEmpty)
        #expect(MockSignature().identifier == "mock.offer" && MockSignature().signature == "")
        let queue = MockQueue()
        let transaction = MockTransaction(state: .purchasing)
        queue.finishTransaction(transaction)
        queue.add(MockPayment())
        #expect(queue.finished == [transaction] && queue.added.count == 1)
        #expect(queue.transactions[0].payment.productIdentifier == "mock.payment")
        // A mock is no transaction of the real queue, which has nothing to finish.
        SKPaymentQueue.default().finishTransaction(queue.transactions[0])
        #expect(MockStorefront().countryCode == "JPN" && MockDownload().state == .finished)
        let answer = ProductsAnswer()
        let request = MockRequest(productIdentifiers: ["a"])
        request.delegate = answer
        request.start()
        let receipt = MockReceiptRequest(receiptProperties: nil)
        let ended = FinishedRequests()
        receipt.delegate = ended
        receipt.start()
        #expect(await ended.next() == "finished")
    }
}
