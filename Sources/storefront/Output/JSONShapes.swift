import ShopText
import StoreModel

/// A product in JSON.
struct ProductLine: Encodable {
    var productId: ProductID
    var type: ProductType
    var section: String?
    var displayName: String
    var description: String
    var displayPrice: String
    var price: Int64
    var currency: String
    var familyShareable: Bool
    var subscriptionGroupIdentifier: SubscriptionGroupID?
    var groupLevel: Int?
    var subscriptionPeriod: String?
    var delivery: String
    var hostedContent: [HostedContent]?
    /// The features that the app unlocks for an owner; left out if there are none.
    var unlocks: [UnlockID]?
    /// The published issues of a subscription; left out if it publishes none.
    var issues: [PublishedIssue]?
    /// The offers that need no code; left out if there are none.
    var offers: [JSONFields]?
    var isEligibleForIntroOffer: Bool?

    init(_ product: Product, _ formatters: LocalizedFormatters) {
        productId = product.id
        type = product.type
        section = product.section.isEmpty ? nil : product.section
        displayName = product.displayName
        description = product.description
        displayPrice = formatters.price(Price(of: product))
        price = product.price.milliunits
        currency = product.price.currency
        familyShareable = product.isFamilyShareable
        subscriptionGroupIdentifier = product.subscription?.groupID
        groupLevel = product.subscription?.level
        subscriptionPeriod =
            (product.subscription?.period ?? product.nonRenewingPeriod)?.iso8601
        switch product.delivery {
        case .embedded: delivery = "embedded"
        case .hosted(let content):
            delivery = "hosted"
            hostedContent = content
        case .ownServer(_, let content):
            delivery = "ownServer"
            hostedContent = content
        }
        unlocks = product.unlocks.isEmpty ? nil : product.unlocks
        issues = product.issues
        if let subscription = product.subscription, !subscription.offers.isEmpty {
            offers = subscription.offers.map(\.fields)
            isEligibleForIntroOffer = subscription.isEligibleForIntroOffer
        }
    }
}

extension Offer {
    /// The offer in JSON, with Apple's field names where Apple has them. The identifier is left out
    /// for an introductory offer, which has none. The price in milliunits is that of one period, or
    /// of all periods if the offer is paid up front.
    var fields: JSONFields {
        [
            "kind": kind, "offerIdentifier": id, "offerDiscountType": mode,
            "offerPeriod": period.iso8601, "periodCount": periodCount, "price": price.milliunits,
            "currency": price.currency,
        ]
    }
}

extension OfferAnswer {
    /// The offer in JSON, with whether the account can have it, and why not.
    func fields(showsCodes: Bool) -> JSONFields {
        JSONFields(
            offer.fields,
            [
                "eligible": refusal == nil, "reason": refusal,
                "codes": showsCodes && !codes.isEmpty ? codes : nil,
            ])
    }
}

/// A transaction in a list: Apple's payload, the signed text, and what the list knows of it.
struct TransactionLine: Encodable {
    var payload: TransactionPayload
    var signed: SignedTransaction
    /// The device that has to deliver the transaction, if it is unfinished.
    var device: DeviceName?
    /// Whether the subscription renews at its end; nil for a product that is no subscription.
    var renews: Bool?
    /// The end of the grace period of an entitlement whose renewal is unpaid; nil outside one.
    var graceUntil: Timestamp?
    /// When the access of an entitlement ends; nil if it has no end, and in other lists.
    var until: Timestamp?
    /// The store time as of which the device knows an entitlement, if it has no network.
    var asOf: Timestamp?
    var sharedBy: AccountName?
    /// Whether its refund was asked for and waits for an answer.
    var isRefundAsked = false
    /// Whether this device has verified the signed text of an entitlement; nil in other lists.
    var isVerified: Bool?
    /// The reason if it is not verified, for which it unlocks nothing on this device.
    var verificationError: VerificationError?
    /// For people, in a list that is not of unfinished ones alone.
    var isUnfinished = false

