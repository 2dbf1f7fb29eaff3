import ShopCore
import StoreModel

extension Words {
    func type(_ type: ProductType) -> String {
        switch type {
        case .consumable: say("Consumable", "消耗型")
        case .nonConsumable: say("Yours for good", "非消耗型")
        case .autoRenewable: say("Subscription", "自動更新サブスクリプション")
        case .nonRenewing: say("For a time, does not renew", "非更新サブスクリプション")
        }
    }

    /// What one gets, in a line, for page and sheet.
    func whatItIs(_ product: Product) -> String {
        var parts = [type(product.type)]
        if let subscription = product.subscription {
            parts = [subscriptionLine(subscription)]
        } else if let period = product.nonRenewingPeriod {
            parts.append(length(period))
        }
        if let grant = product.grant { parts.append("\(grant.amount) \(grant.unit)") }
        if !product.unsoldOffers.isEmpty { parts.append(say("sold without its offers", "特典なしで販売")) }
        let content = product.hostedContent
        if !content.isEmpty {
            let size = bytes(content.reduce(0) { $0 + $1.length })
            parts.append(say("\(size) to download", "ダウンロード \(size)"))
        }
        return parts.joined(separator: say(", ", "、"))
    }

    private func subscriptionLine(_ subscription: SubscriptionInfo) -> String {
        guard let period = subscription.period else {
            return say(
                "\(subscription.groupName), free, never ends", "\(subscription.groupName)、無料、無期限")
        }
        return say(
            "\(subscription.groupName), \(length(period)), renews by itself",
            "\(subscription.groupName)、\(length(period))ごとに自動更新")
    }

    func length(_ period: SubscriptionPeriod) -> String {
        if isJapanese {
            return "\(period.value)\(self.period(.init(unit: period.unit, value: 1)))間"
        }
        let unit =
            switch period.unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        return "\(period.value) \(unit)\(period.value == 1 ? "" : "s")"
    }

    func button(_ button: PageButton, _ product: Product) -> String {
        switch button {
        case .buy: buyFor(Price(of: product), isAsking: false)
        case .restore: restoreButton
        case .pause: say("Pause", "一時停止")
        case .resume: say("Resume", "再開")
        case .download: say("Download", "ダウンロード")
        case .cancelDownload: say("Cancel download", "ダウンロード中止")
        case .deleteContent: say("Delete content here", "この端末から削除")
        case .openConsole: say("Open console", "コンソール")
        case .back: say("Back", "戻る")
        }
    }

    /// The price stands on the button.
    func buyFor(_ price: Price, isAsking: Bool) -> String {
        let text = self.price(price)
        if isAsking { return say("Ask to buy for \(text)", "\(text)でリクエスト") }
        if price.money.milliunits == 0 { return say("Get for \(text)", "\(text)で入手") }
        return say("Buy for \(text)", "\(text)で購入")
    }

    /// "1.7 of 3.2 MB, 210 kB/s, 0:07 left"; a number that is not known yet is not shown.
    func progressLine(_ download: ProductDownload) -> String {
        let total = bytes(download.expected)
        let some = bytes(download.received)
        var parts = [say("\(some) of \(total)", "\(some) / \(total)")]
        if download.state == .active {
            if let rate = download.rate { parts.append("\(bytes(Int64(rate)))/s") }
            if let seconds = download.secondsRemaining {
                let left = duration(seconds: seconds)
                parts.append(say("\(left) left", "残り \(left)"))
            }
        }
        return parts.joined(separator: say(", ", "、"))
    }
}
