import Basics
import DurableFiles
import StoreModel
import StoreSigning
import Synchronization

/// Reads and verifies the device's records. It verifies each row's signed text again, and leaves
/// out a row that contradicts its text. It publishes each altered record as trouble, once per
/// process.
///
/// Reading the latest deliveries costs time in proportion to the number of products, not of
/// deliveries. Verified texts are cached (`DeviceLimits.verifiedTextsMax`), so that each is
/// verified once.
final class RecordKeeper: Sendable {
    private let processor: DeliveryProcessor
    private let hub: DeviceUpdates
    private let verifiedTexts = Memo<SignedTransaction, Transaction>(
        limit: DeviceLimits.verifiedTextsMax)
    /// Published so far, by name.
    private let reported = Mutex<[String: StoreError]>([:])

    init(processor: DeliveryProcessor, hub: DeviceUpdates) {
        self.processor = processor
        self.hub = hub
    }

    /// The latest delivery of each product, and every delivery of a non-renewing subscription,
    /// without those that are void, taken back or altered.
    func latestDeliveries() async throws(StoreError) -> [DeliveryRecord] {
        let kept = try await processor.database.read { try DeviceRecords($0).latestDeliveries() }
        var records: [DeliveryRecord] = []
        for delivery in kept {
            guard let sale = await sale(of: delivery) else { continue }
            var record = delivery.record
            record.purchasedAt = sale.purchaseDate
            record.paid = Money(milliunits: sale.price, currency: sale.currency)
            records.append(record)
        }
        return records
    }

    /// The amount in each purse. If the seal of any stored balance does not fit, all balances are
    /// computed anew from the deliveries and stored, and the alteration is published as trouble.
    func balances() async throws(StoreError) -> [Balance] {
        let (sums, isWhole) = try await processor.database.read { db in
            let records = DeviceRecords(db)
            return (try records.balances(), try records.areBalancesGenuine())
        }
        if isWhole { return sums }
        announce("balances", StoreError(.recordAltered, reason: .balances))
        return try await addUp()
    }

    /// Computes every balance from verified deliveries and recorded spends. Stores the result if
    /// nothing was delivered meanwhile.
    private func addUp() async throws(StoreError) -> [Balance] {
        var sums: [String: Int64] = [:]
        var last: TransactionID?
        while true {
            let after = last
            let page = try await processor.database.read {
                try DeviceRecords($0).consumables(after: after, limit: DeviceLimits.restorePage)
            }
            let products = try await processor.products.products(Set(page.map(\.record.productID)))
            for delivery in page {
                last = delivery.record.transactionID
                guard let unit = delivery.unit, await sale(of: delivery) != nil else { continue }
                let granted = amount(of: delivery, products[delivery.record.productID])
                sums[unit] = (sums[unit] ?? 0).addingClamped(granted)
            }
            guard page.count == DeviceLimits.restorePage else { break }
        }
        let granted = sums
        let end = last
        return try await processor.database.write { db in
            let records = DeviceRecords(db)
            let spent = try records.spent()
            let units = Set(granted.keys).union(spent.keys)
            let balances = units.sorted().map {
                Balance(unit: $0, amount: (granted[$0] ?? 0).subtractingClamped(spent[$0] ?? 0))
            }
            // A consumable that was delivered meanwhile is missing from the sums. They are then not
            // stored, and the next call of `balances` computes them again.
            let isLast = try records.consumables(after: end, limit: 1).isEmpty
            if isLast {
                try records.removeSeals()
                try records.setBalances(balances)
            }
            return balances
        }
    }

    /// The amount that one delivery granted, less the share that was taken back. The signed text
    /// does not state the amount per unit, so the present catalog's amount is used. The row's own
    /// amount counts only for a product that is no longer in the catalog.
    private func amount(of delivery: KeptDelivery, _ product: Product?) -> Int64 {
        let granted =
            product?.grant.map {
                Int64(delivery.record.quantity).multipliedClamped(by: Int64($0.amount))
            }
            ?? delivery.amount
        return granted.subtractingClamped(delivery.record.takenBack.of(granted))
    }

    // MARK: - Proving

    /// The lasting purchases that `latestDeliveries` lists, each in its newest signed state.
    /// Consumables, and purchases of which any share was taken back, are left out.
    func provenPurchases() async throws(StoreError) -> [Transaction] {
        let kept = try await processor.database.read { try DeviceRecords($0).latestDeliveries() }
        var proven: [Transaction] = []
        for delivery in kept where delivery.record.type != .consumable {
            guard await sale(of: delivery) != nil,
                let newest = await verified(delivery.revised ?? delivery.signed)
            else { continue }
            proven.append(newest)
        }
        return proven
    }

