import Basics
import ShopText
import StoreModel

/// Transactions as a table, one JSON object per line, or one compact JWS per line.
struct TransactionList {
    private let isSigned: Bool
    private var list: ListOutput
    private(set) var isEmpty = true
    /// The transactions whose refund was asked for; nil until the first are written.
    private var refundsAsked: Set<TransactionID>?

    init(_ options: GlobalOptions, signed: Bool) {
        list = ListOutput(options.listFormat)
        isSigned = signed
    }

    mutating func write(_ items: [TransactionLine], of store: OpenStore) async throws {
        isEmpty = isEmpty && items.isEmpty
        if isSigned { return items.forEach { Output.line($0.signed.rawValue) } }
        let owners = await Sharers(items.map(\.payload), in: store)
        let asked = await refundsAsked(in: store)
        let items = items.map { item in
            var item = item
            item.isRefundAsked = asked.contains(item.payload.transactionId)
            item.sharedBy = owners.owner(of: item.payload)
            return item
        }
        try await list.write(items, line: { $0 }) {
            let strings = Output.strings
            let names = try await ProductNames(items.map(\.payload.productId), in: store)
            return [
                Column(.columnTransaction) { $0.payload.transactionId.description },
                Column(.columnDate) { strings.date($0.payload.purchaseDate) },
                Column(
                    .columnProduct, mayBeCut: true,
                    field: { .text(names.item($0.payload.productId)) }
                ) {
                    names.item($0.payload.productId, quantity: $0.payload.quantity)
                },
                Column(.columnIdentifier) { $0.payload.productId.rawValue },
                .inCSV(.columnQuantity) { .count($0.payload.quantity) },
                Column(
                    .columnPrice, isRight: true, field: { .amount($0.payload.paid.money) }
                ) { strings.price($0.payload.paid) },
                .inCSV(.columnCurrency) { .text($0.payload.currency) },
                Column(.columnState) { $0.state },
            ]
        }
    }

    /// Read once, for all pages of the list.
    private mutating func refundsAsked(in store: OpenStore) async -> Set<TransactionID> {
        if let refundsAsked { return refundsAsked }
        let page = try? await store.session.events(
            before: nil, filter: .refunds, limit: HistoryPage.refundEventsMax)
        let asked = page?.refundsAsked ?? []
        refundsAsked = asked
        return asked
    }
}

extension TransactionLine {
    /// What became of it, when it ends, and whose it is.
    fileprivate var state: String {
        let strings = Output.strings
        var parts: [ColumnText] = []
        if let revoked {
            parts.append(revoked)
        } else if let end = graceUntil {
            parts.append(.subscriptionGraceEnds(date: strings.date(end)))
        } else if let expires = (payload.expiresDate ?? until).map({ strings.date($0) }) {
            parts.append(renews == true ? .renews(expires) : .until(expires))
        }
        if isRefundAsked { parts.append(.refundAskedState) }
        if let device { parts.append(.deliveredOn(device: device.rawValue)) }
        if isUnfinished { parts.append(.unfinishedState) }
        let shared = payload.inAppOwnershipType == .familyShared
        let owner = sharedBy.map { strings[.sharedBy(account: $0.rawValue)] }
        let problem =
            verificationError.map { [strings[.unverifiedState(reason: $0.rawValue)]] } ?? []
        let words =
            problem + (shared ? [owner ?? strings[.sharedByFamily]] : [])
            + parts.map { strings[$0] }
        return words.joined(separator: strings[.listSeparator])
    }

    private var revoked: ColumnText? {
        guard let date = payload.revocationDate.map({ Output.strings.date($0) }) else { return nil }
        let part = payload.takenBack == .all ? nil : payload.takenBack.percentText
        if payload.isUpgraded == true { return .upgradedOn(date: date) }
        return payload.isRefunded
            ? .refundedOn(part: part, date: date) : .revokedOn(part: part, date: date)
    }
}

extension TransactionPayload {
    fileprivate var paid: Price {
        Price(money: Money(milliunits: price, currency: currency), locale: "en_US")
    }

    var isRefunded: Bool { revocationType == .full || revocationType == .prorated }
}

/// The owners of shared transactions, which no signed text names: unknown without a network.
struct Sharers {
    private var owners: [TransactionID: AccountName] = [:]

    init(_ payloads: [TransactionPayload], in store: OpenStore) async {
        let shared = payloads.filter { $0.inAppOwnershipType == .familyShared }
        for product in Set(shared.map(\.productId)).sorted() {
            let filter = HistoryFilter(kinds: [.sold], product: product)
            var next: FeedCursor?
            repeat {
                guard
                    let page = try? await store.session.events(
                        before: next, filter: filter, limit: 500)
                else { return }
                for case .sold(let sale) in page.events.map(\.change) {
                    owners[sale.id] = sale.sharedBy
                }
                next = page.next
            } while next != nil
        }
    }

    /// The buyer of a shared transaction; nil if it is the account's own, or the buyer is unknown.
    func owner(of payload: TransactionPayload) -> AccountName? { owners[payload.transactionId] }
}
