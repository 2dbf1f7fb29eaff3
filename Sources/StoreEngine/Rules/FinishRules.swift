import StoreModel

/// Acknowledging what was delivered, and taking over what another device left lying.
enum FinishRules {
    static func finish(
        _ id: TransactionID, by customer: Customer, in context: RuleContext
    ) -> Verdict<FinishOutcome> {
        let own = LedgerQuery.Sold(account: customer.account, id: id)
        guard let type = context.snapshot.soldTypes[own] else {
            return .refuse(StoreError(.transactionNotFound, transactionID: id))
        }
        guard let waiting = context.snapshot.unfinished[id] else {
            return .answer(.alreadyFinished)
        }
        if type == .consumable, waiting.device != customer.device {
            return .answer(.claimedElsewhere)
        }
        let decision = Decision(
            reads: context.reads([.account(customer.account)]),
            entries: [customer.entry(.finished, in: context, number: .existing(id))])
        return .record(decision) { _ in .finished }
    }

    /// Only consumables belong to one device; everything else is any device's to deliver.
    static func claim(
        _ id: TransactionID, by customer: Customer, in context: RuleContext
    ) -> Verdict<TransactionRow> {
        guard let sold = context.snapshot.transactions[id], sold.account == customer.account,
            let waiting = context.snapshot.unfinished[id]
        else { return .refuse(StoreError(.transactionNotFound, transactionID: id)) }
        guard sold.sale.type == .consumable, waiting.device != customer.device else {
            return .answer(sold)
        }
        let claim = customer.entry(
            .claimed(by: customer.device), in: context, number: .existing(id))
        let decision = Decision(
            reads: context.reads([.account(customer.account)]), entries: [claim])
        return .record(decision) { _ in sold }
    }
}
