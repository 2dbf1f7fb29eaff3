import StoreModel

extension Japanese {
    static func text(_ text: ColumnText) -> String {
        switch text {
        case .columnRole: "役割"
        case .columnShares: "共有"
        case .columnSharedBy: "共有元"
        case .columnTransaction: "取引番号"
        case .columnDate: "日付"
        case .columnProduct: "商品"
        case .columnIdentifier: "識別子"
        case .columnPrice: "価格"
        case .columnPeriod: "期間"
        case .columnState: "状態"
        case .columnRequest: "リクエスト"
        case .waitsFor(.askToBuy): "承認待ち"
        case .waitsFor(.authentication): "銀行の確認待ち"
        case .waitsFor(.interrupted): "購入者の対応待ち"
        case .waitsForRefund(let reason): "返金: \(reason)"
        case .refundAskedState: "返金依頼中"
        case .refundReason(.unintended): "誤って購入"
        case .refundReason(.broken): "使えない"
        case .refundReason(.unsatisfied): "期待と違う"
        case .refundReason(.other): "その他"
        case .backendSays(let answer): says(answer)
        case .eventUnverified: "未検証"
        case .countEvery: "すべて"
        case .columnWaitsFor: "理由"
        case .columnAsked: "依頼日時"
        case .columnAccount: "アカウント"
        case .columnDevice: "デバイス"
        case .columnPayment: "支払い"
        case .columnQueued: "待機"
        case .columnPackage: "パッケージ"
        case .columnVersion: "バージョン"
        case .columnSize: "サイズ"
        case .columnPath: "パス"
        case .columnNumber: "番号"
        case .columnEvent: "イベント"
        case .columnDetail: "詳細"
        case .columnTrial: "項目"
        case .columnArea: "分野"
        case .columnTitle: "内容"
        case .columnEvidence: "証拠"
        case .columnCount: "回数"
        case .columnCall: "呼び出し"
        case .columnError: "エラー"
        case .columnCurrency: "通貨"
        case .columnSold: "売上"
        case .columnSales: "件数"
        case .columnRefunded: "返金"
        case .columnDay: "日"
        case .columnTerritory: "地域"
        case .columnQuantity: "個数"
        case .columnProceeds: "収益"
        case .columnNotice: "お知らせ"
        case .columnValue: "値"
        case .columnAccounts: "アカウント"
        case .noticeKind(.appAccountToken): "同じトークン"
        case .noticeKind(.applicationUsername): "同じユーザ名"
        case .noticeKind(.device): "同じデバイス"
        case .restoredRow: "復元"
        case .hereRow: "復元済み"
        case .deliveredRow: "配信"
        case .unfinishedState: "未完了"
        case .until(let date): "\(date)まで"
        case .renews(let date): "\(date)に更新"
        case .sharedByFamily: "ファミリー共有"
        case .deliveredOn(let device): "\(device)で配信予定"
        case .refundedOn(let part, let date): "返金\(part.map { " (\($0))" } ?? "") \(date)"
        case .upgradedOn(let date): "プラン変更、残りは返金 \(date)"
        case .revokedOn(let part, let date): "取り消し\(part.map { " (\($0))" } ?? "") \(date)"
        case .unverifiedState(let reason): "未検証: \(reason)"
        case .columnOffer: "オファー"
        case .columnTerms: "条件"
        case .columnCodes: "コード"
        case .subscriptionGraceEnds(let date): "支払い失敗、\(date)まで利用可能"
        }
    }

