import StoreModel

extension Japanese {
    static func text(_ text: StatusText, _ strings: Strings) -> String {
        switch text {
        case .asking(let item): "\(strings.item(item))を購入しています…"
        case .claiming(let item): "\(strings.item(item))を引き継いでいます…"
        case .changingPlan(let name): "\(name)に変更中…"
        case .subscription(let event, let name, let next):
            subscriptionMessage(
                event, name, next, event.until.map(strings.day),
                key: strings.key(.subscription))
        case .autoRenew(let name, true, let until):
            "\(name)は" + (until.map { "\(strings.day($0))に" } ?? "") + "更新されます。請求はありません。"
        case .autoRenew(let name, false, let until):
            "\(name)は更新されません。" + (until.map { "\(strings.day($0))まで利用できます。" } ?? "")
        case .bought(let purchase) where purchase.isUnasked: bought(purchase, strings)
        case .bought(let purchase): bought(purchase, strings) + receipt(purchase, strings)
        case .renewed(let name, let until):
            "\(name)が更新されました" + (until.map { "(\(strings.day($0))まで)。" } ?? "。")
        case .shared(let name): "ファミリーが\(name)を共有しています。"
        case .familyChanged(let change, let name, let reader):
            self.text(EventText.sentence(strings.event(change, product: name, reader: reader)))
        case .alreadyOwned(let name): self.text(Refusal.alreadyOwned(name: name), strings)
        case .pending(let item, .askToBuy): "\(strings.item(item))は承認待ちです。まだ請求されていません。"
        case .pending(let item, .authentication):
            "\(strings.item(item))は銀行の確認待ちです。まだ請求されていません。"
        case .pending(let item, .interrupted):
            "\(strings.item(item))の購入は商品ページで完了してください。まだ請求されていません。"
        case .refundRequested(let name): "\(name)の返金を依頼しました。ストアが判断します。"
        case .refundDeclined(let name): "\(name)の返金は却下されました。"
        case .promoted(let name): promoted(name, strings)
        case .promotedDropped(let name): "アプリの外で始まった\(name)の購入を破棄しました。請求はありません。"
        case .appAsks(let name): "このデバイスのアプリが\(name)の購入の確認を求めています。"
        case .appGaveUp(let name): "アプリは\(name)の購入の確認を取りやめました。"
        case .cancelled: "キャンセルしました。請求はありません。"
        case .failed(let item, let error): strings.about(strings.item(item), error)
        case .outcomeUnknown(let item, _):
            "\(strings.item(item))を購入できたかどうかまだわかりません。あらためて確認し、二重に請求されることはありません。"
        case .resending(let payment):
            "再送信: \(strings.item(payment))(\(strings.time(payment.queuedAt))の支払い)"
        case .held(let payment): held(payment, strings)
        case .heldDropped(let item): "\(strings.item(item))の支払いを破棄しました。請求はありません。"
        case .unverified(let reason):
            "取引を検証できませんでした" + (strings.namesConsole ? " (\(reason.rawValue))" : "")
                + "。何も利用可能になっていません。"
        case .restoring: "購入を復元しています…"
        case .restored(let count, let alreadyHere, let unverified, let toDownload, let leaves):
            restored(count, hasMore: alreadyHere > 0)
                + (toDownload > 0
                    ? "\(toDownload)件は未ダウンロードです。\(strings.key(.download))でダウンロード。" : "")
                + (unverified > 0 ? "\(unverified)件は検証できませんでした。" : "")
                + (leaves ? "コインなどの消耗型は復元されません。" : "")
        case .restoreFailed(let error) where error.isNetworkOff:
            "復元できませんでした。\(strings.line(error))"
        case .restoreFailed(let error): "復元できませんでした。復元済みの項目は残ります。\(strings.line(error))"
        case .downloaded(let name): "\(name)をダウンロードしました。"
        case .content(let operation, let name): announcement(of: operation, name)
        case .updateCancelled(let name, let version):
            "\(name)のアップデートを中止しました。バージョン\(version)はそのまま残ります。"
        case .downloadFailed(let name, let error):
            "\(name): \(strings.downloadMessage(for: error).line)"
        case .roomMade(let name, packages: 0, _): "\(name)のために削除できるものはありません。"
        case .roomMade(let name, let packages, let bytes):
            "\(name)のために\(packages)件（\(Measures.bytes(bytes))）を削除しました。"
        case .downloadWaits(let name, let obstacle): "\(name): \(self.text(obstacle, strings))"
        case .setting(let setting, let settings): announcement(of: setting, settings)
        case .updatesFound(let name, let update, 1):
            "\(name)のバージョン\(update.offeredVersion)（\(Measures.bytes(update.length))）を入手できます。"
        case .updatesFound(let name, _, let count):
            "\(name)ほか\(count - 1)件の新しいバージョンを入手できます。ライブラリをご覧ください。"
        case .updatingAll(let products): "\(products)件の商品の新しい内容をダウンロードしています。"
        case .downloadFaults(let faults) where faults.isEmpty:
            self.text(Refusal.noDownloadFaults, strings)
        case .downloadFaults(let faults): "このデバイスのダウンロード: \(list(faults))。"
        case .approved(let item): "承認しました: \(strings.item(item))を購入しました。"
        case .declined(let item): "却下しました: \(strings.item(item))の請求はありません。"
        case .revised(let item, .refunded, let taken, let grant) where taken != .all:
            "\(strings.part(taken, of: item, granting: grant))が返金されました。"
        case .revised(let item, let kind, _, _): revised(strings.item(item), kind)
        case .deleted(let name): "\(name)は購入履歴から削除されました。"
        case .clockSet(let clock, let before, let now): self.clock(clock, before, now, strings)
        case .clockSetBack(let seconds):
            "コンピュータの時計が\(strings.roughly(seconds: seconds))戻されました。ストアの時刻は進み続けます。"
        case .overdue(let since): self.text(ConsoleText.overdue(since: strings.instant(since)))
        case .askToBuy(true): "承認と購入のリクエストはオンです。購入には承認が必要です。"
        case .askToBuy(false): "承認と購入のリクエストはオフです。"
        case .payments(true): "このアカウントで購入できるようになりました。"
        case .payments(false): "このアカウントでは購入できなくなりました。"
        case .performed(let outcome): strings.done(outcome)
        case .priceChanged(let name): "\(name)の価格が変わりました。もう一度ご確認ください。"
        case .catalogRevised: "カタログが更新されました。"
        case .catalogRefused(let problem): "編集されたカタログに誤りがあります。直前のカタログを使います。\(problem)"
        case .catalogNotice(let notice): notice
        case .trouble(let error): strings.line(error)
        case .refused(let reason): self.text(reason, strings)
        case .tookOver: "このショップが配信を引き継ぎました。"
        case .reopened(.serverAnswers): "ストアのサーバーに再び接続しました。現在のストアを表示しています。"
        case .reopened(.replaced): "ストアのファイルが置き換えられました。請求はありません。現在のストアを表示しています。"
        case .settings(let text): self.text(text)
        case .outbox(.sentTo(address: nil)): sentNowhere(key: strings.key(.setAddress))
        case .outbox(let text): self.text(text)
        case .notWatching: "ファイルの変更を監視できないため、1秒ごとに確認します。"
        case .signedIn(let account?): "App Storeに\(account)でサインインしました。"
        case .signedIn(nil):
            "App Storeからサインアウトしました。購入済みのものは使えます。購入時にアカウントを確認します。"
        case .networkCutsNext: "次の購入がストアに記録されるとネットワークがオフになります。それまではオンです。"
        case .networkDelay(let delay): delayed(delay, strings)
        case .network(let isOn): network(isOn)
        case .customerChanged(let account, let device): "\(device)で\(account)として続けます。"
        case .pointer(true): "マウスをオンにしました。\(strings.key(.mouse))でオフ。"
        case .pointer(false): "マウスをオフにしました。端末で文字を選択できます。"
        case .packageOpened(let title, let left?):
            "「\(title)」を開きました。残り: \(left.unit) \(left.amount)"
        case .packageOpened(let title, nil):
            "「\(title)」はすでに開いています。何も使っていません。"
        case .accessEnded(let name):
            "プランが終了したため、\(name)を閉じました。ファイルは残ります。再登録または購入で読めます。"
        case .copied(let what): copied(what)
        case .notCopied(let what, let clipboard): notCopied(what, clipboard)
        }
    }

