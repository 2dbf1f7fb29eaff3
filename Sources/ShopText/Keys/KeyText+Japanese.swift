import StoreModel

extension Japanese {
    static func text(_ text: KeyText) -> String {
        switch text {
        case .keySignIn: "サインイン"
        case .keySignOut: "サインアウト"
        case .keyReason: "理由"
        case .keyContinue: "購入を続行"
        case .keyDropPromoted: "保留中の購入を破棄"
        case .keySendHeld: "未送信の支払いを送信"
        case .keyDropHeld: "未送信の支払いを破棄"
        case .keyNetwork(let turnsOn): turnsOn ? "ネットワークをオン" : "ネットワークをオフ"
        case .offerNetworkCut(let seconds): "ネットワークを\(seconds)秒間オフ"
        case .offerNetworkDelay(false): "ネットワークを低速にする"
        case .offerNetworkDelay(true): "ネットワークの低速をやめる"
        case .offerNetworkCutNext: "次の購入がストアに記録されたらネットワークをオフ"
        case .keySubscription: "登録管理"
        case .helpSubscription: "サブスクリプション"
        case .keyRedeem: "コードを使う"
        case .keyTerms: "条件"
        case .helpRedeem: "オファーコード"
        case .keyOperate(let kind): operate(kind)
        case .keyMark: "マーク"
        case .keyUnmark: "マークを解除"
        case .keySort: "次の列で並べ替え"
        case .keyZoom: "拡大"
        case .keyUnzoom: "全ペイン"
        case .keyCancel: "キャンセル"
        case .keyOpen: "開く"
        case .keyBuy: "購入"
        case .keyRestore: "復元"
        case .keyConsole: "コンソール"
        case .keyShop: "ショップ"
        case .keyBack: "戻る"
        case .content(let operation): title(of: operation)
        case .keyDownload: "ダウンロード"
        case .keyPackage: "パッケージ"
        case .keyUpdate: "アップデート"
        case .keyUpdateAll: "内容をすべてアップデート"
        case .setting(let setting, let isOn): title(of: setting, isOn: isOn)
        case .keyMove: "移動"
        case .keyUp: "上"
        case .keyDown: "下"
        case .keyPageUp: "前のページ"
        case .keyPageDown: "次のページ"
        case .keyFirst: "先頭"
        case .keyLast: "末尾"
        case .keyPreviousButton: "前のボタン"
        case .keyNextButton: "次のボタン"
        case .keySearch: "検索"
        case .keyClearSearch: "検索を消去"
        case .keyKeepSearch: "確定"
        case .keyNext: "次の商品"
        case .keyPrevious: "前の商品"
        case .keyActivate: "決定"
        case .keyChoose: "選択"
        case .keyQuantity: "数量"
        case .keyTypeQuantity: "数量を入力"
        case .keyApprove: "承認"
        case .keyDecline: "却下"
        case .mode(let mode): Self.text(ConsoleText.mode(mode))
        case .keyFailNext: "次を失敗"
        case .keyClearFailures: "障害解除"
        case .keyActions: "操作"
        case .keyDo: "実行"
        case .keyHowMany: "回数 (0 毎回)"
        case .keyCall: "失敗させる処理"
        case .keyMouseOff: "マウスをオフ(端末で文字を選択)"
        case .keyMouseOn: "マウスをオン"
        case .keySuspend: "中断(fgで戻る)"
        case .keyQuit: "終了"
        case .keyHelp: "ヘルプ"
        case .helpShop: "ショップ"
        case .helpPage: "商品"
        case .helpSheet: "お支払いの前に"
        case .helpSearch: "検索"
        case .helpConsole: "コンソール"
        case .helpFailure: "処理を失敗させる"
        case .helpPalette: "操作"
        case .helpLibrary: "ライブラリ"
        case .helpReader: "読書"
        case .keyLibrary: "ライブラリ"
        case .keyUse: "使用"
        case .keyPreviousChapter: "前の章"
        case .keyNextChapter: "次の章"
        case .keyNextTitle: "次の作品"
        case .keyContents: "目次"
        case .keyLanguage: "言語"
        case .keyCopyPassage: "文をコピー"
        case .helpChapters: "目次"
        case .keyHistory: "履歴"
        case .keyFilter: "絞り込み"
        case .keyKinds: "種類"
        case .keyInspect: "詳細"
        case .keyCopyIdentifier: "IDをコピー"
        case .keyCopySigned: "JWSをコピー"
        case .keyClaim: "引き継ぐ"
        case .keyNeighbours: "次のイベント"
        case .keyRemoveFailure: "障害を解除"
        case .keyClockNext: "次へ進む"
        case .keyNextMatch: "次の一致"
        case .keyPreviousMatch: "前の一致"
        case .keyReset(let isDemo): isDemo ? "デモをリセット" : "ストアを空にする"
        case .ofTour(let key): self.key(key)
        case .keyTrials: "テスト項目"
        case .keyAreas: "分野"
        case .helpTrials: "テスト項目"
        case .keyServer: "サーバー"
        case .ofServer(let key): self.key(key)
        case .helpServer: "サーバー"
        case .keyRead: "読む"
        case .keyRequestRefund: "ストアに返金を依頼"
        case .keyReceipt: "レシート"
        case .keyRefresh: "更新"
        case .helpReceipt: "レシート"
        case .helpHistory: "履歴"
        case .helpDetails: "詳細"
        case .helpFilter: "イベントの絞り込み"
        case .helpQuestion: "実行の前に"
        case .helpEverywhere: "どの画面でも"
        }
    }

    private static func key(_ key: KeyText.TourKey) -> String {
        switch key {
        case .back: "ツアーを戻る"
        case .next: "ツアーを進む"
        case .again: "ツアーを最初から始める"
        case .end: "ツアーを終了"
        }
    }

    private static func key(_ key: KeyText.ServerKey) -> String {
        switch key {
        case .requests: "リクエスト"
        case .notifications: "通知"
        case .resend: "再送"
        case .sendTest: "テスト送信"
        case .setAddress: "送信先の設定"
        }
    }

    private static func operate(_ kind: OperatorAction.Kind) -> String {
        switch kind {
        case .refund: "返金"
        case .renew: "今すぐ更新"
        case .expire: "今すぐ終了"
        case .delete: "取引を削除"
        default: text(KeyText.keyDo)
        }
    }
}
