import ShopCore
import ShopText
import StoreModel

/// The texts of the palette's lines.
extension Strings {
    /// Words that find an action in the palette although its line does not contain them; nil if
    /// there are none.
    func alias(of action: ShopAction) -> String? {
        guard case .component(let action) = action, action is NetworkAction else { return nil }
        return self[.networkAlias]
    }

    /// The palette's line for an action of the operator.
    func offer(_ action: OperatorAction, of palette: Palette, _ state: ShopState) -> String {
        let name = palette.subject.map { self.name(of: $0, state) } ?? ""
        return switch action {
        case .approve(let number):
            self[.offerApprove(request(number, palette, state))]
        case .decline(let number):
            self[.offerDecline(request(number, palette, state))]
        case .resolve(let number): self[.offerResolve(request(number, palette, state))]
        case .declineRefund: self[.offerDeclineRefund(name: name)]
        case .buyOutside: self[.offerBuyOutside(name: name)]
        case .promote: self[.offerPromote(name: name)]
        case .publish(_, let state):
            self[state == .approved ? .offerPublish(name: name) : .offerTakeOff(name: name)]
        case .package(let action):
            self[.offerPackage(name: name, package: action.packageName, action.state)]
        case .refund(_, .rest, _): self[.offerRefund(name: name)]
        case .refund(_, .percent(let percent), _):
            self[.offerRefundPart(name: name, percent: percent)]
        case .refund(_, .prorated, _): self[.offerRefundUnused(name: name)]
        case .revoke: self[.offerRevoke(name: name)]
        case .reverseRefund: self[.offerReverse(name: name)]
        case .delete(_, wholeChain: false): self[.offerDelete(name: name)]
        case .delete(_, wholeChain: true): self[.offerDeleteAll(name: name)]
        case .setAutoRenew(_, let isOn): self[.offerAutoRenew(name: name, isOn: isOn)]
        case .renew: self[.offerRenew(name: name)]
        case .expire: self[.offerExpire(name: name)]
        case .resolveBilling: self[.offerResolveBilling(name: name)]
        case .priceIncrease(_, let step): self[.offerPriceIncrease(name: name, step)]
        case .extend(_, let days): self[.offerExtend(name: name, days: days)]
        case .extendAll(_, let days, _): self[.offerExtendAll(name: name, days: days)]
        case .cancelSubscription: self[.offerCancelSubscription(name: name)]
        case .clock(let action): clock(action)
        case .setRenewals(let change): renewals(change)
        case .failNext(let call, let error, _, let after):
            self[.offerFailure(call, failure(error, of: call, state), after: after)]
        case .clearFault(let id):
            self[.offerClearFailure(state.faults.first { $0.id == id }.map { failure($0) } ?? "")]
        case .clearFaults: self[.keyClearFailures]
        case .changeAccount(let change): account(change)
        case .family(let action): self[.offerFamily(action, product: name)]
        }
    }

    /// The name of the product that an action is about, as "550 coins", or "550 coins of kai" for
    /// another account.
    private func name(of subject: OperatorSubject, _ state: ShopState) -> String {
        let name = subject.product.map { state.name(of: $0) } ?? self[.aPurchase]
        guard subject.account != state.shop.account else { return name }
        return self[.nameOfAccount(name: name, account: subject.account.rawValue)]
    }

