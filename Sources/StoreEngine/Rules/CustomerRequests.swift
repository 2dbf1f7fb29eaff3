import Foundation
import StoreCatalog
import StoreModel
import StoreSigning

/// A request to buy (StoreKit: `Product.purchase`). Idempotent by the payment's id: the same
/// payment sent again is answered with its present outcome, and a different payment with the same
/// id is refused (`paymentMismatch`). `PurchaseRules` has the rules.
struct PurchaseRequest: Request {
    /// The payment's outcome so far.
    struct Answer: Hashable, Sendable {
        var state: PaymentRow.State
        /// Whether the account had bought the product before, so that nothing was charged.
        var alreadyOwned: Bool
        /// How every text fails that is signed now, as a fault in force says; nil if none does.
        var broken: VerificationError?
    }

    var payment: Payment
    var customer: Customer
    /// Nil for a payment without an offer.
    var proof: OfferProof?

    /// Of the app's statement on the introductory offer; nil for a payment without one.
    var eligibility: EligibilityProof?

    private var nonce: UUID? {
        if case .good(let nonce, _)? = proof { nonce } else { nil }
    }

    func addKeys(to lookup: inout Lookup) {
        lookup.query.payments.insert(payment.id)
        if case .answered(let id) = lookup.found.payments[payment.id]?.state {
            lookup.query.sales.insert(id)
        }
        if let nonce = eligibility?.nonce { lookup.query.usedSignatures.insert(nonce) }
        lookup.query.waiting.insert(customer.account)
        Eligibility.addKeys(on: payment.productID, of: customer.account, to: &lookup)
        OfferRules.addKeys(
            on: payment.offer, nonce: nonce, of: payment.productID, for: customer.account,
            to: &lookup)
    }

    /// Also the account while it is new, and the faults while one is in force, because a purchase
    /// then changes them.
    func collisions(in context: RuleContext) -> [CollisionKey] {
        var keys: [CollisionKey] = [.payment(payment.id)]
        if context.snapshot.accounts[customer.account] == nil {
            keys.append(.account(customer.account))
        }
        if !context.snapshot.faults.isEmpty { keys.append(.faults) }
        return keys
            + Eligibility.collisions(on: payment.productID, of: customer.account, in: context)
            + OfferRules.collisions(on: payment.offer, nonce: nonce)
    }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Answer> {
        let verdict = try PurchaseRules.decide(
            payment, proof: proof, eligibility: eligibility, by: customer, in: context)
        guard let broken = context.snapshot.faults.verificationErrorInForce else { return verdict }
        switch verdict {
        case .answer(var answer):
            answer.broken = broken
            return .answer(answer)
        case .record(let decision, let make):
            return .record(decision) { entries throws(StoreError) in
                var answer = try make(entries)
                answer.broken = broken
                return answer
            }
        }
    }
}

/// A request to acknowledge a delivered transaction (StoreKit: `Transaction.finish`). Idempotent.
struct FinishRequest: Request {
    var id: TransactionID
    var customer: Customer

    func addKeys(to lookup: inout Lookup) {
        lookup.query.accounts.insert(customer.account)
        lookup.query.finishing.insert(.init(account: customer.account, id: id))
    }

    func collisions(in context: RuleContext) -> [CollisionKey] { [.transaction(id)] }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<FinishOutcome> {
        try FinishRules.finish(id, by: customer, in: context)
    }
}

/// A request to take over an unfinished consumable that another device bought. Idempotent.
struct ClaimRequest: Request {
    var id: TransactionID
    var customer: Customer

    func addKeys(to lookup: inout Lookup) {
        lookup.query.accounts.insert(customer.account)
        lookup.query.finishing.insert(.init(account: customer.account, id: id))
        lookup.query.transactions.insert(.init(account: customer.account, id: id))
    }

    func collisions(in context: RuleContext) -> [CollisionKey] { [.transaction(id)] }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<TransactionRow> {
        try FinishRules.claim(id, by: customer, in: context)
    }
}

/// A customer's answer to the own payment that waits: to withdraw it, or to resolve its
/// interruption.
struct RequestAnswer: Request {
    var number: TransactionID
    var answer: RequestRules.Answer
    var customer: Customer

    static func withdraw(_ number: TransactionID, by customer: Customer) -> Self {
        Self(number: number, answer: .withdraw, customer: customer)
    }

    static func resolve(_ number: TransactionID, by customer: Customer) -> Self {
        Self(number: number, answer: .resolve, customer: customer)
    }

    func addKeys(to lookup: inout Lookup) {
        lookup.query.accounts.insert(customer.account)
        RequestRules.addKeys(on: number, to: &lookup)
    }

    func collisions(in context: RuleContext) -> [CollisionKey] {
        RequestRules.collisions(on: number, in: context)
    }

    /// A request of another account is refused like one that does not wait.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        let owner =
            context.snapshot.pending[number]?.account
            ?? context.snapshot.transactions[number]?.account
            ?? context.snapshot.answered[number]?.account
        guard owner == customer.account else {
            throw StoreError(.requestNotPending, transactionID: number)
        }
        guard let decision = try RequestRules.answer(number, answer, in: context) else {
            return .answer(())
        }
        return .record(decision) { _ in }
    }
}

/// A customer's request for a refund. `RefundRequestRules` has the rules.
struct AskForRefund: Request {
    var id: TransactionID
    var reason: RefundReason
    var customer: Customer

    func addKeys(to lookup: inout Lookup) {
        lookup.query.accounts.insert(customer.account)
        lookup.query.transactions.insert(.init(account: customer.account, id: id))
        lookup.query.refundRequests.insert(id)
    }

    /// The faults only while one is in force.
    func collisions(in context: RuleContext) -> [CollisionKey] {
        context.snapshot.faults.isEmpty ? [.transaction(id)] : [.transaction(id), .faults]
    }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<RefundRequest> {
        try RefundRequestRules.ask(id, reason, by: customer, in: context)
    }
}

/// Sets or removes a small value of the account. Idempotent.
struct SetValue: Request {
    var change: AccountValue
    var customer: Customer

    func addKeys(to lookup: inout Lookup) {
        lookup.query.accounts.insert(customer.account)
        lookup.query.values.insert(customer.account)
    }

    /// All values of the account, because they share its limits.
    func collisions(in context: RuleContext) -> [CollisionKey] { [.values(customer.account)] }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        let values = context.snapshot.values[customer.account, default: [:]]
        try change.check(in: values)
        guard values[change.key] != change.value else { return .answer(()) }
        return .record(
            Decision(
                reads: context.reads(customer.account),
                entries: [customer.entry(.valueChanged(change), in: context)])
        ) { _ in }
    }
}

/// Records that the customer cancelled at the payment sheet. Never refused.
struct CancelledPurchaseNote: Request {
    var product: ProductID
    var customer: Customer

    func addKeys(to lookup: inout Lookup) {
        lookup.query.accounts.insert(customer.account)
    }

    /// The request changes no row.
    func collisions(in context: RuleContext) -> [CollisionKey] { [] }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        .record(
            Decision(
                reads: [:],
                entries: [customer.entry(.purchaseCancelled(product), in: context)])
        ) { _ in }
    }
}
