package import StoreModel

/// A sale as lookups find it.
package struct TransactionRow: Hashable, Sendable {
    package var id: TransactionID
    package var account: AccountName
    /// The device it was bought on; nil where no device asked for it.
    package var device: DeviceName?
    package var sale: Sale
    /// What has changed about it since.
    package var state: TransactionState

    package init(
        id: TransactionID, account: AccountName, device: DeviceName?, sale: Sale,
        state: TransactionState = .asSold
    ) {
        self.id = id
        self.account = account
        self.device = device
        self.sale = sale
        self.state = state
    }

    package var originalID: TransactionID { sale.original?.id ?? id }
}

/// What has become of a payment by now.
package struct PaymentRow: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case deferred(request: TransactionID)
        case sold(TransactionRow)
        case failed(StoreError, request: TransactionID?)
    }

    package var account: AccountName
    package var device: DeviceName
    package var payment: Payment
    package var state: State

    package init(
        account: AccountName, device: DeviceName, payment: Payment, state: State
    ) {
        self.account = account
        self.device = device
        self.payment = payment
        self.state = state
    }
}

/// A sale that waits for `finish`.
package struct UnfinishedRow: Hashable, Sendable {
    package var id: TransactionID
    package var account: AccountName
    /// The device that is to deliver it; nil while it is nobody's, which a consumable must be
    /// claimed from.
    package var device: DeviceName?

    package init(id: TransactionID, account: AccountName, device: DeviceName?) {
        self.id = id
        self.account = account
        self.device = device
    }
}

/// A payment that waits for approval.
package struct PendingRow: Hashable, Sendable {
    package var number: TransactionID
    package var account: AccountName
    package var device: DeviceName
    package var payment: Payment
    package var askedAt: Timestamp

    package init(
        number: TransactionID, account: AccountName, device: DeviceName, payment: Payment,
        askedAt: Timestamp
    ) {
        self.number = number
        self.account = account
        self.device = device
        self.payment = payment
        self.askedAt = askedAt
    }
}

/// A subscription's chain: whether it renews, and how far it has come.
package struct SubscriptionRow: Hashable, Sendable {
    /// The chain's first transaction.
    package var chain: TransactionID
    package var account: AccountName
    package var autoRenews: Bool
    /// Periods sold so far.
    package var ordinal: Int
    /// The sale of the last of them.
    package var latest: TransactionID

    package init(
        chain: TransactionID, account: AccountName, autoRenews: Bool, ordinal: Int,
        latest: TransactionID
    ) {
        self.chain = chain
        self.account = account
        self.autoRenews = autoRenews
        self.ordinal = ordinal
        self.latest = latest
    }
}

/// One change to what lookups see.
package enum RowChange: Hashable, Sendable {
    case insertTransaction(TransactionRow)
    case putPayment(PaymentRow)
    case insertUnfinished(UnfinishedRow)
    case moveUnfinished(TransactionID, of: AccountName, to: DeviceName)
    case removeUnfinished(TransactionID, of: AccountName)
    case insertPending(PendingRow)
    case removePending(TransactionID)
    case putAccount(AccountSettings)
    case putFault(Fault)
    case removeFault(Int64)
    case addSalesTotals(SalesTotalsChange)
    case putState(TransactionID, of: AccountName, TransactionState)
    case putSubscription(SubscriptionRow)
    case setAutoRenew(chain: TransactionID, of: AccountName, Bool)
    case putDue(DueItem)
    case removeDue(chain: TransactionID, of: AccountName, DueItem.Kind)
    case putClock(ClockState)
    case putRenewals(RenewalSettings)
    case putCatalog(CatalogRevision)
    /// The first sale of a product decides what it is; a later one only adds what was not recorded.
    case noteSoldProduct(SoldProduct)
    case putIdentity(AppIdentity)
}

/// What one entry adds to the takings of a currency.
package struct SalesTotalsChange: Hashable, Sendable {
    package var currency: String
    package var soldMilliunits: Int64
    package var sales: Int64
    package var refundedMilliunits: Int64

    package init(
        currency: String, soldMilliunits: Int64 = 0, sales: Int64 = 0,
        refundedMilliunits: Int64 = 0
    ) {
        self.currency = currency
        self.soldMilliunits = soldMilliunits
        self.sales = sales
        self.refundedMilliunits = refundedMilliunits
    }
}
