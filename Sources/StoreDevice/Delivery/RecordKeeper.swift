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
    private let desk: DeliveryDesk
    private let hub: UpdateHub
    /// The texts that were verified here.
    private let believed = Memo<TransactionID, SignedTransaction>(
        limit: DeviceLimits.textsBelieved)
    private let told = Mutex<[String: StoreError]>([:])

    init(desk: DeliveryDesk, hub: UpdateHub) {
        self.desk = desk
        self.hub = hub
    }

    /// The latest delivery of each product that was not taken back, and all of what lasts for a time.
    func latestDeliveries() async throws(StoreError) -> [DeliveryRecord] {
        let kept = try await desk.database.read { try DeviceRecords($0).latestDeliveries() }
        var records: [DeliveryRecord] = []
        for delivery in kept where await isGenuine(delivery) {
            var record = delivery.record
            let payload = TransactionVerifier.unverifiedPayload(of: delivery.signed)
            record.purchasedAt = payload?.purchaseDate ?? record.purchasedAt
            records.append(record)
        }
        return records
    }

    /// What verified deliveries add up to. Kept sums are used while their seals are whole; where one
    /// was altered, all are worked out anew from the deliveries, and that is told.
    func balances() async throws(StoreError) -> [Balance] {
        let (sums, isWhole) = try await desk.database.read { db in
            let records = DeviceRecords(db)
            return (try records.balances(), try records.areBalancesGenuine())
        }
        if isWhole { return sums }
        tell("balances", StoreError(.recordAltered, subject: "balances"))
        return try await addUp()
    }

    private func addUp() async throws(StoreError) -> [Balance] {
        var sums: [String: Int64] = [:]
        var last: TransactionID?
        while true {
            let after = last
            let page = try await desk.database.read {
                try DeviceRecords($0).consumables(after: after, limit: DeviceLimits.restorePage)
            }
            let products = try await desk.shelf.products(Set(page.map(\.record.productID)))
            for delivery in page {
                last = delivery.record.transactionID
                guard let unit = delivery.unit, await isGenuine(delivery) else { continue }
                sums[unit, default: 0] += amount(of: delivery, products[delivery.record.productID])
            }
            guard page.count == DeviceLimits.restorePage else { break }
        }
        let granted = sums
        let end = last
        return try await desk.database.write { db in
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

    /// What one delivery granted and its newest state left. The amount is not in the signed text: where it is not what the
    /// product grants now, the product is believed.
    private func amount(of delivery: KeptDelivery, _ product: Product?) -> Int64 {
        let granted =
            product?.grant.map { Int64(delivery.record.quantity) * Int64($0.amount) }
            ?? delivery.amount
        return granted - delivery.record.takenBack.of(granted)
    }

    // MARK: - Believing

    /// True where the row says what its signed text says, and the share that was taken back of it is
    /// the one its newest signed state tells.
    private func isGenuine(_ delivery: KeptDelivery) async -> Bool {
        guard await isAsSold(delivery) else { return false }
        guard let revised = delivery.revised else {
            let isUnchanged = delivery.record.takenBack == .none || delivery.isDeleted
            return isUnchanged || refuse(delivery)
        }
        guard case .verified(let transaction) = await desk.verifier.verify(revised),
            transaction.payload.transactionId == delivery.soldAs,
            DeliveryRevision(transaction, revision: 0).takenBack == delivery.record.takenBack
        else { return refuse(delivery) }
        return true
    }

    private func isAsSold(_ delivery: KeptDelivery) async -> Bool {
        let id = delivery.record.transactionID
        if believed[id] == delivery.signed, !delivery.signed.rawValue.isEmpty,
            let payload = TransactionVerifier.unverifiedPayload(of: delivery.signed)
        {
            return delivery.says(payload) || refuse(delivery)
        }
        guard case .verified(let transaction) = await desk.verifier.verify(delivery.signed),
            delivery.says(transaction.payload)
        else { return refuse(delivery) }
        believed[id] = delivery.signed
        return true
    }

    private func refuse(_ delivery: KeptDelivery) -> Bool {
        let record = delivery.record
        tell(
            record.transactionID.description,
            StoreError(
                .recordAltered, productID: record.productID, transactionID: record.transactionID,
                subject: "deliveries"))
        return false
    }

    private func tell(_ name: String, _ error: StoreError) {
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
