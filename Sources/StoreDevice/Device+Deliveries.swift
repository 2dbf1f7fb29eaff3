import DurableFiles
package import StoreModel
import StoreSigning
import Synchronization

extension Device {
    /// What a test lets an app hear in place of an invalid signature: of a text with this mistake
    /// itself the app could read less. Nil for the truth.
    package var reportedReason: VerificationError? {
        get { reported.withLock { $0 } }
        set { reported.withLock { $0 = newValue } }
    }

    /// Verifies a signed transaction with the root certificate that this device has pinned. Also
    /// accepts a transaction signed for the operator, which names no device.
    package func verify(
        _ signed: SignedTransaction
    ) async -> VerificationResult<TransactionPayload> {
        switch await processor.verifier.verify(signed, allowingNoDevice: true) {
        case .verified(let transaction): .verified(transaction.payload)
        case .unverified(let payload, let error): .unverified(payload, error)
        }
    }

    package func latestDeliveries() async throws(StoreError) -> [DeliveryRecord] {
        try await keeper.latestDeliveries()
    }

    /// Every delivery this device has recorded, by transaction number, read without verifying it
    /// again: for audits and tests. Deliveries set aside by `acceptStore` have negative numbers.
    package func deliveries() async throws(StoreError) -> [DeliveryRecord] {
        try await database.read { try DeviceRecords($0).deliveries() }
    }

    /// What the store has sold and this device has not delivered: sales that its next launch
    /// delivers, and consumables that a device must claim because the account has several. Empty
    /// without a network, and while a process that delivers holds the device.
    package func undelivered() async throws(StoreError) -> [UnfinishedTransaction] {
        guard !networkSwitch.isOff, await !isAttended else { return [] }
        let isOnly = folder.isAccountsOnlyOne
        let waiting = try await store.unfinished(allDevices: true).compactMap { waiting in
            var waiting = waiting
            if isOnly, waiting.isUnclaimed { waiting.device = device }
            let isOthers = waiting.transaction.type == .consumable && waiting.device != device
            return isOthers && !waiting.isUnclaimed ? nil : waiting
        }
        guard !waiting.isEmpty else { return [] }
        return try await database.read { db in
            try waiting.filter { try !DeviceRecords(db).isDelivered($0.id) }
        }
    }

    package func balances() async throws(StoreError) -> [Balance] { try await keeper.balances() }

    /// - Throws: `insufficientBalance`; `spendMismatch` if this id was used with other contents;
    ///   `invalidName` if the amount is outside `Spend.amounts`.
    package func spend(_ spend: Spend) async throws(StoreError) -> Balance {
        guard Spend.amounts.contains(spend.amount) else {
            throw StoreError(
                .invalidName, subject: "amount", found: spend.amount,
                expected: "a number from 1")
        }
        // Repairs altered balances before anything is spent from one of them.
        _ = try await keeper.balances()
        let now = clock.now()
        return try await database.writeTogether { try DeviceRecords($0).spend(spend, at: now) }
    }

    package func open(
        _ contentID: String, of product: ProductID, for cost: Grant
    ) async throws(StoreError) -> Balance? {
        _ = try await keeper.balances()
        let now = clock.now()
        return try await database.writeTogether { db in
            let records = DeviceRecords(db)
            guard try !records.isOpened(contentID, of: product) else { return nil }
            let spend = Spend(
                id: try records.spendID(opening: contentID, of: product), unit: cost.unit,
                amount: Int64(cost.amount), reason: "\(product)/\(contentID)")
            return try records.spend(spend, at: now)
        }
    }

    /// One `recordAltered` error for each altered record that this process has found so far. Each
    /// was also published as trouble; this property is for commands that do not read the update
    /// stream.
    package var alteredRecords: [StoreError] { keeper.altered }
}
