import StoreModel

extension Japanese {
    static func text(_ text: TrialsText) -> String {
        switch text {
        case .trialsTitle: "テスト項目"
        case .allAreas: "すべての分野"
        case .trialsSeen(let seen, let count): "\(count)件中\(seen)件を確認"
        case .readingTrials: "履歴を読み込み中..."
        case .noTrials: "テスト項目はありません。"
        case .seen: "確認済み"
        case .notSeen: "未確認"
        case .eventNumber(let number): "イベント \(number)"
        case .logNumber(let number): "ログ \(number)"
        case .catalogLacks(let need): "このカタログには\(noun(need))がありません。"
        case .trialHow: "手順"
        case .trialCommands: "コマンド"
        case .trialSeenBy: "確認の条件"
        case .trialEvidence: "証拠"
        case .trialSigned: "署名"
        case .reportTitle(let app): "\(app)のテスト項目"
        case .reportStore(let environment, let date): "\(environment)、ストアの時刻 \(date)"
        case .reportWritten(let path): "\(path)に書き出しました。"
        case .trialsReset(isSent: false): "次にストアに接続したときから、テスト項目を数え直します。"
        case .trialsReset(isSent: true): "テスト項目をここから数え直します。購入と履歴はそのまま残ります。"
        case .trialsInvalid(let path, let errors):
            "\(path)はテスト項目のリストではありません: エラー\(errors)件。確認には使われていません。修正してから、もう一度お試しください。"
        }
    }

    private static func noun(_ need: TrialNeed) -> String {
        switch need {
        case .consumable: "消耗型の商品"
        case .nonConsumable: "非消耗型の商品"
        case .nonRenewing: "更新されないサブスクリプション"
        case .autoRenewable: "自動更新サブスクリプション"
        case .freeSubscription: "無料のサブスクリプション"
        case .shortPeriod: "1か月以内に更新されるサブスクリプション"
        case .higherLevel, .lowerLevel: "2つのレベルのサブスクリプション"
        case .freeTrial: "無料トライアルのあるサブスクリプション"
        case .payAsYouGo: "最初の数期間が割引になるサブスクリプション"
        case .offerCode: "オファーコードのあるサブスクリプション"
        case .noCharge: "無料の非消耗型の商品"
        case .hosted: "ホストされたコンテンツのある非消耗型の商品"
        case .familyShareable: "ファミリーで共有できる商品"
        }
    }
}
