import ShopCore
import ShopText
import StoreModel

/// The texts of a product's page and of the payment sheet.
extension Wording {
    /// The product's type and contents in a line: "One-time purchase, 19 kB download".
    func type(_ product: Product) -> String {
        var parts = [kind(product)]
        if let grant = product.grant { parts.append("\(grant.amount) \(grant.unit)") }
        if !product.unsoldOffers.isEmpty { parts.append(self[.soldWithoutOffers]) }
        let content = product.hostedContent
        if !content.isEmpty {
            let size = Measures.bytes(content.reduce(0) { $0 + $1.length })
            parts.append(self[.downloadOf(size: size)])
        }
        return parts.joined(separator: self[.listSeparator])
    }

    /// The product's kind: "One-time purchase".
    func kind(_ product: Product) -> String {
        if let subscription = product.subscription {
            guard let period = subscription.period else {
                return self[.freeSubscription(group: subscription.groupName)]
            }
            return self[
                .renewingSubscription(
                    group: subscription.groupName, period.value, period.unit)]
        }
        return switch product.type {
        case .consumable: self[.consumable]
        case .nonConsumable: self[.oneTimePurchase]
        case .autoRenewable: self[.subscription]
        case .nonRenewing:
            product.nonRenewingPeriod.map { self[.passOf(length: strings.length($0))] }
                ?? self[.pass]
        }
    }

    func button(_ button: PageButton, _ product: Product, _ state: ShopState) -> String {
        switch button {
        case .buy: buyFor(Price(of: product), isAsking: state.settings?.askToBuy == true)
        case .read: self[.read]
        case .use: self[.use]
        case .stopUsing: self[.useStandardTheme]
        case .restore: self[.restorePurchases]
        case .pause: self[.pause]
        case .resume: self[.resume]
        case .download: self[.download]
        case .cancelDownload: self[.cancelDownload]
        case .deleteContent: self[.deleteDownload]
        case .resolve: self[.resolvePurchase]
        case .withdraw: self[.withdraw]
        case .requestRefund: self[.askForRefund]
        case .openConsole: self[.openConsole]
        case .back: self[.back]
        }
    }

    /// What is gained by a payment, in the row below the product's name: coins for the purse, or the
    /// kind of product.
    func gain(_ payment: PaymentSheet, _ state: ShopState) -> String {
        guard let grant = payment.product.grant else { return type(payment.product) }
        let amount = Int64(grant.amount * payment.quantity)
        let now = state.snapshot.balances.first { $0.unit == grant.unit }?.amount ?? 0
        return self[
            .forYourPurse(
                amount, unit: unit(grant.unit, state), now: now, after: now + amount)]
    }

    /// The label of a button that buys, with the price.
    func buyFor(_ price: Price, isAsking: Bool) -> String {
        let text = strings.price(price)
        if isAsking { return self[.askToBuyFor(price: text)] }
        return price.money.milliunits == 0 ? self[.get] : self[.buyFor(price: text)]
    }

    /// "1.7 of 3.2 MB, 210 kB/s, 0:07 left"; a number that is not known yet is not shown.
    func progressLine(_ download: ProductDownload, waitsForNetwork: Bool) -> String {
        var parts = [
            self[
                .progressOf(
                    received: Measures.bytes(download.received),
                    total: Measures.bytes(download.expected))]
        ]
        if waitsForNetwork {
            parts.append(self[.waitingForNetwork])
        } else if download.state == .active {
            if let rate = download.rate { parts.append("\(Measures.bytes(Int64(rate)))/s") }
            if let seconds = download.secondsRemaining {
                parts.append(self[.timeLeft(Measures.clock(seconds: seconds))])
            }
        }
        return parts.joined(separator: self[.listSeparator])
    }
}