    /// A page of the transactions that this device has delivered, newest first, each with its
    /// newest signed text. Deleted transactions are left out, and so are altered rows, which are
    /// reported. Only the end returns an empty page.
    func transactions(
        before last: TransactionID?, limit: Int
    ) async throws(StoreError) -> [SignedTransaction] {
        var last = last
        while true {
            let before = last
            let page = try await processor.database.read {
                try DeviceRecords($0).deliveries(before: before, limit: limit)
            }
            guard let end = page.last else { return [] }
            last = end.record.transactionID
            var texts: [SignedTransaction] = []
            for delivery in page where !delivery.isDeleted {
                guard await sale(of: delivery) != nil else { continue }
                texts.append(delivery.revised ?? delivery.signed)
            }
            if !texts.isEmpty { return texts }
        }
    }

    /// The newest one among this device's latest deliveries; nil if the transaction is not among
    /// them.
    func text(of id: TransactionID) async throws(StoreError) -> SignedTransaction? {
        let kept = try await processor.database.read { try DeviceRecords($0).latestDeliveries() }
        return kept.first { $0.record.transactionID == id }.map { $0.revised ?? $0.signed }
    }

    /// The transactions of kept entitlements that verify as signed for this device
    /// (`DeviceVerifier`). Those that this device has recorded as taken back are left out. Altered
    /// ones are reported and left out.
    func proven(_ entitlements: [Entitlement]) async throws(StoreError) -> [Transaction] {
        let ids = entitlements.map(\.transactionID)
        let (takenBack, altered) = try await processor.database.read { db in
            let records = DeviceRecords(db)
            return (
                Set(
                    try ids.filter {
                        try (records.revision(of: $0)?.takenBack ?? .none) != .none
                    }),
                Set(try ids.filter { try records.isGenuine($0) == false })
            )
        }
        var proven: [Transaction] = []
        for entitlement in entitlements where !takenBack.contains(entitlement.transactionID) {
            let (id, product) = (entitlement.transactionID, entitlement.productID)
            if altered.contains(id) {
                report("deliveries", altered: id, of: product)
            } else if let transaction = await verified(entitlement.transaction),
                transaction.payload.transactionId == id
            {
                proven.append(transaction)
            } else {
                report(KeptAnswer.entitlements.rawValue, altered: id, of: product)
            }
        }
        return proven
    }

    func verifiable(_ entitlements: [Entitlement]) async -> [Entitlement] {
        var verifiable: [Entitlement] = []
        for entitlement in entitlements where await verified(entitlement.transaction) != nil {
            verifiable.append(entitlement)
        }
        return verifiable
    }

    /// Altered outside the program; reported once per process.
    func report(altered name: String) {
        announce(name, StoreError(.recordAltered, subject: name))
    }

    // MARK: - Verifying

    /// Nil if the row contradicts its signed text, if this program did not seal its state, or if
    /// the share taken back is not that of the newest signed state. The row is then published as
    /// altered.
    private func sale(of delivery: KeptDelivery) async -> TransactionPayload? {
        guard delivery.isGenuine, let sale = await verified(delivery.signed)?.payload,
            delivery.matches(sale),
            await takenBack(of: delivery) == delivery.record.takenBack
        else {
            refuse(delivery)
            return nil
        }
        return sale
    }

    /// The share that the newest signed state takes back; nil if that state fails verification or
    /// is of another sale. The store signs nothing for a deletion, so a row marked as deleted is
    /// trusted.
    private func takenBack(of delivery: KeptDelivery) async -> Share? {
        guard let revised = delivery.revised else {
            return delivery.isDeleted ? delivery.record.takenBack : Share.none
        }
        guard let state = await verified(revised), state.payload.transactionId == delivery.soldAs
        else { return nil }
        return DeliveryRevision(state, revision: 0).takenBack
    }

    /// Nil if verification fails. Only successes are cached.
    private func verified(_ signed: SignedTransaction) async -> Transaction? {
        if let known = verifiedTexts[signed] { return known }
        guard case .verified(let transaction) = await processor.verifier.verify(signed) else {
            return nil
        }
        verifiedTexts[signed] = transaction
        return transaction
    }

    private func refuse(_ delivery: KeptDelivery) {
        report(
            "deliveries", altered: delivery.record.transactionID, of: delivery.record.productID)
    }

    /// Once per process.
    private func report(_ kept: String, altered id: TransactionID, of product: ProductID) {
        announce(
            "\(kept) \(id)",
            StoreError(.recordAltered, productID: product, transactionID: id, subject: kept))
    }

    /// Unless it was published before.
    private func announce(_ name: String, _ error: StoreError) {
        guard reported.withLock({ $0.updateValue(error, forKey: name) }) == nil else { return }
        hub.publish(.trouble(error, in: .verification, ended: false))
    }

    /// One error for each altered record found so far.
    var altered: [StoreError] {
        reported.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    }
}

extension KeptDelivery {
    /// Whether the row's number, product, type and quantity are those of its signed text.
    fileprivate func matches(_ payload: TransactionPayload) -> Bool {
        payload.transactionId == soldAs && payload.productId == record.productID
            && payload.type == record.type
            && payload.quantity == record.quantity
    }
}
