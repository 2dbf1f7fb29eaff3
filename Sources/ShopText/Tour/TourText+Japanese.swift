extension Japanese {
    static func text(_ text: TourText) -> String {
        switch text {
        case .tourStep(let number, let count): "手順 \(number)/\(count)"
        case .tourStates: "このストアには、購入のあらゆる状態の商品があります。"
        case .tourPage: "商品ページは、購入内容と購入の進み具合を示します。"
        case .tourSheet: "支払いは必ずこの画面で行い、最初はキャンセルを選択中です。"
        case .tourPaid: "支払いは送信前に保存され、販売は一度だけ配信されます。"
        case .tourConsole: "ストア側には、販売の記録と承認待ちの購入があります。"
        case .tourApproved: "承認により販売され、全デバイスに通知されます。"
        case .tourFollowed: "ここではキーを押さずに、承認待ちが購入済みになりました。"
        case .tourDeclined: "却下により請求はなく、購入者に伝えられます。"
        case .tourNotFollowed: "ここではキーを押さずに、承認待ちが却下になりました。"
        case .tourRefundWord: "返金"
        case .tourMoves: "< 戻る  > 次へ"
        case .tourLibrary: "ライブラリには購入済みの商品があり、本を読めます。"
        case .tourReader: "本文はダウンロードした内容です。読んだ位置は残ります。"
        case .tourTakingBack: "ストアは購入を返金できます。全デバイスに同時に反映されます。"
        case .tourRefunded: "返金され、どのデバイスでも利用できなくなりました。"
        case .tourOpenKey(let name): "\(name)を表示"
        case .tourBuyKey: "支払い画面を開く"
        case .tourPayKey: "もう一方のボタンを選んで支払う"
        case .tourConsoleKey: "同じ購入をストア側で見る"
        case .tourApproveKey: "選択中の購入を承認する"
        case .tourShopKey: "ショップに戻り、商品一覧を表示"
        case .tourLibraryKey: "ライブラリを表示"
        case .tourReadKey: "本のページを開いて読む"
        case .tourCloseBookKey: "本を閉じる"
        case .tourRefundKey: "この商品を返金する (Enterで確定)"
        case .tourRefundAtConsoleKey: "コンソールで購入を選び、返金する"
        case .tourLeaveKey: "終了。このストアは破棄されます"
        }
    }
}
