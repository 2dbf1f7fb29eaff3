import StoreModel

/// Decides customers' requests for refunds, and the operator's refusals of them. Approving a
/// request is a refund (`RefundRules`).
enum RefundRequestRules {
    /// Refused with `transactionNotFound`; `duplicateRequest` if a refund was requested or given
    /// before; `sharedPurchase` if a family member bought it, because only that member can ask;
    /// `refundRequestFailed` if nothing was paid; and with the error of a fault.
    static func ask(
        _ id: TransactionID, _ reason: RefundReason, by customer: Customer, in context: RuleContext
    ) throws(StoreError) -> Verdict<RefundRequest> {
        guard let row = context.snapshot.transactions[id], row.account == customer.account,
            !row.state.isDeleted
        else { throw StoreError(.transactionNotFound, transactionID: id) }
        try context.snapshot.refuseUnknownFacts(of: customer.account)
        func error(_ code: StoreError.Code) -> StoreError {
            StoreError(code, productID: row.sale.productID, transactionID: id)
        }
        if let failure = FaultRules.failure(
            of: .refundRequest, by: customer.device, in: context)
        {
            var error = error(failure.error)
            error.subject = Fault.Call.refundRequest.rawValue
            let refusal = error
            guard !failure.entries.isEmpty else { throw refusal }
            return .record(
                Decision(reads: context.reads([.store]), entries: failure.entries)
            ) { _ throws(StoreError) in throw refusal }
        }
        guard row.state.revocation == nil, context.snapshot.refundRequests[id] == nil else {
            throw error(.duplicateRequest)
        }
        if let shared = row.sale.sharedTransaction {
            var refusal = error(.sharedPurchase)
            refusal.reason = .refund
            refusal.found = row.sale.share?.owner.rawValue.figure
            refusal.expected = shared.description.figure
            throw refusal
        }
        guard row.sale.price.milliunits > 0 else {
            var refusal = error(.refundRequestFailed)
            refusal.reason = .price
            throw refusal
        }
        let request = RefundRequest(
            transactionID: id, account: customer.account, device: customer.device,
            productID: row.sale.productID, quantity: row.sale.quantity, reason: reason,
            askedAt: context.now)
        let decision = Decision(
            reads: context.reads(customer.account),
            entries: [
                customer.entry(.refundRequested(request), in: context, number: .existing(id))
            ])
        return .record(decision) { _ in request }
    }

    /// Throws `refundNotRequested`.
    static func decline(
        _ id: TransactionID, in context: RuleContext
    ) throws(StoreError) -> Decision {
        guard let request = context.snapshot.refundRequests[id] else {
            throw StoreError(.refundNotRequested, transactionID: id)
        }
        return Decision(
            reads: context.reads(request.account),
            entries: [
                context.entry(
                    .refundDeclined(request), of: request.account, number: .existing(id))
            ])
    }
}
