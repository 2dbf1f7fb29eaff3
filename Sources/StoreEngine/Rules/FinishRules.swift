import StoreModel

/// Acknowledging what was delivered, and taking over what another device left lying.
enum FinishRules {
    static func finish(
        _ id: TransactionID, by customer: Request.Customer, in context: RuleContext
    ) -> Verdict {
        let own = LedgerQuery.Sold(account: customer.account, id: id)
        guard let type = context.snapshot.soldTypes[own] else {
            return .refuse(StoreError(.transactionNotFound, transactionID: id))
        }
        guard let waiting = context.snapshot.unfinished[id] else {
            return .answer(.finished(.alreadyFinished))
        }
        if type == .consumable, waiting.device != customer.device {
            return .answer(.finished(.claimedElsewhere))
        }
        return .record(
            Decision(
                reads: [.account(customer.account): version(customer, context)],
                entries: [
                    PurchaseRules.entry(
                        .finished, by: customer, in: context, number: .existing(id))
                ]))
    }

    /// Only consumables belong to one device; everything else is any device's to deliver.
    static func claim(
        _ id: TransactionID, by customer: Request.Customer, in context: RuleContext
    ) -> Verdict {
        guard let sold = context.snapshot.transactions[id], sold.account == customer.account,
            let waiting = context.snapshot.unfinished[id]
        else { return .refuse(StoreError(.transactionNotFound, transactionID: id)) }
        guard sold.sale.type == .consumable, waiting.device != customer.device else {
            return .answer(.claimed(sold))
        }
        return .record(
            Decision(
                reads: [.account(customer.account): version(customer, context)],
                entries: [
                    PurchaseRules.entry(
                        .claimed(by: customer.device), by: customer, in: context,
                        number: .existing(id))
                ]))
    }

    private static func version(
        _ customer: Request.Customer, _ context: RuleContext
    ) -> Int64 {
        context.snapshot.version(.account(customer.account))
    }
}
