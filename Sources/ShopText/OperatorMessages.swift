package import StoreModel

/// What an operator's action has done: the facts from which each language tells it.
package struct OperatorDone {
    package let action: OperatorAction
    let events: [StoreEvent]
    package var isChanged: Bool
    package var sale: TransactionID?
    /// The plans that begin later, in place of a sale now; `until` is when they begin.
    package var planned: [(product: ProductID, until: Timestamp?)]
    /// The present settings of the account that the action changed.
    package var settings: AccountSettings?
    /// The clock's time after an action that moved it.
    package var now: String?
    /// The sum that was refunded, also for a next period that was charged ahead.
    package var refunded: Price?
    /// The number renewed or extended, without family shares; nil to count those in the events.
    package var subscriptions: Int?
    /// Whether more happened than the events report.
    package var hasMore = false
    /// Whether a request that was accepted earlier is known to be a sale.
    package var wasSold = false

    /// - Parameter events: the events that the action caused; empty if it changed nothing.
    package init(_ action: OperatorAction, _ events: [StoreEvent] = []) {
        self.action = action
        self.events = events
        isChanged = !events.isEmpty
        sale = events.first { $0.kind == .sold }?.transactionID
        planned = events.compactMap { event in
            guard case .subscriptionChanged(let change) = event.change,
                change.kind == .planChangePlanned || change.kind == .offerRedeemed
            else { return nil }
            let next = change.kind == .planChangePlanned ? change.nextProductID : nil
            return (next ?? change.productID, change.until)
        }
    }

    var deleted: Int { events.count { $0.kind == .deleted } }

    var extended: Int { subscriptions ?? events.count { $0.kind == .expiryMoved } }

    /// Whether a consumable was refunded: a partial refund takes back only the same part of it.
    var isOfConsumable: Bool { events.first { $0.kind == .refunded }?.sale?.type == .consumable }

    var clearedFaults: [Fault] {
        events.compactMap { if case .faultCleared(let fault) = $0.change { fault } else { nil } }
    }

    /// Whose payments continue after auto-renew was turned off; nil if there is none.
    var commitmentEnd: Timestamp? {
        for case .autoRenewChanged(_, _, false, let end?) in events.map(\.change) { return end }
        return nil
    }

    /// Whether auto-renew was turned on.
    var turnedOn: Bool {
        events.contains {
            if case .autoRenewChanged(_, _, true, _) = $0.change { true } else { false }
        }
    }
}

extension Strings {
    /// The message to the operator of a screen after an action was carried out.
    func done(_ outcome: OperatorOutcome) -> String {
        var clock = outcome.clock
        let moved = clock.flatMap {
            clockMoved(from: outcome.clockBefore, to: $0.state, at: $0.now)
        }
        // A message about the move names the clock's new time, so the clock is not named again.
        if moved != nil { clock = nil }
        var done = OperatorDone(outcome.action, outcome.events)
        done.settings = outcome.settings
        done.now = clock.map { instant($0.now) }
        return [moved.map { self[.clockMovedMessage($0)] }, self.done(done)].compactMap { $0 }
            .filter { !$0.isEmpty }.joined(separator: language.sentenceGap)
    }

    /// - Parameter name: what the action is about: the product, the request, the failure, the
    ///   length or the time in words; of a change of renewals the whole text.
    package func offer(_ action: OperatorAction, _ name: String) -> String {
        language.offer(action, name, self)
    }

    package func done(_ done: OperatorDone) -> String { language.done(done, self) }

    /// The line of a command that carried out an operation on the content of a product, or of one
    /// package of it.
    package func done(_ operation: ContentOperation, on subject: String) -> String {
        language.done(operation, subject)
    }

    /// A sentence for each setting that the change contains.
    func renewals(_ change: RenewalsChange) -> String {
        let sentences: [StoreLineText?] = [
            change.rate.map { .doneRate("\(renewalRate($0)) (\($0.name))") },
            change.limit.map { .doneRenewalLimit($0, inDay: false) },
            change.limitPerDay.map { .doneRenewalLimit($0, inDay: true) },
            change.failsBilling.map { .doneBilling(fails: $0) },
            change.hasGracePeriod.map { .doneGrace(isOn: $0) },
        ]
        let said = sentences.compactMap { $0 }.map { self[$0] }
        return said.isEmpty
            ? self[StoreLineText.doneRenewals] : said.joined(separator: language.sentenceGap)
    }

    /// The new locale of an account; nil for the customer's own.
    func locale(of change: AccountChange, _ settings: AccountSettings?) -> String? {
        change.locale == "" ? nil : settings.map(\.locale) ?? change.locale
    }

    func territory(of change: AccountChange, _ settings: AccountSettings?) -> String {
        formatters.territoryName(
            settings?.territory ?? change.territory ?? "", locale: locale)
    }

    /// A sentence about the clock, and what happened when it was moved.
    func moved(_ action: ClockAction, _ done: OperatorDone) -> String {
        var parts: [String] = []
        switch action {
        case .stop: parts.append(self[StoreLineText.doneClockStopped])
        case .resume: parts.append(self[StoreLineText.doneClockRunning])
        case .advance, .to, .next: break
        }
        if let now = done.now { parts.append(self[StoreLineText.doneNowIs(now)]) }
        let renewed = done.subscriptions ?? done.events.count { $0.kind == .sold }
        if case .next = action {
            parts += done.events.compactMap { happened($0) }.prefix(Self.happenedMax)
        } else if renewed > 0 {
            parts.append(self[StoreLineText.doneRenewed(renewed, orMore: done.hasMore)])
        }
        return parts.joined(separator: language.sentenceGap)
    }

    /// The most due items that a move of the clock names: several may be due at once.
    private static let happenedMax = 5

    /// The text of an event that had no action of a person, "com.example.monthly renewed (aoi).";
    /// nil for other events.
    private func happened(_ event: StoreEvent) -> String? {
        let what: String
        switch event.change {
        case .sold: what = self[EventText.eventRenewed]
        case .autoRenewChanged: what = self.event(event.kind)
        case .subscriptionChanged(let change):
            what = self[EventText.subscriptionEvent(change.kind)]
        default: return nil
        }
        return self[
            StoreLineText.happened(
                product: event.productID?.rawValue ?? "", what: what,
                account: event.account?.rawValue ?? "")]
    }
}
