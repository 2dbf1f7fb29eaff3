import DurableFiles
package import StoreModel

extension Device {
    /// The account's small values by key. Without a network, as the store told them last, with the
    /// changes made here.
    package func values() async throws(StoreError) -> [String: String] {
        _ = try await processor.syncValues()
        return try await database.read { try DeviceRecords($0).values }
    }

    /// Sets or removes one of the account's small values, durably. Throws as `AccountValue.check`.
    ///
    /// - Returns: whether the store has recorded it; if not, the device sends it later.
    package func setValue(_ change: AccountValue) async throws(StoreError) -> Bool {
        try await database.writeTogether { try DeviceRecords($0).change(change) }
        return try await processor.syncValues()
    }
}

extension DeliveryProcessor {
    /// Sends the changes of the account's values that were made here, then keeps the store's
    /// values. A change whose answer was lost is sent again, which changes nothing unless another
    /// device has changed the key meanwhile.
    ///
    /// - Returns: false if the store cannot be reached now, or no account is signed in.
    /// - Throws: `valuesFull` if the account has no room any more for a change. The change is then
    ///   given up and logged, and the store's value holds.
    func syncValues() async throws(StoreError) -> Bool {
        do throws(StoreError) {
            let known = try await database.read { db in
                let records = DeviceRecords(db)
                return try (
                    isSignedIn: records.isSignedIn, unsent: records.unsentValues,
                    values: records.storeValues
                )
            }
            guard known.isSignedIn else { return false }
            for change in known.unsent { try await send(change) }
            let values = try await store.values()
            if values != known.values {
                try await database.writeTogether { try DeviceRecords($0).set("values", values) }
            }
            return true
        } catch  where error.isRetryable { return false }
    }

    private func send(_ change: AccountValue) async throws(StoreError) {
        var refusal: StoreError?
        do throws(StoreError) { try await store.setValue(change) } catch
            where error.code == .valuesFull
        { refusal = error }
        let now = clock.now()
        try await database.writeTogether { [refusal] db in
            try DeviceRecords(db).removeUnsent(change)
            if let refusal { try DeviceRecords(db).log(.trouble(refusal), at: now) }
        }
        if let refusal { throw refusal }
    }
}
