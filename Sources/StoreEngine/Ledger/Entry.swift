import Basics
import Crypto
package import Foundation
package import StoreModel

/// One fact, in the form in which it is passed to the ledger. Entries are never changed or removed;
/// a correction is another entry.
package struct Entry: Codable, Hashable, Sendable {
    /// Nil if the entry concerns the whole store.
    package var account: AccountName?
    /// The device whose request caused the entry; nil if the operator or the clock did.
    package var device: DeviceName?
    /// When the entry takes effect, in the store's time.
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

    /// The number of the transaction an entry is about.
    package enum Number: Codable, Hashable, Sendable {
        case none
        /// The next number of the store's counter, assigned by the ledger in the same write.
        case next
        case existing(TransactionID)
    }

    /// A decision of the store. Ledgers store the associated values encoded, so later versions of
    /// the program must be able to decode them.
    ///
    /// Indirect, as `RowChange` is, because a sale takes more than a kilobyte and holds dozens of
    /// references, which each copy retains (`make bench`: "64 at once", 1.15 times as fast).
    package indirect enum Fact: Codable, Hashable, Sendable {
        case storeOpened(identity: AppIdentity)
        /// A catalog came into force. Its digest is the key of the attachment that holds it.
        case catalogRevised(CatalogRevision)
        /// An account's complete settings. Also recorded when an account buys for the first time.
        case accountChanged(AccountSettings)
        /// The account's family changed, or the account joined or left one. The value holds the
        /// whole family.
        case familyChanged(FamilyChange)
        case valueChanged(AccountValue)
        /// The payment waits under the entry's number, for the reason given (StoreKit: `deferred`).
        /// Under an existing number it joins that request, and gets the request's outcome.
        case deferred(Payment, RequestReason)
        /// The payment failed and nothing was charged. The number is that of the payment's request,
        /// if any.
        case failed(Payment, StoreError)
        /// Under the entry's number.
        case sold(Sale)
        case refundRequested(RefundRequest)
        case refundDeclined(RefundRequest)
        case promoted(ProductID)
        case purchaseCancelled(ProductID)
        /// The transaction was acknowledged (StoreKit: `finish`).
        case finished
        case claimed(by: DeviceName)
        case faultSet(Fault)
        /// A fault made a call fail; the value has the calls that are left. At `remaining` 0 the
        /// fault is removed.
        case faultSpent(Fault)
        /// The operator removed these faults.
        case faultsCleared([Fault])
        /// A transaction changed after its sale; the value holds its whole new state.
        case revised(TransactionRevision)
        case autoRenewChanged(AutoRenewChange)
        /// A subscription changed as a whole: its billing, its next plan, or its end. The number,
        /// if any, is that of the request that the change answers.
        case subscriptionChanged(SubscriptionChange)
        case clockSet(ClockState)
        /// The renewal settings from now on.
        case renewalsSet(RenewalSettings)
        /// The operator requested an extension for all, with an identifier that was not used
        /// before.
        case extensionAsked(ExtensionRequest)
        /// The requested extension for all came to its end.
        case extensionDone(ExtensionOutcome)
        /// The app's backend answered what was consumed of a transaction.
        case consumptionAnswered(ConsumptionAnswer)
        /// The settings of the store's server from now on.
        case serverSet(ServerSettings)
        /// The notifications to the app's backend.
        case outbox(OutboxFact)
        /// The store was closed because it goes on elsewhere, or goes on here, or is a copy.
        case moved(StoreMove)
        /// A fact of a kind that this program does not know: a newer program wrote it, or it is
        /// damaged. It is passed on unchanged. Decisions about its account throw `storeNewer`,
        /// because the fact may affect them.
        case unknown(kind: Int, body: Data)

        /// A transaction that an earlier entry sold.
        package var isOfSale: Bool {
            switch self {
            case .finished, .claimed, .revised, .refundRequested, .refundDeclined,
                .consumptionAnswered:
                true
            default: false
            }
        }
    }

    /// How this entry contradicts itself, in words; nil if it does not. No ledger records a
    /// contradictory entry, because `LedgerFold` could not tell which rows it changes.
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
        case .finished, .claimed, .revised, .refundRequested, .refundDeclined,
            .consumptionAnswered:
            guard account != nil, case .existing = number else {
                return "a change of a transaction without account or number"
            }
            return nil
        case .autoRenewChanged(let change):
            if account == nil { return "auto-renew without account" }
            return change.isOn && change.next == nil ? "auto-renew that is on and never due" : nil
        case .subscriptionChanged(let change):
            if account == nil { return "a subscription without account" }
            if isNumbered, change.answered == nil { return "a request answered without payment" }
            return change.event.kind != .expired && change.next == nil
                ? "a subscription that goes on and is never due" : nil
        case .valueChanged: return account == nil ? "a value without account" : nil
        case .promoted: return account == nil ? "a promoted purchase without account" : nil
        case .purchaseCancelled:
            return account == nil || device == nil
                ? "a cancelled purchase without account or device" : nil
        case .accountChanged(let settings):
            return account == settings.name ? nil : "settings of another account"
        case .familyChanged(let change):
            guard let account else { return "a family change without account" }
            return change.family.map { $0.member(account) == nil } == true
                ? "the family of another account" : nil
        case .storeOpened, .catalogRevised, .faultSet, .faultSpent, .faultsCleared, .clockSet,
            .renewalsSet, .extensionAsked, .extensionDone, .serverSet, .outbox, .moved:
            return account == nil ? nil : "a fact of the whole store about one account"
        case .unknown: return nil
        }
    }

    /// The stream that this entry belongs to. A decision that read an earlier version of the stream
    /// is a conflict.
    package var stream: StreamID {
        if case .outbox = fact { return .outbox }
        return account.map { .account($0) } ?? .store
    }
}

