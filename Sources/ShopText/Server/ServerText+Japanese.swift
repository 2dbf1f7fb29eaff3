extension Japanese {
    static func text(_ text: ServerText) -> String {
        switch text {
        case .notificationsTitle: "通知"
        case .requestsTitle: "リクエスト"
        case .readingServer: "読み込み中..."
        case .noNotificationsYet: "通知はまだありません。送信先を設定すると、それ以降の出来事がバックエンドに通知されます。"
        case .noRequestsYet: "リクエストはまだありません。storefront serveの実行中に、バックエンドのリクエストがここに表示されます。"
        case .sentTo(let address?): "送信先: \(address)"
        case .sentTo(nil): "送信先は未設定です"
        case .ofOtherHost(let address): "別のマシンで設定された送信先のため、ここからは送信しません: \(address)"
        case .addressField: "送信先: "
        case .addressHint: "http://127.0.0.1:3000/apple/notifications 空欄なら送信しません"
        case .addressRefused:
            "送信できるアドレスではないため、何も変更していません。httpで、localhostかこのマシンのアドレスとポートを指定してください。"
        case .noAddressSet: "送信先が未設定のため、何も送信していません。先に送信先を設定してください。"
        case .notificationsWait(let count, isShort: true): "未送信 \(count)"
        case .notificationsWait(let count, isShort: false): "送信待ちの通知 \(count)"
        case .sending(let kind): "\(kind)を送信します。結果は一覧に表示されます。"
        case .notTried(let count, let holder):
            "期限の来た通知\(count)件が未送信です。送信権を持つ\(holder ?? "別のプロセス")が送信しませんでした。"
        case .stateFact: "状態"
        case .uuidFact: "UUID"
        case .attemptFact(let number): "送信\(number)回目"
        case .nextFact: "次回"
        case .statusFact: "ステータス"
        case .timeFact: "所要時間"
        case .payloadPart: "ペイロード"
        case .transactionPart: "取引"
        case .renewalPart: "更新情報"
        case .nextAttempt(let date): "次回 \(date)"
        case .tries(let count): "送信\(count)回"
        case .milliseconds(let milliseconds): "\(milliseconds) ミリ秒"
        }
    }
}