    static func text(_ text: PurchaseLineText) -> String {
        switch text {
        case .changeTakenBackLine(let name, let next):
            "\(name)を継続します。\(next)への変更は取り消されました。"
        case .boughtLine(let item, let price, let transaction, let isLeft):
            "\(item)を\(price)で購入しました。取引\(transaction)。" + (isLeft ? "未完了のままです。" : "")
        case .autoRenewOnAgainLine(let name): "\(name)の自動更新はオフでしたが、再びオンになりました。"
        case .planForLaterLine(let name, let transaction, let from):
            "\(name)は\(from ?? "次の更新")から始まり、それまで\(transaction)が続きます。請求はありません。"
        case .billingPlanForLaterLine(let name, let plan, let transaction, let from):
            "\(name)は\(from ?? "次の更新")から\(paid(plan))になり、それまで\(transaction)が続きます。"
                + "請求はありません。"
        case .ownedLineFor(let name, let transaction):
            "購入済み: \(name)、取引\(transaction)。請求はありません。"
        case .takenBackLineFor(let name, let transaction, let date, let isRefunded):
            "\(isRefunded ? "返金済み" : "取り消し済み"): この支払いで購入した\(name) (取引\(transaction)) は、"
                + "\(date)に\(isRefunded ? "返金" : "取り消")されました。あらためて請求されてはいません。"
                + "もう一度買うには--paymentを付けずに実行してください。"
        case .pendingLine(let name, let request, .askToBuy):
            "承認待ち: \(name)、リクエスト\(request)。まだ請求されていません。"
        case .pendingLine(let name, let request, .authentication):
            "銀行の確認待ち: \(name)、リクエスト\(request)。まだ請求されていません。"
        case .pendingLine(let name, let request, .interrupted):
            "中断: \(name)、リクエスト\(request)。まだ請求されていません。"
                + "解決: storefront requests resolve \(request)"
        case .joinedRequestLine: "以前のリクエストに加わりました。1つの回答ですべてが決まります。"
        case .claimedElsewhereLine(let device): "\(device)が引き継いで配信します。"
        case .notBelievedLine(let reason):
            "取引をこのデバイスで検証できませんでした (\(reason))。何も配信されていません。"
        case .unknownLine(let name, let cause, let command):
            "\(name)を購入できたかどうかわかりません。記録済みか、これから送信される可能性があります"
                + "\(because(cause))。同じIDで確認できます。二重に請求されることはありません: \(command)"
        case .stillPendingLine(let cause):
            "リクエストは承認待ちのままですが、ここでは回答を待てません"
                + (cause.map { ": \($0)" } ?? "。")
        case .notDeliveredLine(let cause):
            "配信をまだ記録できていません" + (cause.map { ": \($0)" } ?? "。")
                + "次回の起動時に配信されます。"
        case .notCompleteLine(let item, let product, let isPaused):
            "\(item)は購入済みですが、ダウンロードは" + (isPaused ? "一時停止中です。" : "完了していません。")
                + "再開: storefront downloads resume \(product)"
        case .interruptedLine(let name):
            "中断しました。\(name)は購入済みです。残りの配信は次回の起動時に行われます。"
        case .notTried(let products): "未実行: \(products.joined(separator: "、"))"
        case .soldButNotDelivered(let device):
            "購入は完了しています。\(device)の配信は別のショップが担当していますが、まだ行われていません。"
                + "停止している場合は、再開または終了すると続きます。"
        case .sentAgainSold(let item, let transaction):
            "購入が完了しました：\(item)、取引\(transaction)。"
        case .sendingAgainLine(let item, let age):
            "再送信: \(item)。\(age)前の支払いで、応答の前にプロセスが終了していました。"
        case .notSentLine(let item, let age, let advice):
            "未送信: \(item)。\(age)前の支払いで、応答の前にプロセスが終了していました。請求はありません。"
                + self.text(advice)
        case .buyOrDrop(let buy, let drop): "購入: \(buy)、取り消し: \(drop)"
        case .productInvalid(let id): "無効: \(id)は販売されていません。"
        case .paymentsOffFor(let account): "アカウント\"\(account)\"では購入できません。"
        case .noPaymentsQueued: "待機中の支払いはありません。"
        case .beingSent: "送信中"
        case .notAnswered: "回答なし"
        case .soldUnfinished(let transaction):
            "\(transaction)として購入済み、未完了: 次回の起動時に配信"
        case .heldNotSent: "保留、未送信"
        case .ago(let age): "\(age)前"
        case .droppedLine(let id): "\(id)を取り消しました。請求はありません。"
        case .droppedFailed(let id): "失敗していた\(id)を取り消しました。請求はありません。"
        case .notDroppedSold(let payment, let transaction):
            "取り消せません: \(payment)は取引\(transaction)として販売済みです。次回の起動時に配信されます。"
        case .notDroppedPending(let payment, let request):
            "取り消せません: \(payment)はリクエスト\(request)として回答待ちです。"
        case .unverifiedUnfinished(let transaction, let reason):
            "このデバイスの取引\(transaction)は検証できず (\(reason))、配信されていません。次回の起動時に再び提示されます。"
        case .unverifiedNotRestored(let count): "\(count)件の取引は検証できず、復元されませんでした。"
        case .nothingNew: "新たに復元する購入はありません。"
        case .restoredCount(let count): "\(count)件の購入を復元しました。"
        case .deliveredCount(let count): "\(count)件の購入を配信しました。"
        case .undeliveredLine(let count, let deliver):
            "\(count)件の購入がこのデバイスにまだ配信されていません。配信: \(deliver)"
        case .unclaimedLine(let count, let claim):
            "アプリの外で購入された\(count)件は、引き継いだデバイスに配信されます: "
                + claim.joined(separator: "、")
        case .noHistory: "該当するイベントはありません。"
        case .nothingFound: "ここで分かっている取引に、該当するものはありません。"
        case .nothingSold(let account): "アカウント\"\(account)\"の購入はまだありません。"
        case .allFinished: "すべて完了しています。"
        case .afterRestored(let count): "\(count)件の後"
        case .restoredBeforeFailure(let count): "復元に失敗する前に\(count)件が戻りました。"
        case .restoreLostNothing:
            "何も失われていません。購入はアカウントに残り、このデバイスにあるものも使えます。オンラインに戻ってから復元してください。"
        case .finishedLine(let id): "\(id)を完了しました。"
        case .finishQueued(let id): "オンラインに戻ると\(id)を完了します。"
        case .consumablesNotRestored:
            "コインなどの消耗型は復元されません。購入したデバイスにだけ残ります。"
        case .noPromoted: "アプリの外で始まった購入は、このデバイスにありません。"
        case .promotedDropped(let product): "アプリの外で始まった\(product)の購入を破棄しました。"
        case .unreadableEntitlement(let transaction, let product, let reason):
            "\(transaction)  \(product)  未検証: \(reason)"
        case .unlocksLine(let names, let hasProducts, let asOf, let until):
            (names.isEmpty
                ? hasProducts ? "持っている商品が有効にする名前付きの機能はありません" : "有効な機能はありません"
                : "有効な機能: \(names.joined(separator: "、"))")
                + "(\(asOf)時点" + (until.map { "、\($0)まで)" } ?? ")")
        case .finishedBefore(let id): "\(id)は完了済みです。"
        case .anotherDevicesLine(let id): "\(id)は別のデバイスが配信して完了します。"
        case .noEntitlements: "利用できる購入はありません。"
        case .purseEmpty: "残高はまだありません。"
        case .purseNotCurrent:
            "ストアに書き込めません。このデバイスを最後に使ったあとの返金は、まだ差し引かれていません。"
        case .noValues: "その値はありません。"
        case .valueChanged(let key, true): "アカウントのすべてのデバイスの\(key)が変わりました。"
        case .valueChanged(let key, false): "このデバイスの\(key)が変わりました。ストアに接続すると、ほかのデバイスにも伝わります。"
        case .spentLine(let amount, let unit, let left): "\(unit)を\(amount)使いました。残り\(left)。"
        case .claimedLine(let transaction, let device):
            "\(transaction)を\(device)に引き継ぎました。"
        case .offerForLaterLine(let name, let transaction, let from):
            "\(name)のオファーは\(from ?? "次の更新")から始まり、それまで\(transaction)が続きます。請求はありません。"
        }
    }

