import Basics
import DurableFiles
import StoreModel
import StoreSigning
import Synchronization

/// Reads what the device has and believes none of it unverified: the stored signed text is verified
/// again, and a row that says something else than its text is left out. Each altered record is told
/// once, as trouble.
///
/// A look costs what there are products, not what was ever delivered. A text is verified once a
/// process while it is remembered.
final class RecordKeeper: Sendable {
    private let processor: DeliveryProcessor
    private let hub: UpdateHub
    /// The texts that were verified here, and what they say.
    private let believed = Memo<SignedTransaction, Transaction>(limit: DeviceLimits.textsBelieved)
    private let told = Mutex<[String: StoreError]>([:])

    init(processor: DeliveryProcessor, hub: UpdateHub) {
        self.processor = processor
        self.hub = hub
    }

    /// The latest delivery of each product that was not taken back, and all of what lasts for a time.
    func latestDeliveries() async throws(StoreError) -> [DeliveryRecord] {
        let kept = try await processor.database.read { try DeviceRecords($0).latestDeliveries() }
        var records: [DeliveryRecord] = []
        for delivery in kept {
            guard let sale = await sale(of: delivery) else { continue }
            var record = delivery.record
            record.purchasedAt = sale.purchaseDate
            records.append(record)
        }
        return records
    }

    /// What verified deliveries add up to. Kept sums are used while their seals are whole; where one
    /// was altered, all are worked out anew from the deliveries, and that is told.
    func balances() async throws(StoreError) -> [Balance] {
        let (sums, isWhole) = try await processor.database.read { db in
            let records = DeviceRecords(db)
            return (try records.balances(), try records.areBalancesGenuine())
        }
        if isWhole { return sums }
        announce("balances", StoreError(.recordAltered, subject: "balances"))
        return try await addUp()
    }

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
                sums[unit, default: 0] += amount(of: delivery, products[delivery.record.productID])
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
                Balance(unit: $0, amount: granted[$0, default: 0] - spent[$0, default: 0])
            }
            // Delivered meanwhile: the next look adds that up as well.
            let isLast = try records.consumables(after: end, limit: 1).isEmpty
            if isLast {
                try records.removeSeals()
                try records.setBalances(balances)
            }
            return balances
        }
    }

    /// What one delivery granted and its newest state left. The amount is not in the signed text: where
    /// it is not what the product grants now, the product is believed.
    private func amount(of delivery: KeptDelivery, _ product: Product?) -> Int64 {
        let granted =
            product?.grant.map { Int64(delivery.record.quantity) * Int64($0.amount) }
            ?? delivery.amount
        return granted - delivery.record.takenBack.of(granted)
    }

    // MARK: - Believing

    /// What was sold, where the row says what its signed text says, and the share that was taken back
    /// of it is the one its newest signed state tells; nil, and told, where not.
    private func sale(of delivery: KeptDelivery) async -> TransactionPayload? {
        guard let sale = await verified(delivery.signed)?.payload, delivery.says(sale),
            await takenBack(of: delivery) == delivery.record.takenBack
        else {
            refuse(delivery)
            return nil
        }
        return sale
    }

    /// What the newest signed state takes back; the row is believed for a deletion, about which nothing
    /// is signed. Nil where the state is not of this sale.
    private func takenBack(of delivery: KeptDelivery) async -> Share? {
        guard let revised = delivery.revised else {
            return delivery.isDeleted ? delivery.record.takenBack : Share.none
        }
        guard let state = await verified(revised), state.payload.transactionId == delivery.soldAs
        else { return nil }
        return DeliveryRevision(state, revision: 0).takenBack
    }

    /// Each text is verified once while it is remembered.
    private func verified(_ signed: SignedTransaction) async -> Transaction? {
        if let known = believed[signed] { return known }
        guard case .verified(let transaction) = await processor.verifier.verify(signed) else {
            return nil
        }
        believed[signed] = transaction
        return transaction
    }

    private func refuse(_ delivery: KeptDelivery) {
        let record = delivery.record
        announce(
            record.transactionID.description,
            StoreError(
                .recordAltered, productID: record.productID, transactionID: record.transactionID,
                subject: "deliveries"))
    }

    private func announce(_ name: String, _ error: StoreError) {
        guard told.withLock({ $0.updateValue(error, forKey: name) }) == nil else { return }
        hub.publish(.trouble(error, ended: false))
    }

    /// The altered records met so far, for a command that reads no updates.
    var altered: [StoreError] {
        told.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    }
}

extension KeptDelivery {
    /// Whether the row repeats what its signed text says.
    fileprivate func says(_ payload: TransactionPayload) -> Bool {
        payload.transactionId == soldAs && payload.productId == record.productID
            && payload.type == record.type
            && payload.quantity == record.quantity
    }
}
