import StoreModel
import StoreSigning

/// One event of the store, in JSON: an event that an operator's action caused, or a line of
/// `operator events`. Its fields have the names of the observer's updates (`UpdateLine`).
struct OperatorEventLine: Encodable {
    var event: String
    /// The position of its entry in the ledger; events of one entry share it.
    var position: Int64
    /// When it was recorded, in store time.
    var at: Timestamp
    var account: AccountName?
    var device: DeviceName?
    var transaction: TransactionLine?
    var transactionId: TransactionID?
    var originalTransactionId: TransactionID?
    var productId: ProductID?
    var paymentId: PaymentID?
    var requestId: TransactionID?
    /// Why a payment is pending, or why a refund is requested.
    var reason: String?
    var revision: Int64?
    /// The package of content that was hosted or put into another state.
    var release: PackageRelease?
    var settings: AccountSettings?
    var family: FamilyLine?
    var fault: Fault?
    var error: StoreError?
    var clock: ClockFields?
    var renewals: RenewalSettings?
    var subscription: SubscriptionEventFields?
    /// When the commitment ends: its payments continue until then, although auto-renew was turned
    /// off.
    var commitmentEnds: Timestamp?
    var kind: Int?

    init(_ event: StoreEvent) {
        self.event = event.kind.rawValue
        position = event.cursor.position
        at = event.at
        account = event.account
        device = event.device
        switch event.change {
        case .sold, .revised: event.issued.map { take($0) }
        case .deleted(let id, let product, _):
            transactionId = id
            productId = product
        case .autoRenewChanged(let chain, let product, _, let end):
            commitmentEnds = end
            originalTransactionId = chain
            productId = product
        case .subscriptionChanged(let change):
            originalTransactionId = change.chain
            productId = change.productID
            subscription = SubscriptionEventFields(change)
            paymentId = change.answers?.paymentID
            requestId = change.answers?.request
        case .clockSet(let state): clock = ClockFields(state)
        case .renewalsSet(let settings): renewals = settings
        case .deferred(let payment, let request, let reason):
            paymentId = payment.id
            productId = payment.productID
            requestId = request
            self.reason = reason.rawValue
        case .refundRequested(let request), .refundDeclined(let request):
            transactionId = request.transactionID
            productId = request.productID
            reason = request.reason.rawValue
        case .promoted(let product), .purchaseCancelled(let product): productId = product
        case .failed(let payment, let error, let request):
            paymentId = payment.id
            productId = payment.productID
            requestId = request
            self.error = error
        case .finished(let id): transactionId = id
        case .claimed(let id, let claimer):
            transactionId = id
            device = claimer
        case .catalogRevised(let revision, let release):
            self.revision = revision
            self.release = release
            productId = release?.productID
        case .accountChanged(let settings): self.settings = settings
        case .familyChanged(let change): family = FamilyLine(change)
        case .faultSet(let fault), .faultCleared(let fault): self.fault = fault
        case .unknown(let kind): self.kind = kind
        }
    }

    private mutating func take(_ issued: IssuedTransaction) {
        transactionId = issued.id
        productId = issued.productID
        paymentId = issued.payment
        transaction = TransactionVerifier.unverifiedPayload(of: issued.signed).map {
            TransactionLine(payload: $0, signed: issued.signed)
        }
    }
}

/// The fields of an event of a subscription, in JSON.
struct SubscriptionEventFields: Encodable {
    /// The raw value of `SubscriptionEvent.Kind`.
    var change: String
    /// The date that the kind of event defines, such as the end of a grace period.
    var until: Timestamp?
    /// The product that it renews as, if it changes.
    var autoRenewProductId: ProductID?
    /// Apple's name of the billing plan after a planned change.
    var renewalBillingPlanType: BillingPlanType?
    /// Apple's number of the reason for which it ended (`expirationIntent`).
    var expirationIntent: Int?
    /// True if it ended at the store's limit of renewals.
    var isAtRenewalLimit: Bool?

    init(_ event: SubscriptionEvent) {
        change = event.kind.rawValue
        until = event.until
        autoRenewProductId = event.nextProductID
        renewalBillingPlanType = event.nextBillingPlan
        expirationIntent = event.reason?.rawValue
        isAtRenewalLimit = event.isAtRenewalLimit
    }
}
