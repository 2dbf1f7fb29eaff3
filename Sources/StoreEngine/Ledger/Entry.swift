package import StoreModel

/// One thing that happened, as it is handed to the ledger. Entries are never changed and never
/// removed; a correction is another entry.
package struct Entry: Codable, Hashable, Sendable {
    /// The account it concerns; nil when it concerns the whole store.
    package var account: AccountName?
    /// The device that asked for it; nil when the operator or the clock did.
    package var device: DeviceName?
    /// When it takes effect in the store's time.
    package var effectiveAt: Timestamp
    package var number: Number
    package var fact: Fact

    package init(
        account: AccountName?, device: DeviceName?, effectiveAt: Timestamp,
        number: Number = .none, fact: Fact
    ) {
        self.account = account
        self.device = device
        self.effectiveAt = effectiveAt
        self.number = number
        self.fact = fact
    }

    /// The transaction an entry is about.
    package enum Number: Codable, Hashable, Sendable {
        case none
        /// The next one of the store's counter, given out by the ledger in the write.
        case next
        case existing(TransactionID)
    }

    package enum Fact: Codable, Hashable, Sendable {
        case storeOpened(identity: AppIdentity)
        /// The catalog itself is an attachment, found by its digest.
        case catalogRevised(CatalogRevision)
        case accountChanged(AccountSettings)
        /// Waits for approval under the entry's number.
        case deferred(Payment)
        /// Came to nothing; the number is the request's, if there was one.
        case failed(Payment, StoreError)
        case sold(Sale)
        case finished
        case claimed(by: DeviceName)
        case faultSet(Fault)
        /// What is left of it; it is gone at zero.
        case faultSpent(Fault)
        case faultsCleared([Fault])
    }

    /// The stream this entry belongs to. A decision that read it is stale afterwards.
    package var stream: StreamID { account.map { .account($0) } ?? .store }
}

/// A catalog the store was given.
package struct CatalogRevision: Codable, Hashable, Sendable {
    /// 1, 2, 3 …
    package var number: Int64
    /// SHA-256 of the file it was read from, and the key of the attachment that holds it.
    package var digest: String
    package var productCount: Int

    package init(number: Int64, digest: String, productCount: Int) {
        self.number = number
        self.digest = digest
        self.productCount = productCount
    }
}

/// What was sold: the fields of a transaction's payload that the store owns. Never a signed text:
/// signatures are made when a transaction is handed out.
package struct Sale: Codable, Hashable, Sendable {
    package var payment: Payment
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

    package struct Original: Codable, Hashable, Sendable {
        package var id: TransactionID
        package var purchaseDate: Timestamp

        package init(id: TransactionID, purchaseDate: Timestamp) {
            self.id = id
            self.purchaseDate = purchaseDate
        }
    }

    package init(
        payment: Payment, type: ProductType, groupID: SubscriptionGroupID? = nil,
        original: Original? = nil, purchaseDate: Timestamp, expiresDate: Timestamp? = nil,
        storefront: String, price: Money, grant: Grant? = nil, isHosted: Bool? = nil
    ) {
        self.payment = payment
        self.grant = grant
        self.isHosted = isHosted
        self.type = type
        self.groupID = groupID
        self.original = original
        self.purchaseDate = purchaseDate
        self.expiresDate = expiresDate
        self.storefront = storefront
        self.price = price
    }
}

/// An entry in its place.
package struct RecordedEntry: Codable, Hashable, Sendable {
    package var position: Int64
    package var recordedAt: Timestamp
    /// The transaction's number, given out or repeated.
    package var number: TransactionID?
    package var entry: Entry

    package init(
        position: Int64, recordedAt: Timestamp, number: TransactionID?, entry: Entry
    ) {
        self.position = position
        self.recordedAt = recordedAt
        self.number = number
        self.entry = entry
    }
}

/// What a decision can depend on. A stream's version is the position of its last entry, 0 while it
/// has none.
package enum StreamID: Hashable, Sendable {
    /// Everything that concerns one account.
    case account(AccountName)
    /// What concerns everybody: identity, catalog, faults.
    case store
}
