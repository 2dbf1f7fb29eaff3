import Basics
import DurableFiles
package import StoreModel

extension Device {
    /// The account's small values by key. Without a network, as the store told them last, with the
    /// changes made here.
    package func values() async throws(StoreError) -> [String: String] {
        do throws(StoreError) { _ = try await processor.syncValues() } catch
            where error.code == .storeReadOnly
        { return try await store.values() }
        return try await database.read { try DeviceRecords($0).values }
    }

    /// Sets or removes one of the account's small values, durably. Throws as `AccountValue.check`.
    ///
    /// - Returns: whether the store has recorded it; if not, the device sends it later.
    package func setValue(_ change: AccountValue) async throws(StoreError) -> Bool {
        // Held from before the change is recorded: if another process sent it, this caller would
        // not learn that it was refused.
        let lock: FileLock
        do throws(StoreError) {
            lock = try await DeliveryLease.takeSoon(folder.valuesLockPath)
        } catch
            where error.code == .deviceBusy
        {
            // A process that holds it for seconds, such as a stopped one, keeps no change away.
            try await database.writeTogether { try DeviceRecords($0).change(change) }
            return false
        }
        defer { lock.release() }
        // Another device may have made room since this one read the values.
        _ = try await processor.syncValues(holding: lock)
        try await database.writeTogether { try DeviceRecords($0).change(change) }
        return try await processor.syncValues(with: change, holding: lock)
    }
}

extension DeliveryProcessor {
    /// Sends the changes of the account's values that were made here, then keeps the store's
    /// values. A change whose answer was lost is sent again, which changes nothing unless another
    /// device has changed the key meanwhile. A change for which the account has no room any more is
    /// given up and logged, and the store's value holds.
    ///
    /// - Parameters:
    ///   - change: one that the caller has just made.
    ///   - held: the lock of the values, if the caller holds it.
    /// - Returns: false if the store cannot be reached now, or no account is signed in.
    /// - Throws: `valuesFull` if `change` was given up.
    func syncValues(
        with change: AccountValue? = nil, holding held: FileLock? = nil
    ) async throws(StoreError) -> Bool {
        do throws(StoreError) {
            let known = try await database.read { db in
                let records = DeviceRecords(db)
                return try (
                    isSignedIn: records.isSignedIn, hasUnsent: !records.unsentValues.isEmpty
                )
            }
            guard known.isSignedIn else { return false }
            let refusal = known.hasUnsent ? try await sendValues(with: change, held) : nil
            try await keepValues()
            if let refusal { throw refusal }
            return true
        } catch  where error.isRetryable { return false }
    }

    /// One task at a time, of all processes of this device: so the changes of a key reach the store
    /// in the order in which they were made.
    ///
    /// - Returns: why `change` was given up; nil if it was not.
    private func sendValues(
        with change: AccountValue?, _ held: FileLock?
    ) async throws(StoreError) -> StoreError? {
        let lock = try await held == nil ? DeliveryLease.takeSoon(folder.valuesLockPath) : nil
        defer { lock?.release() }
        var refusal: StoreError?
        for unsent in try await database.read({ try DeviceRecords($0).unsentValues }) {
            let refused = try await send(unsent)
            if unsent == change { refusal = refused }
        }
        return refusal
    }

    /// - Returns: why the change was given up; nil if the store has recorded it.
    private func send(_ change: AccountValue) async throws(StoreError) -> StoreError? {
        var refusal: StoreError?
        do throws(StoreError) { try await store.setValue(change) } catch
            where error.code == .valuesFull
        { refusal = error }
        let now = clock.now()
        try await database.writeTogether { [refusal] db in
            let records = DeviceRecords(db)
            try records.removeUnsent(change)
            if let refusal { return try records.log(.trouble(refusal), at: now) }
            // This device shows it from now on, also if the store cannot be asked again.
            try records.set("values", change.applied(to: records.storeValues))
        }
        return refusal
    }

    /// Records the store's values. Asks the store again if somebody else has recorded others
    /// meanwhile, because those may be the newer ones.
    private func keepValues() async throws(StoreError) {
        var known = try await database.read { try DeviceRecords($0).storeValues }
        while true {
            let values = try await store.values()
            guard values != known else { return }
            let found = try await database.writeTogether { [known] db in
                let records = DeviceRecords(db)
                let found = try records.storeValues
                if found == known { try records.set("values", values) }
                return found
            }
            guard found != known else { return }
            known = found
        }
    }
}
