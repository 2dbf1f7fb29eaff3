import ShopText
import StoreModel

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
            return announce(.failed(name: item(of: payment), error), moment) + asked
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

    /// For an answer to a request, it names the product.
    private func message(about outcome: OperatorOutcome) -> StatusText {
        switch outcome.action {
        case .approve:
            for case .sold(let sale) in outcome.events.map(\.change) {
                return .approved(name: item(sale.productID, quantity: sale.quantity))
            }
        case .decline:
            for case .failed(let payment, _, _) in outcome.events.map(\.change) {
                return .declined(name: item(of: payment))
            }
        default: break
        }
        return .performed(outcome)
    }

    /// Queries the console, too, whose state may be out of date.
    mutating func showRefusal(
        of action: OperatorAction, _ error: StoreError, _ moment: ShopMoment
    ) -> [ShopEffect] {
        endWaiting(for: action)
        // Another operator has answered the request, or it still waits: a key may answer.
        if action.kind == .approve || action.kind == .decline { console.answering = nil }
        return announce(.trouble(error), moment) + queries.ask(.refreshConsole)
    }

    /// Allows the next key to change the account again. (The next approval request can be answered
    /// when a new snapshot of the console no longer lists the answered one.)
    private mutating func endWaiting(for action: OperatorAction) {
        if case .changeAccount = action { console.isChangingAccount = false }
    }
}
