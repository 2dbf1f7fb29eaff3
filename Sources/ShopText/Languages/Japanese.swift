import StoreModel

/// Japanese, in the terms of Apple's Japanese screens.
enum Japanese: Language {
    static let code = "ja"
    static let sentenceGap = ""
    static let needsUnicode = true

    static func word(_ unit: SubscriptionPeriod.Unit) -> String {
        switch unit {
        case .day: "日"
        case .week: "週"
        case .month: "月"
        case .year: "年"
        }
    }

    static func counter(_ unit: SubscriptionPeriod.Unit) -> String {
        switch unit {
        case .day: "日間"
        case .week: "週間"
        case .month: "か月"
        case .year: "年"
        }
    }

    // MARK: - Errors

    /// アカウント"aoi"; nil for the reader's own.
    static func account(_ name: String?) -> String {
        name.map { "アカウント\"\($0)\"" } ?? "このアカウント"
    }

    static func keptAnswer(_ name: String) -> String {
        switch name {
        case "contact": "最後にストアへ接続した時刻"
        case "entitlements": "所有しているものの一覧"
        case "settings": "アカウントの設定"
        case "catalog", "products": "商品の一覧"
        case "family": "ファミリーの記録"
        case "subscriptions": "サブスクリプションの記録"
        case "requests": "リクエストの一覧"
        case "unfinished": "未完了の取引の一覧"
        case "history": "アカウントの履歴"
        case "unlocks.jws": "購入で使えるようになるものの署名付き記録"
        case "reports": "バックエンドへの報告"
        case "backendList": "アプリの商品リスト"
        default: "記録"
        }
    }

    static func server(
        _ failure: ContentServerFailure?, _ address: String, _ cause: String?
    ) -> String {
        let server = failure?.isOfStart == true ? "サーバー" : "アプリのサーバー"
        return "\(server) \(address) \(does(failure))\(because(cause))。"
    }

    /// What a server of the app does.
    static func does(_ failure: ContentServerFailure?) -> String {
        switch failure {
        case .addressRefused:
            "には接続しません。接続先はこのマシンの1つのhttpアドレスだけです"
        case .unreachable: "が応答しません"
        case .connectionLost: "が何も送らずに接続を閉じました"
        case .stalled: "から長いあいだ何も届きません"
        case .redirected: "が別の場所へ転送しようとしました。転送には従いません"
        case .wrongRange: "が要求と異なる部分を送りました"
        case .wrongLength: "が送ったデータは予告より短いものでした"
        case .tooMuch: "が要求より多くのデータを送りました"
        case .wrongAnswer, nil: "の応答を読み取れません"
        case .serverError: "でエラーが起きました"
        case .portTaken: "を起動できません。ほかのプログラムが使用中です"
        case .hostRefused: "を起動できません。このマシンのアドレスではありません"
        case .portForbidden: "を起動できません。このポートを使う権限がありません"
        case .startFailed: "を起動できません"
        }
    }

    static func server(_ address: String, refuses refusal: ContentRefusal?) -> String {
        let why =
            switch refusal {
            case .authorizationMissing: "購入の証明が送られていません"
            case .notSigned: "署名されたデータではありません"
            case .tampered: "署名されたデータが変更されています"
            case .untrusted: "別のストアが署名しています"
            case .certificateRevoked: "署名した証明書は失効しています"
            case .wrongApp: "別のアプリの購入です"
            case .wrongEnvironment: "別の環境の購入です"
            case .wrongAccount: "別のアカウントまたはデバイスの購入です"
            case .wrongProduct: "別の製品の購入です"
            case .unknownTransaction: "ストアにこの購入の記録がありません"
            case .revoked: "購入は返金されたか取り消されています"
            case .expired: "購入は期限切れです"
            case nil: "理由は示されていません"
            }
        return "アプリのサーバー \(address) が配信を拒否しました: \(why)。"
    }

    static func because(_ cause: String?) -> String { cause.map { " (\($0))" } ?? "" }

    // MARK: - The command line

    static func step(_ kind: UpcomingItem.Kind, of product: String) -> String {
        switch kind {
        case .renewal: "\(product)の更新"
        case .billingRetry: "\(product)の再請求"
        case .expiry: "\(product)の期限切れ"
        }
    }

    static func change(_ kind: PlanChange.Kind) -> String {
        switch kind {
        case .present: "利用中"
        case .upgrade: "アップグレード"
        case .downgrade: "ダウングレード"
        case .crossgrade: "切り替え"
        }
    }

