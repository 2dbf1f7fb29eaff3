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
        case .errorNothingToRefund(let id): "取引\(id)は無料のため、返金するものがありません。"
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
        case .errorRefundRequest(let id): "\(id.map { "取引\($0)の" } ?? "")返金は依頼できません。"
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
        case .errorNoSuchPackage(let product, let package):
            "\(product)に、名前かバージョンが\(package)のパッケージはありません。"
        case .errorNotDownloading(let product, let state):
            "\(product)はダウンロード中ではありません" + (state.map { " (\($0))。" } ?? "。")
        case .errorNoSubscription(let obstacle):
            switch obstacle {
            case nil: "変更できるサブスクリプションがありません。"
            case .neverRenews: "これは更新されるサブスクリプションではありません。"
            case .over: "サブスクリプションは終わっています。買い直すほかありません。"
            case .renewalOff: "サブスクリプションの自動更新はオフです。もう請求されません。"
            case .paymentOwed: "サブスクリプションの期間は終わり、更新の支払いがまだ済んでいません。"
            case .extendedTwice: "アプリのサーバーは365日以内にこのサブスクリプションを2回延長しています。"
            }
        case .errorNotOrganizer(let account, let organizer?):
            "アカウント\"\(account)\"には管理者\"\(organizer)\"だけが答えられます。"
        case .errorNotOrganizer(let account, nil):
            "アカウント\"\(account)\"には管理者のいるファミリーがありません。"
        case .errorSharedPurchase(let id, let owner):
            "取引\(id)は\"\(owner)\"の購入のファミリー共有です。"
        case .errorSharedAlready(let product, let owner, let account):
            "\(product)は\"\(owner)\"がすでに\(self.account(account))と共有しています。"
        case .errorNoOrganizer(let account, let organizer):
            "アカウント\"\(account)\"は\"\(organizer)\"のファミリーのメンバーで、管理者ではありません。"
        }
    }
}
