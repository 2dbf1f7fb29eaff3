import StoreModel

extension Japanese {
    static func text(_ text: EventText) -> String {
        switch text {
        case .sharedBefore(let account): "\(account)からの共有は終了"
        case .on: "オン"
        case .off: "オフ"
        case .eventRenewed: "更新済み"
        case .eventRestored: "復元"
        case .eventDownload: "ダウンロード"
        case .eventCancelled: "キャンセル"
        case .eventHeld: "未送信"
        case .eventResent: "再送信"
        case .eventDevice: "デバイス"
        case .eventTrouble: "問題"
        case .eventPurchased: "購入"
        case .eventRefunded: "返金"
        case .eventRevoked: "取り消し"
        case .eventReversed: "返金取消"
        case .eventDeleted: "削除"
        case .eventRenews: "自動更新"
        case .eventClock: "時計"
        case .eventRenewals: "更新"
        case .eventUnknown: "不明"
        case .eventDeferred: "承認依頼"
        case .eventFailed: "失敗"
        case .eventFinished: "完了"
        case .eventRefundRequested: "返金依頼"
        case .eventRefundDeclined: "返金却下"
        case .eventPromoted: "外部購入"
        case .eventExpired: "期限切れ"
        case .eventBilling: "請求"
        case .eventPriceIncrease: "値上げ"
        case .eventPlanChange: "プラン"
        case .eventOffer: "オファー"
        case .eventMoved: "期限変更"
        case .eventUpgraded: "アップグレード"
        case .subscriptionEvent(let kind):
            switch kind {
            case .expired: "期限切れ"
            case .billingFailed: "支払い失敗"
            case .graceBegan: "猶予期間の開始"
            case .graceEnded: "猶予期間の終了"
            case .billingRetryBegan: "再請求の開始"
            case .billingRetryFailed: "支払い再失敗"
            case .priceIncreaseAsked: "値上げの同意を依頼"
            case .priceIncreaseAgreed: "値上げに同意"
            case .priceIncreaseNotified: "値上げのお知らせ（同意不要）"
            case .planChangePlanned: "プラン変更を予約"
            case .planChangeTakenBack: "プラン変更を取消"
            case .offerRedeemed: "次の更新のオファーを利用"
            }
        case .eventClaimed: "引継"
        case .eventCatalog: "カタログ"
        case .eventAccount: "設定"
        case .eventFailure: "障害"
        case .stopped: "停止"
        case .running: "動作中"
        case .unknownKind(let kind): "種類\(kind)"
        case .claimedBy(let transaction, let device): "\(transaction) → \(device)"
        case .revision(let number): "第\(number)版"
        case .packageIs(let package, let state): "パッケージ\(package)は\(state.rawValue)"
        case .accountAskToBuy(let isOn): "リクエスト \(isOn ? "オン" : "オフ")"
        case .accountPayments(let areAllowed): "購入 \(areAllowed ? "許可" : "オフ")"
        case .eventFamily: "ファミリー"
        case .sharedBy(let account): "\(account)が共有"
        case .sharedByLine(let account): "\(account)が共有しています。"
        case .sentence(let words): words + "。"
        case .familyEvent(.created, let organizer, _): "\(organizer)がファミリーを作成"
        case .familyEvent(.joined(let account, let role), let organizer, _):
            "\(account)が\(organizer)のファミリーに\(role == .child ? "お子様として" : "")参加"
        case .familyEvent(.left(let account), let organizer, _):
            "\(account)が\(organizer)のファミリーから退出"
        case .familyEvent(.disbanded, let organizer, _): "\(organizer)のファミリーが終了"
        case .familyEvent(.roleChanged(let account, let role), _, _):
            "\(account)は\(role == .child ? "お子様" : "大人")になりました"
        case .familyEvent(.sharingChanged(let account, let product, let isOn), _, let name):
            "\(account)が\(product == nil ? "購入" : name)の共有を\(isOn ? "開始" : "停止")"
        case .familyLine(let members): "ファミリー: \(members)"
        case .familyOrganizer(let account): "\(account) (管理者)"
        case .familyChild(let account): "\(account) (お子様)"
        case .noticeLine(.appAccountToken, let subject, let accounts):
            "1つのトークンに複数のアカウント: \(subject) (\(accounts))"
        case .noticeLine(.applicationUsername, let subject, let accounts):
            "1つのユーザ名に複数のアカウント: \(subject) (\(accounts))"
        case .noticeLine(.device, let subject, let accounts):
            "1台のデバイスに多くのアカウント: \(subject) (\(accounts))"
        case .accountAsksBank(let isOn): "銀行の確認\(isOn ? "あり" : "なし")"
        case .accountInterrupts(let isOn): "購入の中断\(isOn ? "あり" : "なし")"
        case .accountDialogs(let isOn): "支払い確認\(isOn ? "あり" : "なし")"
        case .accountLocale(let locale): locale.map { "言語\($0)" } ?? "言語の指定なし"
        case .clockMoved(let length, let instant): "\(length)進んで\(instant)"
        case .clockMovedMessage(let moved): "ストアの時計: \(moved)"
        case .failureForNext(let error, let call, let count):
            "\(next(count, call))の失敗: \(error)"
        case .failureUsedUp(let error): "\(error) 使用済み"
        case .failureLeft(let error, let count):
            "\(error) 解除" + (count.map { " (未使用\($0)回)" } ?? "")
        }
    }
}
