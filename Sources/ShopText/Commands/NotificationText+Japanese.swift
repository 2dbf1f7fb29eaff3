import StoreModel

extension Japanese {
    static func text(_ text: NotificationText) -> String {
        switch text {
        case .sentTo(let address?): "通知の送信先: \(address)"
        case .sentTo(nil):
            "通知の送信先はありません。設定: storefront operator notifications "
                + "url http://127.0.0.1:3000/apple/notifications"
        case .retries(true): "失敗した通知は1、12、24、48、72時間後に再送されます。"
        case .retries(false): "通知は、実際のSandboxと同じく1回だけ送信されます。"
        case .obstacle(.noAddress, let count): "送信先が設定されていません。待機中の通知: \(count)件"
        case .obstacle(.otherHost, let count):
            "送信先は別のマシンで設定されました。待機中の通知: \(count)件。ここから送るには、ここで設定してください。"
        case .waiting(let count, let holder):
            "期限の来た通知\(count)件が未送信です。送信権を持つ\(holder ?? "別のプロセス")が35秒間送信しませんでした。"
        case .clockWaits(let count, let address):
            "時計は待機中です。\(address)に通知\(count)件を送信しています(1回につき最長30秒)。"
        case .nobodySends(let count):
            "期限の来た通知が\(count)件あります。storefront serveかlistenの実行中、または時計を進めたときに送信されます。"
        case .noNotifications: "通知はありません。"
        case .unknown(let id): "通知\(id)はありません。"
        case .queued(let id): "通知\(id)を送信待ちにしました。"
        case .dueAgain(let count): "\(count)件の通知を再び送信待ちにしました。"
        case .state(let state):
            switch state {
            case .waiting: "待機中"
            case .sent: "送信済み"
            case .failing: "失敗、再送予定"
            case .failed: "失敗"
            case .noAddress: "送信先なし"
            }
        case .attempts(_, nil, _): ""
        case .attempts(let count, let last?, let status):
            "送信\(count)回: " + self.text(NotificationText.attempt(last, status: status))
        case .attempt(let last, let status): "\(result(last)) (\(code(last, status)))"
        case .next(let date): "次回 \(date)"
        case .listening(let address): "通知を\(address)に転送します。終了はCtrl-C。"
        case .notListed(let count):
            "\(count)件の通知は転送済みですが、出力が読まれなかったため表示していません。"
        case .sending(let count, let address):
            "\(address)に通知\(count)件を送信しています(1回につき最長30秒)。"
        case .triggered(let kind): "\(kind)を発生させました。"
        case .notCaused(let kind): "手順は実行しましたが、\(kind)は発生しませんでした。"
        case .needs(let need):
            switch need {
            case .subscription: "カタログに自動更新サブスクリプションがありません。"
            case .twoPlans: "カタログに2つのレベルを持つグループがありません。"
            case .otherProduct: "カタログに一度だけ課金される製品がありません。"
            case .shareableProduct: "カタログにファミリー共有できる製品がありません。"
            case .offer: "カタログにプロモーションオファーもオファーコードもありません。"
            }
        case .whyNever(let type):
            switch type {
            case .externalPurchaseToken: "このストアはApp Storeの外では販売しません"
            default: "AppleのAdvanced Commerceの通知です"
            }
        }
    }

    /// A result in the field's word, and the status of the answer.
    private static func code(_ result: SendAttemptResult, _ status: Int?) -> String {
        guard let status else { return result.rawValue }
        return "\(result.rawValue) \(status)"
    }

    private static func result(_ result: SendAttemptResult) -> String {
        switch result {
        case .success: "受信済み"
        case .timedOut: "時間内に応答なし"
        case .tlsIssue: "安全な接続なし"
        case .circularRedirect: "転送された"
        case .noResponse: "応答なしで切断"
        case .socketIssue: "接続できない"
        case .unsupportedCharset: "不明な文字コードの応答"
        case .invalidResponse: "読み取れない応答"
        case .prematureClose: "応答の途中で切断"
        case .unsuccessfulStatus: "受け付けられない"
        case .other: "その他の失敗"
        }
    }
}
