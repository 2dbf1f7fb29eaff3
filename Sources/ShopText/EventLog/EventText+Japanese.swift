import StoreModel

extension Japanese {
    static func text(_ text: EventText) -> String {
        switch text {
        case .sharedBefore(let account): "\(account)からの共有は終了"
        case .on: "オン"
        case .off: "オフ"
        case .eventName(let kind):
            switch kind {
            case .sold: "購入"
            case .deferred: "承認依頼"
            case .failed: "失敗"
            case .purchaseCancelled: "キャンセル"
            case .promoted: "外部購入"
            case .refundRequested: "返金依頼"
            case .refundDeclined: "返金却下"
            case .finished: "完了"
            case .claimed: "引継"
            case .refunded: "返金"
            case .revoked: "取り消し"
            case .refundReversed: "返金取消"
            case .deleted: "削除"
            case .autoRenewEnabled, .autoRenewDisabled: "自動更新"
            case .expired: "期限切れ"
            case .billingFailed: "請求"
            case .priceIncrease: "値上げ"
            case .planChange: "プラン"
            case .offerRedeemed: "オファー"
            case .expiryMoved: "期限変更"
            case .upgraded: "アップグレード"
            case .tokenSet: "トークン"
            case .consumptionAnswered: "消費の回答"
            case .extensionDone: "一括延長"
            case .serverSet: "サーバー"
            case .accountChanged: "設定"
            case .familyChanged: "ファミリー"
            case .consentRescinded: "同意"
            case .valueChanged: "値"
            case .catalogRevised: "カタログ"
            case .clockSet: "時計"
            case .renewalsSet: "更新"
            case .faultSet, .faultCleared: "障害"
            case .unknown: "不明"
            }
        case .eventRenewed: "更新済み"
        case .eventRestored: "復元"
        case .eventDownload: "ダウンロード"
        case .eventHeld: "未送信"
        case .eventResent: "再送信"
        case .eventDevice: "デバイス"
        case .eventTrouble: "問題"
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
        case .stopped: "停止"
        case .running: "動作中"
        case .unknownKind(let kind): "種類\(kind)"
        case .claimedBy(let transaction, let device): "\(transaction) → \(device)"
        case .revision(let number): "第\(number)版"
        case .packageIs(let package, let state): "パッケージ\(package)は\(state.rawValue)"
        case .accountSwitch(let setting, let isOn): state(of: setting, isOn: isOn)
        case .sharedBy(let account): "\(account)が共有"
        case .sharedByLine(let account): "\(account)が共有しています。"
        case .sentence(let words): words + "。"
        case .familyEvent(let what, let organizer, let product, let reader):
            familyEvent(what, organizer, product, reader)
        case .familyLine(let members): "ファミリー: \(members)"
        case .familyOrganizer(let account): "\(account) (管理者)"
        case .familyChild(let account): "\(account) (お子様)"
        case .noticeLine(.appAccountToken, let subject, let accounts):
            "1つのトークンに複数のアカウント: \(subject) (\(accounts))"
        case .noticeLine(.applicationUsername, let subject, let accounts):
            "1つのユーザ名に複数のアカウント: \(subject) (\(accounts))"
        case .noticeLine(.device, let subject, let accounts):
            "1台のデバイスに多くのアカウント: \(subject) (\(accounts))"
        case .accountLocale(let locale): locale.map { "言語\($0)" } ?? "言語の指定なし"
        case .clockMoved(let length, let instant): "\(length)進んで\(instant)"
        case .clockMovedMessage(let moved): "ストアの時計: \(moved)"
        case .failureForNext(let error, let call, let count) where call.isDisturbed:
            "\(next(count, call))の乱れ: \(error)"
        case .failureForNext(let error, let call, let count):
            "\(next(count, call))の失敗: \(error)"
        case .failureUsedUp(let error): "\(error) 使用済み"
        case .lateBy(let length): "\(length)遅れ"
        case .lasting(let length): length
        case .failureLeft(let error, let count):
            "\(error) 解除" + (count.map { " (未使用\($0)回)" } ?? "")
        case .renewalPayments(fail: true): "支払い失敗"
        case .renewalPayments(fail: false): "支払い成功"
        case .gracePeriod(let isOn): "猶予期間\(isOn ? "" : "なし")"
        case .renewalLimit(.count(let number), let inDay):
            "更新は\(inDay ? "24時間に" : "")最大\(number)回"
        case .renewalLimit(.none, inDay: false): "更新回数はレートの制限どおり"
        case .renewalLimit(.endless, inDay: false): "更新回数に制限なし"
        case .renewalLimit(.none, inDay: true), .renewalLimit(.endless, inDay: true):
            "24時間の更新回数に制限なし"
        }
    }
    private static func familyEvent(
        _ what: FamilyChange.What, _ organizer: String, _ product: String, _ reader: String?
    ) -> String {
        func who(_ account: String) -> String { account == reader ? "あなた" : account }
        let family = "\(who(organizer))のファミリー"
        switch what {
        case .created: return "\(who(organizer))がファミリーを作成"
        case .joined(let account, let role):
            return "\(who(account.rawValue))が\(family)に\(role == .child ? "お子様として" : "")参加"
        case .left(let account): return "\(who(account.rawValue))が\(family)から退出"
        case .disbanded: return "\(family)が終了"
        case .roleChanged(let account, let role):
            return "\(who(account.rawValue))は\(role == .child ? "お子様" : "大人")になりました"
        case .sharingChanged(let account, let one, let isOn):
            return "\(who(account.rawValue))が\(one == nil ? "購入" : product)の共有を"
                + (isOn ? "開始" : "停止")
        case .consentRescinded(let account):
            return "\(who(account.rawValue))のアプリ利用への同意を撤回"
        }
    }
}
