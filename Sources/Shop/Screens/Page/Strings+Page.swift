import Basics
import ShopText
import StoreModel

/// The texts of a product's page and of the payment sheet.
extension Strings {
    /// As "One-time purchase, 19 kB download".
    func type(_ product: Product) -> String {
        var parts = [kind(product)]
        if let grant = product.grant { parts.append("\(grant.amount) \(grant.unit)") }
        let content = product.hostedContent
        if !content.isEmpty {
            let size = Measures.bytes(content.reduce(0 as Int64) { $0.addingClamped($1.length) })
            parts.append(self[.downloadOf(size: size)])
        }
        if case .ownServer = product.delivery { parts.append(self[.fromAppServer]) }
        return parts.joined(separator: self[.listSeparator])
    }

    /// As "One-time purchase".
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
            product.nonRenewingPeriod.map { self[.passOf(length: length($0))] }
                ?? self[.pass]
        }
    }

    func button(_ button: PageButton, _ product: Product, _ state: ShopState) -> String {
        switch button {
        case .buy: buy(product, state)
        case .manage: self[.manageSubscription]
        case .family: self[PageText.family]
        case .read: self[.read]
        case .seeOpener: self[.openWith(name: state.offeredOpener(of: product)?.displayName ?? "")]
        case .use: self[.use]
        case .stopUsing: self[.useStandardTheme]
        case .restore: self[.restorePurchases]
        case .pause: self[.pause]
        case .resume: self[.resume]
        case .download: self[.download]
        case .update: self[.update]
        case .cancelDownload: self[.cancelDownload]
        case .deleteContent: self[.deleteDownload]
        case .resolve: self[.resolvePurchase]
        case .withdraw: self[.withdraw]
        case .requestRefund: self[.askForRefund]
        case .receipt: self[.receipt]
        case .openConsole: self[.openConsole]
        case .back: self[.back]
        }
    }

    /// The amount of virtual currency and the balance before and after, or the product's type.
    func gain(_ payment: PaymentSheet, _ state: ShopState) -> String {
        guard let grant = payment.product.grant else { return type(payment.product) }
        let amount = Int64(grant.amount * payment.quantity)
        let now = state.snapshot.balances.first { $0.unit == grant.unit }?.amount ?? 0
        return self[
            .forYourPurse(
                amount, unit: unit(grant.unit, state), now: now, after: now + amount)]
    }

    /// The label of the button that buys a product; for a plan, the kind of change or the offer.
    private func buy(_ product: Product, _ state: ShopState) -> String {
        if let change = state.planChange(to: product), !change.isAtOnce {
            return laterChange(change, state)
        }
        let terms = state.usualTerms(of: product)
        let price = Price(
            money: terms?.price(of: product) ?? product.price, locale: product.priceLocale)
        return buy(on: terms, for: price, isAsking: state.settings?.askToBuy == true)
    }

    /// The label of a button that changes a plan and charges nothing now.
    func laterChange(_ change: PlanChange, _ state: ShopState) -> String {
        guard change.kind == .present else { return self[.changePlan] }
        let isOff = state.subscription(of: change.productID).map { !$0.autoRenews } ?? false
        return self[isOff ? .turnRenewalOn : .keepThisPlan]
    }

    /// As "$4.99 /month", or with the terms that apply, "free for 1 week, then $4.99/month".
    func priceWithPeriod(_ product: Product, _ state: ShopState) -> String {
        if let terms = state.usualTerms(of: product), let words = offerThen(terms, of: product) {
            return words
        }
        let price = price(of: product)
        return product.subscription?.period.map { price + " " + perPeriod($0) } ?? price
    }

    /// Unless the customer chooses another, as "free for 1 week"; nil if there is none.
    func firstOffer(_ product: Product, _ state: ShopState) -> String? {
        state.usualTerms(of: product)?.offer.map {
            first(of: $0, locale: product.priceLocale)
        }
    }

    /// As "or $4.99/month, with a commitment"; nil without a monthly billing plan.
    func monthlyPayment(of product: Product) -> String? {
        product.subscription?.billingPlans.first { $0.type == .monthly }.map { plan in
            let price = price(Price(money: plan.price, locale: product.priceLocale))
            return self[.withCommitment(price: price + perPeriod(plan.period))]
        }
    }

    /// As "save 16%, $4.17 a month", from long to short; empty if there is nothing to compare.
    func comparison(_ product: Product, _ list: ProductList) -> [String] {
        let saving = list.savings[product.id].map { self[.saving(percent: $0)] }
        let monthly = list.monthlyPrices[product.id].map {
            self[.perMonthPrice(price(Price(money: $0, locale: product.priceLocale)))]
        }
        let whole = [saving, monthly].compactMap(\.self).joined(separator: self[.listSeparator])
        return whole.isEmpty ? [] : [whole] + [saving ?? monthly].compactMap(\.self)
    }

    /// From long to short. The comparison is left out before the status is shortened.
    func planTexts(
        _ status: ProductStatus, _ product: Product, _ list: ProductList,
        monthly: String? = nil
    ) -> [String] {
        let texts = self.status(status)
        let compared = [monthly].compactMap(\.self) + comparison(product, list)
        guard !texts.isEmpty else { return compared }
        return texts.flatMap { text in
            compared.map { text + self[.listSeparator] + $0 } + [text]
        }
    }

    /// With the billing plan, as "win-back offer: free for 1 month, then $4.99/month".
    func words(_ offer: Offer, of product: Product) -> String {
        let plans = product.subscription?.billingPlans ?? []
        let type = offer.billingPlan ?? product.subscription?.usualBillingPlan
        return words(
            PurchaseTerms(billingPlan: plans.first { $0.type == type }, offer: offer),
            of: product)
    }

    /// Empty for terms without an offer.
    func words(_ terms: PurchaseTerms, of product: Product) -> String {
        guard let offer = terms.offer, let words = offerThen(terms, of: product) else { return "" }
        return self[.about(name: self[.offerName(offer.kind)], text: words)]
    }

    /// As "free for 1 month, then $4.99/month"; nil for terms without an offer.
    private func offerThen(_ terms: PurchaseTerms, of product: Product) -> String? {
        guard let offer = terms.offer, let period = product.subscription?.period else { return nil }
        let regular = Price(
            money: terms.billingPlan?.price ?? product.price, locale: product.priceLocale)
        return self[
            .offerThen(
                first: first(of: offer, locale: product.priceLocale),
                price: price(regular)
                    + perPeriod(terms.billingPlan?.period ?? period))]
    }

    /// Whether the account can take an offer, and the reason if it cannot.
    func note(on standing: OfferStanding) -> String {
        switch standing {
        case .available: self[.offerAvailable]
        case .withCode: self[.offerWithCode]
        case .afterPayment: self[.offerAfterPayment]
        case .refused(let reason): self[.offerRefused(reason)]
        }
    }

    /// The price, the free trial, or that the organizer is asked.
    func buy(on terms: PurchaseTerms?, for price: Price, isAsking: Bool) -> String {
        let text = self.price(price)
        if isAsking { return self[.askToBuyFor(price: text)] }
        if (terms?.before ?? terms?.offer)?.mode == .freeTrial { return self[.startTrial] }
        return price.money.milliunits == 0 ? self[.get] : self[.buyFor(price: text)]
    }

    /// Nil while bytes come, or wait for their turn.
    func standstill(_ download: ProductDownload, waitsForNetwork: Bool) -> String? {
        waitsForNetwork
            ? self[.waitingForNetwork] : download.silentSeconds.map { self[.noData(seconds: $0)] }
    }

    /// As "1.7 of 3.2 MB, 210 kB/s, 0:07 left"; unknown numbers are left out, and the rate where
    /// the line must be short.
    func progressLine(
        _ download: ProductDownload, waitsForNetwork: Bool, isLong: Bool
    ) -> String {
        var parts = [
            self[
                .progressOf(
                    received: Measures.bytes(download.received),
                    total: Measures.bytes(download.expected))]
        ]
        if download.needsConsent {
            parts.append(self[.meteredConnection])
        } else if let cause = standstill(download, waitsForNetwork: waitsForNetwork) {
            parts.append(cause)
        } else if download.state == .active {
            if isLong, let rate = download.rate.flatMap(Measures.rate) { parts.append(rate) }
            if let seconds = download.secondsRemaining {
                parts.append(self[.timeLeft(Measures.clock(seconds: seconds))])
            }
        }
        return parts.joined(separator: self[.listSeparator])
    }
}
