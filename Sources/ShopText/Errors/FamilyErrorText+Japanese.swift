extension Japanese {
    static func text(_ text: FamilyErrorText) -> String {
        switch text {
        case .errorAlreadyInFamily(let account, let organizer):
            "アカウント\"\(account)\"はすでに\"\(organizer)\"のファミリーに入っています。"
        case .errorNotInFamily(let account):
            "アカウント\"\(account)\"はファミリーに入っていません。"
        case .errorFamilyFull(let organizer, let count):
            "\"\(organizer)\"のファミリーは\(count)人で、これ以上追加できません。"
        case .errorNotForOrganizer(let account):
            "アカウント\"\(account)\"はファミリーの管理者で、お子様にはなれません。"
        case .errorNotOrganizer(let account, let organizer?):
            "アカウント\"\(account)\"には管理者\"\(organizer)\"だけが答えられます。"
        case .errorNotOrganizer(let account, nil):
            "アカウント\"\(account)\"には管理者のいるファミリーがありません。"
        case .errorChildAsks(let account):
            "アカウント\"\(account)\"はお子様で、いつも承認が必要です。"
        case .errorNotShareable(let product): "\(product)はファミリーで共有できません。"
        case .errorSharedPurchase(let id, let owner):
            "取引\(id)は\"\(owner)\"の購入のファミリー共有です。"
        case .errorOperatorOnly(let account):
            "これはストアの運営者だけができます。アカウント\"\(account)\"にはできません。"
        case .leaveFamilyFirst(let account):
            "先に外してください: storefront operator family leave \(account)"
        case .createFamilyFirst:
            "ファミリーの作成: storefront operator family create ACCOUNT"
        case .organizerAnswers(let account):
            "管理者として操作: storefront operator --as \(account)"
        case .operatorAnswers: "--asを外すとストアの運営者として操作します。"
        case .changeRoleFirst(let account):
            "先に大人にしてください: storefront operator family role \(account) adult"
        case .changeSaleInstead(let id): "販売\(id)を変更してください。共有はそれに従います。"
        case .ownerAsksForRefund(let owner): "返金を依頼できるのは\"\(owner)\"だけです。"
        case .errorSharedAlready(let product, let owner, let account):
            "\(product)は\"\(owner)\"がすでに\(self.account(account))と共有しています。"
        case .buyItAgain: "自分でも購入するには--againを付けてください。"
        case .errorNoOrganizer(let account, let organizer):
            "アカウント\"\(account)\"は\"\(organizer)\"のファミリーのメンバーで、管理者ではありません。"
        case .joinOrganizer(let organizer): "管理者を指定してください: --organizer \(organizer)"
        case .createFamilyOf(let account):
            "ファミリーの作成: storefront operator family create \(account)"
        case .leaveMemberFirst: "先に誰かが退出する必要があります。"
        case .familyShareableField: "共有できる製品はカタログのfamilyShareableで決まります。"
        }
    }
}
