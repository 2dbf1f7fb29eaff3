import StoreModel

/// From an entry to the rows it changes: the one rule by which every ledger keeps its lookups,
/// needing nothing but the entry. Folding all entries again gives the same rows.
package enum LedgerFold {
    package static func changes(of recorded: RecordedEntry) -> [RowChange] {
        let entry = recorded.entry
        switch entry.fact {
        case .storeOpened(let identity): return [.putIdentity(identity)]
        case .catalogRevised(let revision): return [.putCatalog(revision)]
        case .accountChanged(let settings): return [.putAccount(settings)]
        case .faultSet(let fault): return [.putFault(fault)]
        case .faultSpent(let fault):
            return [fault.remaining > 0 ? .putFault(fault) : .removeFault(fault.id)]
        case .faultsCleared(let faults): return faults.map { .removeFault($0.id) }
        case .finished:
            guard let id = recorded.number, let account = entry.account else { return [] }
            return [.removeUnfinished(id, of: account)]
        case .claimed(let device):
            guard let id = recorded.number, let account = entry.account else { return [] }
            return [.moveUnfinished(id, of: account, to: device)]
        case .deferred(let payment): return deferred(payment, recorded)
        case .failed(let payment, let error): return failed(payment, error, recorded)
        case .sold(let sale): return sold(sale, recorded)
        }
    }

    private static func deferred(_ payment: Payment, _ recorded: RecordedEntry) -> [RowChange] {
        guard let number = recorded.number, let account = recorded.entry.account,
            let device = recorded.entry.device
        else { return [] }
        let state = PaymentRow.State.deferred(request: number)
        return [
            .putPayment(
                PaymentRow(account: account, device: device, payment: payment, state: state)),
            .insertPending(
                PendingRow(
                    number: number, account: account, device: device, payment: payment,
                    askedAt: recorded.entry.effectiveAt)),
        ]
    }

    private static func failed(
        _ payment: Payment, _ error: StoreError, _ recorded: RecordedEntry
    ) -> [RowChange] {
        guard let account = recorded.entry.account, let device = recorded.entry.device
        else { return [] }
        let state = PaymentRow.State.failed(error, request: recorded.number)
        let row = PaymentRow(account: account, device: device, payment: payment, state: state)
        return [.putPayment(row)] + (recorded.number.map { [.removePending($0)] } ?? [])
    }

    private static func sold(_ sale: Sale, _ recorded: RecordedEntry) -> [RowChange] {
        guard let id = recorded.number, let account = recorded.entry.account,
            let device = recorded.entry.device
        else { return [] }
        let row = TransactionRow(id: id, account: account, device: device, sale: sale)
        var changes: [RowChange] = [
            .insertTransaction(row),
            .putPayment(
                PaymentRow(
                    account: account, device: device, payment: sale.payment, state: .sold(row))),
            .insertUnfinished(UnfinishedRow(id: id, account: account, device: device)),
            .addTakings(currency: sale.price.currency, milliunits: sale.price.milliunits),
            .noteSoldProduct(
                SoldProduct(
                    id: sale.payment.productID, type: sale.type, groupID: sale.groupID,
                    isHosted: sale.isHosted)),
        ]
        // An approved request stops waiting; a direct sale never waited.
        if case .existing = recorded.entry.number { changes.append(.removePending(id)) }
        return changes
    }
}
