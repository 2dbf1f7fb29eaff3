import ShopText
import StoreModel

/// Transactions for a person, a script or a server: a table, one JSON object per line, or one
/// compact JWS per line.
struct TransactionList {
    struct Item {
        var payload: TransactionPayload
        var signed: SignedTransaction
        /// The device that has to deliver the transaction, if it is unfinished.
        var device: DeviceName?
        /// Whether the subscription renews at its end; nil for a product that is no subscription.
        var renews: Bool?
        /// The end of the grace period of an entitlement whose renewal is unpaid; nil outside one.
        var graceUntil: Timestamp?
        /// The store time as of which the device knows an entitlement, if it has no network.
        var asOf: Timestamp?
        /// Whether this device has verified the signed text of an entitlement; nil in other lists.
        var isVerified: Bool?
        /// The reason if it is not verified, for which it unlocks nothing on this device.
        var problem: VerificationError?
    }

    private let isJSON: Bool
    private let isSigned: Bool
    private(set) var hasWritten = false
    private var table = TextTable([
        .init(.columnTransaction), .init(.columnDate), .init(.columnProduct),
        .init(.columnIdentifier), .init(.columnPrice, isRight: true), .init(.columnState),
    ])

    init(_ options: GlobalOptions, signed: Bool) {
        isJSON = options.json
        isSigned = signed
    }

    mutating func write(_ items: [Item], of store: OpenStore) async throws {
        hasWritten = hasWritten || !items.isEmpty
        if isSigned {
            for item in items { Output.line(item.signed.rawValue) }
            return
        }
        let owners = await Sharers(items.map(\.payload), in: store)
        if isJSON {
            for item in items { try Output.json(line(item, owners)) }
        } else {
            let names = try await ProductNames(items.map(\.payload.productId), in: store)
            table.write(items.map { cells($0, names, owners) })
        }
    }

    private func line(_ item: Item, _ owners: Sharers) -> TransactionLine {
        TransactionLine(
            payload: item.payload, signed: item.signed, device: item.device,
            autoRenewStatus: item.renews.map { $0 ? 1 : 0 },
            gracePeriodExpiresDate: item.graceUntil, asOf: item.asOf,
            sharedBy: owners.owner(of: item.payload),
            verification: item.isVerified.map { $0 ? "verified" : "unverified" },
            verificationError: item.problem)
    }

    private func cells(_ item: Item, _ names: ProductNames, _ owners: Sharers) -> [String] {
        let payload = item.payload
        let price = Price(
            money: Money(milliunits: payload.price, currency: payload.currency), locale: "en_US")
        return [
            payload.transactionId.description, Output.strings.date(payload.purchaseDate),
            names.item(payload.productId, quantity: payload.quantity), payload.productId.rawValue,
            Output.strings.price(price), state(item, owners),
        ]
    }

    private func state(_ item: Item, _ owners: Sharers) -> String {
        let strings = Output.strings
        var parts: [CommandText] = []
        if let revoked = revoked(item.payload) {
            parts.append(revoked)
        } else if let end = item.graceUntil {
            parts.append(.subscriptionGraceEnds(date: strings.date(end)))
        } else if let expires = item.payload.expiresDate.map({ strings.date($0) }) {
            parts.append(item.renews == true ? .renews(expires) : .until(expires))
        }
        if let device = item.device { parts.append(.deliveredOn(device: device.rawValue)) }
        let shared = item.payload.inAppOwnershipType == .familyShared
        let owner = owners.owner(of: item.payload).map {
            strings[.sharedBy(account: $0.rawValue)]
        }
        let problem = item.problem.map { [strings[.unverifiedState(reason: $0.rawValue)]] } ?? []
        let words =
            problem + (shared ? [owner ?? strings[.sharedByFamily]] : [])
            + parts.map { strings[$0] }
        return words.joined(separator: strings[.listSeparator])
    }

    private func revoked(_ payload: TransactionPayload) -> CommandText? {
        guard let date = payload.revocationDate.map({ Output.strings.date($0) }) else { return nil }
        let share = Share(millipercent: payload.revocationPercentage ?? 100_000)
        let part = share == .all ? nil : share.percentText
        if payload.isUpgraded == true { return .upgradedOn(date: date) }
        return payload.isRefunded
            ? .refundedOn(part: part, date: date) : .revokedOn(part: part, date: date)
    }
}

extension TransactionPayload {
    /// Whether the store has refunded it, in full or in part.
    var isRefunded: Bool { revocationType == .full || revocationType == .prorated }
}

/// The owners of the shared transactions in a list. The signed texts do not name them, so without a
/// network they are unknown.
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
