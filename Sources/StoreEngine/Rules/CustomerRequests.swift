package import StoreCatalog
package import StoreModel

/// Decides a payment. Idempotent by the payment's id.
package struct PurchaseRequest: Request {
    /// What has become of the payment by now.
    package struct Answer: Hashable, Sendable {
        package var state: PaymentRow.State
        /// The account had it before; nothing was charged.
        package var alreadyOwned: Bool
    }

    package var payment: Payment
    package var customer: Customer

    package init(_ payment: Payment, by customer: Customer) {
        self.payment = payment
        self.customer = customer
    }

    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {
        query.payments.insert(payment.id)
        Eligibility.addDependencies(
            on: payment.productID, of: customer.account, to: &query, catalog: catalog)
    }

    package func collisions(in context: RuleContext) -> [CollisionKey] {
        var keys: [CollisionKey] = [.payment(payment.id)]
        if context.snapshot.accounts[customer.account] == nil {
            keys.append(.account(customer.account))
        }
        if !context.snapshot.faults.isEmpty { keys.append(.faults) }
        return keys
            + Eligibility.collisions(on: payment.productID, of: customer.account, in: context)
    }

    package func decide(in context: RuleContext) -> Verdict<Answer> {
        PurchaseRules.decide(payment, by: customer, in: context)
    }
}

/// Acknowledges a delivered transaction.
package struct FinishRequest: Request {
    package var id: TransactionID
    package var customer: Customer

    package init(_ id: TransactionID, by customer: Customer) {
        self.id = id
        self.customer = customer
    }

    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {
        query.accounts.insert(customer.account)
        query.finishing.insert(.init(account: customer.account, id: id))
    }

    package func collisions(in context: RuleContext) -> [CollisionKey] { [.transaction(id)] }

    package func decide(in context: RuleContext) -> Verdict<FinishOutcome> {
        FinishRules.finish(id, by: customer, in: context)
    }
}

/// Takes over an unfinished consumable that another device bought.
package struct ClaimRequest: Request {
    package var id: TransactionID
    package var customer: Customer

    package init(_ id: TransactionID, by customer: Customer) {
        self.id = id
        self.customer = customer
    }

    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {
        query.accounts.insert(customer.account)
        query.finishing.insert(.init(account: customer.account, id: id))
        query.transactions.insert(.init(account: customer.account, id: id))
    }

    package func collisions(in context: RuleContext) -> [CollisionKey] { [.transaction(id)] }

    package func decide(in context: RuleContext) -> Verdict<TransactionRow> {
        FinishRules.claim(id, by: customer, in: context)
    }
}
