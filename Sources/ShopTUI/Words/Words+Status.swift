import ShopCore
import StoreModel
import Terminal

/// What a row's last column says: from the longest wording to the shortest, the first that fits is
/// shown.
extension Words {
    func status(_ status: ProductStatus, _ state: ShopState) -> [String] {
        let done = glyphs.done + " "
        let busy = glyphs.underWay + " "
        let wrong = glyphs.wrong + " "
        switch status {
        case .buyable(let isFree): return [isFree ? get : buy]
        case .purchasing: return [busy + say("buying", "購入中")]
        case .waitingForApproval:
            return isJapanese
                ? [busy + "承認待ち"] : [busy + "waiting for approval", busy + "waiting"]
        case .failed(let error):
            return failure(error).map { wrong + $0 }
        case .downloading: return []
        case .paused(let download):
            let percent = "\(Int(download.progress * 100))%"
            return [say("paused at \(percent)", "一時停止 \(percent)"), say("paused", "停止")]
        case .downloadFailed:
            return isJapanese
                ? [wrong + "ダウンロード失敗", wrong + "失敗"]
                : [wrong + "owned; download failed", wrong + "download failed", wrong + "failed"]
        case .notDownloaded:
            return isJapanese
                ? [done + "購入済、未ダウンロード", done + "未DL"]
                : [done + "owned, not downloaded", done + "owned"]
        case .owned(let isRestored):
            return [done + (isRestored ? say("restored", "復元済") : say("owned", "購入済"))]
        case .ownedElsewhere:
            return isJapanese
                ? ["購入済、r で復元", "r で復元"] : ["owned; r restores it", "r restores"]
        case .current(let until, let renews): return current(until, renews).map { done + $0 }
        case .timed(let until): return current(until, false).map { done + $0 }
        case .groupTaken(_, let until): return groupTaken(until)
        case .ownServer:
            return isJapanese
                ? ["自社サーバー配信", "-"] : ["from the app's own server", "own server"]
        }
    }

    /// One plan of a group at a time; the other simply ends, for now.
    private func groupTaken(_ until: Timestamp?) -> [String] {
        guard let until else { return [say("one plan at a time", "プランは一つずつ"), "-"] }
        let day = day(until)
        return isJapanese
            ? ["\(day)から購入可", "後で"] : ["can be bought from \(day)", "from \(day)", "later"]
    }

    private func current(_ until: Timestamp?, _ renews: Bool) -> [String] {
        guard let until else { return [say("current", "利用中")] }
        let day = day(until)
        if renews {
            return isJapanese
                ? ["利用中、\(day)に更新", "\(day)更新", day]
                : ["current, renews \(day)", "renews \(day)", day]
        }
        return isJapanese
            ? ["利用中、\(day)まで", "\(day)まで", day]
            : ["current, until \(day)", "until \(day)", day]
    }

    /// A failed purchase in a few words. The line of news has the whole sentence.
    private func failure(_ error: StoreError) -> [String] {
        let what =
            switch error.code {
            case .approvalDeclined, .paymentDeclined: say("declined", "拒否")
            case .purchaseNotAllowed: say("not allowed", "許可なし")
            case .networkError: say("no connection", "接続できません")
            case .productUnavailable, .notAvailableInStorefront:
                say("not available", "販売なし")
            case .priceChanged: say("price changed", "価格変更")
            case .storeFull, .storeBusy, .storeReadOnly, .storeUnreadable, .storeReplaced:
                say("store not reached", "ストアに届きません")
            default: say("failed", "失敗")
            }
        return isJapanese
            ? ["\(what)、請求なし", what] : ["\(what); not charged", what, "failed"]
    }

    /// The product's standing in a sentence, for its page.
    func statusLine(_ status: ProductStatus, of product: Product, _ state: ShopState) -> String {
        switch status {
        case .buyable: ""
        case .failed(let error): error.message(inJapanese: isJapanese).line
        case .purchasing: say("The store is deciding.", "ストアの応答を待っています。")
        case .waitingForApproval:
            say(
                "Waits for approval. Nothing was charged yet; the console can approve or decline.",
                "承認を待っています。まだ請求されていません。コンソールで承認できます。")
        case .downloading: ""
        case .paused: say("The download is paused.", "ダウンロードは一時停止中です。")
        case .downloadFailed(let download):
            download.error?.downloadMessage(inJapanese: isJapanese).line
                ?? say("The download failed.", "ダウンロードに失敗しました。")
        case .notDownloaded:
            say("Yours. Its content is not on this device.", "購入済み。この端末に内容はありません。")
        case .owned(let isRestored):
            isRestored
                ? say("Yours; brought back to this device.", "購入済み。この端末に復元しました。")
                : say("Yours.", "購入済み。")
        case .ownedElsewhere:
            say(
                "Your account owns it; restoring brings it to this device.",
                "購入済みです。復元するとこの端末で使えます。")
        case .current(let until?, renews: true):
            say(
                "Yours. Renews on \(day(until)) for \(price(Price(of: product))).",
                "利用中。\(day(until))に\(price(Price(of: product)))で更新されます。")
        case .current(let until?, renews: false):
            product.subscription?.period == nil
                ? say("Yours until \(day(until)).", "\(day(until))まで利用できます。")
                : say(
                    "Yours until \(day(until)); auto-renew is off.",
                    "\(day(until))まで利用できます。自動更新はオフです。")
        case .current(nil, _): say("Yours.", "利用中。")
        case .timed(let until):
            say(
                "Yours until \(day(until)). Buying it again adds to its time.",
                "\(day(until))まで利用できます。もう一度購入すると延長されます。")
        case .groupTaken(let other, let until):
            groupTaken(state.productList.product(other)?.displayName ?? other.rawValue, until)
        case .ownServer:
            say(
                "Delivered by the app's own server, which is not part of this store yet.",
                "アプリ自身のサーバーが配信します。このストアでは購入できません。")
        }
    }

    private func groupTaken(_ name: String, _ until: Timestamp?) -> String {
        guard let until else {
            return say("\(name) is current; one plan at a time.", "\(name)を利用中です。")
        }
        return say(
            "\(name) is current until \(day(until)); one plan at a time.",
            "\(name)を\(day(until))まで利用中です。プランは一つずつです。")
    }
}
