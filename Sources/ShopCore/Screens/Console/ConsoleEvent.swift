package import StoreModel

/// One line of the console's log.
package struct ConsoleEvent: Hashable, Sendable {
    /// The event's time, in the store's time.
    package var at: Timestamp
    /// The account it is about; nil for an event of the whole store.
    package var account: AccountName?
    package var what: What

    /// What happened: `StoreEvent.Change` without signed texts and payments, which the log does not
    /// show.
    package enum What: Hashable, Sendable {
        case purchased(ProductID, TransactionID)
        case revised(ProductID, TransactionID, RevisionKind)
        case deleted(ProductID, TransactionID)
        case autoRenewChanged(ProductID, isOn: Bool)
        case clockSet(ClockState)
        case renewalsSet(RenewalSettings)
        /// An entry that a newer program wrote.
        case unknown(kind: Int)
        case deferred(ProductID, request: TransactionID)
        /// `wasRequest`: the payment had waited for approval.
        case failed(ProductID, StoreError, wasRequest: Bool)
        case finished(TransactionID)
        case claimed(TransactionID, by: DeviceName)
        case catalogRevised(Int64)
        case accountChanged(AccountSettings)
        case faultSet(Fault)
        case faultCleared(Fault)
    }

    package init(at: Timestamp, account: AccountName?, what: What) {
        self.at = at
        self.account = account
        self.what = what
    }

    /// The line for an event of the operator's feed.
    package init(_ event: StoreEvent) {
        at = event.at
        account = event.account
        what =
            switch event.change {
            case .sold(let issued): .purchased(issued.productID, issued.id)
            case .revised(let issued, let kind): .revised(issued.productID, issued.id, kind)
            case .deleted(let id, let product, _): .deleted(product, id)
            case .autoRenewChanged(_, let product, let isOn):
                .autoRenewChanged(product, isOn: isOn)
            case .clockSet(let state): .clockSet(state)
            case .renewalsSet(let settings): .renewalsSet(settings)
            case .unknown(let kind): .unknown(kind: kind)
            case .deferred(let payment, let request):
                .deferred(payment.productID, request: request)
            case .failed(let payment, let error, let request):
                .failed(payment.productID, error, wasRequest: request != nil)
            case .finished(let id): .finished(id)
            case .claimed(let id, let device): .claimed(id, by: device)
            case .catalogRevised(let revision): .catalogRevised(revision)
            case .accountChanged(let settings): .accountChanged(settings)
            case .faultSet(let fault): .faultSet(fault)
            case .faultCleared(let fault): .faultCleared(fault)
            }
    }
}