    /// The palette's line for a kind of action when no payment, plan or entry is there to act on.
    func offer(_ kind: OperatorAction.Kind) -> String {
        let (purchase, plan) = (self[.aPurchase], self[.aSubscription])
        return switch kind {
        case .approve: self[.offerApprove(self[.aRequest])]
        case .decline: self[.offerDecline(self[.aRequest])]
        case .resolve: self[.offerResolve(self[.aRequest])]
        case .refund: self[.offerRefund(name: purchase)]
        case .declineRefund: self[.offerDeclineRefund(name: purchase)]
        case .revoke: self[.offerRevoke(name: purchase)]
        case .reverseRefund: self[.offerReverse(name: purchase)]
        case .delete: self[.offerDelete(name: purchase)]
        case .setAutoRenew: self[.offerAutoRenew(name: plan, isOn: false)]
        case .renew: self[.offerRenew(name: plan)]
        case .expire: self[.offerExpire(name: plan)]
        case .resolveBilling: self[.offerResolveBilling(name: plan)]
        case .priceIncrease: self[.offerPriceIncrease(name: plan, .ask)]
        case .extend: self[.offerExtend(name: plan, days: 7)]
        case .extendAll: self[.offerExtendAll(name: plan, days: 7)]
        case .cancelSubscription: self[.offerCancelSubscription(name: plan)]
        case .buyOutside: self[.offerBuyOutside(name: self[.aProduct])]
        case .promote: self[.offerPromote(name: self[.aProduct])]
        case .publish: self[.offerPublish(name: self[.aProduct])]
        case .package: self[.offerHostPackage]
        case .clearFault: self[.keyRemoveFailure]
        case .clearFaults: self[.keyClearFailures]
        case .clock: self[.offerClockStop]
        case .setRenewals: self[.offerRealTime]
        case .failNext: self[.keyFailNext]
        case .changeAccount: self[.offerAskToBuy(isOn: true)]
        case .family: self[.keyActions]
        }
    }

    /// The palette's line for a fault of this device's downloads.
    func offer(_ fault: DownloadFaultOffer, of palette: Palette, _ state: ShopState) -> String {
        let name = palette.faultedPackage.map { state.name(of: $0.product) } ?? self[.aProduct]
        return switch fault {
        case .bandwidth(let rate): self[.offerBandwidth(Measures.bytes(rate))]
        case .latency(let milliseconds): self[.offerLatency(milliseconds: milliseconds)]
        case .trouble(let trouble, let place): self[.offerTrouble(trouble, place, name: name)]
        case .clear: self[.offerClearDownloadFaults]
        }
    }

    /// The byte of the download at which a fault occurs, shown at the right of the line; empty for
    /// a fault without a position.
    func code(of fault: DownloadFaultOffer, in palette: Palette) -> String {
        switch fault {
        case .trouble(_, let place):
            palette.faultedPackage.map { self[.atByte($0.byte(at: place))] } ?? ""
        case .bandwidth, .latency, .clear: ""
        }
    }

    /// The number or code of an action, shown at the right of the line; empty if it has none.
    func code(of action: OperatorAction) -> String {
        switch action {
        case .approve(let number), .decline(let number), .resolve(let number):
            number.description
        case .declineRefund(let id): id.description
        case .buyOutside(let product, _, _, _, _), .promote(let product, _),
            .publish(let product, _):
            product.rawValue
        case .package(let action): action.productID.rawValue
        case .refund(let id, _, _), .revoke(let id), .reverseRefund(let id), .delete(let id, _),
            .setAutoRenew(let id, _), .renew(let id), .expire(let id), .resolveBilling(let id),
            .priceIncrease(let id, _), .extend(let id, _), .cancelSubscription(let id):
            id.description
        case .extendAll(let product, _, _): product.rawValue
        case .failNext(_, let error, _, _): error.rawValue
        case .setRenewals(let change): change.rate?.name ?? ""
        default: ""
        }
    }

    /// A queued failure in words: "networkError for the next 2 restores".
    private func failure(_ fault: Fault) -> String {
        self[
            .failureForNext(
                error: fault.error.rawValue, call: fault.call, count: fault.remaining)]
    }

    /// The sentence that a customer reads when a call fails with an error.
    func failure(_ code: StoreError.Code, of call: Fault.Call, _ state: ShopState) -> String {
        let territory = state.settings.map { self.territory($0.territory, currency: nil) }
        let error = StoreError(
            code, subject: call == .purchase ? nil : call.rawValue,
            found: code == .notAvailableInStorefront ? territory : nil)
        let sentence = message(
            for: error, to: .screen(product: self[.thisProduct], namesConsole: namesConsole)
        )
        .happened
        // Some sentences begin with the product's name, which may be in lower case.
        return sentence.prefix(1).uppercased() + sentence.dropFirst()
    }

    /// The reason why a line of the palette cannot be carried out, in a sentence.
    func reason(_ refusal: EntryRefusal) -> String {
        switch refusal {
        case .shop(let reason): self[reason]
        case .store(let error):
            message(for: error, to: .screen(product: nil, namesConsole: namesConsole))
                .happened
        }
    }

