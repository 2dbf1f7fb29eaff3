extension Japanese {
    static func text(_ text: KeptText) -> String {
        switch text {
        case .nothingCharged: "請求はありません。"
        case .nothingMoreCharged(let sale): "取引\(sale)として販売済みです。追加の請求はありません。"
        case .nothingChanged: "何も変更されていません。"
        case .purchaseKept: "購入は有効です。"
        case .nothingSoldIsLost: "購入の記録は失われていません。"
        case .nothingSpent: "残高は使われていません。"
        case .partialKept: "途中までの内容は保存されています。"
        case .thrownAway: "内容は破棄しました。購入は有効です。"
        case .unlocksNothing: "この記録では何も利用できません。"
        case .lastCatalogSells: "直前のカタログで販売を続けます。"
        case .nothingBelieved: "その署名は受け入れていません。"
        case .addedUpAgain: "残高は購入の記録から計算し直しました。"
        case .notChargedNotSold:
            "請求はありません。解決するまでこのデバイスには何も販売されません。"
        case .notRecorded: "購入の記録は失われていません。今回の操作は記録されていません。"
        case .nothingWritten: "それ以上は書き込まれていません。"
        case .packageNotTaken: "パッケージはストアに保存されていません。購入済みのものはそのままです。"
        case .notUsed: "この記録は使用されず、何も有効になりません。"
        case .purchaseAndPartKept: "購入は有効です。途中までの内容は保存されています。"
        case .reportsWait: "購入は通常どおり届きます。未送信の報告はあとで送ります。"
        }
    }
}
