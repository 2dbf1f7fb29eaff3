import StoreModel

/// Decides faults: failures that the operator injects on purpose.
enum FaultRules {
    /// Sets a fault that makes the next `count` calls fail, or every call. Throws `invalidName` for
    /// a count below 1, for an error with which the call cannot fail, for an `after` below 1, for
    /// an `after` with any call but a restore, and for a delay below 1 or of anything that is not
    /// late. Of any other fault of notifications, `delayMilliseconds` is how long it lasts.
    static func set(
        _ call: Fault.Call, error: StoreError.Code, count: Int?, after: Int? = nil,
        delayMilliseconds: Int64? = nil, in context: RuleContext
    ) throws(StoreError) -> Decision {
        if let after, call != .appStoreSync || after < 1 {
            throw StoreError(
                .invalidName, subject: "after", found: after,
                expected: "at least 1, with appStoreSync")
        }
        let isLate = error == .deliveredLate || error == .lateAnswer
        if let delayMilliseconds, !isLate && call != .notification || delayMilliseconds < 1 {
            throw StoreError(
                .invalidName, subject: "delay", found: delayMilliseconds,
                expected: "at least 1, with deliveredLate, lateAnswer or a notification")
        }
        if let count, count < 1 {
            throw StoreError(
                .invalidName, subject: "count", found: count, expected: "at least 1")
        }
        guard call.errors.contains(error) else {
            throw StoreError(
                .invalidName, subject: "error", found: error.rawValue,
                expected: call.errors.map(\.rawValue).joined(separator: ", "))
        }
        // The new id is greater than the position of every earlier fault, and so greater than its
        // id.
        return context.storeDecision(
            .faultSet(
                Fault(
                    id: context.snapshot.version(.store) + 1, call: call, error: error,
                    remaining: count, after: after,
                    delayMilliseconds: isLate ? delayMilliseconds : nil,
                    until: isLate
                        ? nil
                        : delayMilliseconds.map { context.now.advanced(byMilliseconds: $0) })))
    }

    /// Nil if none is in force.
    static func clear(in context: RuleContext) -> Decision? {
        guard !context.snapshot.faults.isEmpty else { return nil }
        return context.storeDecision(.faultsCleared(context.snapshot.faults))
    }

    /// Throws `faultNotSet` if the fault is not in force.
    static func clear(_ id: Int64, in context: RuleContext) throws(StoreError) -> Decision {
        guard let fault = context.snapshot.faults.first(where: { $0.id == id }) else {
            throw StoreError(.faultNotSet, found: id)
        }
        return context.storeDecision(.faultsCleared([fault]))
    }

    /// The error with which a call fails now, and the entry that counts the failure down. A fault
    /// for every call has no entry. Nil if no fault makes the call fail.
    static func failure(
        of call: Fault.Call, by device: DeviceName?, in context: RuleContext
    ) -> (error: StoreError.Code, entries: [Entry])? {
        guard let fault = context.snapshot.faults.first(where: { $0.call == call }) else {
            return nil
        }
        let isCounted = fault.remaining != nil
        return (
            fault.error,
            isCounted ? [context.entry(.faultSpent(fault.spentOnce), by: device)] : []
        )
    }
}

/// Uses up one call of a fault, for a read that is to fail. If two processes do this at the last
/// count, only one of the reads fails.
struct SpendFaultRequest: Request {
    var call: Fault.Call
    /// Nil for the store's server.
    var device: DeviceName?
    /// Nothing is used up if the fault is not as the reader has seen it: another reader has then
    /// used it up. One whose time is over is removed. Nil for a call.
    var seen: Fault?

    /// Every snapshot has the faults.
    func addKeys(to lookup: inout Lookup) {}

    func collisions(in context: RuleContext) -> [CollisionKey] { [.faults] }

    /// Nil if another call has used up the fault.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<StoreError.Code?> {
        if let seen, seen.isOver(at: context.now), context.snapshot.faults.contains(seen) {
            return .record(context.storeDecision(.faultsCleared([seen]))) { _ in nil }
        }
        guard let failure = FaultRules.failure(of: call, by: device, in: context),
            seen.map(context.snapshot.faults.contains) ?? true
        else { return .answer(nil) }
        guard !failure.entries.isEmpty else { return .answer(failure.error) }
        let decision = Decision(reads: context.reads([.store]), entries: failure.entries)
        return .record(decision) { _ in failure.error }
    }
}
