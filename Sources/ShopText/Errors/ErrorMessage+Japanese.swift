import StoreModel

extension Japanese {
    static func message(about facts: ErrorFacts) -> ErrorMessage? {
        ofSales(facts) ?? ofFamilies(facts) ?? ofStore(facts) ?? ofPlaces(facts)
    }

    /// The meaning of an error of the App Store Server API; its number stands beside it.
    private static func apiAnswer(status: Int) -> String {
        switch status {
        case 400: "サーバーは要求を誤りとして断ります。"
        case 403: "サーバーは変更を断ります。"
        case 404: "サーバーは求められたものを見つけられません。"
        case 429: "サーバーは要求が多すぎると答えます。"
        default: "サーバーが失敗します。"
        }
    }

    private static func ofSales(_ facts: ErrorFacts) -> ErrorMessage? {
        let (id, place) = (facts.transaction, facts.place)
        let (found, expected) = (facts.found, facts.expected)
        let isSent = facts.error.subject == Fault.Call.notification.rawValue
        let what = isSent ? "通知" : "更新"
        let heldBack = facts.isOnScreen ? "" : "解除: storefront operator failures --clear"
        return switch facts.error.code {
        case .paymentNotQueued:
            ErrorMessage("支払い\(facts.payment)は待機中ではありません。", next: "一覧: storefront payments")
        case .invalidSignature: ErrorMessage("署名が内容と一致しません。")
        case .invalidCertificateChain: ErrorMessage("証明書がストアのルートにつながりません。")
        case .revokedCertificate: ErrorMessage("署名した証明書は失効しています。")
        case .invalidDeviceVerification: ErrorMessage("別のデバイス用に署名されています。")
        case .invalidEncoding: ErrorMessage("署名された取引ではありません。")
        case .missingRequiredProperties: ErrorMessage("取引に必要な項目がありません。")
        case .deliveredTwice: ErrorMessage("\(what)が2回届きます。")
        case .deliveredLate: ErrorMessage("\(what)が遅れて届きます。", next: heldBack)
        case .deliveredOutOfOrder:
            ErrorMessage("\(what)が次の\(what)のあとに届きます。", next: heldBack)
        case .notDelivered: ErrorMessage("通知が、受け取られたものとして失われます。")
        case .wrongApp: ErrorMessage("別のアプリのものです。")
        case .wrongEnvironment: ErrorMessage("別の環境のものです。")
        case .lateAnswer: ErrorMessage("サーバーの応答が遅れます。")
        case .cutOffAnswer: ErrorMessage("サーバーの応答が途中で切れます。")
        case let code where code.apiError != nil:
            ErrorMessage(apiAnswer(status: (code.apiError ?? 0) / 10_000))
        case let code where code.attemptResult != nil:
            ErrorMessage("通知の送信は\(code.rawValue)で終わります。")
        case .deliveredAfterAnswer: ErrorMessage("販売の更新が購入の応答のあとに届きます。")
        case .refundTooLarge:
            ErrorMessage(
                "取引\(id)の\(found)は返金できません。",
                next: "返金できる残り: \(expected.replacing(" to ", with: "〜"))")
        case .alreadyRefunded:
            ErrorMessage("取引\(id)は全額返金済みです。", next: text(AdviceText.undoRefundCommand(id)))
        case .nothingUnused:
            ErrorMessage("取引\(id)に返金できる残り期間はありません。", next: "--percentで一部を返金してください。")
        case .notRevoked: ErrorMessage("取引\(id)は返金も取り消しもされていません。")
        case .boughtAgain: ErrorMessage("その後、取引\(id)で再び購入されています。", next: "先にその取引を返金してください。")
        case .transactionDeleted:
            ErrorMessage("この支払いは取引\(id)として販売され、その取引は削除されています。", next: text(AdviceText.newPaymentID))
        case .insufficientBalance:
            ErrorMessage("残高は\(found) \(place)で、\(expected)は使えません。", next: "使う量を減らすか、追加で購入してください。")
        case .valuesFull:
            ErrorMessage(
                "アカウントの値が\(found)\(place == "keys" ? "個" : "バイト")になります(上限は\(expected))。",
                next: "ほかの値を削除するか、小さくしてください: storefront values")
        case .spendMismatch:
            ErrorMessage(
                "この使用IDは別の内容で使用済みです (\(place): \(expected) → \(found))。",
                next: "新しい使用には新しいIDを使ってください。")
        case .noBillingIssue: ErrorMessage("このサブスクリプションの支払いに問題はありません。")
        case .noPriceIncrease: ErrorMessage("回答待ちの値上げはありません。")
        case .periodJustBegun:
            ErrorMessage("\(id)の期間はこの瞬間に始まったため、まだ終了できません。", next: "先にストアの時計を進めてください。")
        case .nextPeriodCharged:
            ErrorMessage(
                "\(id)の次の期間はすでに請求済みで、現在の期間の終わりに始まります。",
                next: "そこまで進めるには: storefront operator clock to \(facts.reachableDate)")
        case .priceCommitted:
            ErrorMessage(
                "\(expected)回の支払いの約束のうち\(found)回目まで済んでいます。約束の間、価格は変わりません。",
                next: "最後の支払いが済んでから、新しい価格を伝えてください。")
        case .notLastOfChain:
            ErrorMessage(
                "取引\(id)はサブスクリプションの最後の期間ではありません。",
                next: "先に\(expected)を削除するか、--whole-chainで全体を削除してください。")
        case .contradictoryEntry:
            ErrorMessage(
                "矛盾する記録は保存されませんでした" + (facts.error.found.map { " (\($0.text))" } ?? "") + "。",
                next: "プログラムの誤りです。この行を添えて報告してください。")
        case .duplicateRequest:
            ErrorMessage("\(facts.error.transactionID.map { "取引\($0)の" } ?? "")返金は依頼済みか返金済みです。")
        case .promotedNotHeld:
            ErrorMessage(
                "アプリの外で始まった\(facts.product)の購入は、このデバイスにありません。",
                next: facts.atShell("一覧: storefront promoted"))
        case .faultNotSet:
            ErrorMessage(
                "障害設定\(found)はありません。", next: facts.atShell("一覧: storefront operator failures"))
        default: nil
        }
    }