/// A catalog that came into force.
package struct CatalogRevision: Codable, Hashable, Sendable {
    /// 1 for a store's first catalog, then 2, 3 and so on.
    package var number: Int64
    /// SHA-256 of the file that the catalog was read from, or of the catalog's body if an operator
    /// has changed it. Also the key of the attachment that holds the catalog.
    package var digest: String
    /// SHA-256 of the file whose catalog an operator has changed; nil if the catalog is as in its
    /// file.
    package var changedFile: String?
    package var productCount: Int
    /// The key of the attachment with the file's text, without private keys; nil if the text was
    /// not kept.
    package var source: String?
    /// The release that the operator hosted or changed with this revision, in its new state; nil
    /// for a revision with another cause.
    package var package: PackageRelease?
    /// True if a product that was for sale is not any more; otherwise nil.
    package var takesOffSale: Bool?

    package init(
        number: Int64, digest: String, productCount: Int, source: String? = nil,
        changedFile: String? = nil, package: PackageRelease? = nil
    ) {
        self.number = number
        self.digest = digest
        self.productCount = productCount
        self.source = source
        self.changedFile = changedFile
        self.package = package
    }

    /// SHA-256 of the file that the catalog was read from.
    package var file: String { changedFile ?? digest }

    /// The key of a file's text: `source.` and its SHA-256. The prefix keeps it different from the
    /// key of the catalog that was read from the same file.
    static func sourceKey(_ text: Data) -> String {
        "source." + HexText.of(SHA256.hash(data: text))
    }
}

/// An entry with its position in the ledger.
package struct RecordedEntry: Codable, Hashable, Sendable {
    /// 1 for a ledger's first entry; increases by 1 with every entry.
    package var position: Int64
    /// When it was recorded, in the store's time; never before an earlier entry.
    package var recordedAt: Timestamp
    /// Assigned now or by an earlier entry.
    package var number: TransactionID?
    /// As it was passed to the ledger.
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

/// A part of the ledger on which a decision can depend. A stream's version is the position of its
/// last entry, or 0 if it has none.
package enum StreamID: Hashable, Sendable {
    /// Everything that concerns one account.
    case account(AccountName)
    /// Everything that concerns all accounts: identity, catalog, faults, clock, renewals.
    case store
    /// The notifications to the app's backend, on which nothing else depends.
    case outbox
}

extension Sale {
    /// How the sale contradicts itself, in words: only a payment has a device, a renewal continues a
    /// chain, a family share has no token, and a period moves forward. Nil if it does not.
    fileprivate func contradiction(device: DeviceName?) -> String? {
        if let term, !term.isPossible { return "a period that no subscription has" }
        return switch cause {
        case .payment: device == nil ? "a payment without a device" : nil
        case .renewal:
            device != nil || original == nil || term == nil || expiresDate == nil
                ? "a renewal with a device, or without chain, term or end" : nil
        case .familyShare:
            device != nil || appAccountToken != nil || term != nil || grant != nil
                ? "a share with a device, a token, a term or a grant" : nil
        case .outsideApp: device != nil ? "a purchase outside the app with a device" : nil
        }
    }
}
