package import StoreCatalog
package import StoreModel

/// A request to buy (StoreKit: `Product.purchase`). Idempotent by the payment's id: the same
/// payment again gets its present outcome as the answer, and one that differs is refused
/// (`paymentMismatch`). The rules are in `PurchaseRules`.
package struct PurchaseRequest: Request {
    /// The payment's outcome so far.
    package struct Answer: Hashable, Sendable {
        /// Sold, deferred or failed.
        package var state: PaymentRow.State
        /// Whether the account had bought the product before; nothing was charged then.
        package var alreadyOwned: Bool
    }

    var payment: Payment
    var customer: Customer

    /// Memberwise.
    package init(_ payment: Payment, by customer: Customer) {
        self.payment = payment
        self.customer = customer
    }

    /// The payment, and what the product's eligibility depends on.
    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {
        query.payments.insert(payment.id)
        Eligibility.addDependencies(
            on: payment.productID, of: customer.account, to: &query, catalog: catalog)
    }

    /// The payment, and the product or group it buys in; also the account while it is new, and the
    /// faults while one is in force, since a purchase then changes them.
    package func collisions(in context: RuleContext) -> [CollisionKey] {
        var keys: [CollisionKey] = [.payment(payment.id)]
        if context.snapshot.accounts[customer.account] == nil {
            keys.append(.account(customer.account))
        }
        if !context.snapshot.faults.isEmpty { keys.append(.faults) }
        return keys
            + Eligibility.collisions(on: payment.productID, of: customer.account, in: context)
    }

    /// By `PurchaseRules`.
    package func decide(in context: RuleContext) -> Verdict<Answer> {
        PurchaseRules.decide(payment, by: customer, in: context)
    }
}

/// A request to acknowledge a delivered transaction (StoreKit: `Transaction.finish`). Idempotent.
package struct FinishRequest: Request {
    var id: TransactionID
    var customer: Customer

    /// Memberwise.
    package init(_ id: TransactionID, by customer: Customer) {
        self.id = id
        self.customer = customer
    }

    /// The transaction's type, and whether it is unfinished.
    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {
        query.accounts.insert(customer.account)
        query.finishing.insert(.init(account: customer.account, id: id))
    }

    /// The transaction.
    package func collisions(in context: RuleContext) -> [CollisionKey] { [.transaction(id)] }

    /// By `FinishRules.finish`.
    package func decide(in context: RuleContext) -> Verdict<FinishOutcome> {
        FinishRules.finish(id, by: customer, in: context)
    }
}

/// A request to take over an unfinished consumable that another device bought. Idempotent.
package struct ClaimRequest: Request {
    var id: TransactionID
    var customer: Customer

    /// Memberwise.
    package init(_ id: TransactionID, by customer: Customer) {
        self.id = id
        self.customer = customer
    }

    /// The whole transaction, and whether it is unfinished.
    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {
        query.accounts.insert(customer.account)
        query.finishing.insert(.init(account: customer.account, id: id))
        query.transactions.insert(.init(account: customer.account, id: id))
    }

    /// The transaction.
    package func collisions(in context: RuleContext) -> [CollisionKey] { [.transaction(id)] }

    /// By `FinishRules.claim`.
    package func decide(in context: RuleContext) -> Verdict<TransactionRow> {
        FinishRules.claim(id, by: customer, in: context)
    }
}