    private static func says(_ answer: ConsumptionAnswer) -> String {
        let delivery =
            switch answer.deliveryStatus {
            case .delivered: "提供済み"
            case .qualityIssue: "品質の問題で未提供"
            case .wrongItem: "別の品を提供"
            case .serverOutage: "サーバー停止で未提供"
            case .other: "未提供"
            }
        let used = answer.consumptionPercentage.map { "\($0 / 1000)%使用" }
        let preference: String? =
            switch answer.refundPreference {
            case .decline: "返金しないことを希望"
            case .grantFull: "全額返金を希望"
            case .grantProrated: "一部返金を希望"
            case nil: nil
            }
        return "バックエンド: " + [delivery, used, preference].compactMap(\.self).joined(separator: "、")
    }

    static func text(_ text: DownloadLineText) -> String {
        switch text {
        case .packedLine(let path, let files, let bytes, let packed):
            "\(files)個のファイル (\(Measures.bytes(bytes))) を\(Measures.bytes(packed))にまとめました: \(path)"
        case .servingLine(let address, let products):
            "\(products)個の製品のコンテンツを配信しています: \(address) 終了はCtrl-C。"
        case .packageProblem(let path, let found, let expected):
            "エラー: " + (path.map { "\($0): " } ?? "") + "\(found) (期待: \(expected))"
        case .packageInvalidLine(let problems): "無効です: 問題\(problems)件。"
        case .packageValidLine(let product, let package, let files, let bytes):
            "有効です: \(product)、パッケージ\(package)、ファイル\(files)個、\(Measures.bytes(bytes))。"
        case .updateLine(let product, let package, let from, let to, let bytes):
            "\(product) \(package): \(from) → \(to)、\(Measures.bytes(bytes))"
        case .noUpdates: "このデバイスの内容はすべて最新です。"
        case .lookAtTerritory(let code): "その地域を見る: storefront products --territory \(code)"
        case .upToDate(let product): "\(product)は最新です。"
        case .noDownloadFaults(let device): "\(device)のダウンロードに障害はありません。"
        case .downloadFaults(let device, let faults):
            "\(device)のダウンロード: \(list(faults))。"
        case .contentOpenAlready(let package):
            "\(package)はすでに開いています。何も使っていません。"
        case .noContentHere: "このデバイスに内容はありません。"
        case .contentRemoved(let product, let package, let bytes):
            "\(product) \(package)を削除しました (\(Measures.bytes(bytes)))。いつでも再ダウンロードできます。"
        case .spaceLine(let space):
            "パッケージ\(space.packages)個、\(Measures.bytes(space.bytes))"
                + (space.partialBytes > 0
                    ? "、ダウンロード中\(Measures.bytes(space.partialBytes))" : "")
                + (space.freeBytes.map { "、空き\(Measures.bytes($0))" } ?? "")
        case .noPackages: "このストアにパッケージはありません。"
        case .bytes(let bytes): Measures.bytes(bytes)
        case .watchingLine(let device, let delivers):
            "\(device)を監視しています。"
                + (delivers ? "このプロセスが配信します。" : "別のプロセスが配信します。") + "Ctrl-Cで終了。"
        case .downloadsGoOn(let names):
            "ダウンロード途中: \(names.joined(separator: "、"))。次にショップを開くと再開します。今すぐ続けるには: "
                + "storefront downloads run"
        case .watchDelivers: "このプロセスが配信を引き継ぎました"
        case .watchDownload: "ダウンロード"
        case .watchProblem: "問題"
        case .noDownloads: "このデバイスにダウンロードはありません。"
        case .nobodyDownloads:
            "このデバイスのダウンロードを行うプロセスがありません。ショップを開くと続きます。"
                + "または: storefront downloads resume ID"
        case .staysPaused(let product):
            "\(product)は一時停止中です。再開: storefront downloads resume \(product)"
        case .downloadedAlready(let product): "\(product)はすでにダウンロード済みです。"
        case .standsStill(let product, let seconds, isElsewhere: false):
            "\(product)は\(seconds)秒間、何も届いていません。続行: storefront downloads run"
        case .standsStill(let product, let seconds, isElsewhere: true):
            "このデバイスの別のプロセスが\(product)をダウンロード中ですが、\(seconds)秒間、何も届いていません。"
                + "そのプロセスを終了するか、長く待ってください: storefront downloads run --patience SECONDS"
        case .salesStayOpen(let seconds):
            "購入が\(seconds)秒間、完了していません。未完了の取引: storefront transactions --unfinished"
        case .updateCancelledLine(let product, let version):
            "\(product)のアップデートを中止しました。バージョン\(version)はそのまま残ります。"
        case .besideUpdate(let version, let state): "ダウンロード済み、\(version)は\(state)"
        case .downloadSettings(let settings):
            DeviceSwitch.allCases.map { state(of: $0, settings) }.joined(separator: sentenceGap)
        case .waitsForConsent(let product, let bytes):
            "\(product)は待機中です。従量制接続で、\(Measures.bytes(bytes))あります。ダウンロード: storefront downloads resume \(product) --metered"
        case .askMetered(let product, let bytes):
            "従量制接続です。\(product)（\(Measures.bytes(bytes))）をダウンロードしますか？[y/N] "
        case .finishCancels(let product, let package):
            "終了すると\(product) \(package)のダウンロードは中止されます。再ダウンロードできます。"
        case .bytesToDownload(let bytes): "再ダウンロード \(Measures.bytes(bytes))"
        case .bytesOf(let received, let expected):
            "\(Measures.bytes(received)) / \(Measures.bytes(expected))"
        case .downloadState(let state):
            switch state {
            case .waiting: "待機中"
            case .active: "ダウンロード中"
            case .paused: "一時停止"
            case .failed: "失敗"
            case .finished: "ダウンロード済み"
            case .cancelled: "中止"
            case .deleted: "削除済み"
            }
        case .downloadNeedsConsent: "待機中（従量制接続）"
        case .downloadNotWorkedOn: "待機中（未実行）"
        case .downloadWaitsForRoom: "待機中（空き容量なし）"
        }
    }