    private static func ofFamilies(_ facts: ErrorFacts) -> ErrorMessage? {
        let (place, found) = (facts.place, facts.found)
        return switch facts.error.code {
        case .alreadyInFamily:
            ErrorMessage(
                "アカウント\"\(place)\"はすでに\"\(found)\"のファミリーに入っています。",
                next: facts.atShell("先に外してください: storefront operator family leave \(place)"))
        case .notInFamily:
            ErrorMessage(
                "アカウント\"\(place)\"はファミリーに入っていません。",
                next: facts.atShell("ファミリーの作成: storefront operator family create ACCOUNT"))
        case .familyFull:
            ErrorMessage("\"\(place)\"のファミリーは\(found)人で、これ以上追加できません。", next: "先に誰かが退出する必要があります。")
        case .notForOrganizer: ErrorMessage("アカウント\"\(place)\"はファミリーの管理者で、お子様にはなれません。")
        case .notAChild: ErrorMessage("アカウント\"\(place)\"はファミリーのお子様ではありません。")
        case .childAlwaysAsks:
            ErrorMessage(
                "アカウント\"\(place)\"はお子様で、いつも承認が必要です。",
                next: facts.atShell("先に大人にしてください: storefront operator family role \(place) adult"))
        case .notShareable:
            ErrorMessage(
                "\(facts.product)はファミリーで共有できません。", next: "共有できる製品はカタログのfamilyShareableで決まります。")
        case .operatorOnly:
            ErrorMessage(
                "これはストアの運営者だけができます。アカウント\"\(found)\"にはできません。",
                next: facts.atShell("--asを外すとストアの運営者として操作します。"))
        default: nil
        }
    }

