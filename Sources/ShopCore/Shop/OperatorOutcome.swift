package import StoreModel

/// The result of an operator's action: the action, and the events it caused.
package struct OperatorOutcome: Hashable, Sendable {
    /// The action that was carried out.
    package var action: OperatorAction
    /// The events that it caused; none if all of it was so before.
    package var events: [StoreEvent]
    /// The settings of the account that it changed, as they are now; nil for other actions, and if
    /// they could not be read.
    package var settings: AccountSettings?
    /// The clock that it moved; nil for other actions, and if it could not be read.
    package var clock: ClockReading?
    /// How the clock stood before, as far as the shop knew.
    package internal(set) var clockBefore: ClockState?

    /// Memberwise: the values are not checked.
    package init(
        action: OperatorAction, events: [StoreEvent], settings: AccountSettings? = nil,
        clock: ClockReading? = nil
    ) {
        self.action = action
        self.events = events
        self.settings = settings
        self.clock = clock
    }
}

extension ShopState {
    /// Announces the result of an operator's action, and reads the console and the account anew.
    mutating func showOutcome(_ outcome: OperatorOutcome, _ moment: ShopMoment) -> [ShopEffect] {
        let asked = queries.ask(.refreshConsole) + queries.ask(.refreshAccount)
        endWaiting(for: outcome.action)
        if let settings = outcome.settings, settings.name == shop.account {
            // This announces the changed settings, unless an event did before.
            return adoptInConsole(settings, moment) + asked
        }
        for event in outcome.events {
            guard outcome.action.failure(in: [event]) != nil,
                case .failed(let payment, let error, _) = event.change
            else { continue }
            return announce(.failed(name: name(of: payment.productID), error), moment) + asked
        }
        if isAnnouncedByEvents(outcome) { return asked }
        guard let clock = outcome.clock?.state else {
            return announce(message(about: outcome), moment) + asked
        }
        // The store's event may have arrived, and was announced, before this answer.
        guard console.announcedClock != clock || outcome.events.isEmpty else { return asked }
        var outcome = outcome
        outcome.clockBefore = console.announcedClock
        console.clock = clock
        console.announcedClock = clock
        return announce(.performed(outcome), moment) + asked
    }

    /// Whether the account's own events announce the action's change of its subscription.
    private func isAnnouncedByEvents(_ outcome: OperatorOutcome) -> Bool {
        switch outcome.action {
        case .setAutoRenew, .priceIncrease, .expire, .renew, .resolveBilling:
            outcome.events.contains { $0.account == shop.account }
        case .approve, .resolve:
            // A change of plan for later: its event names the plans and the day.
            outcome.events.contains { event in
                if case .subscriptionChanged = event.change {
                    event.account == shop.account
                } else {
                    false
                }
            }
        case .decline, .declineRefund, .buyOutside, .promote, .publish,
            .package,
            .changeAccount, .family, .failNext, .clearFault, .clearFaults, .refund, .revoke,
            .reverseRefund, .delete, .clock, .setRenewals, .extend, .extendAll,
            .cancelSubscription:
            false
        }
    }

    /// The message that announces a finished action: for an answer to a request it names the
    /// product.
    private func message(about outcome: OperatorOutcome) -> StatusMessage.What {
        switch outcome.action {
        case .approve:
            for case .sold(let sale) in outcome.events.map(\.change) {
                return .approved(name: name(of: sale.productID))
            }
        case .decline:
            for case .failed(let payment, _, _) in outcome.events.map(\.change) {
                return .declined(name: name(of: payment.productID))
            }
        case .clearFaults: return .faultsCleared
        case .resolve, .declineRefund, .buyOutside, .promote, .publish, .package, .changeAccount,
            .failNext,
            .clearFault, .refund, .revoke, .reverseRefund, .delete, .clock, .setRenewals,
            .setAutoRenew, .family, .expire, .renew, .resolveBilling, .priceIncrease, .extend,
            .extendAll, .cancelSubscription:
            break
        }
        return .performed(outcome)
    }

    /// Says why an action of the operator was refused, and reads the console again, which may show
    /// an old state.
    mutating func showRefusal(
        of action: OperatorAction, _ error: StoreError, _ moment: ShopMoment
    ) -> [ShopEffect] {
        endWaiting(for: action)
        // A refused request is answered by somebody else, or still there: the next key may answer.
        if case .approve = action { console.answering = nil }
        if case .decline = action { console.answering = nil }
        return announce(.trouble(error), moment) + queries.ask(.refreshConsole)
    }

    /// Lets the next key change the account again. (The next request can be answered when the
    /// console has been read again without this one.)
    private mutating func endWaiting(for action: OperatorAction) {
        if case .changeAccount = action { console.isChangingAccount = false }
    }
}
