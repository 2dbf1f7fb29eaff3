package import Foundation

/// The request to buy (StoreKit: `SKPayment`). The customer's side makes the id before it sends the
/// payment; sending the same payment again returns its outcome.
package struct Payment: Codable, Hashable, Sendable {
    /// Identifies the payment; one id leads to at most one sale.
    package let id: PaymentID
    package var productID: ProductID
    /// Within `quantities`; more than 1 only for consumables and non-renewing subscriptions
    /// (StoreKit: `SKPayment.quantity`).
    package var quantity: Int
    /// The price of one, as the person saw it: the product's, or that of the first period of the
    /// offer that applies. If the store's price differs, nothing is sold and the payment fails with
    /// `priceChanged`. A payment that names the product's price is charged less where an offer
    /// applies.
    package var shownPrice: Money
    /// The app's own stable token for its user (StoreKit: `appAccountToken`). Signed into the
    /// transaction; the account's name is not.
    package var appAccountToken: UUID?
    /// The SHA-256 of the app's own name for its user, 64 hexadecimal digits in lower case
    /// (StoreKit 1: `SKPayment.applicationUsername`). Signed into the transaction; the store never
    /// gets the name itself.
    package var applicationUsernameHash: String?
    /// The offer that the payment asks for; nil for none, and for the introductory offer, which
    /// applies without being named.
    package var offer: PaymentOffer?
    /// Nil for up front, or for the product's only plan.
    package var billingPlan: BillingPlanType?
    /// The app's signed statement whether the customer gets the introductory offer, which replaces
    /// the store's decision: a compact JWS (StoreKit:
    /// `PurchaseOption.introductoryOfferEligibility`). Untrusted.
    package var introductoryEligibility: String?
    /// True for a payment that waits for an approval, whatever the account's setting is (StoreKit:
    /// `PurchaseOption.simulatesAskToBuyInSandbox`).
    package var simulatesAskToBuy: Bool?

    package init(
        id: PaymentID, productID: ProductID, quantity: Int = 1, shownPrice: Money,
        appAccountToken: UUID? = nil, applicationUsernameHash: String? = nil,
        offer: PaymentOffer? = nil, billingPlan: BillingPlanType? = nil,
        introductoryEligibility: String? = nil, simulatesAskToBuy: Bool? = nil
    ) {
        self.simulatesAskToBuy = simulatesAskToBuy
        self.billingPlan = billingPlan
        self.introductoryEligibility = introductoryEligibility
        self.id = id
        self.productID = productID
        self.quantity = quantity
        self.shownPrice = shownPrice
        self.appAccountToken = appAccountToken
        self.applicationUsernameHash = applicationUsernameHash
        self.offer = offer
    }

    /// As payments hold it: 64 hexadecimal digits in lower case.
    package static func isUsernameHash(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    package static let quantities = 1...10

    /// `invalidQuantity` unless it is one of `quantities`; otherwise nil.
    package static func mistake(inQuantity quantity: Int, of product: ProductID) -> StoreError? {
        quantities.contains(quantity)
            ? nil
            : StoreError(
                .invalidQuantity, productID: product, found: quantity, expected: "1 to 10")
    }
}

/// The outcome of a payment (StoreKit: `Product.PurchaseResult`). It only answers the caller:
/// ownership changes with the events of the feed.
package enum PurchaseOutcome: Codable, Hashable, Sendable {
    /// Sold. With `alreadyOwned` the account had the product before, and nothing was charged.
    case purchased(SignedTransaction, id: TransactionID, alreadyOwned: Bool)
    /// Waits under this number, for the reason given (StoreKit: `pending`). It may still be sold,
    /// declined or withdrawn.
    case pending(request: TransactionID, reason: RequestReason)
    /// Nothing was charged.
    case failed(StoreError)
}

/// A payment in the device's queue (StoreKit: a transaction in `SKPaymentQueue`), written before it
/// is sent.
package struct QueuedPayment: Codable, Hashable, Sendable {
    /// The state of a queued payment. Stored as the raw value.
    package enum State: String, Codable, Sendable {
        /// Written and perhaps sent; there is no answer yet.
        case purchasing
        /// Accepted by the store; waits for an answer (`QueuedPayment.reason`).
        case deferred
        /// Sold, but not delivered: a launch of this device delivers it (StoreKit: `purchased`, in
        /// the queue until it is finished).
        case purchased
        /// Not sent: the process that wrote it has ended, and it is too old or too large to be sent
        /// again without a person's consent. The person sends it by buying with its id, or drops
        /// it.
        case held
    }

    package var payment: Payment
    /// Changes only with the store's answer, or to `held`.
    package var state: State
    /// In store time.
    package var queuedAt: Timestamp
    /// Of the approval request, once deferred.
    package var request: TransactionID?
    /// Once purchased.
    package var transaction: TransactionID?
    /// Once deferred.
    package var reason: RequestReason?

    package init(
        payment: Payment, state: State, queuedAt: Timestamp, request: TransactionID? = nil,
        reason: RequestReason? = nil
    ) {
        self.reason = reason
        self.payment = payment
        self.state = state
        self.queuedAt = queuedAt
        self.request = request
    }
}
