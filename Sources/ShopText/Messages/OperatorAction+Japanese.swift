import StoreModel

extension Japanese {
    static func offer(_ action: OperatorAction, _ name: String, _ strings: Strings) -> String {
        switch action {
        case .approve: "承認: \(name)"
        case .decline: "却下: \(name)"
        case .resolve: "中断を解決: \(name)"
        case .declineRefund: "\(name)の返金を却下"
        case .buyOutside: "アプリの外で\(name)を販売"
        case .promote: "アプリの外で\(name)の購入を開始"
        case .publish(_, .approved): "\(name)を販売する"
        case .publish: "\(name)の販売をやめる"
        case .package(let action):
            "\(name)のパッケージ\(action.packageName)を\(action.state.rawValue)にする"
        case .changeAccount(let change): offer(change, strings)
        case .failNext(let call, let error, let count, _, let delay) where call.isDisturbed:
            "\(next(count, call))を乱す\(strings.timing(of: error, delay)): \(name)"
        case .failNext(let call, _, _, let after, _):
            "\(next(1, call))を\(after.map { "\($0)件の後に" } ?? "")失敗させる: \(name)"
        case .clearFaults: sentence(.keyClearFailures)
        case .clearFault: "予約した障害を解除: \(name)"
        case .refund(_, .rest, _): "\(name)を返金"
        case .refund(_, .percent(let percent), _): "\(name)の\(percent)%を返金"
        case .refund(_, .prorated, _): "\(name)の未使用期間を返金"
        case .revoke: "\(name)を返金なしで取り消し"
        case .reverseRefund: "\(name)の返金を取り消し"
        case .delete(_, wholeChain: false): "\(name)の取引を削除"
        case .delete(_, wholeChain: true): "\(name)の全期間を削除"
        case .clock(.stop): "ストアの時計を止める"
        case .clock(.resume): "ストアの時計を動かす"
        case .clock(.advance): "ストアの時計を\(name)進める"
        case .clock(.to): "ストアの時計を\(name)にする"
        case .clock(.next): "ストアの時計を次の予定まで進める"
        case .setRenewals: name
        case .setAutoRenew(_, let isOn): "\(name)の自動更新を\(isOn ? "オン" : "オフ")にする"
        case .family(.create): "ファミリーを作成"
        case .family(.join(let account, let organizer, let role)):
            "\(account)を\(role == .child ? "お子様" : "大人")として\(organizer)のファミリーに追加"
        case .family(.leave(let account)): "\(account)をファミリーから外す"
        case .family(.setRole(let account, .child)): "\(account)をお子様にする"
        case .family(.setRole(let account, .adult)): "\(account)を大人にする"
        case .family(.setSharing(_, nil, let isOn)):
            "購入をファミリーと共有\(isOn ? "する" : "しない")"
        case .family(.setSharing(_, _?, let isOn)):
            "\(name)をファミリーと共有\(isOn ? "する" : "しない")"
        case .family(.rescindConsent(let account)): "\(account)のアプリ利用への同意を撤回"
        case .expire: "\(name)を今すぐ終了"
        case .renew: "\(name)を今すぐ更新"
        case .resolveBilling: "\(name)の支払い問題を解決"
        case .priceIncrease(_, .ask): "\(name)の値上げへの同意を求める"
        case .priceIncrease(_, .consent): "\(name)の値上げに同意する"
        case .priceIncrease(_, .decline): "\(name)の値上げを断る"
        case .priceIncrease(_, .notify): "\(name)の値上げを知らせる"
        case .extend(_, let days): "\(name)を\(days)日延長"
        case .raisePrice(_, let percent, true): "\(name)を\(percent)%値上げ(新規登録のみ)"
        case .raisePrice(_, let percent, false): "\(name)を\(percent)%値上げ"
        case .extendAll(_, let days, _): "\(name)を全登録者で\(days)日延長"
        case .cancelSubscription: "\(name)の期間を返金して終了"
        }
    }

