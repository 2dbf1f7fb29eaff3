import StoreCatalog
import StoreModel

/// Ask to Buy: the organizer's answer to a request.
enum ApprovalRules {
    /// The request becomes the sale with its own number. What was shown when it was asked is what
    /// is charged, even if the price has changed since: that is what was approved.
    static func approve(_ number: TransactionID, in context: RuleContext) -> Verdict {
        guard let waiting = context.snapshot.pending[number] else {
            guard let sold = context.snapshot.transactions[number] else {
                return notPending(number)
            }
            return .answer(
                .approval(
                    PaymentRow(
                        account: sold.account, device: sold.device, payment: sold.sale.payment,
                        state: .sold(sold))))
        }
        return .record(
            Decision(
                reads: context.reads(waiting.account),
                entries: [
                    Entry(
                        account: waiting.account, device: waiting.device,
                        effectiveAt: context.now, number: .existing(number),
                        fact: fact(waiting, in: context))
                ]))
    }

    private static func fact(_ waiting: PendingRow, in context: RuleContext) -> Entry.Fact {
        let payment = waiting.payment
        func failed(_ code: StoreError.Code) -> Entry.Fact {
            .failed(
                payment,
                StoreError(code, productID: payment.productID, paymentID: payment.id))
        }
        guard let product = context.catalog.product(payment.productID) else {
            return failed(.productUnavailable)
        }
        let owned = LedgerQuery.Owned(account: waiting.account, product: payment.productID)
        if product.type == .nonConsumable, context.snapshot.owned[owned] != nil {
            return failed(.alreadyOwned)
        }
        if context.freeSubscription(product, of: waiting.account) != nil {
            return failed(.alreadyOwned)
        }
        if let group = product.subscription?.groupID,
            let latest = context.snapshot.subscribed[
                LedgerQuery.Subscribed(account: waiting.account, group: group)],
            let until = latest.sale.expiresDate, until > context.now
        {
            return failed(.subscriptionActive)
        }
        let territory =
            context.snapshot.accounts[waiting.account]?.territory ?? Storefront.usa.countryCode
        return .sold(
            PurchaseRules.sale(
                of: product, for: payment, price: payment.shownPrice, account: waiting.account,
                territory: territory, in: context))
    }

    static func decline(_ number: TransactionID, in context: RuleContext) -> Verdict {
        guard let waiting = context.snapshot.pending[number] else { return notPending(number) }
        let error = StoreError(
            .approvalDeclined, productID: waiting.payment.productID,
            paymentID: waiting.payment.id, transactionID: number)
        return .record(
            Decision(
                reads: context.reads(waiting.account),
                entries: [
                    Entry(
                        account: waiting.account, device: waiting.device,
                        effectiveAt: context.now, number: .existing(number),
                        fact: .failed(waiting.payment, error))
                ]))
    }

    private static func notPending(_ number: TransactionID) -> Verdict {
        .refuse(StoreError(.requestNotPending, transactionID: number))
    }
}
