#if os(Linux)
import StoreModel

extension Transaction {
    /// The owner of a purchase: the account, or another member of its family.
    public struct OwnershipType: RawRepresentable, Equatable, Hashable, Sendable {
        /// As in signed payloads.
        public let rawValue: String
        /// Any text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The account's own.
        public static let purchased = Self(TransactionPayload.Ownership.purchased)
        /// A family member's.
        public static let familyShared = Self(TransactionPayload.Ownership.familyShared)

        /// In words.
        public var localizedDescription: String {
            switch self {
            case .purchased: "Purchased"
            case .familyShared: "Family Shared"
            default: rawValue
            }
        }

        private init(_ ownership: TransactionPayload.Ownership) { rawValue = ownership.rawValue }
    }

    /// Why a purchase was revoked.
    public struct RevocationReason: RawRepresentable, Equatable, Hashable, Sendable {
        /// As in signed payloads.
        public let rawValue: Int
        /// Any number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// An actual or perceived issue with the app.
        public static let developerIssue = Self(rawValue: StoreModel.RevocationReason.app.rawValue)
        /// Any other.
        public static let other = Self(rawValue: StoreModel.RevocationReason.other.rawValue)

        /// In words.
        public var localizedDescription: String {
            self == .developerIssue ? "an issue with the app" : "another reason"
        }
    }

    /// Why the store charged.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        /// As in signed payloads.
        public let rawValue: String
        /// Any text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A person bought it.
        public static let purchase = Self(rawValue: TransactionPayload.Reason.purchase.rawValue)
        /// A subscription renewed.
        public static let renewal = Self(rawValue: TransactionPayload.Reason.renewal.rawValue)
    }

    /// The kind of an offer.
    public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
        /// As in signed payloads.
        public let rawValue: Int
        /// Any number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// For new subscribers.
        public static let introductory = Self(rawValue: OfferKind.introductory.number)
        /// Signed by the app.
        public static let promotional = Self(rawValue: OfferKind.promotional.number)
        /// By a code.
        public static let code = Self(rawValue: OfferKind.code.number)
        /// For former subscribers.
        public static let winBack = Self(rawValue: OfferKind.winBack.number)

        /// In words.
        public var localizedDescription: String {
            switch self {
            case .introductory: "Introductory Offer"
            case .promotional: "Promotional Offer"
            case .code: "Offer Code"
            case .winBack: "Win-back Offer"
            default: "Offer \(rawValue)"
            }
        }
    }

    /// The offer that applied to a transaction.
    public struct Offer: Equatable, Hashable, Sendable {
        /// Nil for an introductory offer.
        public let id: String?
        /// The customers that it was for.
        public let type: OfferType
        /// How it is paid; nil if the payload does not say.
        public let paymentMode: PaymentMode?
        /// Its length; nil if the payload does not say.
        public let period: Product.SubscriptionPeriod?

        /// How an offer is paid.
        public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
            /// As in signed payloads.
            public let rawValue: String
            /// Any text.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The offer's period is free.
            public static let freeTrial = Self(rawValue: OfferMode.freeTrial.rawValue)
            /// For each period.
            public static let payAsYouGo = Self(rawValue: OfferMode.payAsYouGo.rawValue)
            /// Once, for the whole offer.
            public static let payUpFront = Self(rawValue: OfferMode.payUpFront.rawValue)
            /// Once, for a product without periods.
            public static let oneTime = Self(rawValue: "ONE_TIME")
        }

        /// Nil without a type.
        init?(_ type: Int?, _ id: String?, _ mode: String?, _ period: String?) {
            guard let type else { return nil }
            self.type = OfferType(rawValue: type)
            self.id = id
            paymentMode = mode.map { PaymentMode(rawValue: $0) }
            self.period = period.flatMap { StoreModel.SubscriptionPeriod(iso8601: $0) }
                .map { Product.SubscriptionPeriod($0) }
        }
    }
}
#endif