    /// The number on the customer's receipt; a family member's share has none.
    private var orderID: String? {
        guard payload.inAppOwnershipType == .purchased else { return nil }
        return OrderID(of: payload.transactionId, in: payload.bundleId).description
    }

    /// In JSON, `autoRenewStatus` and `gracePeriodExpiresDate` are those of Apple's renewal info.
    func encode(to encoder: any Encoder) throws {
        let fields = JSONFields(
            payload,
            [
                "signedTransactionInfo": signed, "orderId": orderID, "device": device,
                "autoRenewStatus": renews.map { $0 ? 1 : 0 },
                "gracePeriodExpiresDate": graceUntil, "until": until, "asOf": asOf,
                "sharedBy": sharedBy,
                "refundRequested": isRefundAsked ? true : nil,
                "verification": isVerified.map { $0 ? "verified" : "unverified" },
                "verificationError": verificationError,
            ])
        try fields.encode(to: encoder)
    }
}

/// The outcome of a purchase, in JSON.
struct PurchaseLine: Encodable {
    /// One of these:
    ///
    /// - `purchased`.
    /// - `unverified`: the store has sold it, but this device could not verify its transaction and
    ///   grants nothing.
    /// - `pending`, `failed`, `userCancelled`.
    /// - `unknown`: the store may have sold it. Sending `paymentId` again returns the outcome and
    ///   never charges twice.
    var outcome: String
    /// The outcome of a change of plan that charged nothing.
    enum PlanChange: String, Encodable {
        /// It begins at `planStartDate`; `transactionId` is that of the present plan.
        case planned
        /// The account keeps its plan: the planned change is cancelled.
        case takenBack
    }

    var planChange: PlanChange?
    /// When the planned change begins, or an offer for a later period.
    var planStartDate: Timestamp?
    var paymentId: PaymentID
    var productId: ProductID
    var transactionId: TransactionID?
    var requestId: TransactionID?
    /// Why it is pending: `askToBuy`, `authentication` or `interrupted`.
    var reason: RequestReason?
    /// True if the payment joined a pending request of an earlier payment.
    var joined: Bool?
    var alreadyOwned: Bool?
    /// 1 if the payment turned auto-renew on, which had been off.
    var autoRenewStatus: Int?
    var finished: Bool?
    /// `verified` or `unverified`: whether this device has verified the transaction of a sale.
    var verification: String?
    /// The name of StoreKit's `VerificationError` if it is not verified.
    var verificationError: VerificationError?
    var signedTransactionInfo: SignedTransaction?
    /// The error for which it failed, or for which its outcome is unknown.
    var error: StoreError?
    /// The same error in StoreKit 1; left out where it has none.
    var skError: StoreError.Code.SKError?
    /// The error that delays the delivery of a successful purchase.
    var deliveryError: StoreError?
    /// The text of the error, in English.
    var message: String?
}

extension Payment {
    /// The payment in JSON: the field names that Apple's payloads have for the same values. The
    /// price is that of one unit, in milliunits, as the customer saw it.
    var fields: JSONFields {
        [
            "paymentId": id, "productId": productID, "quantity": quantity,
            "price": shownPrice.milliunits, "currency": shownPrice.currency,
        ]
    }
}

extension QueuedPayment {
    /// The payment in the device's queue, in JSON.
    var fields: JSONFields {
        JSONFields(
            payment.fields,
            [
                "state": state, "queuedAt": queuedAt, "requestId": request,
                "transactionId": transaction,
            ])
    }
}

extension ClockState {
    /// The store's clock in JSON: running, with its offset from the system's clock in milliseconds,
    /// or stopped, with the time that it shows.
    var fields: JSONFields {
        switch self {
        case .running(let milliseconds): ["state": "running", "offset": milliseconds]
        case .stopped(let instant): ["state": "stopped", "at": instant]
        }
    }
}
