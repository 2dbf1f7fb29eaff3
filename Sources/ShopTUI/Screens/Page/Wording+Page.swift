import ShopCore
import ShopText
import StoreModel

/// The texts of a product's page and of the payment sheet.
extension Wording {
    /// The product's type and contents in a line: "One-time purchase, 19 kB download".
    func type(_ product: Product) -> String {
        var parts = [kind(product)]
        if let grant = product.grant { parts.append("\(grant.amount) \(grant.unit)") }
        let content = product.hostedContent
        if !content.isEmpty {
            let size = Measures.bytes(content.reduce(0) { $0 + $1.length })
            parts.append(self[.downloadOf(size: size)])
        }
        if case .ownServer = product.delivery { parts.append(self[.fromAppServer]) }
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
        case .buy: buy(product, state)
        case .manage: self[.manageSubscription]
        case .read: self[.read]
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

    /// The gain of a payment, for the row below the product's name: coins for the purse, or the
    /// kind of product.
    func gain(_ payment: PaymentSheet, _ state: ShopState) -> String {
        guard let grant = payment.product.grant else { return type(payment.product) }
        let amount = Int64(grant.amount * payment.quantity)
        let now = state.snapshot.balances.first { $0.unit == grant.unit }?.amount ?? 0
        return self[
            .forYourPurse(
                amount, unit: unit(grant.unit, state), now: now, after: now + amount)]
    }

    /// The label of the button that buys a product; of a plan, what buying it means.
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

    /// "$4.99 /month", or where an offer comes first by itself "free for 1 week, then $4.99/month".
    func priceWithPeriod(_ product: Product, _ state: ShopState) -> String {
        if let terms = state.usualTerms(of: product), let words = offerThen(terms, of: product) {
            return words
        }
        let price = price(product)
        return product.subscription?.period.map { price + " " + strings.perPeriod($0) } ?? price
    }

    /// "free for 1 week": the offer that comes first by itself; nil where there is none.
    func firstOffer(_ product: Product, _ state: ShopState) -> String? {
        state.usualTerms(of: product)?.offer.map {
            strings.first(of: $0, locale: product.priceLocale)
        }
    }

    /// "or $4.99/month, with a commitment": how a plan can be paid by the month; nil where it cannot.
    func monthlyPayment(of product: Product) -> String? {
        product.subscription?.billingPlans.first { $0.type == .monthly }.map { plan in
            let price = strings.price(Price(money: plan.price, locale: product.priceLocale))
            return self[.withCommitment(price: price + strings.perPeriod(plan.period))]
        }
    }

    /// How a plan compares with the others of its group, from long to short; empty where there is
    /// nothing to compare: "save 16%, $4.17 a month".
    func comparison(_ product: Product, _ list: ProductList) -> [String] {
        let saving = list.savings[product.id].map { self[.saving(percent: $0)] }
        let monthly = list.monthlyPrices[product.id].map {
            self[.perMonthPrice(strings.price(Price(money: $0, locale: product.priceLocale)))]
        }
        let whole = [saving, monthly].compactMap(\.self).joined(separator: self[.listSeparator])
        return whole.isEmpty ? [] : [whole] + [saving ?? monthly].compactMap(\.self)
    }

    /// The status of a plan and how it compares with the others of its group, from long to short:
    /// the comparison is left out before the status is shortened.
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

    /// "win-back offer: free for 1 month, then $4.99/month": the kind of an offer and its terms, in
    /// the way that the plan is paid with it.
    func words(_ offer: Offer, of product: Product) -> String {
        let plans = product.subscription?.billingPlans ?? []
        let type = offer.billingPlan ?? product.subscription?.usualBillingPlan
        return words(
            PurchaseTerms(billingPlan: plans.first { $0.type == type }, offer: offer),
            of: product)
    }

    /// The same for the terms of a purchase; empty for those without an offer.
    func words(_ terms: PurchaseTerms, of product: Product) -> String {
        guard let offer = terms.offer, let words = offerThen(terms, of: product) else { return "" }
        return self[.about(name: self[.offerName(offer.kind)], text: words)]
    }

    /// "free for 1 month, then $4.99/month": what is paid on the terms of a purchase; nil for those
    /// without an offer.
    private func offerThen(_ terms: PurchaseTerms, of product: Product) -> String? {
        guard let offer = terms.offer, let period = product.subscription?.period else { return nil }
        let regular = Price(
            money: terms.billingPlan?.price ?? product.price, locale: product.priceLocale)
        return self[
            .offerThen(
                first: strings.first(of: offer, locale: product.priceLocale),
                price: strings.price(regular)
                    + strings.perPeriod(terms.billingPlan?.period ?? period))]
    }

    /// Whether an offer can be taken, and if not, why.
    func note(on standing: OfferStanding) -> String {
        switch standing {
        case .available: self[.offerAvailable]
        case .withCode: self[.offerWithCode]
        case .afterPayment: self[.offerAfterPayment]
        case .atOnceOnly: self[.offerAtOnceOnly]
        case .refused(let reason): self[.offerRefused(reason)]
        }
    }

    /// The label of a button that buys on some terms: the price, or the trial that it starts.
    func buy(on terms: PurchaseTerms?, for price: Price, isAsking: Bool) -> String {
        let text = strings.price(price)
        if isAsking { return self[.askToBuyFor(price: text)] }
        if (terms?.before ?? terms?.offer)?.mode == .freeTrial { return self[.startTrial] }
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
        if download.needsConsent {
            parts.append(self[.meteredConnection])
        } else if waitsForNetwork {
            parts.append(self[.waitingForNetwork])
        } else if download.state == .active {
            if let rate = download.rate.flatMap(Measures.rate) { parts.append(rate) }
            if let seconds = download.secondsRemaining {
                parts.append(self[.timeLeft(Measures.clock(seconds: seconds))])
            }
        }
        return parts.joined(separator: self[.listSeparator])
    }
}
