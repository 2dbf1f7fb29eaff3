import StoreModel

extension Japanese {
    static func text(_ text: AdviceText) -> String {
        switch text {
        case .refreshOrReport: "更新: storefront receipt refresh"
        case .tryAgain: "もう一度お試しください。"
        case .payAnotherWay: "別の支払い方法でお試しください。"
        case .checkPayment: "内容を確認して、もう一度購入してください。"
        case .allowPaymentsCommand(let account):
            "許可するには: storefront operator payments on"
                + (account.map { " --account \($0)" } ?? "")
        case .allowPaymentsKey: "コンソールで許可できます (o、p)。"
        case .didYouMean(let word): "もしかして: \"\(word)\""
        case .listProducts: "販売中の商品: storefront products"
        case .useQuantity(let range): "\(range.replacing(" to ", with: "〜"))で指定してください。"
        case .onlyOne: "購入できるのは1つだけです。"
        case .otherTerritory: "別の地域を選ぶか、カタログに価格を追加してください。"
        case .seePrice: "新しい価格を確認して、もう一度購入してください。"
        case .newPaymentID: "新しい支払いには新しいIDを使ってください。"
        case .waitForEnd(let id):
            "その終了後に購入できます。"
                + (id.map { "今すぐ終了するには: storefront operator expire \($0)" } ?? "")
        case .buyOrRestoreCommand: "購入するか、復元してください: storefront restore"
        case .buyOrRestoreKey(let key): "購入するか、\(key)で復元してください。"
        case .listTransactions: "一覧: storefront transactions"
        case .listRequests:
            "一覧: storefront requests、全アカウント: storefront operator requests"
        case .listRefundRequests: "一覧: storefront operator refund-requests"
        case .answerCommand(let request, .interrupted):
            "解決: storefront requests resolve \(request)"
        case .answerCommand(let request, _):
            "回答: storefront operator approve \(request) または decline"
        case .publishCommand(let product):
            "販売を始めるには: storefront operator publish \(product) approved"
        case .resumeCommand(let product):
            "購入済みの場合: storefront downloads resume \(product)"
        case .tryWhenEnded: "そのプロセスの終了後にもう一度お試しください。"
        case .restorePurchasesCommand: "購入を復元してください: storefront restore"
        case .restorePurchasesKey(let key): "\(key)で購入を復元してください。"
        case .acceptStore:
            "新しいストアのファイルに戻すか、このまま続けてください: storefront operator accept-store"
        case .expected(let what): "正しい形式: \(what)"
        case .letItGoOn: "停止している場合は、再開または終了してからもう一度お試しください。"
        case .askAgain(let payment):
            "同じIDで確認できます。二重に請求されることはありません: --payment \(payment)"
        case .lookOrAskAgain: "確認するか、同じ操作を繰り返してください。二重には行われません。"
        case .useNewerVersion: "新しいバージョンを使うか、--storeで別のフォルダを選んでください。"
        case .moveAwayOrNewStore: "新しく始めるには、そのフォルダを移動するか、--storeで別のフォルダを指定してください。"
        case .openToWriteOrCopy:
            "書き込める状態でストアを一度開くか、フォルダをコピーして--storeでコピーを指定してください。"
        case .sellContentAnew:
            "別の製品として販売するか、アプリ自身のサーバ (カタログの\"ownServer\") から配信してください。"
        case .approveOtherFirst:
            "先に別のバージョンを承認してください: storefront content host FILE --approve"
        case .restoreFileOrOtherDevice:
            "ファイルをコピーから戻すか、別のデバイスで続けてください: storefront restore --device NAME"
        case .restoreFolderOrOther:
            "フォルダをコピーから戻してください。ストアでない場合は--storeで別のフォルダを選んでください。"
        case .restoreDatabaseOrOther:
            "データベースをバックアップから戻してください。ストアでない場合は別の名前を指定してください: "
                + "--store 'postgresql://HOST/DATABASE?store=NAME'"
        case .sayEnvironment(let name):
            "--environment \(name)を指定するか、--storeで別のフォルダを選んでください。"
        case .giveAppAppleID:
            "その番号をカタログか--app-apple-idで指定するか、--storeで別のフォルダを選んでください。"
        case .chooseOrSayWhose: "--storeで別のフォルダを選ぶか、アプリを指定してください。"
        case .undoRefundCommand(let id): "取り消すには: storefront operator reverse-refund \(id)"
        case .refundAllTheSame(let id): "それでも返金するには: storefront operator refund \(id)"
        case .reportOrTryAgain: "もう一度お試しください。続く場合はこの行を添えて報告してください。"
        case .askAgainByBuying: "もう一度購入すると、新しいリクエストになります。"
        case .refundInstead(let request): "返金: storefront operator refund \(request)"
        case .acceptPrivacyNotice: "同意してから、もう一度購入してください。"
        case .leaveBillingPlanOut: "--billing-planを付けずに購入してください。"
        case .listOffers(let product): "オファーの一覧: storefront offers \(product)"
        case .listAllTransactions: "全アカウントの一覧: storefront history --all-accounts --kind sold"
        case .listSubscriptions: "一覧: storefront subscriptions"
        case .signInKey(let key): "\(key)でサインインしてから、もう一度お試しください。"
        case .signInCommand(let account):
            "サインインしてから、もう一度お試しください: storefront sign-in"
                + (account.map { " --account \($0)" } ?? "")
        case .turnNetworkOnKey(let key): "\(key)でネットワークをオンにできます。"
        case .turnNetworkOnCommand(let device, let account):
            "ネットワークをオンにするには: storefront operator network \(device) on"
                + (account.map { " --account \($0)" } ?? "")
        case .goOnlineForAnother: "ストアに接続すると、新しい記録を受け取ります。"
        case .organizerAnswers(let account):
            "管理者として操作: storefront operator requests --as \(account)"
        case .changeSaleInstead(let id): "販売\(id)を変更してください。共有はそれに従います。"
        case .ownerAsksForRefund(let owner): "返金を依頼できるのは\"\(owner)\"だけです。"
        case .buyItAgain: "自分でも購入するには--againを付けてください。"
        case .joinOrganizer(let organizer): "管理者を指定してください: --organizer \(organizer)"
        case .createFamilyOf(let account):
            "ファミリーの作成: storefront operator family create \(account)"
        case .lookAtBackend: "未送信の報告の確認: storefront device backend"
        }
    }
}
