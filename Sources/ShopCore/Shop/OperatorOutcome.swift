package import StoreModel

/// What an action of the operator did.
package struct OperatorOutcome: Hashable, Sendable {
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
    /// Says what an action of the operator did, and queries what it may have changed.
    mutating func showOutcome(_ outcome: OperatorOutcome, _ moment: ShopMoment) -> [ShopEffect] {
        let asked = queries.ask(.refreshConsole) + queries.ask(.refreshAccount)
        if let settings = outcome.settings, settings.name == shop.account {
            // This announces what changed in the settings, unless an event did before.
            return changeAccount(settings, moment) + asked
        }
        for event in outcome.events {
            guard outcome.action.failure(in: [event]) != nil,
                case .failed(let payment, let error, _) = event.change
            else { continue }
            return announce(.failed(name: name(of: payment.productID), error), moment) + asked
        }
        guard let clock = outcome.clock?.state else {
            return announce(.performed(outcome), moment) + asked
        }
        // The store's event may have arrived, and was announced, before this answer.
        guard console.announcedClock != clock || outcome.events.isEmpty else { return asked }
        var outcome = outcome
        outcome.clockBefore = console.announcedClock
        console.clock = clock
        console.announcedClock = clock
        return announce(.performed(outcome), moment) + asked
    }

    /// Says why an action of the operator was refused. What the console shows may be old.
    mutating func showRefusal(_ error: StoreError, _ moment: ShopMoment) -> [ShopEffect] {
        announce(.trouble(error), moment) + queries.ask(.refreshConsole)
    }
}
