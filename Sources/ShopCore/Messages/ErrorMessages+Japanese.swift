import StoreModel

/// The same in Japanese, for screens. A code without words here is told in English.
enum JapaneseErrorMessages {
    private static let notCharged = "請求はありません。"
    private static let nothingChanged = "何も変更されていません。"

    static func message(for error: StoreError) -> ErrorMessage? {
        purchase(error) ?? content(error) ?? takingBack(error) ?? store(error)
    }

    private static func purchase(_ error: StoreError) -> ErrorMessage? {
        let (happened, next): (String, String)
        switch error.code {
        case .userCancelled: (happened, next) = ("購入をキャンセルしました。", "")
        case .paymentInvalid: (happened, next) = ("支払いが受け付けられませんでした。", "")
        case .purchaseNotAllowed:
            (happened, next) = ("このアカウントでは購入できません。", "コンソールで許可できます。")
        case .productUnavailable: (happened, next) = ("この商品は販売されていません。", "")
        case .invalidQuantity: (happened, next) = ("この数量は購入できません。", "1から10で指定してください。")
        case .notAvailableInStorefront: (happened, next) = ("この地域では販売されていません。", "")
        case .unsupported: (happened, next) = ("この操作には対応していません。", "")
        case .networkError:
            (happened, next) = ("ストアに接続できませんでした。", "もう一度お試しください。")
        case .systemError: (happened, next) = ("システムエラーです。", "もう一度お試しください。")
        case .unknown: (happened, next) = ("原因不明のエラーです。", "もう一度お試しください。")
        case .paymentDeclined:
            (happened, next) = ("支払いが拒否されました。", "別の支払い方法でお試しください。")
        case .approvalDeclined: (happened, next) = ("リクエストは却下されました。", "")
        case .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice,
            .missingOfferParameters, .invalidOfferSignature:
            (happened, next) = ("この特典は利用できません (\(error.code))。", "")
        case .priceChanged:
            (happened, next) = ("表示後に価格が変わりました。", "新しい価格を確認してください。")
        case .paymentMismatch:
            (happened, next) = (
                "この支払いIDは別の内容で使用済みです。", "新しい支払いには新しいIDを使ってください。"
            )
        case .alreadyOwned: (happened, next) = ("購入済みになりました。", "")
        case .subscriptionActive:
            (happened, next) = ("同じグループのプランを利用中です。", "終了後に購入できます。")
        case .notEntitled:
            (happened, next) = ("この端末では購入が確認できません。", "購入するか、復元してください。")
        default: return nil
        }
        return ErrorMessage(happened, kept: notCharged, next: next)
    }

    private static func content(_ error: StoreError) -> ErrorMessage? {
        switch error.code {
        case .contentUnavailable:
            ErrorMessage("ストアに内容がありません。", kept: "購入は有効です。", next: "カタログを確認してください。")
        case .contentMismatch:
            ErrorMessage(
                "ダウンロードした内容が一致しません。", kept: "購入は有効です。",
                next: "もう一度ダウンロードしてください。")
        case .downloadNotFound:
            ErrorMessage("この端末にダウンロードはありません。", kept: nothingChanged)
        case .downloadNotActive where error.found == Download.State.finished.rawValue:
            ErrorMessage("ダウンロード済みです。", kept: nothingChanged)
        case .downloadNotActive:
            ErrorMessage("ダウンロード中ではありません。", kept: nothingChanged)
        case .deviceFull:
            ErrorMessage(
                "ディスクがいっぱいです。", kept: "途中までの内容は保存されています。",
                next: "空きを作って再開するか、中止してください。")
        case .deviceUnreadable:
            ErrorMessage("この端末のファイルを読めません。", kept: "購入は有効です。")
        case .recordAltered:
            ErrorMessage(
                "この端末の記録が書き換えられています。", kept: "何も解放されません。",
                next: "復元すると購入を取り戻せます。")
        case .storeBehind:
            ErrorMessage(
                "ストアの記録がこの端末より古くなっています。", kept: notCharged,
                next: "新しいストアに戻すか、storefront operator accept-store で続けてください。")
        case .deviceBusy:
            ErrorMessage("別のプロセスがこの端末を使っています。", kept: nothingChanged)
        case .rootChanged:
            ErrorMessage(
                "ストアの証明書がこの端末の登録時と違います。", kept: "何も信用していません。",
                next: "この端末のストアを使うか、別の端末名を指定してください。")
        case .paymentNotQueued:
            ErrorMessage("その支払いは待機中ではありません。", kept: nothingChanged)
        case .requestNotPending:
            ErrorMessage("そのリクエストは承認待ちではありません。", kept: nothingChanged)
        case .transactionNotFound:
            ErrorMessage("その取引はありません。", kept: nothingChanged)
        default: nil
        }
    }

    private static func store(_ error: StoreError) -> ErrorMessage? {
        let place = error.subject.map { ": \($0)" } ?? ""
        return switch error.code {
        case .storeBusy:
            ErrorMessage(
                error.found.map { "ストアはプロセス \($0) が使用中です。" } ?? "ストアが使用中です。",
                kept: nothingChanged, next: "もう一度お試しください。")
        case .storeReplaced:
            ErrorMessage("ストアが置き換えられました。", kept: nothingChanged)
        case .storeReadOnly:
            ErrorMessage("ストアに書き込めません\(place)。", kept: nothingChanged)
        case .storeFull:
            ErrorMessage(
                "ストアのディスクがいっぱいです\(place)。", kept: "販売済みの記録は失われていません。",
                next: "空きを作ってください。")
        case .storeOfAnotherApp:
            ErrorMessage(
                "このストアは別の条件で作られています (\(error.subject ?? "?"): \(error.found ?? "?"))。",
                kept: nothingChanged, next: "--store で別のフォルダを選んでください。")
        case .soldProductChanged:
            ErrorMessage(
                "カタログが販売済みの商品 \(error.productID?.rawValue ?? "?") を変えています。",
                kept: "直前のカタログで販売を続けます。",
                next: "元に戻すか、--store で別のストアを使ってください。")
        case .outcomeUnknown:
            ErrorMessage(
                "記録されたかどうか不明です\(place)。", kept: "販売済みの記録は失われていません。",
                next: "同じ支払いIDでもう一度確認してください。二重に請求されることはありません。")
        case .storeUnreadable:
            ErrorMessage("ストアを読めません\(place)。", kept: nothingChanged)
        case .storeNewer:
            ErrorMessage(
                "ストアは新しいバージョンのものです\(place)。", kept: nothingChanged,
                next: "そのバージョンを使うか、別のフォルダを指定してください。")
        case .storeOnNetwork:
            ErrorMessage(
                "ストアがネットワーク上にあります\(place)。", kept: nothingChanged,
                next: "ローカルのフォルダを指定してください。")
        case .keysUnreadable:
            ErrorMessage(
                "ストアの署名鍵を読めません\(place)。", kept: nothingChanged,
                next: "コピーから戻すか、新しいストアを始めてください。")
        case .clockOutOfRange:
            ErrorMessage(
                "時計が証明書の有効な年の範囲外です。", kept: nothingChanged,
                next: "2000年から2100年の日付に合わせてください。")
        case .invalidName:
            ErrorMessage("この名前は使えません: \(error.found ?? "")。")
        default: nil
        }
    }
}

extension StoreError {
    /// The words for this error in a person's language, as far as it is spoken here.
    package func message(inJapanese isJapanese: Bool) -> ErrorMessage {
        (isJapanese ? JapaneseErrorMessages.message(for: self) : nil) ?? message
    }
}
