import StoreModel

extension Japanese {
    static func text(_ text: OfferText) -> String {
        switch text {
        case .offerFree(let length): "\(length)無料"
        case .offerPerPeriod(let price, let length): "\(length)は\(price)"
        case .offerUpFront(let price, let count, let unit):
            "最初の\(self.text(ProductText.lengthOfTime(count, unit)))は\(price)"
        case .offerThen(let first, let price): "\(first)、以降\(price)"
        case .offerName(let kind):
            switch kind {
            case .introductory: "お試しオファー"
            case .promotional: "プロモーションオファー"
            case .winBack: "再登録オファー"
            case .code: "オファーコード"
            }
        case .offerMode(let mode):
            switch mode {
            case .freeTrial: "無料トライアル"
            case .payAsYouGo: "オファー価格"
            case .payUpFront: "オファー、一括払い"
            }
        case .offerRefused(let reason):
            switch reason {
            case .introductoryUsed: "このグループのお試しオファーは利用済みです"
            case .neverSubscribed: "登録中または以前に登録した方が対象です"
            case .stillSubscribed: "登録が終了した方が対象です"
            case .paymentFails: "先に失敗した支払いが必要です"
            case .notForNew: "新規登録は対象外です"
            case .notForExisting: "登録中の方は対象外です"
            case .notForExpired: "以前に登録した方は対象外です"
            case .codeUsed: "このオファーのコードは利用済みです"
            case .codeUsedUp: "コードの利用回数が上限に達しました"
            case .paidTooShort: "支払い期間が足りません"
            case .lapsedTooShort: "登録の終了から日が浅すぎます"
            case .lapsedTooLong: "登録の終了から時間が経ちすぎています"
            case .switchedOff: "現在は提供されていません"
            }
        case .offerAvailable: "利用可能"
        case .offerWithCode: "コードがあれば利用可能"
        case .offerAfterPayment: "未払い分のお支払い後に利用できます"
        }
    }
}
