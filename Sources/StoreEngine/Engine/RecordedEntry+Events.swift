import StoreModel

extension RecordedEntry {
    /// The entry's events, in the order of the feed: one, or one for each fault that was cleared;
    /// none for an entry that is no event.
    ///
    /// - Parameter row: the transaction that the entry names but does not describe.
    func events(of row: TransactionRow?, epoch: Int64) -> [StoreEvent] {
        let cursor = FeedCursor(epoch: epoch, position: position)
        let sale = entry.fact.isOfSale ? row.map(PastSale.init) : nil
        return changes(row).enumerated().map { index, change in
            let isDescribed = if case .revised = change { true } else { false }
            return StoreEvent(
                cursor: cursor, index: index, at: recordedAt, happenedAt: happenedAt,
                account: entry.account, device: entry.device, change: change,
                namedSale: isDescribed ? nil : sale)
        }
    }

    /// The kind of the entry's first event, and the product that it names; nil for an entry that is
    /// no event.
    ///
    /// A sale and its changes are the bulk of a ledger, and their events copy the sale: without
    /// their own lines here, folding them takes 1.5 times as long ("folding a refund", "folding a
    /// renewal" of `make bench`).
    var kindAndProduct: (kind: EventKind, product: ProductID?)? {
        switch entry.fact {
        case .sold(let sale): (.sold, sale.productID)
        case .revised(let revision): (revision.eventKind, revision.productID)
        default: changes(nil).first.map { ($0.kind, $0.productID) }
        }
    }

    /// In the order of the feed.
    func changes(_ row: TransactionRow?) -> [StoreEvent.Change] {
        switch entry.fact {
        case .storeOpened, .extensionAsked, .outbox, .moved: return []
        case .catalogRevised(let revision):
            return [
                .catalogRevised(
                    revision: revision.number, release: revision.package,
                    takesOffSale: revision.takesOffSale)
            ]
        case .accountChanged(let settings): return [.accountChanged(settings)]
        case .familyChanged(let change): return [.familyChanged(change)]
        case .valueChanged(let change): return [.valueChanged(change)]
        case .deferred(let payment, let reason):
            return number.map { [.deferred(payment, request: $0, reason: reason)] } ?? []
        case .refundRequested(let request): return [.refundRequested(request)]
        case .refundDeclined(let request): return [.refundDeclined(request)]
        case .promoted(let product): return [.promoted(product)]
        case .purchaseCancelled(let product): return [.purchaseCancelled(product)]
        case .failed(let payment, let error): return [.failed(payment, error, request: number)]
        case .sold: return soldRow.map { [.sold(PastSale($0))] } ?? []
        case .finished: return number.map { [.finished($0)] } ?? []
        case .claimed(let device): return number.map { [.claimed($0, by: device)] } ?? []
        case .revised(let revision): return number.map { [revision.change(of: $0, row)] } ?? []
        case .autoRenewChanged(let change):
            return [
                .autoRenewChanged(
                    chain: change.chain, productID: change.productID, isOn: change.isOn,
                    commitmentEnds: change.commitmentEnds)
            ]
        case .subscriptionChanged(let change):
            return [.subscriptionChanged(change.event(of: number))]
        case .clockSet(let state): return [.clockSet(state)]
        case .renewalsSet(let settings): return [.renewalsSet(settings)]
        case .serverSet(let settings): return [.serverSet(settings)]
        case .extensionDone(let outcome): return [.extensionDone(outcome)]
        case .consumptionAnswered(let answer): return [.consumptionAnswered(answer)]
        case .faultSet(let fault): return [.faultSet(fault)]
        case .faultSpent(let fault):
            return [fault.isInForce ? .faultSet(fault) : .faultCleared(fault)]
        case .faultsCleared(let faults): return faults.map { .faultCleared($0) }
        case .unknown(let kind, _): return [.unknown(kind: kind)]
        }
    }

    /// Nil for an entry that is no sale.
    var soldRow: TransactionRow? {
        guard case .sold(let sale) = entry.fact, let id = number, let account = entry.account
        else { return nil }
        return TransactionRow(id: id, account: account, device: entry.device, sale: sale)
    }

    /// When the event took effect. For a move of the clock, the time before the move, at which it
    /// was recorded.
    private var happenedAt: Timestamp {
        if case .clockSet = entry.fact { recordedAt } else { entry.effectiveAt }
    }
}

extension TransactionRevision {
    /// The sale in its state after this change, and the money of this change alone.
    fileprivate func change(of id: TransactionID, _ row: TransactionRow?) -> StoreEvent.Change {
        guard let kind else {
            return .deleted(id, productID: productID, revision: state.revision)
        }
        let money: Money? =
            switch change {
            case .refunded(let money), .upgraded(let money), .refundReversed(let money): money
            case .revoked, .expiryMoved, .tokenSet, .deleted: nil
            }
        var row = row
        row?.state = state
        return .revised(
            PastRevision(
                id: id, kind: kind, productID: productID, money: money,
                revocation: state.revocation, sale: row.map(PastSale.init)))
    }

    fileprivate var eventKind: EventKind { kind.map { EventKind($0) } ?? .deleted }

    /// Nil for the deletion, which is no revision of a transaction that a customer sees.
    private var kind: RevisionKind? {
        switch change {
        case .refunded: .refunded
        case .revoked: .revoked
        case .expiryMoved: .expiryMoved
        case .tokenSet: .tokenSet
        case .upgraded: .upgraded
        case .refundReversed: .refundReversed
        case .deleted: nil
        }
    }
}

extension PastSale {
    fileprivate init(_ row: TransactionRow) {
        let sale = row.sale
        self.init(
            id: row.id, originalID: row.originalID, productID: sale.productID, type: sale.type,
            quantity: sale.quantity, price: sale.price, payment: sale.payment?.id,
            device: row.device, reason: sale.reason,
            ownership: sale.ownership, purchasedAt: sale.purchaseDate, expiresAt: row.expiresDate,
            storefront: sale.storefront, sharedBy: sale.share?.owner,
            offerMode: sale.offer?.mode, offerKind: sale.offer?.kind)
    }
}
