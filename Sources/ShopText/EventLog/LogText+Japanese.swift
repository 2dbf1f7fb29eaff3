extension Japanese {
    static func text(_ text: LogText) -> String {
        switch text {
        case .transaction: "取引番号"
        case .quantity: "数量"
        case .noEvents: "イベントはまだありません。"
        case .historyHeading: "履歴"
        case .eventsOfAllTime: "全期間"
        case .sortedBy(let column): "\(column)順"
        case .markedLines(let count): "\(count)件をマーク"
        case .eventCount(let count): "全期間、\(count)件"
        case .readingEvents: "イベントを読み込んでいます。"
        case .noEventMatches: "一致するイベントはありません。"
        case .noEventMatchesYet: "まだ一致するイベントがありません。↓で続きを読みます。"
        case .moreInHistory(let count): "+\(count): 3 履歴"
        case .groupAll: "すべて"
        case .groupSales: "購入"
        case .groupChanges: "返金と変更"
        case .groupDelivery: "配信"
        case .groupStore: "設定"
        case .groupDevice: "このデバイス"
        case .whenFact: "日時"
        case .productFact: "商品"
        case .priceFact: "価格"
        case .paidFact: "支払額"
        case .refundFact: "返金額"
        case .accountFact: "アカウント"
        case .deviceFact: "デバイス"
        case .tokenFact: "トークン"
        case .userNameFact: "ユーザ名"
        case .territoryFact: "ストア"
        case .expiresFact: "期限"
        case .orderFact: "注文番号"
        case .originalFact: "元の取引"
        case .requestFact: "リクエスト"
        case .paymentFact: "支払いID"
        case .errorFact: "エラー"
        case .meaningFact: "意味"
        case .callFact: "対象"
        case .remainingFact: "残り回数"
        case .positionFact: "記録番号"
        case .signatureFact: "署名"
        case .verifiedFact: "このデバイスで検証済み"
        case .notVerifiedFact(let reason): "検証できません" + (reason.map { ": \($0)" } ?? "")
        case .payloadHeading: "署名された内容"
        case .sharedByFact: "共有元"
        case .noSuchKind(let text, let names):
            "「\(text)」という種類はありません。kind: の後には次のどれか、またはその始めを入力します: \(names)"
        case .noSuchProduct(let text, let example):
            "名前か識別子に「\(text)」を含む商品はありません。"
                + (example.map { "販売中の商品の例: \($0)" } ?? "")
        case .noSuchDay(let text): "「\(text)」は日付ではありません。since: の後には 2027-01-31 のように入力します。"
        case .noSuchField(let text, let fields):
            "「\(text):」という項目はなく、その文字を含むものもありません。使える項目: \(fields)"
        case .filterByKind: "種類 (例 kind:refunded)"
        case .filterByFact: "内容 (例 is:freeTrial)"
        case .noSuchFact(let text, let facts):
            "「\(text)」を伝えるイベントはありません。is: の後には次のどれかを入力します: \(facts)"
        case .finishedAtLaunch(let name, let transaction):
            "\(name)、\(transaction): 未完了のまま起動時に届き、完了しました"
        case .filterByProduct: "商品の名前か識別子"
        case .filterByAccount: "アカウント (コンソールのみ)"
        case .filterSince: "この日以降 (例 since:2027-01-31)"
        }
    }
}
