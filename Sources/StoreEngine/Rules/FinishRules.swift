import StoreModel

/// Decides `finish`, and a device's claim of a consumable that another device left unfinished.
enum FinishRules {
    /// A finished transaction is answered with `alreadyFinished`. A consumable that belongs to
    /// another device is answered with `claimedElsewhere` and stays unfinished. A transaction of
    /// another account is refused (`transactionNotFound`).
    static func finish(
        _ id: TransactionID, by customer: Customer, in context: RuleContext
    ) throws(StoreError) -> Verdict<FinishOutcome> {
        let own = LedgerQuery.Sold(account: customer.account, id: id)
        guard let type = context.snapshot.soldTypes[own] else {
            throw StoreError(.transactionNotFound, transactionID: id)
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

    /// Gives an unfinished consumable to the customer's device. Records nothing for other types,
    /// which any device may finish, and for a consumable that already belongs to this device. A
    /// transaction that is finished or of another account is refused (`transactionNotFound`).
    static func claim(
        _ id: TransactionID, by customer: Customer, in context: RuleContext
    ) throws(StoreError) -> Verdict<TransactionRow> {
        guard let sold = context.snapshot.transactions[id], sold.account == customer.account,
            let waiting = context.snapshot.unfinished[id]
        else { throw StoreError(.transactionNotFound, transactionID: id) }
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
