#if os(Linux)
public import Foundation
import StoreDevice
import StoreModel
import Synchronization

// `@unchecked Sendable`: all state is in mutexes.
/// A request to buy, for `SKPaymentQueue.add(_:)`.
open class SKPayment: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    fileprivate struct Values: Equatable {
        var productIdentifier = ""
        var quantity = 1
        var applicationUsername: String?
        var paymentDiscount: SKPaymentDiscount?
        var requestData: Data?
        var simulatesAskToBuyInSandbox = false
    }

    fileprivate let values = Mutex(Values())
    private let shown = Mutex<StoreModel.Product?>(nil)

    /// Of no product yet.
    public override init() { super.init() }

    /// One of a product.
    public convenience init(product: SKProduct) {
        self.init()
        values.withLock { $0.productIdentifier = product.productIdentifier }
        shown.withLock { $0 = product.model }
    }

    /// A payment that nobody has made here, such as that of a renewal.
    convenience init(productID: ProductID, quantity: Int) {
        self.init()
        values.withLock {
            $0.productIdentifier = productID.rawValue
            $0.quantity = quantity
        }
    }

    /// The product to buy.
    open var productIdentifier: String { values.withLock { $0.productIdentifier } }
    /// How many, 1 to 10.
    open var quantity: Int { values.withLock { $0.quantity } }
    /// The app's name for its user, of which a digest leaves the app; a UUID as `appAccountToken`.
    open var applicationUsername: String? { values.withLock { $0.applicationUsername } }
    /// The promotional offer with the app's signature; nil for none.
    open var paymentDiscount: SKPaymentDiscount? { values.withLock { $0.paymentDiscount } }
    /// Reserved: a payment with such data is refused.
    open var requestData: Data? { values.withLock { $0.requestData } }
    /// Whether this purchase waits for an approval, as a child's does.
    open var simulatesAskToBuyInSandbox: Bool { values.withLock { $0.simulatesAskToBuyInSandbox } }

    /// The product as the app was shown it, if the payment was made of one.
    var shownProduct: StoreModel.Product? {
        shown.withLock { $0 }.flatMap { $0.id.rawValue == productIdentifier ? $0 : nil }
    }

    /// A payment with the same values, which does not change any more.
    open func copy(with zone: NSZone? = nil) -> Any { filled(SKPayment()) }

    /// A payment with the same values, to be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { filled(SKMutablePayment()) }

    /// As `copy(with:)`.
    var frozen: SKPayment { filled(SKPayment()) }

    private func filled<Copy: SKPayment>(_ copy: Copy) -> Copy {
        let (values, product) = (present, shownProduct)
        copy.values.withLock { $0 = values }
        copy.shown.withLock { $0 = product }
        return copy
    }

    /// As the properties say, which a subclass may have overridden.
    private var present: Values {
        Values(
            productIdentifier: productIdentifier, quantity: quantity,
            applicationUsername: applicationUsername, paymentDiscount: paymentDiscount,
            requestData: requestData, simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox)
    }

    /// Whether the other is a payment with the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? SKPayment).map { $0 === self || $0.present == present } ?? false
    }

    /// Equal for equal payments.
    open override var hash: Int { productIdentifier.hashValue }
}

// `@unchecked Sendable`: as `SKPayment`.
/// A payment whose values the app chooses, explained at `SKPayment`. The queue keeps a copy.
open class SKMutablePayment: SKPayment, @unchecked Sendable {
    open override var productIdentifier: String {
        get { super.productIdentifier }
        set { values.withLock { $0.productIdentifier = newValue } }
    }
    open override var quantity: Int {
        get { super.quantity }
        set { values.withLock { $0.quantity = newValue } }
    }
    open override var applicationUsername: String? {
        get { super.applicationUsername }
        set { values.withLock { $0.applicationUsername = newValue } }
    }
    open override var paymentDiscount: SKPaymentDiscount? {
        get { super.paymentDiscount }
        set { values.withLock { $0.paymentDiscount = newValue } }
    }
    open override var requestData: Data? {
        get { super.requestData }
        set { values.withLock { $0.requestData = newValue } }
    }
    open override var simulatesAskToBuyInSandbox: Bool {
        get { super.simulatesAskToBuyInSandbox }
        set { values.withLock { $0.simulatesAskToBuyInSandbox = newValue } }
    }
}

// `@unchecked Sendable`: the stored property never changes.
/// The app's signature of a promotional offer.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    private let parts:
        (identifier: String, key: String, nonce: UUID, signature: String, time: Int64)

    /// Without any part, for the subclasses of tests.
    public override init() {
        parts = ("", "", UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), "", 0)
        super.init()
    }

    /// All parts of a signature, as the properties say.
    public init(
        identifier: String, keyIdentifier: String, nonce: UUID, signature: String,
        timestamp: NSNumber
    ) {
        parts = (identifier, keyIdentifier, nonce, signature, timestamp.int64Value)
        super.init()
    }

    /// Of the offer.
    open var identifier: String { parts.identifier }
    /// Of the key that signed.
    open var keyIdentifier: String { parts.key }
    /// Used once.
    open var nonce: UUID { parts.nonce }
    /// ECDSA, DER, in Base64.
    open var signature: String { parts.signature }
    /// Milliseconds since 1970.
    open var timestamp: NSNumber { NSNumber(value: parts.time) }
}

extension AppPurchase {
    /// A purchase as a payment of StoreKit 1 asks for it.
    init(_ payment: SKPayment, of product: StoreModel.Product) {
        self.init(of: product)
        quantity = payment.quantity
        if let name = payment.applicationUsername, !name.isEmpty {
            appAccountToken = UUID(uuidString: name)
            // Apple asks apps for a digest of the name, which is then signed as it is.
            applicationUsernameHash =
                Payment.isUsernameHash(name) ? name : ApplicationUsername.hash(name)
        }
        simulatesAskToBuy = payment.simulatesAskToBuyInSandbox
        offer = payment.paymentDiscount.map { discount in
            // A text that is no Base64 is a signature that does not verify.
            PaymentOffer(
                kind: .promotional, id: OfferID(discount.identifier),
                signature: .parameters(
                    keyID: discount.keyIdentifier, nonce: discount.nonce,
                    timestamp: Timestamp(milliseconds: discount.timestamp.int64Value),
                    signature: Data(base64Encoded: discount.signature) ?? Data()))
        }
    }
}
#endif
