#if os(Linux)
import StoreDevice
package import StoreModel
import StoreSigning

/// `Product.SubscriptionInfo.Status`.
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
/// `Product.SubscriptionInfo.RenewalState`.
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState

extension Product.SubscriptionInfo {
    /// A subscription of the account, or one that its family shares.
    public struct Status: Equatable, Hashable, Sendable {
        /// Whether it gives access now.
        public let state: RenewalState
        /// Of the present period, or of the last one.
        public let transaction: VerificationResult<Transaction>
        /// The next renewal, or the reason of the end.
        public let renewalInfo: VerificationResult<RenewalInfo>

        /// Nil if a text cannot even be read.
        package init?(_ verified: VerifiedSubscription) {
            let status = verified.status
            guard
                let transaction = VerificationResult(
                    verified.transaction, of: status.transaction,
                    { Transaction($0, signed: status.transaction) }),
                let renewalInfo = VerificationResult(
                    verified.renewalInfo, of: status.renewalInfo,
                    { RenewalInfo($0, signed: status.renewalInfo) })
            else { return nil }
            state = RenewalState(rawValue: status.state.rawValue)
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }

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

    /// Whether a subscription gives access.
    public struct RenewalState: RawRepresentable, Equatable, Hashable, Sendable {
        /// As in signed payloads.
        public let rawValue: Int
        /// Any number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Paid.
        public static let subscribed = Self(.subscribed)
        /// Over.
        public static let expired = Self(.expired)
        /// A renewal was not paid; there is no access.
        public static let inBillingRetryPeriod = Self(.inBillingRetryPeriod)
        /// A renewal was not paid; access continues for now.
        public static let inGracePeriod = Self(.inGracePeriod)
        /// Refunded, or no longer shared.
        public static let revoked = Self(.revoked)

        private init(_ state: StoreModel.RenewalState) { rawValue = state.rawValue }

        /// In words.
        public var localizedDescription: String {
            StoreModel.RenewalState(rawValue: rawValue)?.name ?? "unknown"
        }
    }

    /// The subscriptions of this group: the account's own, and those that its family shares.
    public var status: [Status] {
        get async throws { try await Self.status(for: subscriptionGroupID) }
    }

    /// As `status`, of any group.
    public static func status(for groupID: String) async throws -> [Status] {
        try await throwingStoreKit { session in
            try await session.device.subscriptions().value
                .filter { $0.status.groupID.rawValue == groupID }.compactMap { Status($0) }
        }
    }

    /// The subscription that a transaction belongs to; nil if it belongs to none.
    public static func status(transactionID: UInt64) async throws -> SubscriptionStatus? {
        try await throwingStoreKit { session in
            let id = try await session.device.transaction(TransactionID(transactionID))
            guard let found = await session.device.verified(id) else { return nil }
            let original = found.unsafePayloadValue.originalID
            return try await session.subscriptionStatuses()
                .first { $0.transaction.unsafePayloadValue.originalID == original }
        }
    }
}

extension AppStoreSession {
    /// Of the account's own subscriptions, and of those that its family shares.
    func subscriptionStatuses() async throws -> [SubscriptionStatus] {
        try await device.subscriptions().value.compactMap { SubscriptionStatus($0) }
    }
}

extension VerificationResult where SignedType: Sendable {
    /// A value from the result of verifying its text; nil for a text of which nothing can be read.
    fileprivate init?<Payload: SignedPayload>(
        _ result: Result<Payload, StoreModel.VerificationError>, of signed: Signed<Payload>,
        _ value: (Payload) -> SignedType
    ) {
        switch result {
        case .success(let payload): self = .verified(value(payload))
        case .failure(let error):
            guard let claimed = TransactionVerifier.readablePayload(of: signed) else {
                return nil
            }
            self = .unverified(value(claimed), .init(error))
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
