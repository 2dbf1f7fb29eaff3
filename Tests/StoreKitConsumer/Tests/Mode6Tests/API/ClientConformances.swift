import StoreKit

// What clients declare themselves. A second declaration in the library would stop their builds.

/// As managers abstract what they sell.
protocol Sellable {
    var productID: String { get }
    var listPrice: Decimal { get }
}

extension Product: Sellable {
    var productID: String { id }
    var listPrice: Decimal { price }
}

extension SKProduct: Sellable {
    var productID: String { productIdentifier }
    var listPrice: Decimal { price.decimalValue }
}

/// As tests replace the store, with the declarations of Apple's types for requirements.
protocol PaymentQueueing: AnyObject {
    var transactions: [SKPaymentTransaction] { get }
    func add(_ payment: SKPayment)
    func add(_ observer: any SKPaymentTransactionObserver)
    func remove(_ observer: any SKPaymentTransactionObserver)
    func finishTransaction(_ transaction: SKPaymentTransaction)
    func restoreCompletedTransactions()
}

extension SKPaymentQueue: PaymentQueueing {}

protocol TransactionValue: Identifiable, Sendable {
    var productID: String { get }
    var expirationDate: Date? { get }
    var revocationDate: Date? { get }
    func finish() async
}

extension Transaction: TransactionValue {}

extension Transaction: @retroactive CustomStringConvertible {
    public var description: String { "\(productID) \(id)" }
}

extension Transaction: @retroactive Comparable {
    public static func < (left: Transaction, right: Transaction) -> Bool {
        left.purchaseDate < right.purchaseDate
    }
}

extension Product: @retroactive CustomStringConvertible {}

extension Product.ProductType: @retroactive Codable {}

extension Product.SubscriptionPeriod: @retroactive Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        (left.unit, left.value) < (right.unit, right.value)
    }
}

extension StoreKitError: @retroactive Equatable {
    public static func == (left: StoreKitError, right: StoreKitError) -> Bool {
        left.localizedDescription == right.localizedDescription
    }
}

extension Product.PurchaseResult: @retroactive CustomStringConvertible {
    public var description: String { ProductAPI.results(self) }
}

extension Storefront: @retroactive Equatable {
    public static func == (left: Storefront, right: Storefront) -> Bool { left.id == right.id }
}

extension SKError: @retroactive CustomStringConvertible {
    public var description: String { "SKError \(errorCode)" }
}

extension SKError.Code: @retroactive CustomStringConvertible {
    public var description: String { "code \(rawValue)" }
}

extension SKPaymentTransactionState: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        @unknown default: "unknown"
        }
    }
}

extension SKProduct.PeriodUnit: @retroactive CustomStringConvertible {
    public var description: String { "unit \(rawValue)" }
}
