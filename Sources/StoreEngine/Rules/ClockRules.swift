import StoreModel

/// Decides changes of the store's clock and of the renewal settings. The clock, running or stopped,
/// moves only forward, from 2000 to the day before 2100.
enum ClockRules {
    /// Nil if the clock would not change.
    ///
    /// - Throws: `clockOutOfRange`, `clockBackwards`; `nothingDue` for `.next` with nothing due.
    static func set(
        _ action: ClockAction, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        let state = context.snapshot.clock ?? .system
        switch action {
        case .stop:
            return state.isStopped ? nil : decision(.stopped(at: context.now), in: context)
        case .resume:
            return state.isStopped
                ? decision(running(from: context.now, context), in: context) : nil
        case .advance(let step):
            return try move(to: step.end(from: context.now), state, in: context)
        case .to(let instant): return try move(to: instant, state, in: context)
        case .next:
            guard let next = context.snapshot.nextDue else { throw StoreError(.nothingDue) }
            // An item that is already due is recorded without moving the clock.
            return next.at <= context.now ? nil : try move(to: next.at, state, in: context)
        }
    }

    /// A stopped clock stays stopped; a running one keeps running.
    private static func move(
        to instant: Timestamp, _ state: ClockState, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        guard instant >= .earliest, instant <= .lastSettable else {
            throw StoreError(
                .clockOutOfRange, found: instant,
                expected: "a date from 2000 to 2099-12-31")
        }
        guard instant >= context.now else {
            throw StoreError(
                .clockBackwards, found: instant,
                expected: context.now)
        }
        guard instant > context.now else { return nil }
        return decision(
            state.isStopped ? .stopped(at: instant) : running(from: instant, context),
            in: context, at: instant)
    }

    private static func running(from instant: Timestamp, _ context: RuleContext) -> ClockState {
        .running(offset: instant.milliseconds(since: context.systemNow))
    }

    private static func decision(
        _ state: ClockState, in context: RuleContext, at instant: Timestamp? = nil
    ) -> Decision {
        Decision(
            reads: context.reads([.store]),
            entries: [
                Entry(
                    account: nil, device: nil, effectiveAt: instant ?? context.now,
                    fact: .clockSet(state))
            ])
    }

    /// Nil if the settings would not change. Throws `invalidName` for a negative limit.
    static func renew(
        _ change: RenewalsChange, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        let before = context.snapshot.renewals ?? .standard
        var settings = before
        settings.rate = change.rate ?? settings.rate
        if let limit = change.limit {
            settings.limit = try count(limit)
            settings.isEndless = limit == .endless
        }
        if let limit = change.limitPerDay { settings.limitPerDay = try count(limit) }
        settings.failsBilling = change.failsBilling ?? settings.failsBilling
        settings.hasGracePeriod = change.hasGracePeriod ?? settings.hasGracePeriod
        guard settings != before else { return nil }
        return context.storeDecision(.renewalsSet(settings))
    }

    /// Nil for no limit.
    private static func count(_ limit: RenewalsChange.Limit) throws(StoreError) -> Int? {
        guard case .count(let count) = limit else { return nil }
        guard count >= 0 else {
            throw StoreError(
                .invalidName, subject: "limit", found: count,
                expected: "0 or more renewals")
        }
        return count
    }
}
