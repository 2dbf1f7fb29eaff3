package import StoreModel

extension Strings {
    private func clearedFault(_ events: [StoreEvent]) -> Fault? {
        for event in events {
            if case .faultCleared(let fault) = event.change { return fault }
        }
        return nil
    }

    /// The message for the operator when an action was carried out.
    ///
    /// - Parameters:
    ///   - events: what the action caused; empty where all of it was so already.
    ///   - settings: of the account the action changed, as they are now.
    ///   - clock: after an action that moved it.
    ///   - time: the clock's time as a screen writes it; nil for that of command lines.
    ///   - refunded: what a refund gave back.
    ///   - subscriptions: that were renewed or extended, without family shares; nil for all among
    ///     the events.
    ///   - hasMore: whether more happened than the events tell.
    ///   - wasSold: of a request that was accepted before, whether it is known to be a sale.
    package func done(
        _ action: OperatorAction, _ events: [StoreEvent], settings: AccountSettings? = nil,
        clock: ClockReading? = nil, time: String? = nil, refunded: Price? = nil,
        subscriptions: Int? = nil, hasMore: Bool = false, wasSold: Bool = false
    ) -> String {
        switch action {
        case .approve(let number) where events.isEmpty,
            .resolve(let number) where events.isEmpty:
            self[
                wasSold
                    ? CommandText.doneSoldBefore(number.description)
                    : .doneAnsweredBefore(number.description)]
        case .approve(let number):
            answered(number, .approved, events)
                ?? self[CommandText.doneApproved(number.description)]
        case .decline(let number): self[CommandText.doneDeclined(number.description)]
        case .resolve(let number):
            answered(number, .resolved, events)
                ?? self[CommandText.doneResolved(number.description)]
        case .declineRefund(let id): self[CommandText.doneRefundDeclined(id.description)]
        case .buyOutside(let product, _, _, _, _):
            planned(events).map {
                self[CommandText.donePlannedOutside(product: product.rawValue, day: $0)]
            }
                ?? self[
                    CommandText.doneSoldOutside(
                        product: product.rawValue,
                        transaction: soldTransaction(events)?.description ?? "")]
        case .promote(let product, let account):
            self[
                CommandText.donePromoted(
                    product: product.rawValue, account: account.rawValue)]
        case .publish(let product, let state):
            self[
                events.isEmpty
                    ? CommandText.publishedBefore(
                        product: product.rawValue, state: state.rawValue)
                    : CommandText.donePublished(
                        product: product.rawValue, state: state.rawValue)]
        case .package(let action):
            self[
                events.isEmpty
                    ? CommandText.packageBefore(
                        product: action.productID.rawValue, package: action.packageName,
                        action.state)
                    : CommandText.donePackage(
                        product: action.productID.rawValue, package: action.packageName,
                        action.state)]
        case .changeAccount(let change): changed(change, settings)
        case .failNext(let call, let error, let count, let after):
            self[
                CommandText.doneFailNext(
                    error: error.rawValue, call: call, count: count, after: after)]
        case .clearFaults: self[ScreenText.noFailures]
        case .clearFault(let id):
            self[
                CommandText.doneFaultCleared(
                    String(id), failure: clearedFault(events).map { faultSet($0) })]
        case .refund(let id, _, _):
            self[
                isOfConsumable(events)
                    ? CommandText.doneRefundedFromPurse(
                        id.description, sum: refunded.map { price($0) })
                    : CommandText.doneRefunded(
                        id.description, sum: refunded.map { price($0) })]
        case .revoke(let id):
            events.isEmpty
                ? self[CommandText.doneRevokedBefore(id.description)]
                : self[CommandText.doneRevoked(id.description)] + nextGivenBack(refunded)
        case .reverseRefund(let id): self[CommandText.doneReversed(id.description)]
        case .delete(let id, _): deleted(id, events)
        case .clock(let action):
            moved(action, events, clock.map { time ?? date($0.now) }, subscriptions, hasMore)
        case .setRenewals(let change): renewals(change)
        case .family(let action):
            self[CommandText.doneFamily(action, isChanged: !events.isEmpty)]
        case .setAutoRenew(let id, let isOn):
            isOn
                ? self[CommandText.doneAutoRenewOn(id.description)]
                : self[
                    CommandText.doneAutoRenewOff(
                        id.description, commitmentEnds: commitmentEnd(events).map { date($0) })]
        case .expire(let id):
            self[CommandText.doneExpired(id.description)] + nextGivenBack(refunded)
        case .renew(let id):
            self[
                CommandText.doneRenewedNow(
                    id.description,
                    wasOff: events.contains {
                        if case .autoRenewChanged(_, _, true, _) = $0.change {
                            true
                        } else {
                            false
                        }
                    })]
        case .resolveBilling(let id): self[CommandText.doneBillingResolved(id.description)]
        case .priceIncrease(let id, let step):
            self[
                CommandText.donePriceIncrease(id.description, step, isNew: !events.isEmpty)]
        case .extend(let id, let days):
            self[CommandText.doneExtended(id.description, days: days)]
        case .extendAll:
            self[
                CommandText.doneExtendedAll(
                    subscriptions ?? events.count { $0.kind == .expiryMoved }, orMore: hasMore)]
        case .cancelSubscription(let id): self[CommandText.doneCancelled(id.description)]
        }
    }

