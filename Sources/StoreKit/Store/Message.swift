#if os(Linux)
import StoreDevice
import StoreModel

/// What the store has to tell a person about a subscription. The shop shows it there.
public struct Message: Equatable, Hashable, Sendable {
    /// The reason for the message.
    public let reason: Reason

    /// The reason for a message.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        /// The reason's number.
        public let rawValue: Int
        /// Any number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Anything else; this store has no such message.
        public static let generic = Self(rawValue: 0)
        /// A renewal cannot be charged.
        public static let billingIssue = Self(rawValue: 1)
        /// A higher price needs consent.
        public static let priceIncreaseConsent = Self(rawValue: 2)
        /// An ended subscription can be had at a lower price.
        public static let winBackOffer = Self(rawValue: 3)

        /// In words.
        public var localizedDescription: String {
            switch self {
            case .billingIssue: "Billing Issue"
            case .priceIncreaseConsent: "Price Increase Consent"
            case .winBackOffer: "Win-back Offer"
            default: "Message"
            }
        }
    }

    /// The messages that wait now, then each new one. Without end.
    public static var messages: Messages { Messages() }

    /// Messages, one after the other.
    public struct Messages: AsyncSequence, Sendable {
        /// A message.
        public typealias Element = Message
        /// None is thrown.
        public typealias Failure = Never

        /// A new reader, which misses nothing from now on.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(updates: AppStoreProcess.updates())
        }

        /// One reader's position.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var updates: AppUpdateReader
            /// As last read; nil until then.
            fileprivate var known: [Occasion]?
            fileprivate var waiting: [Message] = []

            /// The next message; nil for a reader that was cancelled.
            public mutating func next() async -> Message? {
                if known == nil { await look() }
                while waiting.isEmpty {
                    guard let update = await updates.next() else { return nil }
                    if update.mayBeOccasion { await look() }
                }
                return waiting.removeFirst()
            }

            /// A message is told once while its occasion lasts.
            private mutating func look() async {
                let session = try? await AppStoreProcess.current()
                let found = (try? await session?.occasions()) ?? known ?? []
                waiting += found.filter { known?.contains($0) != true }
                    .map { Message(reason: $0.reason) }
                known = found
            }
        }
    }
}

/// Why a message is told, and of which subscription.
private struct Occasion: Equatable {
    var subscription: TransactionID
    var reason: Message.Reason
}

extension AppUpdate {
    fileprivate var mayBeOccasion: Bool {
        guard case .event(let event, _, _) = self else { return false }
        return switch event.change {
        case .sold, .revised, .subscriptionChanged, .autoRenewChanged, .catalogRevised: true
        default: false
        }
    }
}

extension AppStoreSession {
    /// Of the account's own subscriptions.
    fileprivate func occasions() async throws -> [Occasion] {
        try await device.subscriptions().value.compactMap { subscription in
            guard subscription.status.sharedBy == nil,
                let info = try? subscription.renewalInfo.get()
            else { return nil }
            let reason: Message.Reason? =
                switch subscription.status.problem {
                case .billingFailed: .billingIssue
                case .priceConsentNeeded: .priceIncreaseConsent
                case .productUnavailable: nil
                case nil: info.eligibleWinBackOfferIds == nil ? nil : .winBackOffer
                }
            return reason.map {
                Occasion(subscription: info.originalTransactionId, reason: $0)
            }
        }
    }
}
#endif
