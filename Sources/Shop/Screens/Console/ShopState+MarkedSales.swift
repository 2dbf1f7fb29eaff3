import ShopText
package import StoreModel

/// The operator's keys for the marked sales of the console or the history, otherwise for the
/// selected one, of any account. Its details show only that one, and their keys act on it alone.
extension ShopState {
    /// Those on which a kind of action acts now; a subscription once, however many of its periods
    /// are marked. Empty where this shop has no operator's keys.
    package func sales(for kind: OperatorAction.Kind) -> [OperatorSubject] {
        guard showsCodes, let log = focusedLog else { return [] }
        let refunded = kind == .refund ? log.refunded : []
        let marked = hasMarkedLines ? log.markedLines : []
        // A due item names the first sale of its subscription, which is not the one to refund.
        let selected = kind.isOfSubscription || selectedUpcoming == nil ? operatorSubject : nil
        let subjects = marked.isEmpty ? [selected] : marked.map { subject(of: $0) }
        var seen: Set<TransactionID> = []
        return subjects.compactMap(\.self).filter { subject in
            guard let sale = subject.sale, !refunded.contains(sale) else { return false }
            guard kind.isOfSubscription else { return seen.insert(sale).inserted }
            guard let product = subject.product,
                productList.product(product)?.type == .autoRenewable
            else { return false }
            return seen.insert(subject.chain ?? sale).inserted
        }
    }

    var hasMarkedLines: Bool {
        screen != .details && logBelow?.markedLines.isEmpty == false
    }

    /// One question for all of them.
    mutating func ask(_ kind: OperatorAction.Kind, _ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard showsCodes else { return refuse(.noConsole, moment) }
        guard sheet == nil else { return [] }
        let sales = sales(for: kind)
        guard sales.isEmpty else { return openQuestion(.operate(kind, sales)) }
        if kind == .refund, let sale = operatorSubject?.sale,
            focusedLog?.refunded.contains(sale) == true
        {
            return refuse(.alreadyRefunded(sale), moment)
        }
        guard kind.isOfSubscription else { return refuse(.noTransaction(of: nil), moment) }
        // Of the selection; only if the account has none either, of the account.
        return refuse(
            snapshot.subscriptions.isEmpty ? .noSubscription : .noSubscriptionSelected, moment)
    }

    /// Removes the marks that were acted on.
    mutating func operate(
        _ kind: OperatorAction.Kind, on sales: [OperatorSubject]
    ) -> [ShopEffect] {
        (screen == .details ? [] : changeLog { log, _ in log.unmark() })
            + sales.compactMap(\.sale).compactMap { kind.action(on: $0) }.map {
                ShopEffect.perform($0)
            }
    }
}

extension OperatorAction.Kind {
    /// The first action that the palette offers for a sale; nil for a kind of another subject.
    func action(on sale: TransactionID) -> OperatorAction? {
        switch subject {
        case .sale(let actions): actions(sale, false).first
        case .subscription(let actions): actions(sale).first
        case .request, .plan, .product, .faults, .store, .shop: nil
        }
    }

    var isOfSubscription: Bool { if case .subscription = subject { true } else { false } }
}
