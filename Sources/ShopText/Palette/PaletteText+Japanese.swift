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
        case .offerApprove(let request): "承認: \(request)"
        case .offerDecline(let request): "却下: \(request)"
        case .offerClearFailure(let error): "予約した障害を解除: \(error)"
        case .offerRefund(let name): "\(name)を返金"
        case .offerRefundPart(let name, let percent): "\(name)の\(percent)%を返金"
        case .offerRefundUnused(let name): "\(name)の未使用期間を返金"
        case .offerRevoke(let name): "\(name)を返金なしで取り消し"
        case .offerReverse(let name): "\(name)の返金を取り消し"
        case .offerDelete(let name): "\(name)の取引を削除"
        case .offerDeleteAll(let name): "\(name)の全期間を削除"
        case .offerAutoRenew(let name, let isOn): "\(name)の自動更新を\(isOn ? "オン" : "オフ")にする"
        case .offerRenew(let name): "\(name)を今すぐ更新"
        case .offerExpire(let name): "\(name)を今すぐ終了"
        case .offerResolveBilling(let name): "\(name)の支払い問題を解決"
        case .offerPriceIncrease(let name, let step):
            switch step {
            case .ask: "\(name)の値上げへの同意を求める"
            case .consent: "\(name)の値上げに同意する"
            case .decline: "\(name)の値上げを断る"
            case .notify: "\(name)の値上げを知らせる"
            }
        case .offerExtend(let name, let days): "\(name)を\(days)日延長"
        case .offerExtendAll(let name, let days): "\(name)を全登録者で\(days)日延長"
        case .offerCancelSubscription(let name): "\(name)を解約して返金"
        case .offerBilling(let fails): "更新の支払いを\(fails ? "失敗" : "成功")させる"
        case .offerGrace(let isOn): isOn ? "更新失敗後に猶予期間を設ける" : "猶予期間を設けない"
        case .offerClockStop: "ストアの時計を止める"
        case .offerClockResume: "ストアの時計を動かす"
        case .offerClockAdvance(let length): "ストアの時計を\(length)進める"
        case .offerClockTo(let instant): "ストアの時計を\(instant)にする"
        case .offerClockNext: "ストアの時計を次の予定まで進める"
        case .offerRealTime: "更新: 実時間どおり"
        case .offerRate(let length, let time): "更新: \(length)を\(time)で"
        case .offerRateOfAll(let time): "更新: どの期間も\(time)で"
        case .offerFailure(let call, let sentence, let after):
            "\(next(1, call))を\(after.map { "\($0)件の後に" } ?? "")失敗させる: \(sentence)"
        case .offerAskToBuy(let isOn): "承認と購入のリクエストを\(isOn ? "オン" : "オフ")にする"
        case .offerPayments(let isOn): "購入を\(isOn ? "許可する" : "オフにする")"
        case .offerBank(let isOn): "銀行の確認を\(isOn ? "オン" : "オフ")にする"
        case .offerInterrupts(let isOn): "購入の中断を\(isOn ? "オン" : "オフ")にする"
        case .offerResolve(let request): "中断を解決: \(request)"
        case .offerDialogs(let isOn): "支払い確認を\(isOn ? "オン" : "オフ")にする"
        case .offerLocale(let language?): "商品名と価格を\(language)で表示する"
        case .offerLocale(nil): "商品名と価格を購入者の言語で表示する"
        case .offerFamily(.create, _): "ファミリーを作成"
        case .offerFamily(.join(let account, _, let role), _):
            "\(account)を\(role == .child ? "お子様" : "大人")としてファミリーに追加"
        case .offerFamily(.leave(let account), _): "\(account)をファミリーから外す"
        case .offerFamily(.setRole(let account, .child), _): "\(account)をお子様にする"
        case .offerFamily(.setRole(let account, .adult), _): "\(account)を大人にする"
        case .offerFamily(.setSharing(_, nil, let isOn), _):
            "購入をファミリーと共有\(isOn ? "する" : "しない")"
        case .offerFamily(.setSharing(_, _?, let isOn), let product):
            "\(product)をファミリーと共有\(isOn ? "する" : "しない")"
        case .offerDeclineRefund(let name): "\(name)の返金を却下"
        case .offerBuyOutside(let name): "アプリの外で\(name)を販売"
        case .offerPromote(let name): "アプリの外で\(name)の購入を開始"
        case .offerPublish(let name): "\(name)を販売する"
        case .offerTakeOff(let name): "\(name)の販売をやめる"
        case .offerBandwidth(let size): "ダウンロードを毎秒\(size)に落とす"
        case .offerLatency(let milliseconds): "ダウンロードの要求を\(milliseconds)ミリ秒遅らせる"
        case .offerTrouble(.stall, let at, let name): "\(name)のダウンロードを\(place(at))止める"
        case .offerTrouble(.disconnect, let at, let name):
            "\(name)のダウンロードを\(place(at))一度切断"
        case .offerTrouble(.corrupt, let at, let name): "\(name)の1バイトを\(place(at))一度壊す"
        case .offerTrouble(.full, let at, let name): "\(name)のダウンロードの\(place(at))ディスクを満杯にする"
        case .atByte(let byte): "\(byte)バイト目"
        case .offerClearDownloadFaults: "ダウンロードの障害をすべて取り消す"
        case .offerHostPackage: "コンテンツのパッケージをホストする"
        case .offerPackage(let name, let package, let state):
            "\(name)のパッケージ\(package)を\(state.rawValue)にする"
        }
    }
}
