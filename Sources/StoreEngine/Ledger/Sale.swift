package import Foundation
package import StoreModel

/// What was sold: the fields of a transaction's payload that the store owns. Never a signed text:
/// signatures are made when a transaction is handed out.
package struct Sale: Codable, Hashable, Sendable {
    /// Why it was sold.
    package enum Cause: Codable, Hashable, Sendable {
        /// A payment from a device; the only cause with either.
        case payment(PaymentID, shownPrice: Money)
        /// A renewal of a subscription's chain.
        case renewal
        /// A share of what a family member bought under this number.
        case familyShare(of: TransactionID)
        /// A purchase made outside the app.
        case outsideApp
    }

    /// The first of a chain.
    package struct Original: Codable, Hashable, Sendable {
        package var id: TransactionID
        package var purchaseDate: Timestamp

        package init(id: TransactionID, purchaseDate: Timestamp) {
            self.id = id
            self.purchaseDate = purchaseDate
        }
    }

    package var cause: Cause
    package var productID: ProductID
    package var quantity: Int
    /// The app's own stable token for its user (StoreKit: `appAccountToken`).
    package var appAccountToken: UUID?
    package var type: ProductType
    package var groupID: SubscriptionGroupID?
    /// The first of its chain; nil when it is itself the first.
    package var original: Original?
    package var purchaseDate: Timestamp
    package var expiresDate: Timestamp?
    /// ISO 3166-1 alpha-3.
    package var storefront: String
    /// Charged for the whole quantity.
    package var price: Money
    /// What one of it adds to the app's purse, as the catalog said when it was sold.
    package var grant: Grant?
    /// Whether the store hosts its content; nil in sales of versions that did not record it.
    package var isHosted: Bool?
    /// Which period of its subscription it is; nil where nothing renews.
    package var term: SubscriptionTerm?

    package init(
        cause: Cause, productID: ProductID, quantity: Int = 1, appAccountToken: UUID? = nil,
        type: ProductType, groupID: SubscriptionGroupID? = nil, original: Original? = nil,
        purchaseDate: Timestamp, expiresDate: Timestamp? = nil, storefront: String, price: Money,
        grant: Grant? = nil, isHosted: Bool? = nil, term: SubscriptionTerm? = nil
    ) {
        self.cause = cause
        self.productID = productID
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.type = type
        self.groupID = groupID
        self.original = original
        self.purchaseDate = purchaseDate
        self.expiresDate = expiresDate
        self.storefront = storefront
        self.price = price
        self.grant = grant
        self.isHosted = isHosted
        self.term = term
    }

    /// The sale of a payment.
    package init(
        payment: Payment, type: ProductType, groupID: SubscriptionGroupID? = nil,
        original: Original? = nil, purchaseDate: Timestamp, expiresDate: Timestamp? = nil,
        storefront: String, price: Money, grant: Grant? = nil, isHosted: Bool? = nil,
        term: SubscriptionTerm? = nil
    ) {
        self.init(
            cause: .payment(payment.id, shownPrice: payment.shownPrice),
            productID: payment.productID, quantity: payment.quantity,
            appAccountToken: payment.appAccountToken, type: type, groupID: groupID,
            original: original, purchaseDate: purchaseDate, expiresDate: expiresDate,
            storefront: storefront, price: price, grant: grant, isHosted: isHosted, term: term)
    }

    /// The payment it answers, whole.
    package var payment: Payment? {
        guard case .payment(let id, let shownPrice) = cause else { return nil }
        return Payment(
            id: id, productID: productID, quantity: quantity, shownPrice: shownPrice,
            appAccountToken: appAccountToken)
    }
}

/// Where a sale stands in its subscription: enough to reckon when it renews, by calendar arithmetic
/// from the anchor, so that a subscription of 31 January renews on 28 February and 31 March.
package struct SubscriptionTerm: Codable, Hashable, Sendable {
    package var period: SubscriptionPeriod
    package var rate: RenewalRate
    /// The start of the current run: set anew when a lapsed subscription is bought again.
    package var anchor: Timestamp
    /// Periods of this run before this one.
    package var index: Int
    /// Periods of the whole chain, this one included: with the chain the key of a renewal, which
    /// can be recorded once.
    package var ordinal: Int

    package init(
        period: SubscriptionPeriod, rate: RenewalRate, anchor: Timestamp, index: Int, ordinal: Int
    ) {
        self.period = period
        self.rate = rate
        self.anchor = anchor
        self.index = index
        self.ordinal = ordinal
    }

    /// When this period ends: where the next begins.
    package var end: Timestamp {
        RenewalSchedule.end(ofPeriod: index + 1, of: period, from: anchor, rate: rate)
    }

    /// The period after this one.
    package var next: SubscriptionTerm {
        var next = self
        next.index += 1
        next.ordinal += 1
        return next
    }
}