    private static func held(_ payment: PastPayment, _ strings: Strings) -> String {
        "未送信、請求なし: \(strings.item(payment))(\(strings.time(payment.queuedAt))の支払い)。"
            + "\(strings.key(.continuePurchase)) で送信、\(strings.key(.dropPurchase)) で破棄します。"
    }

    private static func promoted(_ name: String, _ strings: Strings) -> String {
        "\(name)の購入がアプリの外で始まりました。\(strings.key(.continuePurchase)) で続行、"
            + "\(strings.key(.dropPurchase)) で破棄します。"
    }

    private static func sentNowhere(key: String) -> String {
        "通知の送信先はありません。\(key) で設定します。"
    }

    private static func network(_ isOn: Bool) -> String {
        isOn
            ? "オンラインに戻りました。届いていない情報を受信します。"
            : "オフラインです。ネットワークをオンにするまでストアに接続できません。"
    }

    private static func delayed(_ milliseconds: Int64?, _ strings: Strings) -> String {
        guard let milliseconds else { return "ストアの応答は元の速さに戻りました。" }
        let delay = strings.roughly(seconds: (milliseconds + 999) / 1000)
        return "ネットワークが低速です。応答が\(delay)遅れます。"
    }

    static func bought(_ purchase: Bought, _ strings: Strings) -> String {
        let item = strings.items(purchase.quantity, purchase.name)
        let price = purchase.price.map { strings.price($0) }
        return purchase.isUnasked
            ? "購入した\(item)が届きました" + (price.map { "（\($0)）。" } ?? "。")
            : item + (price.map { "を\($0)で購入しました。" } ?? "を購入しました。")
    }

