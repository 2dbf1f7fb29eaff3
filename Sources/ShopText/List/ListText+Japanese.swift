extension Japanese {
    static func text(_ text: ListText) -> String {
        switch text {
        case .shopName: "ショップ"
        case .shopView: "ショップ"
        case .console: "コンソール"
        case .opening: "準備中"
        case .anotherShopDelivers: "別のショップが配信中"
        case .anotherDeliversShort: "2つ目のショップ"
        case .modesSet(let count): "特別設定 \(count)"
        case .failuresQueued(let count): "障害設定 \(count)"
        case .signedOut: "サインアウト中"
        case .promotedLine(let key, let drop):
            "アプリの外で始まり、保留中です。\(key) で続行、\(drop) で破棄します。"
        case .heldLine(let key, let drop):
            "未送信の支払いがあります。請求はありません。\(key) で送信、\(drop) で破棄します。"
        case .heldState: "未送信"
        case .promotedState: "外部で開始"
        case .offline: "オフライン"
        case .slowNetwork: "低速"
        case .offlineLine(let asOf):
            "オフラインです。\(asOf)時点の情報を表示しています。所有しているものは使えます。購入にはストアへの接続が必要です。"
        case .offlineAsOf(let asOf): "オフライン (\(asOf)時点)"
        case .loadingProducts: "商品を読み込んでいます"
        case .productsNotLoaded(let key): "商品を読み込めません。\(key)で再試行"
        case .nothingForSaleIn(let place, let places, let more):
            "\(place)では販売中の商品がありません。このカタログの販売地域: \(places)"
                + (more > 0 ? "、ほか\(more)地域。" : "。")
        case .moveToTerritory(let code):
            "アカウントの地域を変える: storefront operator territory \(code)"
        case .nothingForSale: "販売中の商品はありません。"
        case .noProductFound: "一致する商品はありません。"
        case .nearestIdentifier(let id): "最も近い識別子: \(id)"
        case .choosePlan: "プランを1つ選択"
        case .paymentsAreOff: "このアカウントでは購入できません。購入済みの項目は使えます。"
        case .moreProducts(let count, let names): "ほか\(count)点: \(names)"
        case .position(let at, let count): "\(count)点中\(at)"
        case .consumables: "消耗型アイテム"
        case .oneTimePurchases: "買い切り"
        case .subscriptions: "サブスクリプション"
        case .passes: "期間パス"
        case .saving(let percent): "\(percent)%お得"
        case .welcome(let buy, let help): "ようこそ。Enterで商品を表示、\(buy)で購入、\(help)でキー一覧。"
        case .welcomeShort(let buy, let help): "Enterで表示、\(buy)で購入、\(help)でキー一覧。"
        case .inPurse(let amount): "残高 \(amount)"
        case .owed(let amount): "不足 \(amount)"
        case .owedOf(let amount, let unit): "\(unit) 不足 \(amount)"
        case .restoring: "復元中"
        case .tooSmall(let size, let needed):
            "画面が小さすぎます: \(size)(必要: \(needed))。qで終了。"
        case .tooSmallShort(let size, let needed): "画面が小さい: \(size) (必要 \(needed)) qで終了"
        case .needs(let size): "必要 \(size) qで終了"
        case .libraryView: "ライブラリ"
        case .needsNewerVersion: "新しいバージョンが必要です"
        case .historyView: "履歴"
        case .nameColumn: "名前"
        case .priceColumn: "価格"
        case .dayColumn: "購入日"
        case .kindColumn: "種類"
        }
    }
}
