import Basics
package import StoreModel

/// The rule by which every ledger updates its lookup rows. It depends only on the entries, so
/// folding all entries again gives the same rows.
package enum LedgerFold {
    /// The row changes of an entry, in the order to apply them. A fact of an unknown kind changes
    /// only its row in the history.
    ///
    /// - Throws: `storeUnreadable` for an entry that contradicts itself. No ledger records such an
    ///   entry, so another program has changed the file.
    package static func changes(of recorded: RecordedEntry) throws(StoreError) -> [RowChange] {
        try refuseContradiction(of: recorded)
        return rows(recorded) + history(recorded)
    }

    /// In its state at the sale; nil for an entry that is no sale.
    ///
    /// - Throws: as `changes`.
    package static func transaction(
        of recorded: RecordedEntry
    ) throws(StoreError) -> TransactionRow? {
        guard case .sold(let sale) = recorded.entry.fact else { return nil }
        try refuseContradiction(of: recorded)
        return transaction(sale, recorded)
    }

    private static func transaction(_ sale: Sale, _ recorded: RecordedEntry) -> TransactionRow? {
        guard let id = recorded.number, let account = recorded.entry.account else { return nil }
        return TransactionRow(
            id: id, account: account, device: recorded.entry.device, sale: sale,
            changedAt: recorded.position)
    }

    private static func refuseContradiction(of recorded: RecordedEntry) throws(StoreError) {
        guard let contradiction = recorded.entry.contradiction else { return }
        throw StoreError(
            .storeUnreadable, subject: "entry \(recorded.position)", found: contradiction)
    }

    /// The row by which histories find the entry. It is applied after the entry's other changes. If
    /// the entry changes a transaction, the product comes from the transaction's row.
    private static func history(_ recorded: RecordedEntry) -> [RowChange] {
        guard let (kind, product) = recorded.kindAndProduct else { return [] }
        return [
            .insertHistory(
                HistoryRow(
                    position: recorded.position, account: recorded.entry.account,
                    product: product, kind: kind),
                productOf: product == nil ? recorded.number : nil)
        ]
    }

    private static func rows(_ recorded: RecordedEntry) -> [RowChange] {
        let entry = recorded.entry
        switch entry.fact {
        case .storeOpened(let identity): return [.putIdentity(identity)]
        case .catalogRevised(let revision): return [.putCatalog(revision)]
        case .accountChanged(let settings): return [.putAccount(settings)]
        case .familyChanged(let change):
            return entry.account.map { [.putFamily($0, change.family)] } ?? []
        case .valueChanged(let change): return entry.account.map { [.putValue($0, change)] } ?? []
        case .faultSet(let fault): return [.putFault(fault)]
        case .faultSpent(let fault):
            return [fault.isInForce ? .putFault(fault) : .removeFault(fault.id)]
        case .faultsCleared(let faults): return faults.map { .removeFault($0.id) }
        case .finished:
            guard let id = recorded.number, let account = entry.account else { return [] }
            return [.removeUnfinished(id, of: account)]
        case .claimed(let device):
            guard let id = recorded.number, let account = entry.account else { return [] }
            return [.moveUnfinished(id, of: account, to: device)]
        case .deferred(let payment, let reason): return deferred(payment, reason, recorded)
        case .refundRequested(let request): return [.putRefundRequest(request)]
        case .refundDeclined(let request): return [.removeRefundRequest(request.transactionID)]
        case .failed(let payment, let error): return failed(payment, error, recorded)
        case .sold(let sale): return sold(sale, recorded)
        case .revised(let revision): return revised(revision, recorded)
        case .autoRenewChanged(let change):
            return subscription(
                change.chain, autoRenews: change.isOn || change.commitmentEnds != nil,
                change.state, next: change.next, recorded) + answered(change.answered, recorded)
        case .subscriptionChanged(let change):
            return subscription(
                change.event.chain, autoRenews: change.autoRenews, change.state,
                next: change.next, recorded) + answered(change.answered, recorded)
        case .clockSet(let state): return [.putClock(state)]
        case .renewalsSet(let settings): return [.putRenewals(settings)]
        case .extensionAsked(let request):
            return [.noteExtension(request.id, at: entry.effectiveAt)]
        case .serverSet(let settings): return [.putServer(settings)]
        case .outbox(let fact): return [.outbox(fact)]
        case .moved(.copied(let epoch)): return [.putEpoch(epoch)]
        case .promoted, .purchaseCancelled, .extensionDone, .consumptionAnswered, .moved, .unknown:
            return []
        }
    }

    private static func deferred(
        _ payment: Payment, _ reason: RequestReason, _ recorded: RecordedEntry
    ) -> [RowChange] {
        guard let number = recorded.number, let account = recorded.entry.account,
            let device = recorded.entry.device
        else { return [] }
        let state = PaymentRow.State.deferred(request: number, reason: reason)
        let row = PaymentRow(account: account, device: device, payment: payment, state: state)
        let uses = AccountUse.of(payment, by: account, on: device).map { RowChange.noteUse($0) }
        if case .existing = recorded.entry.number { return [.putPayment(row)] + uses }
        return uses + [
            .putPayment(row),
            .insertPending(
                ApprovalRequest(
                    number: number, account: account, device: device, payment: payment,
                    reason: reason, askedAt: recorded.entry.effectiveAt)),
        ]
    }

    private static func failed(
        _ payment: Payment, _ error: StoreError, _ recorded: RecordedEntry
    ) -> [RowChange] {
        guard let account = recorded.entry.account, let device = recorded.entry.device
        else { return [] }
        let state = PaymentRow.State.failed(error, request: recorded.number)
        let row = PaymentRow(account: account, device: device, payment: payment, state: state)
        return [.putPayment(row)]
            + AccountUse.of(payment, by: account, on: device).map { .noteUse($0) }
            + (recorded.number.map { [.removePending($0, .failed(error))] } ?? [])
    }

    private static func sold(_ sale: Sale, _ recorded: RecordedEntry) -> [RowChange] {
        guard let row = transaction(sale, recorded) else { return [] }
        let (id, account, device) = (row.id, row.account, row.device)
        var changes: [RowChange] = [.insertTransaction(row)]
        if let payment = sale.payment, let device {
            changes.append(
                .putPayment(
                    PaymentRow(
                        account: account, device: device, payment: payment, state: .sold(row))))
            changes += AccountUse.of(payment, by: account, on: device).map { .noteUse($0) }
        }
        changes += AccountUse.of(sale, by: account).map { .noteUse($0) }
        changes.append(
            .insertUnfinished(UnfinishedRow(id: id, account: account, device: device)))
        if let shared = sale.sharedTransaction {
            // Nothing was charged to the member: the money was counted with the owner's sale.
            changes.append(
                .insertShare(
                    ShareRow(
                        shared: shared, chain: sale.share?.chain ?? shared, account: account,
                        id: id)))
        } else {
            changes.append(
                .addSalesTotals(
                    SalesTotals(
                        currency: sale.price.currency, soldMilliunits: sale.price.milliunits,
                        sales: 1)))
        }
        changes.append(
            .noteSoldProduct(
                SoldProduct(
                    id: sale.productID, type: sale.type, groupID: sale.groupID,
                    isHosted: sale.isHosted)))
        // An existing number is that of an approved request, which no longer waits.
        if case .existing = recorded.entry.number { changes.append(.removePending(id, .sold)) }
        changes += uses(sale.offer, in: sale.groupID, by: account, of: id)
        changes += uses(sale.nextOffer, in: sale.groupID, by: account, of: id)
        return changes + renewal(of: row, soldAt: recorded.entry.effectiveAt)
    }

    /// The changes that record an account's use of an offer: of the group's introductory offer, a
    /// code or a signature.
    private static func uses(
        _ offer: SoldOffer?, in group: SubscriptionGroupID?, by account: AccountName,
        of id: TransactionID?
    ) -> [RowChange] {
        (offer?.subjects(in: group) ?? []).map { subject in
            .noteOfferUse(
                OfferUse(subject, by: account, payment: offer?.payment, transaction: id))
        }
    }

    /// For the sale of a period that renews: the chain's new last period, and the first attempt to
    /// charge for the next one, which is never before the sale itself.
    private static func renewal(
        of row: TransactionRow, soldAt instant: Timestamp
    ) -> [RowChange] {
        guard let term = row.sale.term, let due = row.sale.firstStep(soldAt: instant) else {
            return []
        }
        let chain = row.originalID
        return [
            .putSubscription(
                SubscriptionRow(
                    chain: chain, account: row.account, autoRenews: true,
                    ordinal: term.ordinal, latest: row.id)),
            .putDue(
                DueItem(
                    account: row.account, chain: chain, kind: .renewal,
                    period: term.ordinal.addingClamped(1),
                    at: due)),
        ]
    }

    private static func revised(
        _ revision: TransactionRevision, _ recorded: RecordedEntry
    ) -> [RowChange] {
        guard let id = recorded.number, let account = recorded.entry.account else { return [] }
        var changes: [RowChange] = [.putState(id, of: account, revision.state)]
        if let renewal = revision.renewal {
            changes += subscription(
                renewal.chain, autoRenews: renewal.autoRenews, renewal.state, next: renewal.next,
                recorded)
        }
        // A refund request of a transaction that was refunded or revoked needs no answer.
        if revision.state.isRevoked { changes.append(.removeRefundRequest(id)) }
        func add(_ money: Money, sold: Int64 = 0, sales: Int64 = 0, refunded: Int64 = 0) {
            changes.append(
                .addSalesTotals(
                    SalesTotals(
                        currency: money.currency, soldMilliunits: sold, sales: sales,
                        refundedMilliunits: refunded)))
        }
        switch revision.change {
        case .refunded(let money), .upgraded(let money):
            add(money, refunded: money.milliunits)
        case .revoked, .expiryMoved, .tokenSet: break
        case .refundReversed(let money):
            add(money, refunded: Int64(0).subtractingClamped(money.milliunits))
        case .deleted(let sold, let refunded):
            add(
                sold, sold: Int64(0).subtractingClamped(sold.milliunits), sales: -1,
                refunded: Int64(0).subtractingClamped(refunded.milliunits))
            changes.append(.removeUnfinished(id, of: account))
            changes.append(.removeOfferUses(of: id))
        }
        return changes
    }

    /// The outcome of a payment that changed a subscription without a charge, and the end of the
    /// request under which the payment waited.
    private static func answered(
        _ answer: AnsweredPayment?, _ recorded: RecordedEntry
    ) -> [RowChange] {
        guard let answer, let account = recorded.entry.account else { return [] }
        let row = PaymentRow(
            account: account, device: answer.device, payment: answer.payment,
            state: .answered(with: answer.transaction))
        let end = recorded.number.map {
            RowChange.removePending($0, .answered(with: answer.transaction))
        }
        return [.putPayment(row)] + [end].compactMap(\.self)
    }

    private static func subscription(
        _ chain: TransactionID, autoRenews: Bool, _ state: SubscriptionState, next: DueItem?,
        _ recorded: RecordedEntry
    ) -> [RowChange] {
        guard let account = recorded.entry.account else { return [] }
        return [
            .putSubscriptionState(chain: chain, of: account, autoRenews: autoRenews, state),
            next.map { .putDue($0) } ?? .removeDue(chain: chain, of: account, .renewal),
        ] + uses(state.nextOffer ?? state.afterCommitment?.offer, in: nil, by: account, of: nil)
    }
}