    static func receipt(_ purchase: Bought, _ strings: Strings) -> String {
        let receipt = "取引番号\(purchase.transaction)、検証済み。"
        return switch purchase.content {
        case .none: receipt
        case .downloading: receipt + "ダウンロード中です。"
        case .downloaded: receipt + "ダウンロードしました。"
        case .waiting(let obstacle): receipt + text(obstacle, strings)
        }
    }

    private static func text(
        _ obstacle: DownloadObstacle, _ strings: Strings
    ) -> String {
        switch obstacle {
        case .consent(let bytes):
            "従量制接続のため、\(Measures.bytes(bytes))のダウンロードは確認待ちです。\(strings.key(.download))で進めます。"
        case .room(let figures):
            "空き容量がないため待機中です"
                + (figures.map { "（必要な容量：\(Measures.bytes($0.needed))）" } ?? "")
                + "。\(strings.key(.download))で進めます。"
        case .network: "このデバイスがオンラインになるまで待機します。"
        }
    }

    private static func restored(_ count: Int, hasMore: Bool) -> String {
        switch count {
        case 1...: "\(count)件の購入を復元しました。"
        default: hasMore ? "新しく復元するものはありません。" : "復元する購入はありません。"
        }
    }

    private static func revised(_ name: String, _ kind: RevisionKind) -> String {
        switch kind {
        case .refunded: "\(name)は返金され、利用できなくなりました。"
        case .revoked: "\(name)は取り消され、利用できなくなりました。"
        case .refundReversed: "\(name)の返金が取り消され、再び利用できます。"
        case .expiryMoved: "\(name)の期限が変更されました。"
        case .upgraded: "プラン変更により\(name)は終了し、残りは返金されました。"
        case .tokenSet: "アプリが\(name)の利用者を記録しました。"
        }
    }

    private static func clock(
        _ clock: ClockState, _ before: ClockState?, _ now: Timestamp, _ strings: Strings
    ) -> String {
        if let moved = strings.clockMoved(from: before, to: clock, at: now) {
            return text(EventText.clockMovedMessage(moved))
        }
        return switch clock {
        case .stopped(let at): "ストアの時計は\(strings.instant(at))で停止しています。"
        case .running: "ストアの時計は\(strings.instant(now))になりました。"
        }
    }

