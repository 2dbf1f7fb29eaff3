import ShopCore
import StoreModel

/// The line of the last event: what happened, in a sentence.
extension Words {
    /// - Parameter isShort: where rows are dear, what was not lost is said before the reason.
    func statusMessage(_ what: StatusMessage.What, isShort: Bool = false) -> String {
        if isShort, case .failed(let name, let error) = what {
            let message = error.message(inJapanese: isJapanese)
            return "\(name): \(message.kept) \(message.happened)"
        }
        return statusMessage(what)
    }

    private func statusMessage(_ what: StatusMessage.What) -> String {
        switch what {
        case .asking(let name):
            say("Asking the store for \(name).", "\(name)を購入しています。")
        case .bought(let name, let quantity, let price, let isDownloading):
            bought(name, quantity, price, isDownloading)
        case .renewed(let name, let until):
            say(
                "\(name) has renewed" + (until.map { ", until \(day($0))." } ?? "."),
                "\(name)が更新されました" + (until.map { "(\(day($0))まで)。" } ?? "。"))
        case .alreadyOwned(let name):
            say("\(name) is yours already. Nothing was charged.", "\(name)は購入済みです。請求はありません。")
        case .pending(let name):
            say(
                "\(name) waits for approval. Nothing was charged yet.",
                "\(name)は承認待ちです。まだ請求されていません。")
        case .cancelled(let name):
            say("Cancelled. \(name) was not charged.", "キャンセルしました。\(name)の請求はありません。")
        case .failed(let name, let error):
            "\(name): \(error.message(inJapanese: isJapanese).line)"
        case .outcomeUnknown(let name, let error):
            say(
                "\(name): it is not known whether the payment arrived. It is kept and asked about "
                    + "again, never charged twice. \(error.message.happened)",
                "\(name): 支払いの結果が不明です。次回の起動時に確認し、二重に請求されることはありません。")
        case .resending(let payment):
            say(
                "Sending again: \(past(payment)), asked for at \(texts.time(payment.queuedAt)) by a shop "
                    + "that ended before its answer.",
                "再送信: \(past(payment)) (\(texts.time(payment.queuedAt))の支払い)。")
        case .held(let payment):
            say(
                "Not sent: \(past(payment)), asked for at \(texts.time(payment.queuedAt)). Nothing was "
                    + "charged. Send or drop it with: storefront payments",
                "未送信: \(past(payment)) (\(texts.time(payment.queuedAt)))。請求はありません。storefront payments "
                    + "で送信か取り消しができます。")
        case .unverified(let reason):
            say(
                "A transaction was not believed (\(reason.rawValue)). It unlocked nothing.",
                "検証できない取引を無視しました (\(reason.rawValue))。")
        case .restoring: say("Asking the store for past purchases.", "購入を復元しています。")
        case .restored(let count, let alreadyHere, let unverified):
            restored(count, alreadyHere, unverified)
        case .restoreFailed(let error):
            say(
                "Restore failed. \(error.message(inJapanese: isJapanese).line) What was restored so far stays.",
                "復元に失敗しました。\(error.message(inJapanese: isJapanese).line)")
        case .trouble(let error): error.message(inJapanese: isJapanese).line
        case .refused(let reason): refusal(reason)
        default: download(what) ?? operating(what)
        }
    }

    private func bought(
        _ name: String, _ quantity: Int, _ price: Price?, _ isDownloading: Bool
    ) -> String {
        let what = quantity > 1 ? "\(quantity) \(glyphs.times) \(name)" : name
        let cost = price.map { say(" for \(self.price($0))", "(\(self.price($0)))") } ?? ""
        let next = isDownloading ? say(" Downloading.", "ダウンロード中。") : ""
        return say("Bought \(what)\(cost).\(next)", "\(what)を購入しました\(cost)。\(next)")
    }

    private func past(_ payment: PastPayment) -> String {
        let what =
            payment.quantity > 1
            ? "\(payment.quantity) \(glyphs.times) \(payment.name)" : payment.name
        return what + (payment.price.map { say(" for \(price($0))", "(\(price($0)))") } ?? "")
    }

    private func restored(_ count: Int, _ alreadyHere: Int, _ unverified: Int) -> String {
        var text: String
        if count == 0 {
            text =
                alreadyHere == 0
                ? say("There is nothing to restore.", "復元する購入はありません。")
                : say("Everything you own is here already.", "すべて復元済みです。")
        } else {
            text = say(
                "Restored \(count) \(count == 1 ? "purchase" : "purchases"). Downloads: on demand.",
                "\(count)件の購入を復元しました。")
        }
        if unverified > 0 {
            text += say(
                " \(unverified) could not be verified and unlocked nothing.",
                " \(unverified)件は検証できませんでした。")
        }
        return text
    }

    private func download(_ what: StatusMessage.What) -> String? {
        switch what {
        case .downloaded(let name):
            say("\(name) is downloaded.", "\(name)のダウンロードが完了しました。")
        case .downloadPaused(let name):
            say("\(name): download paused. What came so far is kept.", "\(name): 一時停止しました。")
        case .downloadResumed(let name):
            say("\(name): downloading.", "\(name): ダウンロードしています。")
        case .downloadCancelled(let name):
            say(
                "\(name): download cancelled. It stays yours and can be fetched again.",
                "\(name): ダウンロードを中止しました。購入は有効です。")
        case .downloadFailed(let name, let error):
            "\(name): \(error.downloadMessage(inJapanese: isJapanese).line)"
        case .contentDeleted(let name):
            say(
                "\(name): content deleted here. It stays yours and can be fetched again.",
                "\(name): この端末から削除しました。購入は有効です。")
        default: nil
        }
    }

