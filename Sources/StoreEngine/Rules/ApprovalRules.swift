import StoreCatalog
import StoreModel

/// Ask to Buy: decides the organizer's answer to a request.
enum ApprovalRules {
    /// The request becomes the transaction of the same number. The price shown when the customer
    /// asked is charged, even if it has changed since, because that price was approved. If the
    /// product can no longer be sold, the payment fails instead. Nil where it was approved before.
    ///
    /// - Throws: `requestNotPending` where it was declined or failed, or there is no such request;
    ///   `storeNewer`.
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
        if let reason = product.reasonNotForSale(at: context.now, in: context.environment) {
            return .failed(
                payment, StoreError(reason, productID: payment.productID, paymentID: payment.id))
        }
        switch Eligibility.obstacle(to: product, for: waiting.account, in: context) {
        case .owned: return failed(.alreadyOwned)
        case .subscribed: return failed(.subscriptionActive)
        case nil: break
        }
        let territory =
            context.snapshot.accounts[waiting.account]?.territory ?? Storefront.usa.countryCode
        // The account has moved to a territory with another currency: what was shown and approved
        // cannot be charged there.
        let price = Storefront.find(territory).flatMap { product.price(in: $0, at: context.now) }
        guard price?.currency == payment.shownPrice.currency else {
            return failed(price == nil ? .notAvailableInStorefront : .priceChanged)
        }
        return .sold(
            PurchaseRules.sale(
                of: product, for: payment, price: payment.shownPrice, account: waiting.account,
                territory: territory, in: context))
    }

    /// The payment fails with `approvalDeclined`. Throws `requestNotPending`.
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