    /// A sentence about the money given back for a next period that was charged ahead; empty where
    /// none was.
    private func nextGivenBack(_ refunded: Price?) -> String {
        refunded.map { " " + self[CommandText.doneNextGivenBack(sum: price($0))] } ?? ""
    }

    /// When the change of a subscription begins that the action planned; nil where it planned none.
    private func planned(_ events: [StoreEvent]) -> String? {
        for case .subscriptionChanged(let change) in events.map(\.change) {
            guard [.planChangePlanned, .offerRedeemed].contains(change.kind) else { continue }
            return change.until.map { date($0) }
        }
        return nil
    }

    /// The message about a request whose answer sold nothing now, because its plan begins with the next
    /// renewal, or is the one that the account has; nil for one that was sold.
    private func answered(
        _ number: TransactionID, _ kind: RequestAnswerKind, _ events: [StoreEvent]
    ) -> String? {
        guard soldTransaction(events) == nil else { return nil }
        var product: ProductID?
        var from: Timestamp?
        for case .subscriptionChanged(let change) in events.map(\.change) {
            switch change.kind {
            case .planChangePlanned:
                product = change.nextProductID ?? change.productID
                from = change.until
            case .offerRedeemed:
                product = change.productID
                from = change.until
            case .expired, .billingFailed, .graceBegan, .graceEnded, .billingRetryBegan,
                .billingRetryFailed, .priceIncreaseAsked, .priceIncreaseAgreed,
                .priceIncreaseNotified, .planChangeTakenBack:
                break
            }
        }
        return self[
            CommandText.doneAnsweredLater(
                number.description, kind, product: product?.rawValue,
                from: from.map { date($0) })]
    }

    /// When the commitment ends whose payments go on; nil where nothing was turned off under one.
    private func commitmentEnd(_ events: [StoreEvent]) -> Timestamp? {
        for case .autoRenewChanged(_, _, false, let end?) in events.map(\.change) { return end }
        return nil
    }

    /// A sentence for each setting that was given.
    private func renewals(_ change: RenewalsChange) -> String {
        let sentences: [CommandText?] = [
            change.rate.map { .doneRate("\(renewalRate($0)) (\($0.name))") },
            change.limit.map { .doneRenewalLimit($0, inDay: false) },
            change.limitPerDay.map { .doneRenewalLimit($0, inDay: true) },
            change.failsBilling.map { .doneBilling(fails: $0) },
            change.hasGracePeriod.map { .doneGrace(isOn: $0) },
        ]
        let said = sentences.compactMap { $0 }.map { self[$0] }
        return said.isEmpty
            ? self[CommandText.doneRenewals] : said.joined(separator: language.sentenceGap)
    }

