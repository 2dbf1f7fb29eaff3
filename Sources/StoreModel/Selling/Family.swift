/// A family whose members share their purchases (App Store: Family Sharing). An account is in one
/// family at most; a family is named by its organizer.
package struct Family: Codable, Hashable, Sendable {
    /// One account of a family, and the purchases that it shares.
    package struct Member: Codable, Hashable, Sendable {
        package var account: AccountName
        /// The account's role: the purchases of a child wait for the organizer's approval.
        package var role: FamilyRole
        /// Whether the other members get the account's purchases (App Store: Share My Purchases).
        package var sharesPurchases = true
        /// Products that the account keeps to itself although it shares its purchases, in order
        /// (App Store: Share with Family, of a subscription).
        package var keptBack: [ProductID] = []

        package init(account: AccountName, role: FamilyRole = .adult) {
            self.account = account
            self.role = role
        }

        package func shares(_ product: ProductID) -> Bool {
            sharesPurchases && !keptBack.contains(product)
        }
    }

    /// The account that founded the family and approves its children's purchases. Always an adult
    /// and a member.
    package var organizer: AccountName
    /// In the order they joined: the organizer first.
    package var members: [Member]

    /// The organizer included.
    package static let membersMax = 6

    package init(organizer: AccountName) {
        self.organizer = organizer
        members = [Member(account: organizer)]
    }

    /// Nil if the account is no member.
    package func member(_ account: AccountName) -> Member? {
        members.first { $0.account == account }
    }

    package func isChild(_ account: AccountName) -> Bool { member(account)?.role == .child }
}

/// A member's role in its family: decides whether its purchases need the organizer's approval. The
/// raw value is its name on the command line and in JSON.
package enum FamilyRole: String, Codable, Hashable, Sendable, CaseIterable {
    /// Buys without asking.
    case adult
    /// Every purchase waits for the organizer's approval (StoreKit: Ask to Buy).
    case child
}

/// A change of a family. Each account that was or is a member gets an event with it.
package struct FamilyChange: Codable, Hashable, Sendable {
    /// A change of a family's members, or of the products that they share.
    package enum What: Codable, Hashable, Sendable {
        case created
        case joined(AccountName, FamilyRole)
        /// The account left; the purchases that were shared with it and by it are revoked.
        case left(AccountName)
        /// The organizer left; the family ended.
        case disbanded
        case roleChanged(AccountName, FamilyRole)
        /// The account began or stopped to share a product, or, with nil, all its purchases.
        case sharingChanged(AccountName, ProductID?, isOn: Bool)
        /// A parent withdrew the consent to the app for a child; the family stays as it is.
        case consentRescinded(AccountName)
    }

    package var what: What
    package var organizer: AccountName
    /// Of the event's account after the change; nil if the account is in none.
    package var family: Family?

    package init(what: What, organizer: AccountName, family: Family?) {
        self.what = what
        self.organizer = organizer
        self.family = family
    }

    /// It joined, left or was changed; the organizer if the whole family was.
    package var account: AccountName {
        switch what {
        case .created, .disbanded: organizer
        case .joined(let account, _), .left(let account), .roleChanged(let account, _),
            .sharingChanged(let account, _, _), .consentRescinded(let account):
            account
        }
    }

    package var eventKind: EventKind {
        if case .consentRescinded = what { .consentRescinded } else { .familyChanged }
    }

    /// Shared or shared no more; nil for any other change.
    package var productID: ProductID? {
        if case .sharingChanged(_, let product, _) = what { product } else { nil }
    }
}

/// The family of an account, and the purchases that its members share with it.
package struct FamilyStatus: Codable, Hashable, Sendable {
    /// A purchase of another member that the account may use now.
    package struct Share: Codable, Hashable, Sendable {
        /// The number of the share's own transaction; the owner's transaction has another one.
        package var transactionID: TransactionID
        package var productID: ProductID
        package var owner: AccountName

        package init(transactionID: TransactionID, productID: ProductID, owner: AccountName) {
            self.transactionID = transactionID
            self.productID = productID
            self.owner = owner
        }
    }

    /// Nil if the account is in none.
    package var family: Family?
    /// The other members' purchases that the account may use, in the order they were shared.
    package var shares: [Share]

    package init(family: Family? = nil, shares: [Share] = []) {
        self.family = family
        self.shares = shares
    }

    package func owner(of transaction: TransactionID) -> AccountName? {
        shares.first { $0.transactionID == transaction }?.owner
    }
}
