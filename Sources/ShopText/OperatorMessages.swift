package import StoreModel

extension Strings {
    private func clearedFault(_ events: [StoreEvent]) -> Fault? {
        for event in events {
            if case .faultCleared(let fault) = event.change { return fault }
        }
        return nil
    }

    /// The message to the operator of a screen after an action was carried out.
    func done(_ outcome: OperatorOutcome) -> String {
        var clock = outcome.clock
        let moved = clock.flatMap {
            clockMoved(from: outcome.clockBefore, to: $0.state, at: $0.now)
        }
        // A message about the move names the clock's new time, so the clock is not named again.
        if moved != nil { clock = nil }
        let done = done(
            outcome.action, outcome.events, settings: outcome.settings, clock: clock,
            time: clock.map { instant($0.now) })
        return [moved.map { self[.clockMovedMessage($0)] }, done].compactMap { $0 }
            .filter { !$0.isEmpty }.joined(separator: language.sentenceGap)
    }

    /// The message to the operator after an action was carried out.
    ///
    /// - Parameters:
    ///   - events: the events that the action caused; empty if it changed nothing.
    ///   - settings: the present settings of the account that the action changed.
    ///   - clock: the clock's state after an action that moved it.
    ///   - time: the clock's time as a screen formats it; nil for the format of command lines.
    ///   - refunded: the sum that a refund returned.
    ///   - subscriptions: the number renewed or extended, without family shares; nil to count those
    ///     in
    ///     the events.
    ///   - hasMore: whether more happened than the events report.
    ///   - wasSold: whether a request that was accepted earlier is known to be a sale.
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
        case .clearFaults: self[StatusText.faultsCleared]
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

    /// A sentence about the refund of a next period that was already charged; empty if there was
    /// none.
    private func nextGivenBack(_ refunded: Price?) -> String {
        refunded.map { " " + self[CommandText.doneNextGivenBack(sum: price($0))] } ?? ""
    }

    /// The time at which the subscription change planned by the action begins; nil if none was
    /// planned.
    private func planned(_ events: [StoreEvent]) -> String? {
        for case .subscriptionChanged(let change) in events.map(\.change) {
            guard [.planChangePlanned, .offerRedeemed].contains(change.kind) else { continue }
            return change.until.map { date($0) }
        }
        return nil
    }

    /// The message about an accepted request that sold nothing, because its plan begins with the
    /// next renewal or is the account's present plan; nil if the request sold something.
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
            default: break
            }
        }
        return self[
            CommandText.doneAnsweredLater(
                number.description, kind, product: product?.rawValue,
                from: from.map { date($0) })]
    }

    /// The end of the commitment whose payments continue after auto-renew was turned off; nil if
    /// there is none.
    private func commitmentEnd(_ events: [StoreEvent]) -> Timestamp? {
        for case .autoRenewChanged(_, _, false, let end?) in events.map(\.change) { return end }
        return nil
    }

    /// A sentence for each setting that the change contains.
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

    /// The names of the due items recorded by a move of the clock to the next one; several items
    /// may be due at the same instant.
    private static let happenedMax = 5

    /// The text of an event that had no action of a person, "com.example.monthly renewed (aoi).";
    /// nil for other events.
    private func happened(_ event: StoreEvent) -> String? {
        let product: ProductID
        let what: String
        switch event.change {
        case .sold(let sale):
            product = sale.productID
            what = self[EventText.eventRenewed]
        case .autoRenewChanged(_, let changed, let isOn, _):
            product = changed
            what = "\(self[EventText.eventRenews]) \(self[isOn ? EventText.on : .off])"
        case .subscriptionChanged(let change):
            product = change.productID
            what = self[EventText.subscriptionEvent(change.kind)]
        default: return nil
        }
        return self[
            CommandText.happened(
                product: product.rawValue, what: what, account: event.account?.rawValue ?? "")]
    }

    /// Whether a consumable was refunded: a partial refund takes back only the same part of it.
    private func isOfConsumable(_ events: [StoreEvent]) -> Bool {
        events.first { $0.kind == .refunded }?.sale?.type == .consumable
    }

    private func soldTransaction(_ events: [StoreEvent]) -> TransactionID? {
        events.first { $0.kind == .sold }?.transactionID
    }

    private func deleted(_ id: TransactionID, _ events: [StoreEvent]) -> String {
        let count = events.count { if case .deleted = $0.change { true } else { false } }
        return count > 1
            ? self[CommandText.doneDeletedMany(count)]
            : self[CommandText.doneDeleted(id.description)]
    }
}
