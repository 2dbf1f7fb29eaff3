extension Japanese {
    static func text(_ text: PageText) -> String {
        switch text {
        case .storeIsDeciding: "ストアの応答を待っています。"
        case .waitingForApprovalLine(let mayUseConsole):
            "承認を待っています。まだ請求されていません。"
                + (mayUseConsole ? "コンソールで回答できます。" : "")
        case .waitingForBankLine(let mayUseConsole):
            "銀行の確認を待っています。まだ請求されていません。"
                + (mayUseConsole ? "コンソールで回答できます。" : "")
        case .interruptedLine: "購入が中断されました。ここで完了できます。まだ請求されていません。"
        case .downloadIsPaused: "ダウンロードは一時停止中です。"
        case .theDownloadFailed: "ダウンロードできませんでした。"
        case .ownedNotDownloadedLine: "購入済み。このデバイスにはダウンロードされていません。"
        case .ownedAndRestored: "購入済み。このデバイスに復元しました。"
        case .ownedLine: "購入済み。"
        case .ownedAndDownloaded: "購入済み、ダウンロード済み。"
        case .ownedElsewhereLine: "購入済みです。このデバイスで使うには購入を復元してください。"
        case .renewsLine(let day, let price): "利用中のプラン。\(day)に\(price)で更新されます。"
        case .passUntilLine(let day): "\(day)まで利用できます。もう一度購入すると延長されます。"
        case .subscriptionEndsLine(let day): "\(day)まで利用できます。自動更新はオフです。"
        case .subscriptionNeverEnds: "利用中、期限はありません。"
        case .otherPlanLine(let name): "\(name)を利用中です。プランは一度に1つだけ選べます。"
        case .otherPlanUntilLine(let name, let day):
            "\(name)を\(day)まで利用中です。プランは一度に1つだけ選べます。"
        case .type: "種類"
        case .content: "内容"
        case .offers: "特典"
        case .family: "家族"
        case .familyCanShare: "ファミリー共有対象"
        case .issuesHeading: "バックナンバー"
        case .issueHere: "このデバイス内"
        case .issueNotDownloaded: "未ダウンロード"
        case .issueNotIncluded: "対象外"
        case .issueWithPurchase: "登録すると読めます"
        case .purchaseHeading: "購入"
        case .includedHeading: "内容"
        case .boughtFact: "購入日"
        case .activity: "アクティビティ"
        case .boughtOn(let device, let when): "\(when)、\(device)で"
        case .verifiedTransaction(let id): "\(id)、検証済み"
        case .progressOf(let received, let total): "\(received) / \(total)"
        case .closedLine: "プランが終了したため、読めません。ファイルはこのデバイスに残っています。"
        case .includedLine(let name, let day):
            (day.map { "\($0)まで" } ?? "")
                + "\(name)で読めます。ご利用ありがとうございます。購入すると、ずっと読めます。"
        case .alreadyUnlockedLine(let name):
            "この内容はすべて\(name)で利用できます。ご利用ありがとうございます。"
        case .noData(let seconds): "\(seconds)秒間受信なし"
        case .timeLeft(let time): "残り \(time)"
        }
    }
}