    /// A request in words: "550 coins for $34.99, asked by kai".
    private func request(_ number: TransactionID, _ palette: Palette, _ state: ShopState) -> String
    {
        guard let request = palette.requests.first(where: { $0.number == number }) else {
            return number.description
        }
        let payment = request.payment
        let price = state.price(of: payment)
        let item = items(payment.quantity, state.name(of: payment.productID))
        return self[
            .askedBy(
                item: self[.itemFor(item: item, price: self.price(price))],
                account: request.account.rawValue)]
    }

    private func clock(_ action: ClockAction) -> String {
        switch action {
        case .stop: self[.offerClockStop]
        case .resume: self[.offerClockResume]
        case .advance(.calendar(let period)): self[.offerClockAdvance(length(period))]
        case .advance(.seconds(let seconds)):
            self[.offerClockAdvance(Measures.clock(seconds: Double(seconds)))]
        case .to(let instant): self[.offerClockTo(self.instant(instant))]
        case .next: self[.offerClockNext]
        }
    }

    private func renewals(_ change: RenewalsChange) -> String {
        if let fails = change.failsBilling { return self[.offerBilling(fails: fails)] }
        if let hasGrace = change.hasGracePeriod { return self[.offerGrace(isOn: hasGrace)] }
        return switch change.rate {
        case .realTime?: self[.offerRealTime]
        case .oneHourIsOneDay?, .thirtyMinutesIsOneDay?, .fiveMinutesIsOneDay?,
            .oneMinuteIsOneDay?, .thirtySecondsIsOneDay?, .oneSecondIsOneDay?:
            self[.offerRate(of: length(Self.day), time: time(change.rate, Self.day))]
        case .monthlyRenewalEveryHour?, .monthlyRenewalEveryThirtyMinutes?,
            .monthlyRenewalEveryFifteenMinutes?, .monthlyRenewalEveryFiveMinutes?,
            .monthlyRenewalEveryThirtySeconds?:
            self[.offerRate(of: length(Self.month), time: time(change.rate, Self.month))]
        case .oneRenewalEveryFifteenMinutes?, .oneRenewalEveryFiveMinutes?,
            .oneRenewalEveryMinute?, .oneRenewalEveryThirtySeconds?, .oneRenewalEveryTenSeconds?,
            .oneRenewalEveryTwoSeconds?:
            self[.offerRateOfAll(time: time(change.rate, Self.month))]
        case nil: self[CommandText.doneRenewals]
        }
    }

    /// The renewal settings in words: "1 month in 0:30, billing fails, grace period".
    func rate(_ settings: RenewalSettings) -> String {
        return [
            renewalRate(settings.rate), settings.failsBilling ? self[.billingFails] : nil,
            settings.hasGracePeriod ? self[.gracePeriod] : nil,
        ].compactMap(\.self).joined(separator: self[.listSeparator])
    }

    private static let day = SubscriptionPeriod(unit: .day, value: 1)
    private static let month = SubscriptionPeriod(unit: .month, value: 1)

    /// The real time of a subscription period at a renewal rate: "1:00:00", "0:30".
    private func time(_ rate: RenewalRate?, _ period: SubscriptionPeriod) -> String {
        Measures.clock(seconds: Double(rate?.seconds(of: period) ?? 0))
    }

    private func account(_ change: AccountChange) -> String {
        if let askToBuy = change.askToBuy { return self[.offerAskToBuy(isOn: askToBuy)] }
        if let canPay = change.canMakePayments { return self[.offerPayments(isOn: canPay)] }
        if let asksBank = change.asksBank { return self[.offerBank(isOn: asksBank)] }
        if let interrupts = change.interruptsPurchases {
            return self[.offerInterrupts(isOn: interrupts)]
        }
        if let disablesDialogs = change.disablesDialogs {
            return self[.offerDialogs(isOn: !disablesDialogs)]
        }
        if let locale = change.locale {
            let language = locale.isEmpty ? nil : languageName(locale)
            return self[.offerLocale(language: language)]
        }
        return territory(change.territory ?? "", currency: nil)
    }
}
