import Basics
package import Foundation
package import StoreModel

/// The fields of a transaction's payload that the store decides. Holds no signed text: a
/// transaction is signed when it is returned to a device.
package struct Sale: Codable, Hashable, Sendable {
    /// How a sale came about.
    package enum Cause: Codable, Hashable, Sendable {
        /// A payment from a device. Only sales with this cause have a payment and a device.
        case payment(PaymentID, shownPrice: Money)
        case renewal
        /// A share of a family member's purchase with this number (StoreKit: `familyShared`).
        /// Within a decision, `TransactionID.ofEntry(_:)` names a sale of the same decision.
        case familyShare(of: TransactionID)
        /// A purchase made outside the app.
        case outsideApp
    }

    /// The first transaction of a chain.
    package struct Original: Codable, Hashable, Sendable {
        /// StoreKit: `originalID`.
        package var id: TransactionID
        /// StoreKit: `originalPurchaseDate`.
        package var purchaseDate: Timestamp

        package init(id: TransactionID, purchaseDate: Timestamp) {
            self.id = id
            self.purchaseDate = purchaseDate
        }
    }

    package var cause: Cause
    package var productID: ProductID
    /// 1 to 10.
    package var quantity: Int
    /// The app's own stable token for its user (StoreKit: `appAccountToken`).
    package var appAccountToken: UUID?
    /// When it was sold.
    package var type: ProductType
    /// StoreKit: `subscriptionGroupID`.
    package var groupID: SubscriptionGroupID?
    /// The first transaction of the chain; nil if this sale is the first.
    package var original: Original?
    /// When the product was sold, or when the renewed period began, in the store's time.
    package var purchaseDate: Timestamp
    /// When a subscription's period ends; nil if it does not end.
    package var expiresDate: Timestamp?
    /// ISO 3166-1 alpha-3.
    package var storefront: String
    /// For the whole quantity.
    package var price: Money
    /// The units that one piece of the product adds to a balance on the device, from the catalog at
    /// the time of the sale.
    package var grant: Grant?
    package var isHosted: Bool
    /// Which period of its subscription the sale is; nil if the product does not renew.
    package var term: SubscriptionTerm?
    /// How the signature of the text fails with which the sale is delivered: the sale has used up a
    /// fault of `Fault.Call.verification`. Nil for a valid signature. Later texts of the
    /// transaction are valid.
    package var brokenSignature: StoreError.Code?
    /// The digest of the app's user name (`Payment.applicationUsernameHash`).
    package var applicationUsernameHash: String?
    /// The owner's sale that a family share shares; nil for any other sale.
    package var share: SharedSale?
    /// The offer of the sale, or for a family share that of the shared sale. Nil for none.
    package var offer: SoldOffer?
    /// The offer that begins when `offer` has ended; nil for none.
    package var nextOffer: SoldOffer?
    /// The product's own period, if `term` has that of an offer.
    package var ordinaryPeriod: SubscriptionPeriod?
    /// The plan's own price when it was sold, if `price` is that of an offer or a campaign.
    package var regularPrice: Money?
    /// When a renewal was first charged at a price that had risen; nil if none was.
    package var raisedAt: Timestamp?
    /// As the payment sent it.
    package var askedOffer: PaymentOffer?
    /// The billing plan; nil if the catalog gives the product none.
    package var billingPlan: BillingPlanType?
    /// Which payment of a commitment the sale is; nil for none, and for an offer that precedes one.
    package var commitment: SoldCommitment?
    /// The customer's choice for the end of the commitment, made before this payment; nil for none.
    package var afterCommitment: AfterCommitment?
    /// As the payment sent it.
    package var askedBillingPlan: BillingPlanType?
    /// The extensions for all (`requestIdentifier`) that have moved earlier periods of the
    /// subscription; nil for none. The extensions of this period are in its state.
    package var extendedBy: [UUID]?
    /// When the app's backend extended earlier periods of the subscription, as far as that still
    /// counted at the sale; nil for never (`TransactionState.extendedAt`).
    package var extendedAt: [Timestamp]?
    /// The app's statement on the introductory offer, as in the payment
    /// (`Payment.introductoryEligibility`).
    package var introductoryEligibility: String?

    package init(
        cause: Cause, productID: ProductID, quantity: Int = 1, appAccountToken: UUID? = nil,
        type: ProductType, groupID: SubscriptionGroupID? = nil, original: Original? = nil,
        purchaseDate: Timestamp, expiresDate: Timestamp? = nil, storefront: String, price: Money,
        grant: Grant? = nil, isHosted: Bool = false, term: SubscriptionTerm? = nil,
        share: SharedSale? = nil
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
        self.share = share
    }

    /// Product, quantity and token are the payment's.
    package init(
        payment: Payment, type: ProductType, groupID: SubscriptionGroupID? = nil,
        original: Original? = nil, purchaseDate: Timestamp, expiresDate: Timestamp? = nil,
        storefront: String, price: Money, grant: Grant? = nil, isHosted: Bool = false,
        term: SubscriptionTerm? = nil
    ) {
        self.init(
            cause: .payment(payment.id, shownPrice: payment.shownPrice),
            productID: payment.productID, quantity: payment.quantity,
            appAccountToken: payment.appAccountToken, type: type, groupID: groupID,
            original: original, purchaseDate: purchaseDate, expiresDate: expiresDate,
            storefront: storefront, price: price, grant: grant, isHosted: isHosted, term: term)
        applicationUsernameHash = payment.applicationUsernameHash
        askedOffer = payment.offer
        askedBillingPlan = payment.billingPlan
        introductoryEligibility = payment.introductoryEligibility
    }

    /// As it was sent; nil for any other cause.
    package var payment: Payment? {
        guard case .payment(let id, let shownPrice) = cause else { return nil }
        return Payment(
            id: id, productID: productID, quantity: quantity, shownPrice: shownPrice,
            appAccountToken: appAccountToken, applicationUsernameHash: applicationUsernameHash,
            offer: askedOffer, billingPlan: askedBillingPlan,
            introductoryEligibility: introductoryEligibility)
    }

    /// The period that the subscription has without an offer; nil if the product does not renew.
    package var regularPeriod: SubscriptionPeriod? { ordinaryPeriod ?? term?.period }

    /// What the customer knows that the plan costs without an offer.
    package var agreedPrice: Money { regularPrice ?? price }

    /// The offer of the next period, if the subscription renews as the same product; nil for none.
    package var offerOfNext: SoldOffer? { offer?.next ?? nextOffer?.next }
}

