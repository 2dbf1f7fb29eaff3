import StoreModel

extension Japanese {
    static func text(_ text: PaletteText) -> String {
        switch text {
        case .networkAlias: "オフライン オンライン ネットワーク 接続 インターネット offline online"
        case .callName(let call): Self.name(call)
        case .thisProduct: "この商品"
        case .aRequest: "リクエスト"
        case .aPurchase: "購入"
        case .aSubscription: "サブスクリプション"
        case .aProduct: "商品"
        case .nameOfAccount(let name, let account): "\(account)の\(name)"
        case .typeToFilter: "入力して絞り込み"
        case .nothingMatches: "該当するものはありません。"
        case .really(let what): "本当に実行しますか: \(what)"
        case .enterAgain: "もう一度 Enter で実行、Esc で取消"
        case .enterAgainShort: "Enter 実行  Esc 取消"
        case .askedBy(let item, let account): "\(item) (\(account)からのリクエスト)"
        case .offerBilling(let fails): "更新の支払いを\(fails ? "失敗" : "成功")させる"
        case .offerGrace(let isOn): isOn ? "更新失敗後に猶予期間を設ける" : "猶予期間を設けない"
        case .offerRealTime: "更新: 実時間どおり"
        case .offerRate(let length, let time): "更新: \(length)を\(time)で"
        case .offerRateOfAll(let time): "更新: どの期間も\(time)で"
        case .offerBandwidth(let size): "ダウンロードを毎秒\(size)に落とす"
        case .offerLatency(let milliseconds): "ダウンロードの要求を\(milliseconds)ミリ秒遅らせる"
        case .offerTrouble(.stall, let at, let name): "\(name)のダウンロードを\(place(at))止める"
        case .offerTrouble(.disconnect, let at, let name):
            "\(name)のダウンロードを\(place(at))一度切断"
        case .offerTrouble(.corrupt, let at, let name): "\(name)の1バイトを\(place(at))一度壊す"
        case .offerTrouble(.full, let at, let name): "\(name)のダウンロードの\(place(at))ディスクを満杯にする"
        case .atByte(let byte): "\(byte)バイト目"
        case .offerClearDownloadFaults: "ダウンロードの障害をすべて解除"
        case .offerHostPackage: "コンテンツのパッケージをホストする"
        case .offerPage(let name): "\(name)を開く"
        }
    }
}
