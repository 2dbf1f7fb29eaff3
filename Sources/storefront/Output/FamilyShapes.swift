import ShopText
import StoreModel

/// A change of a family, in JSON.
struct FamilyLine: Encodable {
    /// `created`, `joined`, `left`, `disbanded`, `roleChanged` or `sharingChanged`.
    var change: String
    /// The account that joined, left or was changed.
    var account: AccountName
    var organizer: AccountName
    var role: FamilyRole?
    /// The product that the account begins or stops to share; nil for all its purchases.
    var productId: ProductID?
    var isShared: Bool?
    /// The members after the change; nil for an account that has left its family.
    var members: [FamilyMemberLine]?

    init(_ change: FamilyChange) {
        account = change.account
        organizer = change.organizer
        members = change.family.map(FamilyMemberLine.all)
        switch change.what {
        case .created: self.change = "created"
        case .joined(_, let role):
            self.change = "joined"
            self.role = role
        case .left: self.change = "left"
        case .disbanded: self.change = "disbanded"
        case .roleChanged(_, let role):
            self.change = "roleChanged"
            self.role = role
        case .sharingChanged(_, let product, let isOn):
            self.change = "sharingChanged"
            productId = product
            isShared = isOn
        }
    }
}

/// One member of a family, in JSON.
struct FamilyMemberLine: Encodable {
    var organizer: AccountName
    var account: AccountName
    var role: FamilyRole
    var isOrganizer: Bool
    var sharesPurchases: Bool
    /// The products that it does not share, although it shares its other purchases.
    var keptBack: [ProductID]

    static func all(_ family: Family) -> [FamilyMemberLine] {
        family.members.map { member in
            FamilyMemberLine(
                organizer: family.organizer, account: member.account, role: member.role,
                isOrganizer: member.account == family.organizer,
                sharesPurchases: member.sharesPurchases, keptBack: member.keptBack)
        }
    }
}

extension FamilyMemberLine {
    static var columns: [Column<Self>] {
        let strings = Output.strings
        return [
            Column(.columnAccount) { $0.account.rawValue },
            Column(.columnRole) {
                strings[StoreLineText.familyRole($0.role, isOrganizer: $0.isOrganizer)]
            },
            Column(.columnShares) {
                strings[
                    StoreLineText.familyShares(
                        all: $0.sharesPurchases,
                        keptBack: $0.keptBack.map(\.rawValue).joined(
                            separator: strings[.listSeparator]))]
            },
        ]
    }
}
