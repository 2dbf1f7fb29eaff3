import Basics
import DurableFiles
package import StoreModel
import StoreSigning

/// The result of `Device.acceptStore`.
package struct AcceptedStore: Codable, Hashable, Sendable {
    /// The feed position up to which the device had read.
    package var deviceCursor: Int64
    /// The device reads on after it.
    package var storeEnd: Int64
    /// Delivered by this device and no longer known to the store. They stay granted.
    package var unknownSales: Int
}

extension Device {
    /// Adopts a store whose history differs from the history that this device has read
    /// (`storeBehind`), in one durable write.
    ///
    /// Everything granted here stays granted. Deliveries of sales that the store no longer knows
    /// get negative numbers. The store never assigns those, so it can deliver new sales under the
    /// old numbers. Deferred payments that the store no longer knows become `held`, for a person to
    /// decide.
    ///
    /// - Returns: nil if there is nothing to accept: the store's history continues what the device
    ///   has read, or this device is new.
    /// - Throws: errors of reading the store or opening the device's database.
    package static func acceptStore(
        _ store: some Store, storeFolder: String
    ) async throws(StoreError) -> AcceptedStore? {
        let folder = try DeviceFolder(
            storeFolder: storeFolder, device: store.device, account: store.account)
        let notifier = try CommitNotifier(databasePath: folder.databasePath)
        let database = try DurableDatabase(
            path: folder.databasePath, schema: DeviceSchema.schema, onCommit: { notifier.notify() })
        let difference = try await StoreDifference.find(store, database)
        let known = try await sales(of: store)
        // A record without a mark cannot prove that the feeds agree: a number may belong to another
        // sale although the positions match. So the sales themselves are compared.
        if difference == nil, try await areAll(known, in: store, database) { return nil }
        let head = try await store.head()
        let mark = try await store.mark(at: head)
        let cursor = try await database.read { try DeviceRecords($0).cursor?.position } ?? 0
        let queue = try await database.read { try DeviceRecords($0).queue() }
        var lost: [QueuedPayment] = []
        for queued in queue where queued.state == .deferred || queued.state == .purchased {
            if try await store.outcome(of: queued.payment) == nil { lost.append(queued) }
        }
        let held = lost
        let unknown = try await database.writeTogether { db in
            let records = DeviceRecords(db)
            let unknown = try records.setAside { payload in
                known[payload.transactionId].flatMap {
                    $0.payload.isSameSale(as: payload) ? $0 : nil
                }
            }
            for var queued in held {
                queued.state = .held
                queued.request = nil
                queued.transaction = nil
                try records.enqueue(queued)
            }
            try records.setCursor(head, mark)
            return unknown
        }
        return AcceptedStore(
            deviceCursor: difference?.deviceCursor ?? cursor,
            storeEnd: difference?.storeEnd ?? head.position, unknownSales: unknown)
    }

    /// Whether the store knows every sale delivered here. The history lacks a deleted sale, but the
    /// store still knows its number.
    private static func areAll(
        _ known: [TransactionID: KnownSale], in store: some Store, _ database: DurableDatabase
    ) async throws(StoreError) -> Bool {
        for sale in try await database.read({ try DeviceRecords($0).deliveredSales() }) {
            if let present = known[sale.id] {
                guard sale.isSame(as: present.signed) else { return false }
            } else {
                guard try await store.knows(sale.id) else { return false }
            }
        }
        return true
    }

    private static func sales(
        of store: some Store
    ) async throws(StoreError) -> [TransactionID: KnownSale] {
        var known: [TransactionID: KnownSale] = [:]
        var last: TransactionID?
        while true {
            let page = try await store.history(before: last, limit: DeviceLimits.restorePage)
            for signed in page {
                guard let payload = TransactionVerifier.unverifiedPayload(of: signed) else {
                    continue
                }
                known[payload.transactionId] = KnownSale(payload: payload, signed: signed)
                last = payload.transactionId
            }
            guard page.count == DeviceLimits.restorePage else { return known }
        }
    }
}

/// A sale in its present state at the store.
private struct KnownSale: Sendable {
    var payload: TransactionPayload
    var signed: SignedTransaction
}

extension DeviceRecords {
    /// Gives a negative number to every delivery that the store does not know. The other deliveries
    /// get the transaction's present state from the store as revision 0, because the store's
    /// revisions start anew.
    ///
    /// - Returns: how many deliveries are unknown to the store.
    fileprivate func setAside(unless known: (TransactionPayload) -> KnownSale?) throws -> Int {
        var count = 0
        for row in try deliveredSales() {
            if let payload = TransactionVerifier.unverifiedPayload(of: row.signed),
                let sale = known(payload)
            {
                try restate(DeliveryRevision(sale.payload, signed: sale.signed, revision: 0))
                continue
            }
            var free = -(row.id.number % KeptDelivery.asideStep)
            while try isDelivered(TransactionID(free)) { free -= KeptDelivery.asideStep }
            let wasGenuine = try isGenuine(row.id) ?? true
            try db.execute(
                "UPDATE deliveries SET id = ? WHERE id = ?", .integer(free), .integer(row.id.number)
            )
            try db.execute(
                "UPDATE revisions SET id = ? WHERE id = ?", .integer(free), .integer(row.id.number))
            try db.execute(
                "UPDATE downloads SET transaction_id = ? WHERE transaction_id = ?",
                .integer(free), .integer(row.id.number))
            try db.execute(
                "UPDATE reports SET id = ? WHERE id = ?", .integer(free), .integer(row.id.number))
            if wasGenuine { try sealDelivery(TransactionID(free)) }
            count += 1
        }
        return count
    }
}
