import StoreModel

extension Japanese {
    static func text(_ text: ConsoleText) -> String {
        switch text {
        case .mode(.account(let setting)): name(of: setting)
        case .mode(.failures): "障害設定"
        case .mode(.downloadFaults): "ダウンロード障害"
        case .mode(.clock): "時計"
        case .mode(.network): "ネットワーク"
        case .mode(.slowNetwork): "低速"
        case .mode(.renewals): "更新"
        case .approvals: "承認待ち"
        case .approvalKeys: "a 承認  d 却下"
        case .noRequests: "リクエストはありません。"
        case .events: "イベント"
        case .failuresHeading: "障害設定"
        case .failureKeys: "f 追加  x 解除  X すべて解除"
        case .failureTimes(let count, let isNext):
            switch count {
            case nil: "毎回"
            case 1: isNext ? "次" : "その後"
            case let count?: (isNext ? "次" : "その後") + " \(count)回"
            }
        case .realTime: "実時間"
        case .rateOf(let length, let time): "\(length)を\(time)で"
        case .nextOnTheClock: "次の予定"
        case .clockKeys(let isStopped):
            isStopped ? "n そこへ進む  . 再開  : 操作" : "n そこへ進む  . 停止  : 操作"
        case .inTime(let time): "あと\(time)"
        case .upcomingKind(let kind):
            switch kind {
            case .renewal: "更新"
            case .billingRetry: "再請求"
            case .expiry: "期限切れ"
            }
        case .failNextCalls(let call, let count) where call.isDisturbed:
            "\(next(count, call))を乱す"
        case .failNextCalls(let call, let count): "\(next(count, call))を失敗させる"
        case .more(let count): "あと\(count)件"
        case .refundOf(let name): "\(name)の返金"
        case .addressField: "送信先: "
        case .addressHint: "http://127.0.0.1:3000/apple/notifications 空欄なら送信しません"
        case .attempt(let number): "送信\(number)回目"
        case .notificationsWait(let count, isShort: true): "未送信 \(count)"
        case .notificationsWait(let count, isShort: false): "送信待ちの通知 \(count)"
        case .overdue(let instant):
            "\(instant)時点の情報です。ストアに書き込めないため、以降の更新は書き込めるようになってから行われます。"
        }
    }
}
