import StoreModel

/// Why something that was sold cannot be refunded, taken back, given back or deleted.
extension ErrorMessages {
    private static func transaction(_ error: StoreError) -> String {
        "Transaction \(error.transactionID?.description ?? "?")"
    }

    static func takingBack(_ error: StoreError) -> ErrorMessage? {
        let kept = "Nothing was changed."
        return switch error.code {
        case .refundTooLarge:
            ErrorMessage(
                "\(error.found ?? "That much") of transaction "
                    + "\(error.transactionID?.description ?? "?") cannot be refunded.",
                kept: kept, next: "Left to refund: \(error.expected ?? "nothing").")
        case .alreadyRefunded:
            ErrorMessage(
                "\(transaction(error)) was refunded in full before.", kept: kept,
                next: "Undo that with: storefront operator reverse-refund")
        case .nothingUnused:
            ErrorMessage(
                "\(transaction(error)) has no time left that could be refunded.", kept: kept,
                next: "Refund a part of it with --percent.")
        case .notRevoked:
            ErrorMessage(
                "\(transaction(error)) was neither refunded nor revoked.", kept: kept)
        case .boughtAgain:
            ErrorMessage(
                "It was bought again meanwhile, with transaction "
                    + "\(error.transactionID?.description ?? "?").",
                kept: kept, next: "Refund that one first.")
        case .notLastOfChain:
            ErrorMessage(
                "\(transaction(error)) is not the last period of its subscription.", kept: kept,
                next: error.expected.map {
                    "Delete \($0) first, or the whole subscription with --whole-chain."
                } ?? "")
        case .transactionDeleted:
            ErrorMessage(
                "This payment was sold as transaction "
                    + "\(error.transactionID?.description ?? "?"), which was deleted.",
                kept: "Nothing was charged again.", next: "Use a new id for a new payment.")
        case .insufficientBalance:
            ErrorMessage(
                "The purse holds \(error.found ?? "less") \(error.subject ?? ""), and "
                    + "\(error.expected ?? "more") were to be spent.",
                kept: "Nothing was spent.", next: "Spend less, or buy more.")
        case .spendMismatch:
            ErrorMessage(
                "This spend's id was used before with another \(error.subject ?? "content"): "
                    + "\(error.expected ?? "?"), now \(error.found ?? "?").",
                kept: "Nothing was spent.", next: "Use a new id for a new spend.")
        case .clockBackwards:
            ErrorMessage(
                "The store's clock only moves forward.", kept: kept,
                next: "Choose a later date, or begin a new store with --store.")
        case .nothingDue:
            ErrorMessage(
                "Nothing happens by itself in this store.", kept: kept,
                next: "Buy a subscription that renews first.")
        case .noSubscription:
            ErrorMessage("There is no such subscription to change.", kept: kept)
        case .contradictoryEntry:
            ErrorMessage(
                "The store refused to record what contradicts itself"
                    + (error.found.map { " (\($0))" } ?? "") + ".",
                kept: kept, next: "This is a mistake of the program: report it with this line.")
        default: nil
        }
    }
}

extension JapaneseErrorMessages {
    static func takingBack(_ error: StoreError) -> ErrorMessage? {
        let happened: String? =
            switch error.code {
            case .refundTooLarge: "その額は返金できません。"
            case .alreadyRefunded: "全額返金済みです。"
            case .nothingUnused: "返金できる残り期間がありません。"
            case .notRevoked: "返金も取り消しもされていません。"
            case .boughtAgain: "その後あらためて購入されています。"
            case .notLastOfChain: "サブスクリプションの最後の期間ではありません。"
            case .transactionDeleted: "この支払いの取引は削除されています。"
            case .insufficientBalance: "残高が足りません。"
            case .spendMismatch: "このIDは別の内容で使用済みです。"
            case .clockBackwards: "ストアの時計は進めることしかできません。"
            case .nothingDue: "予定されていることはありません。"
            case .noSubscription: "そのサブスクリプションはありません。"
            case .contradictoryEntry: "矛盾する記録は保存されません。"
            default: nil
            }
        return happened.map { ErrorMessage($0, kept: "何も変更されていません。") }
    }
}