    private func changed(_ change: AccountChange, _ settings: AccountSettings?) -> String {
        let name = change.account.rawValue
        if let askToBuy = change.askToBuy {
            return askToBuy
                ? self[CommandText.doneAskToBuyOn(account: name)]
                : self[CommandText.doneAskToBuyOff(account: name)]
        }
        if let canMakePayments = change.canMakePayments {
            return canMakePayments
                ? self[CommandText.donePaymentsOn(account: name)]
                : self[CommandText.donePaymentsOff(account: name)]
        }
        if let asksBank = change.asksBank {
            return self[CommandText.doneBank(account: name, isOn: asksBank)]
        }
        if let interrupts = change.interruptsPurchases {
            return self[CommandText.doneInterrupts(account: name, isOn: interrupts)]
        }
        if let disablesDialogs = change.disablesDialogs {
            return self[CommandText.doneDialogs(account: name, isOn: !disablesDialogs)]
        }
        if let asked = change.locale {
            let locale = settings.map(\.locale) ?? asked
            return self[
                CommandText.doneLocale(account: name, locale: asked.isEmpty ? nil : locale)]
        }
        let code = settings?.territory ?? change.territory ?? ""
        return self[
            CommandText.doneTerritory(
                account: name,
                territory: formatters.territoryName(code, locale: locale))]
    }

    private func moved(
        _ action: ClockAction, _ events: [StoreEvent], _ now: String?,
        _ renewals: Int?, _ hasMore: Bool
    ) -> String {
        var parts: [String] = []
        switch action {
        case .stop: parts.append(self[CommandText.doneClockStopped])
        case .resume: parts.append(self[CommandText.doneClockRunning])
        case .advance, .to, .next: break
        }
        if let now { parts.append(self[CommandText.doneNowIs(now)]) }
        let renewed = renewals ?? events.count { if case .sold = $0.change { true } else { false } }
        if case .next = action {
            parts += events.compactMap { happened($0) }.prefix(Self.happenedMax)
        } else if renewed > 0 {
            parts.append(self[CommandText.doneRenewed(renewed, orMore: hasMore)])
        }
        return parts.joined(separator: language.sentenceGap)
    }

    /// The things named that happened when the clock moved to the next one; several may be due at
    /// the same instant.
    private static let happenedMax = 5

    /// "com.example.monthly renewed (aoi)."; nil for what did not happen by itself.
    private func happened(_ event: StoreEvent) -> String? {
        let product: ProductID
        let what: String
        switch event.change {
        case .sold(let issued):
            product = issued.productID
            what = self[ScreenText.eventRenewed]
        case .autoRenewChanged(_, let changed, let isOn, _):
            product = changed
            what = "\(self[ScreenText.eventRenews]) \(self[isOn ? ScreenText.on : .off])"
        case .subscriptionChanged(let change):
            product = change.productID
            what = self[ScreenText.subscriptionEvent(change.kind)]
        case .revised, .deleted, .clockSet, .renewalsSet, .unknown, .deferred, .failed,
            .refundRequested, .refundDeclined, .promoted, .purchaseCancelled, .finished, .claimed,
            .catalogRevised, .accountChanged, .familyChanged, .faultSet, .faultCleared:
            return nil
        }
        return self[
            CommandText.happened(
                product: product.rawValue, what: what, account: event.account?.rawValue ?? "")]
    }

    /// Whether a consumable was refunded: only so much of it is taken back as was given back.
    private func isOfConsumable(_ events: [StoreEvent]) -> Bool {
        for case .revised(let issued, .refunded) in events.map(\.change) {
            return issued.type == .consumable
        }
        return false
    }

    private func soldTransaction(_ events: [StoreEvent]) -> TransactionID? {
        for case .sold(let issued) in events.map(\.change) { return issued.id }
        return nil
    }

    private func deleted(_ id: TransactionID, _ events: [StoreEvent]) -> String {
        let count = events.count { if case .deleted = $0.change { true } else { false } }
        return count > 1
            ? self[CommandText.doneDeletedMany(count)]
            : self[CommandText.doneDeleted(id.description)]
    }
}
