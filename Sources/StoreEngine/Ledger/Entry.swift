package import Foundation
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
        /// A transaction changed: its whole new state.
        case revised(TransactionRevision)
        case autoRenewChanged(AutoRenewChange)
        case clockSet(ClockState)
        case renewalsSet(RenewalSettings)
        /// A fact of a kind this program does not know: damage, or a newer program's. Passed on as
        /// it is; what it says about its account is not known, so nothing is decided about that.
        case unknown(kind: Int, body: Data)
    }

    /// What contradicts itself in this entry; nil where nothing does. No ledger records an entry
    /// that contradicts itself: its fold would have to guess.
    package var contradiction: String? {
        let isNumbered = number != .none
        switch fact {
        case .sold(let sale):
            guard account != nil, isNumbered else { return "a sale without account or number" }
            return sale.contradiction(device: device)
        case .deferred:
            return account == nil || device == nil || !isNumbered
                ? "a request without account, device or number" : nil
        case .failed:
            return account == nil || device == nil ? "a failure without account or device" : nil
        case .finished, .claimed, .revised:
            guard account != nil, case .existing = number else {
                return "a change of a transaction without account or number"
            }
            return nil
        case .autoRenewChanged(let change):
            if account == nil { return "auto-renew without account" }
            return change.isOn == (change.next != nil)
                ? nil : "auto-renew that is \(change.isOn ? "on" : "off") and due otherwise"
        case .accountChanged(let settings):
            return account == settings.name ? nil : "settings of another account"
        case .storeOpened, .catalogRevised, .faultSet, .faultSpent, .faultsCleared, .clockSet,
            .renewalsSet:
            return account == nil ? nil : "a fact of the whole store about one account"
        case .unknown: return nil
        }
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
    /// What concerns everybody: identity, catalog, faults, clock, renewals.
    case store
}

extension Sale {
    /// Only a payment comes from a device; a renewal continues a chain; a share has no token.
    fileprivate func contradiction(device: DeviceName?) -> String? {
        switch cause {
        case .payment: device == nil ? "a payment without a device" : nil
        case .renewal:
            device != nil || original == nil || term == nil || expiresDate == nil
                ? "a renewal with a device, or without chain, term or end" : nil
        case .familyShare:
            device != nil || appAccountToken != nil ? "a share with a device or a token" : nil
        case .outsideApp: device != nil ? "a purchase outside the app with a device" : nil
        }
    }
}
