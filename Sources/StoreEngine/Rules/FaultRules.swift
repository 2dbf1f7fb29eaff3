import StoreModel

/// Decides failures that the operator sets up on purpose.
enum FaultRules {
    /// A new fault that fails the next `count` calls. Throws `invalidName` for a count below 1.
    static func set(
        _ call: Fault.Call, error: StoreError.Code, count: Int, in context: RuleContext
    ) throws(StoreError) -> Decision {
        guard count >= 1 else {
            throw StoreError(
                .invalidName, subject: "count", found: String(count), expected: "at least 1")
        }
        // The new id is greater than the position of every fault set before, and so than its id.
        let version = context.snapshot.version(.store)
        let fault = Fault(id: version + 1, call: call, error: error, remaining: count)
        return Decision(
            reads: [.store: version], entries: [context.storeEntry(.faultSet(fault))])
    }

    /// Removes all faults; nil while none is in force.
    static func clear(in context: RuleContext) -> Decision? {
        guard !context.snapshot.faults.isEmpty else { return nil }
        return Decision(
            reads: context.reads([.store]),
            entries: [context.storeEntry(.faultsCleared(context.snapshot.faults))])
    }

    /// Removes one fault. Throws `faultNotSet` unless it is in force.
    static func clear(_ id: Int64, in context: RuleContext) throws(StoreError) -> Decision {
        guard let fault = context.snapshot.faults.first(where: { $0.id == id }) else {
            throw StoreError(.faultNotSet, found: String(id))
        }
        return Decision(
            reads: context.reads([.store]), entries: [context.storeEntry(.faultsCleared([fault]))])
    }
}