/// The owner's sale behind a family share.
package struct SharedSale: Codable, Hashable, Sendable {
    package var owner: AccountName
    /// The first transaction of the owner's chain; nil if the shared transaction is the first.
    package var chain: TransactionID?
    /// Whether the owner's transaction renewed a subscription, so that the share renews too.
    package var isRenewal = false
}

extension Sale {
    /// Nil if the sale is no family share.
    package var sharedTransaction: TransactionID? {
        if case .familyShare(let id) = cause { id } else { nil }
    }
}

/// Which period of its subscription a sale is. Ends are computed from the anchor by the calendar,
/// so that a monthly subscription bought on 31 January renews on 28 February and 31 March.
package struct SubscriptionTerm: Codable, Hashable, Sendable {
    /// The length of a period, as the catalog said when the run began.
    package var period: SubscriptionPeriod
    /// How quickly periods pass (Xcode: `_timeRate`), as set when the run began.
    package var rate: RenewalRate
    /// The start of the run: the time of the purchase. A lapsed subscription that is bought again
    /// begins a new run.
    package var anchor: Timestamp
    /// Periods of this run before this one.
    package var index: Int
    /// The index of the period that begins at the anchor: 0, or a later one if an extension has
    /// moved the dates of the run.
    package var anchorIndex = 0
    /// When the customer first subscribed without a break of more than 60 days since (App Store
    /// Server API: `recentSubscriptionStartDate`); nil if that is the anchor.
    package var seriesStart: Timestamp?
    /// Periods of the whole chain, this one included. Chain and ordinal identify a renewal, which
    /// is recorded once.
    package var ordinal: Int

    package init(
        period: SubscriptionPeriod, rate: RenewalRate, anchor: Timestamp, index: Int,
        ordinal: Int, seriesStart: Timestamp? = nil
    ) {
        self.period = period
        self.rate = rate
        self.anchor = anchor
        self.index = index
        self.ordinal = ordinal
        self.seriesStart = seriesStart
    }

    package var end: Timestamp {
        RenewalSchedule.end(
            ofPeriod: index.subtractingClamped(anchorIndex).addingClamped(1), of: period,
            from: anchor, rate: rate)
    }

    /// Whether a run of the store can have this period. Any other would renew without end.
    var isPossible: Bool {
        let counts = 0...1_000_000_000
        return anchor >= .earliest && counts.contains(index) && counts.contains(ordinal)
            && (0...index).contains(anchorIndex) && counts.contains(period.value)
            && period.value > 0
    }

    var next: SubscriptionTerm {
        var next = self
        next.index = index.addingClamped(1)
        next.ordinal = ordinal.addingClamped(1)
        return next
    }

    /// The next period, if it begins at another time than `end`. The dates of the run are computed
    /// from `begin`, and the count of renewals continues.
    func next(from begin: Timestamp) -> SubscriptionTerm {
        var next = next
        next.seriesStart = seriesStart ?? anchor
        next.anchor = begin
        next.anchorIndex = next.index
        return next
    }

    /// The first period of a new run of the same subscription.
    ///
    /// - Parameter end: when the last period ended.
    func nextRun(
        from begin: Timestamp, after end: Timestamp, period: SubscriptionPeriod, rate: RenewalRate
    ) -> SubscriptionTerm {
        let isSameSeries = begin.milliseconds(since: end) <= Self.breakMax
        return SubscriptionTerm(
            period: period, rate: rate, anchor: begin, index: 0, ordinal: ordinal.addingClamped(1),
            seriesStart: isSameSeries ? seriesStart ?? anchor : nil)
    }

    /// The longest break within one series of periods: 60 days.
    private static let breakMax: Int64 = 60 * 86_400_000
}
