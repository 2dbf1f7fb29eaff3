package import StoreModel

/// A sale as lookups find it.
package struct TransactionRow: Hashable, Sendable {
    package var id: TransactionID
    package var account: AccountName
    /// The device it was bought on.
    package var device: DeviceName
    package var sale: Sale

    package init(id: TransactionID, account: AccountName, device: DeviceName, sale: Sale) {
        self.id = id
        self.account = account
        self.device = device
        self.sale = sale
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
    /// The device that is to deliver it.
    package var device: DeviceName

    package init(id: TransactionID, account: AccountName, device: DeviceName) {
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
    case addTakings(currency: String, milliunits: Int64)
    case putCatalog(CatalogRevision)
    /// The first sale of a product decides what it is; a later one only adds what was not recorded.
    case noteSoldProduct(SoldProduct)
    case putIdentity(AppIdentity)
}
