import DurableFiles
package import StoreModel

extension Device {
    /// The account's small values by key (Foundation: `NSUbiquitousKeyValueStore`), with the keys
    /// whose changes the store has not recorded yet. Without a network, as the store told them
    /// last, with the changes made here.
    package func values() async throws(StoreError) -> (
        values: [String: String], unsent: Set<String>
    ) {
        _ = try await syncValues()
        return try await database.read { db in
            let records = DeviceRecords(db)
            return (try records.values, Set(try records.unsentValues.map(\.key)))
        }
    }

    /// Sets or removes one of the account's small values, durably. Throws as `AccountValue.check`.
    ///
    /// - Returns: whether the store has recorded it; if not, the device sends it when it reaches
    ///   the store again.
    package func setValue(_ change: AccountValue) async throws(StoreError) -> Bool {
        try await database.writeTogether { try DeviceRecords($0).change(change) }
        return try await syncValues()
    }

    /// False if the store cannot be reached now.
    private func syncValues() async throws(StoreError) -> Bool {
        do throws(StoreError) { return try await processor.syncValues() } catch
            where error.isRetryable
        { return false }
    }
}

extension DeliveryProcessor {
    /// Sends the changes of the account's values that were made here, then takes over the store's
    /// values. A change whose answer was lost is sent again, which changes nothing unless another
    /// device has changed the key meanwhile.
    ///
    /// - Returns: false while no account is signed in; then nothing is sent or read.
    /// - Throws: `valuesFull` if the account has no room any more for a change. The change is then
    ///   given up, and the store's value holds.
    func syncValues() async throws(StoreError) -> Bool {
        let unsent = try await database.read { db -> [AccountValue]? in
            let records = DeviceRecords(db)
            return try records.isSignedIn ? records.unsentValues : nil
        }
        guard let unsent else { return false }
        var refusal: StoreError?
        for change in unsent {
            do throws(StoreError) { try await store.setValue(change) } catch
                where error.code == .valuesFull
            { refusal = error }
            try await database.writeTogether { try DeviceRecords($0).removeUnsent(change) }
        }
        let values = try await store.values()
        if try await database.read({ try DeviceRecords($0).storeValues != values }) {
            try await database.writeTogether { try DeviceRecords($0).adopt(values) }
        }
        if let refusal { throw refusal }
        return true
    }
}