    static func text(_ text: SubscriptionLineText) -> String {
        switch text {
        case .renewalSettings(let settings, let rate):
            "レート: \(rate) (\(settings.rate.name))、"
                + (settings.renewalsMax.map { "更新は最大\($0)回" } ?? "更新回数の制限なし")
                + (settings.limitPerDay.map { "、24時間に\($0)回まで" } ?? "")
                + "、更新の支払いは\(settings.failsBilling ? "失敗" : "成功")、"
                + "猶予期間\(settings.hasGracePeriod ? "あり" : "なし")。"
        case .noIssues: "発行された号はありません。"
        case .issueToRead: "ダウンロード可"
        case .issueNotOwned: "登録者のみ"
        case .noSubscriptions: "サブスクリプションはありません。"
        case .subscriptionRevoked: "取り消し済み"
        case .subscriptionNeverEnds: "終了なし"
        case .subscriptionState(let state):
            switch state {
            case .subscribed: "有効"
            case .expired: "期限切れ"
            case .inBillingRetryPeriod: "支払い失敗"
            case .inGracePeriod: "猶予期間"
            case .revoked: "返金済み"
            }
        case .subscriptionRenews(let date, let price, let product):
            "\(date)に" + (product.map { "\($0)として" } ?? "") + (price.map { "\($0)で" } ?? "") + "更新"
        case .subscriptionRenewedAhead(let date, let until, let price):
            "\(date)に更新（請求済み）、次回は\(until)" + (price.map { "に\($0)" } ?? "")
        case .subscriptionEnds(let date): "\(date)に終了"
        case .subscriptionEndsNotForSale(let date): "\(date)に終了（販売終了）"
        case .subscriptionEndedAtLimit: "終了: 更新回数の上限"
        case .subscriptionThen(let product, let plan):
            "その後は" + [product, plan.map { paid($0) }].compactMap(\.self).joined(separator: "、")
        case .billingPlanName(let plan): paid(plan)
        case .subscriptionPays(let date, let price):
            "次の支払いは\(date)" + (price.map { "に\($0)" } ?? "") + "、契約期間で終了"
        case .subscriptionCommitment(let number, let count, let date):
            "\(date)まで\(count)回中\(number)回目の支払い"
        case .subscriptionRetried(let price):
            "利用不可、支払いが成功すれば" + (price.map { "\($0)で" } ?? "") + "更新"
        case .subscriptionEnded(let reason): reason.map { "終了: \(ended($0))" } ?? "終了"
        case .subscriptionProblem(let problem, let id, let product):
            switch problem {
            case .billingFailed:
                "\(id)の支払いに失敗しています。支払うには: storefront operator resolve-billing \(id)"
            case .priceConsentNeeded:
                "\(id)は値上げされます。同意がなければ期間の終わりに終了します。"
                    + "同意するには: storefront operator price-increase consent \(id)"
            case .productUnavailable:
                "\(id)の商品 (\(product)) は販売を終了しました。期間の終わりに終了します。続けるには別のプランを"
                    + "購入してください。カタログにあれば再び販売できます: "
                    + "storefront operator publish \(product) approved"
            }
        case .timeline(let what):
            switch what {
            case .subscribed: "登録"
            case .resubscribed: "再登録"
            case .changedPlan: "このプランに変更"
            case .renewed: "更新"
            case .recovered: "回復: 失敗した更新が支払われた"
            case .gap(0): "1日未満の空白"
            case .gap(let days): "\(days)日間の空白"
            case .autoRenew(let isOn): isOn ? "自動更新オン" : "自動更新オフ"
            case .event(let kind): Self.text(EventText.subscriptionEvent(kind))
            case .expired(let reason): reason.map { "期限切れ: \(ended($0))" } ?? "期限切れ"
            case .revised(.refunded): "返金"
            case .revised(.revoked): "取り消し"
            case .revised(.refundReversed): "返金の取り消し"
            case .revised(.expiryMoved): "期限の変更"
            case .revised(.upgraded): "プラン変更で終了し、残りを返金"
            case .revised(.tokenSet): "アプリのトークンを設定"
            }
        case .noOffers(let product): "\(product)にオファーはありません。"
        case .offerAppliesByItself: "自動的に適用"
        case .timelineUntil(let date): "\(date)まで"
        case .timelineFrom(let date): "\(date)から"
        case .timelineFromUntil(let from, let until): "\(from)から\(until)まで"
        case .expiredAtRenewalLimit: "期限切れ: 更新回数の上限"
        case .renewsAs(let product, let to): "\(product)、次は\(to)"
        case .activeFromUntil(let from, let until): "\(from)から\(until)まで有効"
        case .activeFrom(let from): "\(from)から有効、期限なし"
        }
    }