    private static func offer(_ change: AccountChange, _ strings: Strings) -> String {
        switch change.switched {
        case (let setting, let isOn)?: offer(setting, isOn: isOn)
        case nil where change.locale == "": "商品名と価格を購入者の言語で表示する"
        case nil:
            change.locale.map { "商品名と価格を\(strings.languageName($0))で表示する" }
                ?? "地域を\(strings.territory(change.territory ?? "", currency: nil))にする"
        }
    }

    static func done(_ done: OperatorDone, _ strings: Strings) -> String {
        switch done.action {
        case .approve(let id) where !done.isChanged, .resolve(let id) where !done.isChanged:
            "リクエスト\(id)はすでに\(done.wasSold ? "購入済み" : "回答済み")です。何も変更していません。"
        case .approve(let id) where done.sale != nil: "\(id)を承認しました。購入が完了しました。"
        case .resolve(let id) where done.sale != nil: "\(id)を解決しました。購入されました。"
        case .approve(let id): "\(id)を承認しました。" + later(done, strings)
        case .resolve(let id): "\(id)を解決しました。" + later(done, strings)
        case .decline(let id): "\(id)を却下しました。"
        case .declineRefund(let id): "\(id)の返金を却下しました。"
        case .buyOutside(let product, _, let quantity, _, _, _):
            done.planned.first?.until.map {
                "\(product)は\(strings.date($0))の更新から始まります。今は請求されません。"
            }
                ?? "アプリの外で\(strings.items(quantity, product.rawValue))を販売しました: "
                + "取引\(done.sale?.description ?? "")。"
        case .promote(let product, let account):
            "アカウント\"\(account)\"が\(product)の購入を始めました。アプリに知らせます。"
        case .publish(let product, let state):
            done.isChanged
                ? "\(product)は\(state.rawValue)になりました。"
                : "\(product)はすでに\(state.rawValue)です。"
        case .package(let action):
            "\(action.productID): パッケージ\(action.packageName)は"
                + (done.isChanged
                    ? "\(action.state.rawValue)になりました。" : "すでに\(action.state.rawValue)です。")
        case .changeAccount(let change): self.done(change, done.settings, strings)
        case .failNext(let call, let error, let count, _, let delay) where call.isDisturbed:
            "\(next(count, call))が乱れます: \(error.rawValue)\(strings.timing(of: error, delay))"
        case .failNext(let call, let error, let count, let after, _):
            "\(next(count, call))は\(after.map { "購入\($0)件のあと" } ?? "")失敗します: "
                + error.rawValue
        case .clearFaults where !done.isChanged: text(Refusal.noFaults, strings)
        case .clearFaults: "障害を\(done.clearedFaults.count)件解除しました。"
        case .clearFault(let number):
            "障害設定\(number)を解除しました"
                + (done.clearedFaults.first.map { ": \(strings.faultSet($0))" } ?? "。")
        case .refund(let id, _, _):
            "\(id)を返金しました\(done.refunded.map { "(合計\(strings.price($0)))" } ?? "")。"
                + (done.isOfConsumable
                    ? "返金した分がデバイスの残高から引かれます。" : "すべてのデバイスで利用できなくなります。")
        case .revoke(let id):
            done.isChanged
                ? "\(id)を取り消しました。すべてのデバイスで利用できなくなります。"
                    + nextGivenBack(done, strings)
                : "\(id)は取り消し済みです。"
        case .reverseRefund(let id): "\(id)の返金を取り消しました。再び利用できます。"
        case .delete(let id, _):
            done.deleted > 1
                ? "\(done.deleted)件の取引を、付与した内容とともに削除しました。"
                : "\(id)を、付与した内容とともに削除しました。"
        case .clock(let action): strings.moved(action, done)
        case .setRenewals(let change): strings.renewals(change)
        case .setAutoRenew(let id, true):
            "\(id)のサブスクリプションの自動更新をオンにしました。"
        case .setAutoRenew(let id, false):
            "\(id)のサブスクリプションの自動更新をオフにしました。"
                + (done.commitmentEnd.map {
                    "約束した支払いは続き、契約期間の終わり（\(strings.date($0))）に終了します。"
                } ?? "現在の期間（猶予期間中はその終わり）で終了します。")
        case .family where !done.isChanged: "すでにその状態です。変更はありません。"
        case .family(let action): self.done(action)
        case .expire(let id):
            "\(id)のサブスクリプションを終了しました。" + nextGivenBack(done, strings)
        case .renew(let id):
            "\(id)のサブスクリプションを更新しました。"
                + (done.turnedOn ? "オフだった自動更新は再びオンになりました。" : "")
        case .resolveBilling(let id): "\(id)の更新が支払われました。"
        case .priceIncrease(let id, let step):
            "\(id)の登録者" + self.done(step, isNew: done.isChanged)
        case .extend(let id, let days): "\(id)のサブスクリプションを\(days)日延長しました。"
        case .raisePrice(let plan, let percent, let keepsPrice):
            "\(plan)を\(percent)%値上げしました。"
                + (keepsPrice ? "登録中の方の価格は変わりません。" : "登録中の方には支払いの前にお知らせします。")
        case .extendAll where done.extended == 0: "延長するサブスクリプションは残っていません。"
        case .extendAll:
            "\(done.extended)件\(done.hasMore ? "以上" : "")のサブスクリプションを延長しました。"
        case .cancelSubscription(let id): "\(id)のサブスクリプションを終了し、返金しました。"
        }
    }

