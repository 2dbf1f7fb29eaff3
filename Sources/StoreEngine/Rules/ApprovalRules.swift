import StoreCatalog
import StoreModel

/// Ask to Buy: the organizer's answer to a request.
enum ApprovalRules {
    /// The request becomes the sale with its own number. What was shown when it was asked is what
    /// is charged, even if the price has changed since: that is what was approved. Nil where it was
    /// approved before.
    static func approve(
        _ number: TransactionID, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        guard let waiting = context.snapshot.pending[number] else {
            guard context.snapshot.transactions[number] != nil else {
                throw notPending(number)
            }
            return nil
        }
        try context.snapshot.refuseUnknownFacts(of: waiting.account)
        return answer(waiting, with: outcome(waiting, in: context), in: context)
    }

    private static func outcome(_ waiting: PendingRow, in context: RuleContext) -> Entry.Fact {
        let payment = waiting.payment
        func failed(_ code: StoreError.Code) -> Entry.Fact {
            .failed(
                payment,
                StoreError(code, productID: payment.productID, paymentID: payment.id))
        }
        guard let product = context.catalog.product(payment.productID) else {
            return failed(.productUnavailable)
        }
        switch Eligibility.obstacle(to: product, for: waiting.account, in: context) {
        case .owned: return failed(.alreadyOwned)
        case .subscribed: return failed(.subscriptionActive)
        case nil: break
        }
        let territory =
            context.snapshot.accounts[waiting.account]?.territory ?? Storefront.usa.countryCode
        return .sold(
            PurchaseRules.sale(
                of: product, for: payment, price: payment.shownPrice, account: waiting.account,
                territory: territory, in: context))
    }

    static func decline(
        _ number: TransactionID, in context: RuleContext
    ) throws(StoreError) -> Decision {
        guard let waiting = context.snapshot.pending[number] else { throw notPending(number) }
        let error = StoreError(
            .approvalDeclined, productID: waiting.payment.productID,
            paymentID: waiting.payment.id, transactionID: number)
        return answer(waiting, with: .failed(waiting.payment, error), in: context)
    }

    private static func answer(
        _ waiting: PendingRow, with fact: Entry.Fact, in context: RuleContext
    ) -> Decision {
        Decision(
            reads: context.reads(waiting.account),
            entries: [
                Entry(
                    account: waiting.account, device: waiting.device,
                    effectiveAt: context.now, number: .existing(waiting.number), fact: fact)
            ])
    }

    private static func notPending(_ number: TransactionID) -> StoreError {
        StoreError(.requestNotPending, transactionID: number)
    }
}
