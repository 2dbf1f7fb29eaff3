import StoreKit

// Mocks as the tests of apps write them: subclasses that override what the code under test reads.

final class MockProduct: SKProduct, @unchecked Sendable {
    private let id: String
    private var amount: NSDecimalNumber

    init(id: String, price: NSDecimalNumber) {
        self.id = id
        amount = price
        super.init()
    }

    override var productIdentifier: String { id }
    override var localizedTitle: String { "Mock" }
    override var price: NSDecimalNumber {
        get { amount }
        set { amount = newValue }
    }
    override var priceLocale: Locale { Locale(identifier: "de_DE") }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { MockPeriod() }
    override var introductoryPrice: SKProductDiscount? { MockDiscount() }
    override var discounts: [SKProductDiscount] { [MockDiscount()] }
    override var subscriptionGroupIdentifier: String? { "group" }
}

final class MockPeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
    override var numberOfUnits: Int { 3 }
    override var unit: SKProduct.PeriodUnit { .month }
}

final class MockDiscount: SKProductDiscount, @unchecked Sendable {
    override var identifier: String? { "half" }
    override var price: NSDecimalNumber { 1.5 }
    override var paymentMode: SKProductDiscount.PaymentMode { .payUpFront }
    override var type: SKProductDiscount.`Type` { .subscription }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { MockPeriod() }
    override var numberOfPeriods: Int { 2 }
}

final class MockPayment: SKPayment, @unchecked Sendable {
    private let id: String

    init(_ id: String) {
        self.id = id
        super.init()
    }

    override var productIdentifier: String { id }
}

final class MockTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let mock: (id: String, state: SKPaymentTransactionState)

    init(_ id: String, _ state: SKPaymentTransactionState) {
        mock = (id, state)
        super.init()
    }

    override var transactionState: SKPaymentTransactionState { mock.state }
    override var payment: SKPayment { MockPayment(mock.id) }
    override var transactionIdentifier: String? { "7" }
    override var transactionDate: Date? { Date(timeIntervalSince1970: 0) }
    override var original: SKPaymentTransaction? { MockTransaction(mock.id, .purchased) }
    override var error: (any Error)? { SKError(.paymentCancelled) }
}

final class MockQueue: SKPaymentQueue, @unchecked Sendable {
    private(set) var finished: [SKPaymentTransaction] = []
    private(set) var payments: [SKPayment] = []
    private(set) var observers: [any SKPaymentTransactionObserver] = []

    override func add(_ payment: SKPayment) { payments.append(payment) }
    override func add(_ observer: any SKPaymentTransactionObserver) { observers.append(observer) }
    override func remove(_ observer: any SKPaymentTransactionObserver) {
        observers.removeAll { $0 === observer }
    }
    override func finishTransaction(_ transaction: SKPaymentTransaction) {
        finished.append(transaction)
    }
    override func restoreCompletedTransactions() {
        for observer in observers {
            observer.paymentQueueRestoreCompletedTransactionsFinished(self)
        }
    }
    override var transactions: [SKPaymentTransaction] { [MockTransaction("mock", .restored)] }
    override var storefront: SKStorefront? { MockStorefront() }
    override class func canMakePayments() -> Bool { false }
}

final class MockStorefront: SKStorefront, @unchecked Sendable {
    override var countryCode: String { "JPN" }
    override var identifier: String { "143462" }
}

final class MockResponse: SKProductsResponse, @unchecked Sendable {
    override var products: [SKProduct] { [MockProduct(id: "mock", price: 1)] }
    override var invalidProductIdentifiers: [String] { ["unknown"] }
}

final class MockRequest: SKProductsRequest, @unchecked Sendable {
    override func start() {
        delegate?.productsRequest(self, didReceive: MockResponse())
        delegate?.requestDidFinish(self)
    }
    override func cancel() {}
}

final class MockReceiptRequest: SKReceiptRefreshRequest, @unchecked Sendable {
    override func start() {
        delegate?.request(self, didFailWithError: SKError(.cloudServiceNetworkConnectionFailed))
    }
}

final class MockDownload: SKDownload, @unchecked Sendable {
    override var state: SKDownloadState { .finished }
    override var contentIdentifier: String { "mock" }
}

final class MockPaymentDiscount: SKPaymentDiscount, @unchecked Sendable {
    override var identifier: String { "mock" }
}
