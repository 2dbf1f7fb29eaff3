package import Foundation
package import StoreModel

/// An offer of a sale, from the catalog at the time of the sale. A later catalog does not change
/// it.
package struct SoldOffer: Codable, Hashable, Sendable {
    package var kind: OfferKind
    /// Nil for an introductory offer.
    package var id: OfferID?
    /// How the offer is paid: free, pay as you go, or up front.
    package var mode: OfferMode
    /// The length of time that is charged at once: one period, or the whole offer.
    package var period: SubscriptionPeriod
    /// The price of that length of time.
    package var price: Money
    /// The number of further periods at this price, after the sale that has the offer. For an offer
    /// that has not begun, all its periods.
    package var periodsLeft: Int
    package var code: String?
    /// Of the signature that was accepted.
    package var nonce: UUID?
    /// The payment that asked for the offer; nil if the offer applied by itself.
    package var payment: PaymentID?

    /// Nil if all periods were sold.
    package var next: SoldOffer? {
        guard periodsLeft > 0 else { return nil }
        var next = self
        next.periodsLeft -= 1
        return next
    }

    /// The introductory offer, code and signature that a sale with this offer uses up.
    func subjects(in group: SubscriptionGroupID?) -> [OfferUse.Subject] {
        var subjects: [OfferUse.Subject] = []
        if kind == .introductory, let group { subjects.append(.introductory(group)) }
        if let code { subjects.append(.code(code)) }
        if let nonce { subjects.append(.signature(nonce)) }
        return subjects
    }
}

/// The use of an offer by an account.
package struct OfferUse: Hashable, Sendable {
    /// The introductory offer, code or signature that was used.
    package enum Subject: Hashable, Sendable {
        /// The introductory offer of a group; once for each account.
        case introductory(SubscriptionGroupID)
        /// A code; once for each account.
        case code(String)
        /// The signature of a promotional offer, by its nonce; once in a store.
        case signature(UUID)

        /// The encoding in which ledgers store the subject.
        package var text: String {
            switch self {
            case .introductory(let group): "introductory \(group)"
            case .code(let code): "code \(code)"
            case .signature(let nonce): "signature \(nonce.uuidString)"
            }
        }

        /// Decodes `text`; nil for any other text.
        package init?(text: String) {
            let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "introductory": self = .introductory(SubscriptionGroupID(parts[1]))
            case "code": self = .code(parts[1])
            case "signature":
                guard let nonce = UUID(uuidString: parts[1]) else { return nil }
                self = .signature(nonce)
            default: return nil
            }
        }
    }

    /// Identifies a use.
    package struct Key: Hashable, Sendable {
        package var subject: Subject
        package var account: AccountName

        package init(_ subject: Subject, by account: AccountName) {
            self.subject = subject
            self.account = account
        }
    }

    package var key: Key
    /// The payment that asked for the offer; nil if the offer applied by itself.
    package var payment: PaymentID?
    /// The transaction that was sold with the offer; nil for an offer that begins later. Deleting
    /// the transaction undoes the use.
    package var transaction: TransactionID?

    package init(
        _ subject: Subject, by account: AccountName, payment: PaymentID?,
        transaction: TransactionID?
    ) {
        key = Key(subject, by: account)
        self.payment = payment
        self.transaction = transaction
    }
}