    private func operating(_ what: StatusMessage.What) -> String {
        switch what {
        case .approved(let name): say("Approved: \(name) is sold.", "\(name)を承認しました。")
        case .declined(let name):
            say("Declined: \(name) was not charged.", "\(name)を却下しました。請求はありません。")
        case .revised(let name, .refunded):
            say("\(name) was refunded and taken back.", "\(name)は返金され、利用できなくなりました。")
        case .revised(let name, .revoked):
            say("\(name) was revoked and taken back.", "\(name)は取り消され、利用できなくなりました。")
        case .revised(let name, .refundReversed):
            say(
                "The refund of \(name) was reversed: it is yours again.",
                "\(name)の返金が取り消され、再び利用できます。")
        case .deleted(let name):
            say("\(name) was removed from your purchases.", "\(name)は購入履歴から削除されました。")
        case .clockSet(.stopped(let instant), _):
            say(
                "The store's clock stands still at \(instantText(instant)).",
                "ストアの時計は\(instantText(instant))で止まっています。")
        case .clockSet(.running, let now):
            say(
                "The store's clock was set: it is \(instantText(now)).",
                "ストアの時計が\(instantText(now))に設定されました。")
        case .clockSetBack(let seconds):
            say(
                "This computer's clock was set back by \(roughly(seconds)). The store's time runs on.",
                "コンピュータの時計が戻されましたが、ストアの時刻は進み続けます。")
        case .overdue(let since):
            say(
                "The store cannot be written: this is as of \(instantText(since)). What was due since "
                    + "happens when it can.",
                "ストアに書き込めないため、\(instantText(since))時点の情報です。")
        case .askToBuy(let isOn):
            isOn
                ? say("Ask to Buy is on: purchases wait for approval.", "承認と購入のリクエスト: オン。")
                : say("Ask to Buy is off.", "承認と購入のリクエスト: オフ。")
        case .payments(let areAllowed):
            areAllowed
                ? say("This account may make payments again.", "購入を許可しました。")
                : say("This account may not make payments now.", "購入を禁止しました。")
        case .faultSet(let code, let isNext):
            isNext
                ? say("The next purchase will fail: \(code).", "次の購入は失敗します: \(code)。")
                : say(
                    "Set behind the faults in force: \(code).", "他の障害設定の後に失敗します: \(code)。")
        case .faultsCleared: say("No faults are in force.", "障害設定を解除しました。")
        case .priceChanged(let name):
            say("The price of \(name) has changed: look again.", "\(name)の価格が変わりました。")
        case .catalogRevised:
            say("The catalog has changed: this is what is for sale now.", "カタログが更新されました。")
        case .catalogRefused(let problem):
            say(
                "The changed catalog cannot be sold from; the last good one stays. \(problem)",
                "新しいカタログは読めません。前のものを使います。\(problem)")
        case .tookOver:
            say("This shop delivers now.", "このショップが配信を引き継ぎました。")
        case .notWatching:
            say(
                "Files cannot be watched here: other processes are looked at each second.",
                "ファイルの変更を監視できません。1秒ごとに確認します。")
        case .reopened:
            say(
                "The store's files were replaced or removed; nothing was charged. This is the store "
                    + "that is there now.",
                "ストアのファイルが置き換えられました。請求はありません。現在のストアを表示しています。")
        case .pointer(let isOn):
            isOn
                ? say("Mouse: on. m gives it back to the terminal.", "マウス: オン。")
                : say("Mouse: off. The terminal selects text again.", "マウス: オフ。")
        default: ""
        }
    }

    private func refusal(_ reason: Refusal) -> String {
        switch reason {
        case .stillOpening: say("The store is still being opened.", "準備中です。")
        case .paymentsNotAllowed:
            say(
                "This account may not make payments. Nothing was charged.",
                "このアカウントでは購入できません。請求はありません。")
        case .alreadyOwned(let name):
            say(
                "\(name) is yours already. Nothing was charged.", "\(name)は購入済みです。請求はありません。")
        case .alreadyWaiting(let name):
            say(
                "\(name) waits for approval already. Nothing was charged.",
                "\(name)は承認待ちです。請求はありません。")
        case .alreadyPurchasing(let name):
            say("\(name) is being bought already.", "\(name)は購入処理中です。")
        case .groupTaken(let other):
            say(
                "\(other) is current, one plan at a time. Nothing was charged.",
                "\(other)を利用中です。請求はありません。")
        case .ownServer(let name):
            say(
                "\(name) comes from the app's own server and cannot be bought here yet.",
                "\(name)はこのストアでは購入できません。")
        case .ownedElsewhere(let name):
            say("\(name) is your account's: r restores it here.", "\(name)は購入済みです。r で復元できます。")
        case .nothingDownloading: say("Nothing downloads here.", "ダウンロードはありません。")
        case .nothingToCancel: say("There is no download to cancel.", "中止するものはありません。")
        case .noContentHere: say("There is no content to delete here.", "削除するものはありません。")
        case .alreadyRestoring: say("Restoring already.", "復元中です。")
        case .nothingWaiting: say("Nothing waits for an answer.", "承認待ちはありません。")
        case .noFaults: say("No faults are in force.", "障害設定はありません。")
        case .noConsole:
            say(
                "This shop was opened for a customer: it has no console.",
                "お客様用に開かれたショップです。コンソールはありません。")
        }
    }
}