    static func text(_ text: StoreLineText) -> String {
        switch text {
        case .serverListening(let address):
            "このストアのApp Store Server APIです: \(address) 終了はCtrl-C。"
        case .requestsNotListed(let number):
            "\(number)件のリクエストは応答済みですが、出力が読まれなかったため表示していません。"
        case .apiKeyMade(let id, let issuer, let file):
            "キーID \(id)、Issuer ID \(issuer)。"
                + (file.map { "秘密鍵は\($0)にあります。ストアには残りません。" }
                    ?? "秘密鍵を保管してください。ストアには残らず、再び表示されません。")
        case .apiKeyRevoked(let id): "キー\(id)を失効させました。このキーのトークンはもう使えません。"
        case .noAPIKeys: "キーはありません。作成: storefront operator api-keys create"
        case .notification(let text): Self.text(text)
        case .apiKeyState(let isRevoked): isRevoked ? "失効" : "有効"
        case .noRequestsLine: "承認待ちのリクエストはありません。"
        case .noRequestsToAnswer(let account):
            "アカウント「\(account)」が答えるリクエストはありません。"
        case .requestNotSold(let request, let reason):
            "リクエスト\(request)は購入になりませんでした。\(reason)"
        case .nothingWasWaiting: "承認待ちはありませんでした。"
        case .noFamilyLine(let account): "アカウント\"\(account)\"はファミリーに入っていません。"
        case .noFamiliesLine: "ファミリーはありません。"
        case .noNoticesLine: "アカウントについてのお知らせはありません。"
        case .noSharesLine(let account): "アカウント\"\(account)\"に共有されているものはありません。"
        case .familyRole(_, isOrganizer: true): "管理者"
        case .familyRole(.adult, _): "大人"
        case .familyRole(.child, _): "お子様"
        case .familyShares(all: false, _): "なし"
        case .familyShares(all: true, let keptBack):
            keptBack.isEmpty ? "すべての購入" : "\(keptBack)以外のすべて"
        case .doneWithdrawn(let id): "リクエスト\(id)を取り下げました。請求はありません。"
        case .doneRefundRequested(let id): "\(id)の返金を依頼しました。ストアが判断します。"
        case .noRefundRequested: "返金の依頼はありません。"
        case .doneClockStopped: "ストアの時計を停止しました。"
        case .doneClockRunning: "ストアの時計は動作中です。"
        case .doneNowIs(let date): "ストアの現在時刻: \(date)。"
        case .doneRenewed(let count, let orMore): "\(count)件\(orMore ? "以上" : "")更新されました。"
        case .doneRenewals: "更新の方法を設定しました。"
        case .doneRate(let rate): "これから購入されるサブスクリプションのレート: \(rate)。"
        case .doneBilling(fails: true): "これから更新の支払いは失敗します。"
        case .doneBilling(fails: false): "これから更新の支払いは成功します。"
        case .doneGrace(isOn: true): "更新が失敗すると猶予期間が続きます。"
        case .doneGrace(isOn: false): "更新が失敗しても猶予期間はありません。"
        case .doneRenewalLimit(.count(let number), inDay: false): "更新は続けて最大\(number)回です。"
        case .doneRenewalLimit(.none, inDay: false): "更新回数はレートの制限に従います。"
        case .doneRenewalLimit(.endless, inDay: false): "更新回数に制限はありません。"
        case .doneRenewalLimit(.count(let number), inDay: true): "更新は24時間に最大\(number)回です。"
        case .doneRenewalLimit(.none, inDay: true), .doneRenewalLimit(.endless, inDay: true):
            "24時間の更新回数に制限はありません。"
        case .happened(let product, let what, let account): "\(product): \(what)（\(account)）。"
        case .sharesNothing(let account, let product):
            "アカウント\"\(account)\"は購入を共有していないため、\(product)も共有されません。共有するには: storefront operator family share \(account) on"
        case .signedInAs(let account, let environment):
            "App Storeに\(account)でサインインしています(環境\(environment))。"
        case .signedOutOf(let account):
            "このデバイスの\(account)はApp Storeからサインアウトしました。購入済みのものは使えます。"
        case .signInPrompt(let account, let environment):
            "App Storeに\(account)でサインインしますか? (環境\(environment)) [y/N] "
        case .networkIsOn(let device): "デバイス\(device)はオンラインです。"
        case .networkIsOff(let device, let time):
            "デバイス\(device)はオフラインです。このデバイスからはストアに接続できません。"
                + (time.map { "\($0)後に自動的にオンラインになります。" } ?? "")
        case .networkIsSlow(let device, let time):
            "デバイス\(device)はオンラインですが、応答が\(time)遅れます。"
        case .networkOffAfterPayment(let device):
            "デバイス\(device)は、次の支払いがストアに記録されるとオフラインになり、その応答は届きません。"
        case .offlineSince(let date): "このデバイスはオフラインです。\(date)時点の情報です。"
        case .clockIs(let date, let isStopped): "\(date)  \(isStopped ? "停止" : "動作中")"
        case .nextOnClock(let date, let kind, let product, let account, let isDue):
            "\(date)  \(isDue ? "予定時刻を経過" : "次"): \(step(kind, of: product))、\(account)"
        case .renewingUntil(let end, let at): "\(end)までの更新を処理しています。現在\(at)。"
        case .deviceGoesOn(let device, let account, let unknown):
            "\(account)の\(device)はここから続けられます。"
                + (unknown == 0
                    ? "ストアは付与された購入をすべて把握しています。"
                    : "ストアが把握していない購入が\(unknown)件ありますが、付与された内容は残ります。")
        case .resetTells(let store, let devices, let bytes, let catalog):
            "\(store)のストア (\(Measures.bytes(bytes))) を消去します: すべての販売とアカウント、"
                + "デバイス\(devices)台とそのダウンロード。鍵とカタログは残ります: \(catalog)"
        case .resetPrompt: "ストアを空にしますか? [y/N] "
        case .resetDone(let store): "\(store)のストアを空にしました。次のコマンドで新しいストアが作られます。"
        case .resetDeclined: "何も消去していません。"
        case .noStoreToReset(let store): "\(store)にストアはありません。何も消去していません。"
        case .store(let text): Self.text(text)
        case .noTakings: "まだ何も販売されていません。"
        case .notBehind: "このストアには、デバイスが読んだ記録がすべてあります。"
        case .waitingForLock(let process):
            "\(process.map { "プロセス\($0)" } ?? "別のプロセス")がストアのファイルをロックしています。待機中です。"
        case .migrating(let percent): "ストアを新しいバージョンに移行しています: \(percent) %"
        case .clockBehind(let seconds):
            "コンピュータの時計がストアの記録より\(seconds)秒遅れています。ストアの時刻は記録から進み続け、"
                + "日付が戻ることはありません。"
        case .outputLost(let reason):
            "結果を書き出せませんでした: \(reason)。行われた処理は有効です。"
        case .reportsTo(nil, _):
            "このデバイスにはアプリのバックエンドが設定されていません。取引は報告されません。"
        case .reportsTo(let address?, waiting: 0):
            "取引を\(address)に報告しています。未送信の報告はありません。"
        case .reportsTo(let address?, let waiting):
            "取引を\(address)に報告しています。未送信の報告\(waiting)件は、ショップ、watch、buyの実行中に送られます。"
        case .listOf(let date): "\(date)時点のアプリの商品リストです。"
        }
    }

