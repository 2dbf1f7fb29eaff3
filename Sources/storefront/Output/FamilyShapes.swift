import ShopText
import StoreModel

extension FamilyChange {
    /// The change in JSON: of the account that joined, left or was changed. `members` are those after
    /// it; left out for an account that has left its family.
    var fields: JSONFields {
        let own: JSONFields =
            switch what {
            case .created: ["change": "created"]
            case .joined(_, let role): ["change": "joined", "role": role]
            case .left: ["change": "left"]
            case .disbanded: ["change": "disbanded"]
            case .roleChanged(_, let role): ["change": "roleChanged", "role": role]
            // Without a product it is about all purchases.
            case .sharingChanged(_, let product, let isOn):
                ["change": "sharingChanged", "productId": product, "isShared": isOn]
            case .consentRescinded: ["change": "consentRescinded"]
            }
        return JSONFields(
            own,
            [
                "account": account, "organizer": organizer,
                "members": family.map(FamilyMemberLine.all),
            ])
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
