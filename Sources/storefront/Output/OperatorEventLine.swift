import StoreModel
import StoreSigning

/// One event that an operator's action caused, in JSON.
struct OperatorEventLine: Encodable {
    var event: String
    var transaction: TransactionLine?
    var transactionId: TransactionID?
    var originalTransactionId: TransactionID?
    var productId: ProductID?
    var clock: ClockState?
    var renewals: RenewalSettings?

    init(_ event: StoreEvent) {
        switch event.change {
        case .sold(let issued):
            self.event = "sold"
            take(issued)
        case .revised(let issued, let kind):
            self.event = kind.rawValue
            take(issued)
        case .deleted(let id, let product, _):
            self.event = "deleted"
            transactionId = id
            productId = product
        case .autoRenewChanged(let chain, let product, let isOn):
            self.event = isOn ? "autoRenewEnabled" : "autoRenewDisabled"
            originalTransactionId = chain
            productId = product
        case .clockSet(let state):
            self.event = "clockSet"
            clock = state
        case .renewalsSet(let settings):
            self.event = "renewalsSet"
            renewals = settings
        case .deferred: self.event = "deferred"
        case .failed: self.event = "failed"
        case .finished(let id):
            self.event = "finished"
            transactionId = id
        case .claimed(let id, _):
            self.event = "claimed"
            transactionId = id
        case .catalogRevised: self.event = "catalogRevised"
        case .accountChanged: self.event = "accountChanged"
        case .faultSet: self.event = "faultSet"
        case .faultCleared: self.event = "faultCleared"
        case .unknown: self.event = "unknown"
        }
    }

    private mutating func take(_ issued: IssuedTransaction) {
        transactionId = issued.id
        productId = issued.productID
        transaction = TransactionVerifier.unverifiedPayload(of: issued.signed).map {
            TransactionLine(payload: $0, signed: issued.signed)
        }
    }
}