    private static func later(_ done: OperatorDone, _ strings: Strings) -> String {
        (done.planned.last.map {
            "\($0.product)は\($0.until.map { strings.date($0) } ?? "次の更新")から始まります。"
        } ?? "現在のプランが続きます。") + "請求はありません。"
    }

    private static func nextGivenBack(_ done: OperatorDone, _ strings: Strings) -> String {
        done.refunded.map { " 請求済みだった次の期間の\(strings.price($0))を返金しました。" } ?? ""
    }

    private static func done(
        _ change: AccountChange, _ settings: AccountSettings?, _ strings: Strings
    ) -> String {
        let account = "アカウント\"\(change.account)\""
        return switch change.switched {
        case (let setting, let isOn)?: done(setting, isOn: isOn, of: change.account)
        case nil where change.locale != nil:
            "\(account)の商品名と価格を"
                + (strings.locale(of: change, settings) ?? "購入者の言語") + "で表示します。"
        case nil: "\(account)の地域を\(strings.territory(of: change, settings))に変更しました。"
        }
    }

    private static func done(_ action: FamilyAction) -> String {
        switch action {
        case .create(let organizer):
            "アカウント\"\(organizer)\"のファミリーを作成しました。管理者は\"\(organizer)\"です。"
        case .join(let account, let organizer, let role):
            "アカウント\"\(account)\"が\"\(organizer)\"のファミリーに参加しました。"
                + (role == .child ? "お子様の購入は管理者の承認を待ちます。" : "")
        case .leave(let account):
            "アカウント\"\(account)\"がファミリーから退出しました。共有された購入は取り消されました。"
        case .setRole(let account, .child):
            "アカウント\"\(account)\"はお子様です。購入は管理者の承認を待ちます。"
        case .setRole(let account, .adult):
            "アカウント\"\(account)\"は大人です。承認なしで購入できます。"
        case .setSharing(let account, let product, let isOn):
            "アカウント\"\(account)\"は\(product.map { "\($0)" } ?? "購入")をファミリーと共有"
                + (isOn ? "します。" : "しません。")
        case .rescindConsent(let account):
            "アカウント\"\(account)\"のアプリ利用への同意を撤回しました。購入した内容は残ります。"
        }
    }

    private static func done(_ step: PriceIncreaseStep, isNew: Bool) -> String {
        switch step {
        case .ask where isNew:
            "にカタログの価格（値上げでなくても）への同意を求めました。同意がなければ更新されません。"
        case .ask: "にはすでに同意を求めていて、回答待ちです。"
        case .consent where isNew: "がカタログの価格に同意しました。"
        case .consent: "はすでに同意しています。"
        case .decline: "が値上げを断りました。期間の終わりに終了します。"
        case .notify where isNew:
            "にカタログの価格を知らせました。同意は不要で、次の更新から請求されます。"
        case .notify: "にはすでに知らせたか、同意を得ています。"
        }
    }
}
