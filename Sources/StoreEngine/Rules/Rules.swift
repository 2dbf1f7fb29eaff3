import StoreModel

/// Where purchases are decided: pure functions from what is known to what shall be recorded. No
/// clock, no chance, no reading.
package enum Rules {
    package static func decide(_ request: Request, in context: RuleContext) -> Verdict {
        switch request {
        case .purchase(let payment, let customer):
            PurchaseRules.decide(payment, by: customer, in: context)
        case .finish(let id, let customer): FinishRules.finish(id, by: customer, in: context)
        case .claim(let id, let customer): FinishRules.claim(id, by: customer, in: context)
        case .approve(let number): ApprovalRules.approve(number, in: context)
        case .decline(let number): ApprovalRules.decline(number, in: context)
        case .changeAccount(let change): AccountRules.change(change, in: context)
        case .failNext(let call, let error, let count):
            FaultRules.set(call, error: error, count: count, in: context)
        case .clearFaults: FaultRules.clear(in: context)
        case .reviseCatalog(let catalog, let digest, let body):
            CatalogRules.revise(catalog, digest: digest, body: body, in: context)
        case .open(let identity): CatalogRules.open(identity, in: context)
        }
    }

    /// The answer that follows from what was recorded for a request.
    package static func answer(
        to request: Request, recorded: [RecordedEntry], in context: RuleContext
    ) -> Answer {
        switch request {
        case .purchase(let payment, let customer):
            return .payment(
                paymentRow(payment, recorded)
                    ?? PaymentRow(
                        account: customer.account, device: customer.device, payment: payment,
                        state: .failed(StoreError(.unknown), request: nil)),
                alreadyOwned: false)
        case .approve(let number):
            let waiting = context.snapshot.pending[number]
            let row = waiting.flatMap { paymentRow($0.payment, recorded) }
            return row.map { .approval($0) } ?? .declined
        case .finish: return .finished(.finished)
        case .claim(let id, _):
            return context.snapshot.transactions[id].map { .claimed($0) } ?? .opened
        case .decline: return .declined
        case .clearFaults: return .faultsCleared
        case .open: return .opened
        case .changeAccount, .failNext, .reviseCatalog: return recordedValue(recorded)
        }
    }

    private static func paymentRow(
        _ payment: Payment, _ recorded: [RecordedEntry]
    ) -> PaymentRow? {
        for change in recorded.flatMap(LedgerFold.changes) {
            if case .putPayment(let row) = change, row.payment.id == payment.id { return row }
        }
        return nil
    }

    private static func recordedValue(_ recorded: [RecordedEntry]) -> Answer {
        for entry in recorded {
            switch entry.entry.fact {
            case .accountChanged(let settings): return .account(settings)
            case .faultSet(let fault): return .fault(fault)
            case .catalogRevised(let revision): return .catalog(revision)
            default: continue
            }
        }
        return .opened
    }
}