    static func subscriptionMessage(
        _ event: SubscriptionEvent, _ name: String, _ next: String?, _ day: String?,
        key: String
    ) -> String {
        let until = day.map { "\($0)までは利用できます。" } ?? ""
        return switch event.kind {
        case .expired where event.isAtRenewalLimit == true: "\(name)は終了しました（更新回数の上限）。"
        case .expired: "\(name)は終了しました" + (event.reason.map { "（\(ended($0))）。" } ?? "。")
        case .billingFailed, .graceBegan:
            "\(name)の支払いができませんでした。\(until)\(key)で対処できます。"
        case .graceEnded, .billingRetryBegan:
            "\(name)は支払いができず、利用できなくなりました。\(key)で対処できます。"
        case .billingRetryFailed: "\(name)の支払いが再び失敗しました。\(key)で対処できます。"
        case .priceIncreaseAsked:
            "\(name)の価格が上がります。" + (day.map { "\($0)までに" } ?? "") + "\(key)で回答してください。"
        case .priceIncreaseAgreed: "\(name)の新価格に同意しました。"
        case .priceIncreaseNotified:
            (day.map { "\($0)から" } ?? "") + "\(name)の価格が変わります。同意は不要です。\(key)で確認できます。"
        case .planChangePlanned:
            (day.map { "\($0)に" } ?? "") + "\(name)から\(next ?? "別のプラン")に変わります。請求はありません。"
        case .planChangeTakenBack: "\(name)を継続します。請求はありません。"
        case .offerRedeemed: "\(name)のオファーは\(day ?? "次の更新")に始まります。請求はありません。"
        }
    }

    static func paid(_ plan: BillingPlanType) -> String {
        switch plan {
        case .upFront: "一括払い"
        case .monthly: "月払い"
        }
    }

    static func ended(_ reason: ExpirationReason) -> String {
        switch reason {
        case .autoRenewDisabled: "自動更新がオフ"
        case .billingError: "支払い失敗"
        case .didNotConsentToPriceIncrease: "値上げに同意なし"
        case .productUnavailable: "商品の販売終了"
        case .other: "ストアによる終了"
        }
    }

    static func next(_ count: Int?, _ call: Fault.Call) -> String {
        switch count {
        case nil: "すべての\(name(call))"
        case 1: "次の\(name(call))"
        case let count?: "次の\(count)回の\(name(call))"
        }
    }

    static func name(_ call: Fault.Call) -> String {
        switch call {
        case .loadProducts: "商品の取得"
        case .purchase: "購入"
        case .verification: "検証"
        case .appStoreSync: "復元"
        case .subscriptionStatus: "状態の取得"
        case .appTransaction: "アプリ取引"
        case .manageSubscriptions: "サブスクリプション管理"
        case .refundRequest: "返金依頼"
        case .offerCodeRedeem: "コードの利用"
        case .updates: "更新の配信"
        case .notification: "通知"
        case .anyEndpoint: "サーバーへの要求"
        default: "\(call.rawValue)の要求"
        }
    }

    static func catalogSettings(
        _ settings: CatalogSettings, _ rate: RenewalRate?
    ) -> [String] {
        let failures = settings.failures.map { failures in
            failures.isEmpty
                ? "エラーなし"
                : failures.map { "\($0.interface.rawValue)は失敗 (\($0.error.rawValue))" }
                    .joined(separator: "、")
        }
        return [
            settings.askToBuy.map { "承認と購入のリクエスト\($0 ? "オン" : "オフ")" },
            settings.interruptsPurchases.map { "購入の中断\($0 ? "あり" : "なし")" },
            settings.disablesDialogs.map { $0 ? "支払い確認なし" : "支払い確認あり" },
            settings.entersBillingRetry.map { "更新の支払いは\($0 ? "失敗" : "成功")" },
            settings.hasGracePeriod.map { $0 ? "猶予期間あり" : "猶予期間なし" },
            settings.territory.map { "ストアフロント\($0)" }, settings.locale.map { "言語\($0)" },
            failures, rate.map { "更新の速さ\($0.name)" },
        ].compactMap(\.self)
    }

    static func list(_ faults: DownloadFaults) -> String {
        [
            faults.bytesPerSecond.map { "毎秒\(Measures.bytes($0))" },
            faults.latencyMilliseconds.map { "要求ごとに\($0)ミリ秒" },
            faults.stallAt.map { "\($0)バイト目で停止" },
            faults.disconnectAt.map { "\($0)バイト目で切断" },
            faults.corruptAt.map { "\($0)バイト目が破損" },
            faults.fullAt.map { "\($0)バイト目で空きなし" },
            faults.diskBytes.map { "ディスク\(Measures.bytes($0))" },
        ].compactMap(\.self).joined(separator: "、")
    }

    static func place(_ place: DownloadFaults.Place) -> String {
        switch place {
        case .quarter: "4分の1で"
        case .half: "半分で"
        case .nearEnd: "終わり近くで"
        }
    }
}
