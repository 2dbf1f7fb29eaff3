extension Japanese {
    static func text(_ text: ReceiptText) -> String {
        switch text {
        case .receiptTitle: "このデバイスのレシート"
        case .noReceipt(let key): "このデバイスにはまだレシートがありません。\(key)でストアから取得できます。"
        case .receiptPurchases: "購入"
        case .receiptEmpty: "まだありません。消耗型は完了するまでレシートに残ります。"
        case .appTransactionTitle: "アプリのトランザクション"
        case .receiptTypeFact: "種類"
        case .receiptKind(let type):
            switch type {
            case "ProductionSandbox": "Sandboxのレシート"
            case "Production": "レシート"
            default: type
            }
        case .appFact: "アプリ"
        case .madeFact: "作成"
        case .revokedFact: "取り消し"
        case .fileFact: "ファイル"
        case .versionFact: "バージョン"
        case .firstVersionFact: "最初の版"
        case .numberFact: "番号"
        }
    }
}
