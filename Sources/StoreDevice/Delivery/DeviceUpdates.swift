import StoreModel

/// Passes the observer's updates to the device's readers.
typealias DeviceUpdates = UpdateBoard<DeviceUpdate>

extension UpdateBoard<DeviceUpdate> {
    /// - Parameter isCompleted: whether this device need not finish the transaction of the update.
    ///   New readers do not get it.
    func publish(_ update: DeviceUpdate, isCompleted: Bool = false) {
        publish(update) { update, unfinished in
            switch update {
            case .transaction(.verified(let payload), _, _):
                if !isCompleted { unfinished[payload.transactionId] = update }
            case .event(.finished(let id)), .event(.claimed(let id, _)),
                .event(.deleted(let id, _, _)):
                unfinished[id] = nil
            default: break
            }
        }
    }

    /// Whether a transaction was published as unfinished, and not yet as finished, claimed or
    /// deleted.
    func isUnfinished(_ id: TransactionID) -> Bool { unfinished[id] != nil }
}
