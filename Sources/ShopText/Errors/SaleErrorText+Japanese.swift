import StoreModel

extension Japanese {
    static func text(_ text: SaleErrorText) -> String {
        switch text {
        case .errorRequestEnded(let request, let account, let date, "requestWithdrawn"):
            "リクエスト\(request)は\(account)が取り下げました (\(date))。"
        case .errorRequestEnded(let request, let account, let date, "approvalDeclined"):
            "\(account)のリクエスト\(request)は却下されました (\(date))。"
        case .errorRequestEnded(let request, let account, let date, "paymentDeclined"):
            "\(account)のリクエスト\(request)は銀行に拒否されました (\(date))。"
        case .errorRequestEnded(let request, let account, let date, "sold"):
            "\(account)のリクエスト\(request)は販売で終わりました (\(date))。"
        case .errorRequestEnded(let request, let account, let date, "planChangePlanned"),
            .errorRequestEnded(let request, let account, let date, "offerRedeemed"):
            "\(account)のリクエスト\(request)は回答済みで、更新から変わります (\(date))。"
        case .errorRequestEnded(let request, let account, let date, let end):
            "\(account)のリクエスト\(request)は失敗しました (\(date)、\(end))。"
        case .errorPromotedNotHeld(let product):
            "アプリの外で始まった\(product)の購入は、このデバイスにありません。"
        case .errorNothingToRefund(let id): "取引\(id)は無料のため、返金するものがありません。"
        case .errorPaymentNotQueued(let id): "支払い\(id)は待機中ではありません。"
        case .errorNoTransaction(let id, let account):
            "\(account.map { "アカウント\"\($0)\"に" } ?? "")取引\(id)はありません。"
        case .errorNoTransactionHere(let id): "ストアに取引\(id)はありません。"
        case .errorNoRequest(let id): "リクエスト\(id)は承認待ちではありません。"
        case .errorNotAnswerable(let request, .askToBuy):
            "リクエスト\(request)は家族の管理者の回答を待っています。"
        case .errorNotAnswerable(let request, .authentication):
            "リクエスト\(request)は銀行の確認を待っています。"
        case .errorNotAnswerable(let request, .interrupted):
            "リクエスト\(request)は中断された購入で、お客様が解決します。"
        case .errorNotAnswerable(let request, nil):
            "リクエスト\(request)は別の回答を待っています。"
        case .errorRefundAnswered(let id, let date, true): "取引\(id)は返金済みです (\(date))。"
        case .errorRefundAnswered(let id, let date, false):
            "取引\(id)の返金は却下されました (\(date))。"
        case .errorNoRefundRequest(let id): "取引\(id)の返金は依頼されていません。"
        case .errorDuplicateRefund(let id): "\(id.map { "取引\($0)の" } ?? "")返金は依頼済みか返金済みです。"
        case .errorRefundRequest(let id): "\(id.map { "取引\($0)の" } ?? "")返金は依頼できません。"
        case .errorBadSignature: "署名が内容と一致しません。"
        case .errorBadChain: "証明書がストアのルートにつながりません。"
        case .errorRevokedCertificate: "署名した証明書は失効しています。"
        case .errorOtherDevice: "別のデバイス用に署名されています。"
        case .errorNoSignedText: "署名された取引ではありません。"
        case .errorMissingProperties: "取引に必要な項目がありません。"
        case .errorNoFault(let number): "障害設定\(number)はありません。"
        case .errorNoContent(let product, let place, let cause):
            "ストアに\(product)の内容がありません" + (place.map { " (\"\($0)\")" } ?? "")
                + because(cause) + "。"
        case .errorContentMismatch(let product, let place):
            "ダウンロードした\(product)の内容が一致しません" + (place.map { " (\"\($0)\")" } ?? "")
                + "。"
        case .errorPackageInvalid(let place, let found):
            "このパッケージは使えません: " + (place.map { "\"\($0)\": " } ?? "") + "\(found)。"
        case .errorPackageNotHostable(let product, let field, let found):
            "このパッケージは\(product)に合いません: \(field)は\(found)です。"
        case .errorSoldWithoutHosting(let product):
            "\(product)はホストされたコンテンツなしで販売済みのため、パッケージをホストできません。"
        case .errorLastPackage(let product, let package):
            "\(product)はホストされたコンテンツ付きで販売済みで、パッケージは\(package)だけです。"
        case .errorNoDownload(let product): "このデバイスに\(product)のダウンロードはありません。"
        case .errorNotDownloaded(let product, let state):
            "\(product)はこのデバイスにダウンロードされていません (\(state))。"
        case .errorDownloadedAlready(let product): "\(product)はダウンロード済みです。"
        case .errorNotDownloading(let product, let state):
            "\(product)はダウンロード中ではありません" + (state.map { " (\($0))。" } ?? "。")
        case .errorRefundTooLarge(let amount, let transaction):
            "取引\(transaction)の\(amount)は返金できません。"
        case .errorAlreadyRefunded(let id): "取引\(id)は全額返金済みです。"
        case .errorNothingUnused(let id): "取引\(id)に返金できる残り期間はありません。"
        case .errorNotRevoked(let id): "取引\(id)は返金も取り消しもされていません。"
        case .errorBoughtAgain(let id): "その後、取引\(id)で再び購入されています。"
        case .errorNotLastPeriod(let id): "取引\(id)はサブスクリプションの最後の期間ではありません。"
        case .errorTransactionDeleted(let id):
            "この支払いは取引\(id)として販売され、その取引は削除されています。"
        case .errorBalance(let has, let unit, let wanted):
            "残高は\(has) \(unit)で、\(wanted)は使えません。"
        case .errorSpendMismatch(let field, let expected, let found):
            "この使用IDは別の内容で使用済みです (\(field): \(expected) → \(found))。"
        case .errorClockBackwards: "ストアの時計は進めることしかできません。"
        case .errorNothingDue: "この先、自動的に更新または終了するサブスクリプションはありません。"
        case .errorNoSubscription(let obstacle):
            switch obstacle {
            case nil: "変更できるサブスクリプションがありません。"
            case .neverRenews: "これは更新されるサブスクリプションではありません。"
            case .over: "サブスクリプションは終わっています。買い直すほかありません。"
            case .renewalOff: "サブスクリプションの自動更新はオフです。もう請求されません。"
            case .paymentOwed: "サブスクリプションの期間は終わり、更新の支払いがまだ済んでいません。"
            }
        case .errorNoBillingIssue: "このサブスクリプションの支払いに問題はありません。"
        case .errorNoPriceIncrease: "回答待ちの値上げはありません。"
        case .errorPeriodJustBegun(let id): "\(id)の期間はこの瞬間に始まったため、まだ終了できません。"
        case .errorNextPeriodCharged(let id): "\(id)の次の期間はすでに請求済みで、現在の期間の終わりに始まります。"
        case .errorPriceCommitted(let payment, let count):
            "\(count)回の支払いの約束のうち\(payment)回目まで済んでいます。約束の間、価格は変わりません。"
        case .errorContradiction(let found):
            "矛盾する記録は保存されませんでした" + (found.map { " (\($0))" } ?? "") + "。"
        }
    }
}
