import DurableFiles
package import StoreModel
import StoreSigning

extension Device {
    /// Records the account's past purchases on this device, newest first, one durable write per
    /// page (StoreKit: restore). Consumables are not restored, and nothing is downloaded.
    /// Idempotent.
    package func restore() async throws(StoreError) -> RestoreSummary {
        do throws(StoreError) {
            try await refuseSignedOut()
            var summary = try await restoreAll()
            summary.leavesConsumables = await leavesConsumables() ? true : nil
            return summary
        } catch {
            // The caller gets the error even if it cannot be logged, as when the device's disk has
            // failed.
            try? await log(.restoreFailed(error))
            throw error
        }
    }

    /// Whether the account's newest sales include consumables that this device did not deliver.
    private func leavesConsumables() async -> Bool {
        let filter = HistoryFilter(kinds: [.sold])
        let page = try? await store.events(
            before: nil, filter: filter, limit: DeviceLimits.restorePage)
        let sold = (page?.events ?? []).compactMap { event -> TransactionID? in
            if case .sold(let sale) = event.change, sale.type == .consumable {
                sale.id
            } else {
                nil
            }
        }
        let delivered = try? await database.read { db in
            try sold.allSatisfy { try DeviceRecords(db).isDelivered($0) }
        }
        return delivered == false
    }

    private func restoreAll() async throws(StoreError) -> RestoreSummary {
        var summary = RestoreSummary.none
        var last: TransactionID?
        while true {
            let page = try await store.restorable(before: last, limit: DeviceLimits.restorePage)
            var plan = DeliveryPlan()
            for issued in page.transactions {
                last = issued.id
                switch await processor.verifier.verify(issued.signed) {
                case .verified(let transaction):
                    plan.steps.append(
                        .deliver(
                            VerifiedSale(
                                transaction: transaction, payment: nil, isOurs: false,
                                revision: issued.revision)))
                case .unverified: summary.unverifiedCount += 1
                }
            }
            let isLast = page.isLast || page.transactions.isEmpty
            let before = summary
            let sales = plan.sales
            let new = try await processor.record(plan, publishing: .asRestored) { new in
                // The write of the last page logs the whole restore.
                isLast ? before.adding(sales, new: new).logged : nil
            }.new
            await observer.publishAnnouncements()
            summary = summary.adding(sales, new: new)
            if isLast {
                try await repairAlteredPurchases()
                await unlockRecorder.update()
                return summary
            }
        }
    }

    /// Asks the store for the present state of lasting purchases whose record was altered here, and
    /// records it. A restore alone would not repair them: it lists only purchases of which no share
    /// was taken back.
    private func repairAlteredPurchases() async throws(StoreError) {
        let altered = try await database.read { try DeviceRecords($0).alteredPurchases() }
        for id in altered {
            let state: DeliveryRevision
            do throws(StoreError) {
                guard
                    case .verified(let transaction) = await processor.verifier.verify(
                        try await store.transaction(id)),
                    transaction.payload.transactionId == id
                else { continue }
                state = DeliveryRevision(transaction, revision: 0)
            } catch  where error.code == .transactionNotFound {
                state = DeliveryRevision(deleted: id, revision: 0)
            }
            try await database.writeTogether {
                try DeviceRecords($0).repairState(of: id, state, isLasting: true)
            }
        }
    }
}

extension RestoreSummary {
    /// This summary plus the sales of one more page, of which the sales in `new` were recorded just
    /// now.
    fileprivate func adding(_ sales: [VerifiedSale], new: Set<TransactionID>) -> RestoreSummary {
        var summary = self
        for sale in sales {
            let payload = sale.transaction.payload
            if new.contains(sale.id) {
                summary.restored.append(payload)
            } else {
                summary.alreadyHere.append(payload)
            }
        }
        return summary
    }

    fileprivate var logged: DeviceLogEntry.What {
        .restored(
            count: restored.count, alreadyHere: alreadyHere.count, unverified: unverifiedCount)
    }
}
