import StoreModel

extension Japanese {
    static func text(_ text: BuyingErrorText) -> String {
        switch text {
        case .errorCallCancelled: "キャンセルされました。"
        case .errorCallUnknown(let cause): "不明な理由で失敗しました\(because(cause))。"
        case .errorAppNotEntitled: "このアプリはアプリ内課金を利用できません。"
        case .errorNotInThisTerritory(let product, let account):
            "\(product ?? "この内容")は、\(self.account(account))の地域では利用できません。"
        case .errorOwnedBefore(let product, let account):
            "\(account.map { "アカウント\"\($0)\"は" } ?? "")\(product)を購入済みです。"
        case .errorCancelled: "購入をキャンセルしました。"
        case .errorPaymentInvalid: "支払いが受け付けられませんでした。"
        case .errorPaymentsNotAllowed(let account): "\(self.account(account))では購入できません。"
        case .errorNoProduct(let product): "商品\(product)は販売されていません。"
        case .errorNoLongerSold(let name): "\(name)の販売は終了しました。"
        case .errorNotYetSold(let product, let date): "\(product)の販売開始は\(date)です。"
        case .errorSaleEnded(let product, let date): "\(product)の販売は\(date)に終了しました。"
        case .errorNotPublished(let product, let state):
            "\(product)は公開されていません (状態: \(state))。"
        case .errorQuantity(let product, let found):
            "\(product)は\(found.map { "\($0)個" } ?? "この数量")では購入できません。"
        case .errorNotInTerritory(let product, let territory):
            "\(product)は\(territory)では販売されていません。"
        case .errorOwnServer(let product):
            "\(product)はアプリのサーバーから配信されますが、このプログラムは接続できません。"
        case .errorUnsupported: "この操作には対応していません。"
        case .errorNetwork: "ストアに接続できませんでした。"
        case .errorSystem(let cause): "システムエラーが発生しました\(because(cause))。"
        case .errorUnknown(let cause): "不明な理由で購入できませんでした\(because(cause))。"
        case .errorPrivacyNotice: "App Storeのプライバシーに関する通知に同意していません。"
        case .errorPaymentDeclined: "支払いが拒否されました。"
        case .errorApprovalDeclined: "リクエストは却下されました。"
        case .errorIneligible(let reason):
            "このオファーは利用できません"
                + (reason.map { ": " + Self.text(OfferText.offerRefused($0)) } ?? "") + "。"
        case .errorNoOffer(let name?, let product?):
            "\(product)にオファーまたはコード「\(name)」はありません。"
        case .errorNoOffer(let name?, product: nil): "オファーコード「\(name)」はありません。"
        case .errorNoOffer(name: nil, _): "そのオファーはありません。"
        case .errorNoBillingPlan(let product, .monthly): "\(product)は月払いで購入できません。"
        case .errorNoBillingPlan(let product, .upFront): "\(product)は一括払いで購入できません。"
        case .errorNoIntroductoryOffer(let product):
            "\(product)にはお試しオファーがないため、署名するものがありません。"
        case .errorOfferPrice: "特典の価格は無効になりました。"
        case .errorOfferIncomplete: "特典の情報が不足しています。"
        case .errorOfferSignature(let reason):
            switch reason {
            case .expired: "オファーの署名は24時間以上前のものです。"
            case .notYetValid: "オファーの署名の日時が先すぎます。"
            case .replayed: "オファーの署名は別の支払いで使用済みです。"
            case .unknownKey: "ストアにない鍵でオファーが署名されています。"
            case .signedForOther: "別の購入のために署名されたオファーです。"
            case .forged, .unreadable, nil: "オファーの署名が正しくありません。"
            }
        case .errorPriceChanged(let product): "表示後に\(product)の価格が変わりました。"
        case .errorPaymentMismatch(let field, let expected, let found):
            "この支払いIDは別の内容で使用済みです (\(field): \(expected) → \(found))。"
        case .errorAlreadyOwned(let product, let account):
            "承認を待つ間に\(product)は\(account.map { "アカウント\"\($0)\"で" } ?? "")購入済みになりました。"
        case .errorSubscriptionActive(let plan, let account):
            (account.map { "アカウント\"\($0)\"は" } ?? "") + "同じグループのプランを利用中です"
                + (plan.map { " (\"\($0)\")" } ?? "") + "。"
        case .errorNotEntitled(let product): "このデバイスでは\(product)の購入を確認できません。"
        case .errorRequestWithdrawn: "リクエストは取り下げられました。"
        case .errorOffline: "このデバイスはオフラインです。ストアには何も届いていません。"
        case .errorNotSignedIn(let account, let environment):
            "このデバイスはApp Storeからサインアウトしています(アカウント\(account)、環境\(environment))。"
        }
    }
}