    private static func copied(_ what: Copied) -> String {
        switch what {
        case .identifier(let text): "\(text) をコピーしました（端末が許可している場合）。"
        case .signedText(let id, _): "取引 \(id) の署名データをコピーしました（端末が許可している場合）。"
        case .passage: "表示中の段落をコピーしました（端末が許可している場合）。"
        case .receipt: "署名済みレシートをコピーしました(端末が許可している場合)。"
        }
    }

    private static func notCopied(_ what: Copied, _ clipboard: Clipboard) -> String {
        if clipboard == .tmux {
            let missing = "tmuxに渡せませんでした（tmux load-buffer）。"
            return switch what {
            case .identifier(let text): "\(missing)識別子: \(text)"
            case .signedText(let id, _):
                "\(missing)storefront transactions --id \(id) --json で表示できます。"
            case .passage: missing
            case .receipt: "\(missing)storefront receipt show --signed で表示できます。"
            }
        }
        return switch what {
        case .identifier(let text): "この端末ではコピーできません。識別子: \(text)"
        case .signedText(let id, _):
            "この端末ではこの長さをコピーできません。storefront transactions --id \(id) --json で表示できます。"
        case .passage: "この端末ではコピーできません。"
        case .receipt: "この端末にはクリップボードがありません。storefront receipt show --signed を使ってください。"
        }
    }

    static func text(_ reason: Refusal, _ strings: Strings) -> String {
        switch reason {
        case .operatorOnly(let account): "ストアの運営者だけが実行できます。アカウント「\(account)」はできません。"
        case .stillOpening: "ストアを準備しています。"
        case .keysAreLatin: "ショップのキーは英字です。入力を英字に切り替えてください。"
        case .paymentsNotAllowed: "このアカウントでは購入できなくなりました。請求はありません。"
        case .locked(let name): "「\(name)」を購入すると使えます。請求はありません。"
        case .alreadyOwned(let name): "\(name)は購入済みです。請求はありません。"
        case .alreadyWaiting(let name): "\(name)はすでにリクエスト済みです。請求はありません。"
        case .alreadyPurchasing(let name): "\(name)は購入処理中です。"
        case .alreadyYourPlan(let name): "\(name)は利用中のプランです。請求はありません。"
        case .alreadyPlanned(let name, let from):
            "\(strings.day(from))に\(name)に変わることになっています。請求はありません。"
        case .noSubscription: "サブスクリプションはまだありません。"
        case .groupTaken(let plan): "\(plan)を利用中です。プランは一度に1つです。請求はありません。"
        case .ownedElsewhere(let name): "\(name)は購入済みです。\(strings.key(.restore))で復元できます。"
        case .noProductSelected: "商品が選ばれていません。"
        case .noSuchProduct(let id, let nearest?):
            "\"\(id)\"という商品はここにはありません。もしかして: \"\(nearest)\""
        case .noSuchProduct(let id, nil):
            "\"\(id)\"という商品はここにはありません。検索を消すとすべて表示されます。"
        case .noTransaction(nil): "購入が選ばれていません。"
        case .noTransaction(let name?): "\(name)の購入はありません。"
        case .noSubscriptionSelected: "サブスクリプションが選ばれていません。"
        case .nothingDownloading: "ダウンロードする項目はありません。"
        case .nothingToCancel: "中止するダウンロードはありません。"
        case .noContentHere: "削除する項目はありません。"
        case .updatesUnknown:
            "このデバイスはオフラインのため、新しいバージョンがあるかどうかわかりません。何も変わっていません。ネットワークをオンにしてからやり直してください。"
        case .nothingToUpdate: "このデバイスの内容はすべて最新です。"
        case .downloadIsPast: "ダウンロードはこのバイトを過ぎています。"
        case .noDownloadFaults: "このデバイスのダウンロードに障害はありません。"
        case .alreadyRestoring: "復元中です。"
        case .nothingWaiting: "承認待ちのリクエストはありません。"
        case .noRequestSelected:
            strings.isLinear
                ? "リクエストを番号で選んでください: \(strings[.keyApprove]) 1、\(strings[.keyDecline]) 1。"
                : "先に↑↓でリクエストを選択し、\(strings.key(.approve))か"
                    + "\(strings.key(.decline))を押してください。"
        case .noFaults: "障害設定はありません。"
        case .logTooLong: "最後まで読み込むと並べ替えられます。Endで最後へ、/で絞り込みます。"
        case .nothingHeld: "このデバイスに保留中の購入はありません。"
        case .alreadyRefunded(let id):
            "取引 \(id) は全額返金済みです。\(strings.key(.actions)) で返金を取り消せます。"
        case .notReachable: "http、このマシン、ポートを入力: http://127.0.0.1:3000/path"
        case .inShell(let command): "シェルで: \(command)"
        case .onCommandLine: "storefront content host FILEで行います。"
        case .nothingDue: "予定はありません。"
        case .nothingToCopy: "コピーするものがありません。"
        case .nothingToClaim: "ご自分の別のデバイスで未完了の消耗型の購入を選択してください。"
        case .noConsole: "お客様用に開かれたショップにはコンソールがありません。"
        }
    }
}