    static func text(_ text: DocumentLineText) -> String {
        switch text {
        case .catalogNotWritten(let path):
            "ストアに書き込めないため、\(path)ではなく、これまでのカタログで応答します。"
        case .catalogSets(let settings, let rate):
            "カタログの設定: " + catalogSettings(settings, rate).joined(separator: "、") + "。"
        case .catalogSettingsOverruled(let settings, let rate):
            "ストアで変更済み (カタログの値が変わるまで有効)。カタログの値: "
                + catalogSettings(settings, rate).joined(separator: "、") + "。"
        case .catalogWarnings(let count):
            "カタログに警告が\(count)件あります。履歴に表示されています。"
        case .moreWarnings(let count, let path):
            "さらに警告が\(count)件あります: storefront catalog check \(path)"
        case .catalogExported(let path, let products):
            "商品\(products)点を\(path)に書き出しました。"
        case .noStoreToCompare(let path):
            "\(path)にはまだストアがありません。カタログと矛盾するものはありません。"
        case .catalogInvalid(let errors, let warnings):
            "無効: エラー\(errors)件、警告\(warnings)件。"
        case .catalogValid(let products, let warnings):
            "有効: 商品\(products)点、警告\(warnings)件。"
        case .catalogSellsNothing(let warnings):
            "販売する商品がありません。カタログは開けますが、ショップは空になります。警告\(warnings)件。"
        case .problem(let severity, let place, let found, let expected):
            "\(severity): \(place): \(found) (正: \(expected))。"
        case .inFile: "ファイル"
        case .lineAndColumn(let place, let line, let column):
            "\(place) (\(line)行" + (column.map { "\($0)列" } ?? "") + ")"
        case .didYouMean(let word): "もしかして: \(word)"
        case .severityError: "エラー"
        case .severityWarning: "警告"
        case .catalogNotTaken(let path):
            "カタログは使われません。直前のカタログで販売を続けます: \(path)"
        case .catalogUnusable(let path): "カタログを使えません: \(path)"
        case .checkItWith: "何も変更されていません。確認: storefront catalog check FILE"
        case .andMore(let count): "ほか\(count)件。"
        case .verificationReason(let reason):
            switch reason {
            case .revokedCertificate: "証明書がストアの失効リストに載っています。"
            case .invalidCertificateChain: "証明書が信頼されたルートにつながりません。"
            case .invalidDeviceVerification: "別のデバイスのために署名されています。"
            case .invalidEncoding: "JSONのヘッダーとペイロードを持つ標準のJWSではありません。"
            case .invalidSignature: "証明書の鍵による署名ではありません。"
            case .missingRequiredProperties: "ペイロードに必要な項目がありません。"
            case .wrongApp: "署名は正しいものの、別のアプリのものです。StoreKitにこの名前はありません。"
            case .wrongEnvironment:
                "署名は正しいものの、別の環境のものです。StoreKitにこの名前はありません。"
            }
        case .kindTransaction: "取引"
        case .kindReceipt: "レシート"
        case .kindAppTransaction: "アプリの取引"
        case .kindRenewalInfo: "更新情報"
        case .kindManifest: "内容の一覧"
        case .kindRevocationList: "失効した証明書のリスト"
        case .kindOther: "不明なテキスト"
        case .verifiedLine(let kind): "\(self.text(kind)): 検証済みです。"
        case .notVerifiedLine(let kind, let reason):
            "\(self.text(kind)): 検証できません (\(reason.rawValue))。"
        case .consistentLine(let kind):
            "\(self.text(kind)): 付属の証明書による署名です。検証はされていません。"
        case .noRootPinned:
            "信頼するルート証明書がないため、誰が署名したかは分かりません。"
                + "--root FILE または --store DIR で指定してください。"
        case .partHeader: "ヘッダー"
        case .partCertificates: "証明書"
        case .partPayload: "ペイロード"
        case .notDecoded: "読み取れません"
        case .noSignedText(let place, let found):
            "\(place)には署名されたデータも証明書もありません。内容は\(found)ですが、"
                + "点で区切った3つのBase64からなるJWSが必要です。"
        case .noCertificates(let place):
            "ありません: \(place)のヘッダーに証明書がありません。x5cに末端、中間、ルートの3つが必要です"
        case .standardInput: "標準入力"
        case .thisText: "引数"
        case .certificateLeaf: "末端"
        case .certificateIntermediate: "中間"
        case .certificateRoot: "ルート"
        case .certificateOther: "証明書"
        case .certificateValid(let from, let until): "有効期間 \(from) から \(until) まで"
        case .certificateSerial(let number): "シリアル番号 \(number)"
        case .certificateMarkers(let markers): "用途の拡張 \(markers.joined(separator: "、"))"
        case .certificateIsPinned: "信頼されたルートです"
        case .receiptPath: "ファイル"
        case .receiptCreated: "作成"
        case .receiptKind: "種類"
        case .receiptApp: "アプリ"
        case .receiptState: "状態"
        case .receiptIsVerified: "検証済み"
        case .receiptExpired(let date): "期限切れ \(date)"
        case .receiptRevoked(let date): "取り消し \(date)"
        case .receiptEmpty: "レシートに取引はありません。"
        case .appTransactionRefreshed(let number):
            "アプリの取引\(number)を更新しました。請求はありません。"
        case .receiptRefreshed(let count): "レシートを更新しました: 取引\(count)件。請求はありません。"
        case .receiptMissing:
            "このデバイスにレシートはまだありません。取得: storefront receipt refresh"
        case .appTransactionNumber: "番号"
        case .appVersion: "バージョン"
        case .appSince: "入手"
        }
    }
}
