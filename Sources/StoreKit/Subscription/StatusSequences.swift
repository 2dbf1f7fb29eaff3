#if os(Linux)
import StoreDevice
import StoreModel

extension Product.SubscriptionInfo.Status {
    /// A subscription's status whenever it changes. Without end.
    public static var updates: Statuses { Statuses() }

    /// The account's subscriptions now, group by group.
    public static var all: AsyncStream<(groupID: String, statuses: [SubscriptionStatus])> {
        AsyncStream { continuation in
            let reading = Task {
                defer { continuation.finish() }
                guard let session = try? await AppStoreProcess.current(),
                    let statuses = try? await session.subscriptionStatuses()
                else { return }
                let groups = Dictionary(grouping: statuses) {
                    $0.transaction.unsafePayloadValue.subscriptionGroupID ?? ""
                }
                for (group, statuses) in groups.sorted(by: { $0.key < $1.key }) {
                    continuation.yield((groupID: group, statuses: statuses))
                }
            }
            continuation.onTermination = { _ in reading.cancel() }
        }
    }

    /// Statuses, one after the other.
    public struct Statuses: AsyncSequence, Sendable {
        /// A status.
        public typealias Element = SubscriptionStatus
        /// None is thrown.
        public typealias Failure = Never

        /// A new reader, which misses nothing from now on.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(updates: AppStoreProcess.updates())
        }

        /// One reader's position.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var updates: AppUpdateReader

            /// The next status; nil for a reader that was cancelled.
            public mutating func next() async -> SubscriptionStatus? {
                while let update = await updates.next() {
                    guard let chain = update.changedSubscription,
                        let session = try? await AppStoreProcess.current(),
                        let statuses = try? await session.subscriptionStatuses()
                    else { continue }
                    let changed = statuses.first {
                        $0.transaction.unsafePayloadValue.payload.originalTransactionId == chain
                    }
                    if let changed { return changed }
                }
                return nil
            }
        }
    }
}

extension AppUpdate {
    /// The first transaction of the subscription that the update is about.
    fileprivate var changedSubscription: TransactionID? {
        guard case .event(let event, let transaction, _) = self else { return nil }
        switch event.change {
        case .sold, .revised:
            let payload = transaction?.unsafePayloadValue.payload
            return payload?.type == .autoRenewable ? payload?.originalTransactionId : nil
        case .autoRenewChanged(let chain, _, _, _): return chain
        case .subscriptionChanged(let change): return change.chain
        default: return nil
        }
    }
}
#endif
