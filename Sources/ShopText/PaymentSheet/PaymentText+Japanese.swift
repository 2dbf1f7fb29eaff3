extension Japanese {
    static func text(_ text: PaymentText) -> String {
        switch text {
        case .quantityKeys: "1〜10。数字を入力、または + と -"
        case .thePriceHasChanged: "価格が変わりました。"
        case .cancelIsChosen: "キャンセルを選択中"
        case .each(let count, let price): "\(price) × \(count)"
        case .forYourPurse(let amount, let unit, let now, let after):
            "所持 \(unit) +\(amount): 現在\(now)、購入後\(after)"
        case .pays: "お支払い"
        case .noMoneyMoves(let environment): "\(environment): 請求は発生しません"
        case .termsFact: "オファー"
        case .noOffer: "なし（通常価格）"
        case .termsOf(let number, let count): "\(count)件中\(number)件目"
        case .paidBy: "支払い方法"
        case .paidUpFront: "一括払い"
        case .paidMonthly(let count): "月払い、\(count)回"
        case .paymentsOf(let count, let price, let whole): "\(price)を\(count)回、計\(whole)"
        case .afterLength(let length, let price): "\(length)後から\(price)"
        case .commitmentNote: "すべての支払いを約束します。自動更新をオフにすると最後の支払いの後に終了します。"
        case .offAfterCommitment(let day): "オフ（\(day)まで支払い）"
        case .codeFact: "コード"
        case .redeemTitle: "オファーコードを使う"
        case .redeemNote: "確認するだけでは使われません。次の画面で決定します。"
        case .lookingUpCode: "確認中"
        case .paymentNumber(let number, let count, let day): "\(count)回中\(number)回目、\(day)まで契約"
        case .withCommitment(let price): "または\(price)（契約期間あり）"
        case .sharedAlreadyNote(let account): "\(account)さんが共有中です。購入すると請求されます"
        case .sharedAlreadyShort(let account): "\(account)さんが共有中"
        case .productionSimulated: "Production (模擬): 請求は発生しません"
        case .productionSimulatedShort: "Production (模擬)"
        case .approval: "承認"
        case .organizerMustApprove: "ファミリーの管理者の承認が必要です"
        case .organizerMustApproveShort: "管理者の承認が必要"
        case .askedByFact: "依頼元"
        case .anAppHere: "このデバイスのアプリ"
        }
    }
}
