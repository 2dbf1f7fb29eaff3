package import StoreModel

/// The result of an operator's action: the action, and the events it caused.
package struct OperatorOutcome: Hashable, Sendable {
    /// The action that was carried out.
    package var action: OperatorAction
    /// The events that the action caused; empty if it changed nothing.
    package var events: [StoreEvent]
    /// The account settings after the action, if it changed them; nil for other actions, and if the
    /// settings could not be read.
    package var settings: AccountSettings?
    /// The clock after the action, if it changed the clock; nil for other actions, and if the clock
    /// could not be read.
    package var clock: ClockReading?
    /// The clock's state before the action, as far as the shop knew it.
    package internal(set) var clockBefore: ClockState?

    /// Creates an outcome from its parts; the values are not checked.
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
    /// Announces the result of an operator's action, and queries the console and the account.
    mutating func showOutcome(_ outcome: OperatorOutcome, _ moment: ShopMoment) -> [ShopEffect] {
        let asked = queries.ask(.refreshConsole) + queries.ask(.refreshAccount)
        endWaiting(for: outcome.action)
        if let settings = outcome.settings, settings.name == shop.account {
            // Announces the changed settings, unless an event has announced them already.
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
        // The store's event may have arrived before this answer and been announced.
        guard console.announcedClock != clock || outcome.events.isEmpty else { return asked }
        var outcome = outcome
        outcome.clockBefore = console.announcedClock
        console.clock = clock
        console.announcedClock = clock
        return announce(.performed(outcome), moment) + asked
    }

    /// Whether events of the account announce the subscription change that the action made.
    private func isAnnouncedByEvents(_ outcome: OperatorOutcome) -> Bool {
        switch outcome.action {
        case .setAutoRenew, .priceIncrease, .expire, .renew, .resolveBilling:
            outcome.events.contains { $0.account == shop.account }
        case .approve, .resolve:
            // A planned change of plan: its event names the plans and the day.
            outcome.events.contains { event in
                if case .subscriptionChanged = event.change {
                    event.account == shop.account
                } else {
                    false
                }
            }
        default: false
        }
    }

    /// The message about a completed action. For an answer to a request, it names the product.
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
        default: break
        }
        return .performed(outcome)
    }

    /// Announces why an action of the operator was refused, and queries the console, whose state
    /// may be out of date.
    mutating func showRefusal(
        of action: OperatorAction, _ error: StoreError, _ moment: ShopMoment
    ) -> [ShopEffect] {
        endWaiting(for: action)
        // After a refusal, another operator has answered the request, or it still waits: a key may
        // answer.
        if action.kind == .approve || action.kind == .decline { console.answering = nil }
        return announce(.trouble(error), moment) + queries.ask(.refreshConsole)
    }

    /// Allows the next key to change the account again. (The next approval request can be answered
    /// when a new snapshot of the console no longer lists the answered one.)
    private mutating func endWaiting(for action: OperatorAction) {
        if case .changeAccount = action { console.isChangingAccount = false }
    }
}