// MARK: - In few words

extension Japanese {
    static func short(_ text: StatusText, _ strings: Strings) -> String? {
        let (proceed, drop) = (strings.key(.continuePurchase), strings.key(.dropPurchase))
        let (download, network) = (strings.key(.download), strings.key(.network))
        return switch text {
        case .held(let payment):
            "未送信。\(proceed) で送信、\(drop) で破棄: "
                + strings.items(payment.quantity, payment.name)
        case .promoted(let name): "\(proceed) で続行、\(drop) で破棄: アプリ外で始めた\(name)"
        case .restored(let count, _, _, toDownload: 1..., _):
            (count > 0 ? "\(count)件を復元。" : "復元なし。") + "\(download)でダウンロード。"
        case .downloadWaits(let name, .consent): "従量制。\(download)でダウンロード: \(name)"
        case .downloadWaits(let name, .room): "空き不足。\(download)で進めます: \(name)"
        case .bought(let purchase) where purchase.content.waitsForPerson:
            "購入済み。\(download)で進めます: \(purchase.name)"
        case .subscription(let event, let name, _):
            short(event, name, key: strings.key(.subscription))
        case .outbox(.sentTo(address: nil)): "送信先なし。\(strings.key(.setAddress)) で設定します。"
        case .refused(.ownedElsewhere(let name)): "購入済み。\(strings.key(.restore))で復元: \(name)"
        case .refused(.noRequestSelected):
            "リクエストを選択し、\(strings.key(.approve))か\(strings.key(.decline))で回答。"
        case .network(isOn: false): "オフラインです。ストアに接続できません。"
        case .failed(_, let error) where error.isCutNetwork: "オフライン、請求なし。\(network)でオン。"
        case .restoreFailed(let error) where error.isCutNetwork: "オフライン、復元なし。\(network)でオン。"
        case .trouble(let error) where error.isCutNetwork: "オフライン。\(network)でオンにします。"
        case .failed(let item, let error) where error.code == .storeUnreachable:
            "請求なし、サーバー不通: \(strings.item(item))"
        case .restoreFailed(let error) where error.code == .storeUnreachable:
            "復元なし、サーバー不通。"
        case .trouble(let error) where error.code == .storeUnreachable:
            "サーバー不通。自動で接続します。"
        case .refused(.alreadyRefunded): "返金済み。\(strings.key(.actions)) で取り消せます。"
        case .refused(.logTooLong): "Endで末尾へ、/で絞り込みます。"
        default: nil
        }
    }

    private static func short(_ event: SubscriptionEvent, _ name: String, key: String) -> String? {
        switch event.kind {
        case .billingFailed, .graceBegan, .graceEnded, .billingRetryBegan, .billingRetryFailed:
            "未払い。\(key)で対処: \(name)"
        case .priceIncreaseAsked: "値上げ。\(key)で回答: \(name)"
        case .priceIncreaseNotified: "新価格。\(key)で確認: \(name)"
        default: nil
        }
    }
}