    private static func ofStore(_ facts: ErrorFacts) -> ErrorMessage? {
        let (place, why) = (facts.place, because(facts.error.cause))
        let (found, expected) = (facts.found, facts.expected)
        let (plan, extensionID) = (facts.error.productID?.rawValue ?? "", place)
        return switch facts.error.code {
        case .contentUnavailable:
            ErrorMessage(
                "ストアに\(facts.product)の内容がありません" + (facts.error.subject.map { " (\"\($0)\")" } ?? "")
                    + why + "。", next: "カタログを確認してください: storefront catalog check FILE")
        case .contentMismatch:
            ErrorMessage(
                "ダウンロードした\(facts.product)の内容が一致しません"
                    + (facts.error.subject.map { " (\"\($0)\")" } ?? "")
                    + "。", next: "もう一度ダウンロードしてください。")
        case .packageInvalid:
            ErrorMessage(
                "このパッケージは使えません: " + (facts.error.subject.map { "\"\($0)\": " } ?? "") + "\(found)。",
                next: text(AdviceText.expected(expected)))
        case .clockBackwards:
            ErrorMessage("ストアの時計は進めることしかできません。", next: "後の日付を選ぶか、--storeで新しいストアを始めてください。")
        case .clockOutOfRange:
            ErrorMessage("時計を証明書の有効期間外に合わせることはできません。", next: "2000年から2099-12-31までの日付を指定してください。")
        case .nothingDue:
            ErrorMessage("この先、自動的に更新または終了するサブスクリプションはありません。", next: "先に自動更新サブスクリプションを購入してください。")
        case .dueNotRecorded:
            ErrorMessage(
                "時計は\(facts.foundDate)に進み、サブスクリプションの処理を\(expected)件記録しましたが、"
                    + "残りの期日の来た処理は記録できませんでした (\(place))。",
                next: "ストアに書き込めるようになったら続けてください。次のコマンドが残りを記録します。")
        case .extendedInPart:
            ErrorMessage(
                "\(facts.product)のサブスクリプションを\(found)件延長しました。残りはまだです\(why)。",
                next: "二重に延長せずに続けるには: "
                    + "storefront operator extend-all \(expected) \(plan) --request-id \(extensionID)"
            )
        case .soldProductChanged:
            ErrorMessage(
                "カタログが販売済みの\(facts.product)を変更しています (\(place): \(expected) → \(found))。",
                next: "元に戻すか、--storeで別のストアから販売してください。")
        case .keysUnreadable:
            ErrorMessage(
                "ストアの署名鍵を読めません: \(place)\(why)。", next: "フォルダをコピーから戻すか、--storeで新しいストアを始めてください。")
        case .fileUnreadable: ErrorMessage("\"\(place)\"を読めません\(why)。", next: "パスとアクセス権を確認してください。")
        case .listInvalid:
            ErrorMessage(
                "テスト項目のリストに誤りがあります: \(place): \(found) (正: \(expected))。",
                next: "修正してから、もう一度開いてください。")
        case .productListInvalid:
            ErrorMessage(
                "\"\(place)\"を読み込みましたが、JSONの製品リストではありません。",
                next: "形式: {\"list\": \"A\", \"products\": [{\"id\": \"PRODUCT\"}]}、またはその製品かIDの配列。")
        case .fileUnwritable:
            ErrorMessage("\"\(place)\"に書き込めません\(why)。", next: "パスとアクセス権を確認してください。")
        case .fileExists:
            ErrorMessage("\"\(place)\"はすでにあります。", next: "置き換えるには--forceを付けてください。")
        case .deviceFull: ErrorMessage("ディスクがいっぱいです。", next: "空き容量を増やして再開するか、中止してください。")
        case .deviceUnreadable:
            ErrorMessage(
                "このデバイスのファイルを使えません: \(place)\(why)。",
                next: "コピーから戻すか、別のデバイスに復元してください: storefront restore --device NAME")
        case .rootChanged:
            ErrorMessage(
                "ストアのルート証明書がこのデバイスの登録時と異なります (\(place))。",
                next: "このデバイスのストアを使うか、別の--deviceを指定してください。")
        default: nil
        }
    }

    /// Of the place where the store is: a folder or a database.
    private static func ofPlaces(_ facts: ErrorFacts) -> ErrorMessage? {
        let (place, why, found) = (facts.place, because(facts.error.cause), facts.found)
        return switch facts.error.code {
        case .storeReplaced: ErrorMessage("実行中にストアが置き換えられました。", next: text(AdviceText.tryAgain))
        // Of a shop that is open.
        case .storeUnreachable where facts.error.subject == nil:
            ErrorMessage("ストアのサーバーに接続できません。", next: "自動的に接続し直します。")
        case .storeUnreachable:
            ErrorMessage(
                "ストアのサーバーに接続できません: \(place)\(why)。",
                next: "サーバーとの接続が回復してから、もう一度お試しください。")
        case .storeReadOnly where DatabaseAddress.isAddress(place):
            ErrorMessage(
                "ストアのデータベースに書き込めません: \(place)\(why)。",
                next: "プライマリサーバーと、書き込み権限のあるロールを使ってください。")
        case .storeMoved:
            ErrorMessage(
                "ストアはここでは閉じられ、\(place)で続いています。",
                next: "そちらを使ってください: --store \(facts.placeWord)")
        case .copyUnfinished:
            ErrorMessage(
                "これは\(place)の未完了のコピーなので、販売は行われません。",
                next: "コピーを完了してください: storefront store copy \(facts.placeWord) HERE")
        case .storeExists:
            ErrorMessage(
                "\(place)にはすでにストアがあります。", next: "別のアドレスを指定してください。")
        case .copyDiffers:
            ErrorMessage(
                "\(place)のコピーの\(found)は、元のストアと異なります。",
                next: "コピーを削除してください。どちらかの表が直接変更されています。")
        case .storeReadOnly:
            ErrorMessage(
                "ストアに書き込めません: \(place)\(why)。", next: "フォルダを書き込み可能にするか、--storeで別のフォルダを選んでください。")
        case .storeFull: ErrorMessage("ストアのディスクがいっぱいです: \(place)。", next: "空き容量を増やして、もう一度お試しください。")
        case .databaseUnsupported:
            ErrorMessage(
                "このプログラムが開けるのはフォルダのストアだけです。データベースのストアは開けません: \(place)。",
                next: "開けるプログラムを作るには: make postgresql (.build/storefront-postgresql)")
        case .notAStore:
            ErrorMessage(
                "\(place)はストアではありません。\"\(found)\"など別のファイルがあります。",
                next: "--storeには新しいフォルダ、空のフォルダ、またはストアのフォルダを指定してください。")
        case .storeOnNetwork:
            ErrorMessage(
                "\(place)はネットワークファイルシステム (\(found)) 上にあり、ロックでストアを保護できません。",
                next: "--storeでローカルのフォルダを選んでください。")
        default: nil
        }
    }
}
