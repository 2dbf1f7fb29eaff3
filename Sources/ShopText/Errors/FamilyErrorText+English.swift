import StoreModel

extension English {
    static func text(_ text: FamilyErrorText) -> String {
        switch text {
        case .errorAlreadyInFamily(let account, let organizer):
            "Account \"\(account)\" is in the family of \"\(organizer)\" already."
        case .errorNotInFamily(let account): "Account \"\(account)\" is in no family."
        case .errorFamilyFull(let organizer, let count):
            "The family of \"\(organizer)\" has \(count) members, and may have no more."
        case .errorNotForOrganizer(let account):
            "Account \"\(account)\" is its family's organizer and cannot be a child."
        case .errorNotOrganizer(let account, let organizer?):
            "The organizer \"\(organizer)\" answers for account \"\(account)\", and nobody else."
        case .errorNotOrganizer(let account, nil):
            "Account \"\(account)\" belongs to no family that somebody organizes."
        case .errorChildAsks(let account):
            "Account \"\(account)\" is a child, and a child always asks."
        case .errorNotShareable(let product): "A family cannot share \(product)."
        case .errorSharedPurchase(let id, let owner):
            "Transaction \(id) is a family share of what \"\(owner)\" bought."
        case .errorOperatorOnly(let account):
            "Only the store's operator may do this, and not account \"\(account)\"."
        case .leaveFamilyFirst(let account):
            "Take it out first: storefront operator family leave \(account)"
        case .createFamilyFirst:
            "Found a family with: storefront operator family create ACCOUNT"
        case .organizerAnswers(let account):
            "Act as the organizer: storefront operator --as \(account)"
        case .operatorAnswers: "Leave out --as to act as the store's operator."
        case .changeRoleFirst(let account):
            "Make it an adult first: storefront operator family role \(account) adult"
        case .changeSaleInstead(let id): "Change the sale \(id); its shares follow."
        case .ownerAsksForRefund(let owner): "Only \"\(owner)\" can ask for a refund of it."
        case .errorSharedAlready(let product, let owner, let account):
            "\"\(owner)\" shares \(product) with "
                + "\(account.map { "account \"\($0)\"" } ?? "you") already."
        case .buyItAgain: "To buy it for yourself as well, give --again."
        case .errorNoOrganizer(let account, let organizer):
            "Account \"\(account)\" is a member of the family of \"\(organizer)\" and organizes none."
        case .joinOrganizer(let organizer): "Name the organizer: --organizer \(organizer)"
        case .createFamilyOf(let account):
            "Found a family with: storefront operator family create \(account)"
        case .leaveMemberFirst: "Somebody has to leave first."
        case .familyShareableField:
            "The catalog says what a family can share: familyShareable, of what is bought once or "
                + "renews."
        }
    }
}
