#if os(Linux)
public import Foundation

extension Transaction {
    /// The facts of a sale in an app's own catalog. No transaction of this store has one.
    public struct AdvancedCommerceInfo: Equatable, Hashable, Sendable {
        /// Of the request that made the sale.
        public let requestReferenceID: String
        /// In the currency of the transaction.
        public let estimatedTax: Decimal
        /// A fraction of the price.
        public let taxRate: Decimal
        /// The kind of goods, for the tax.
        public let taxCode: String
        /// Before taxes.
        public let taxExclusivePrice: Decimal
        /// Of the subscription.
        public let description: String?
        /// Of the subscription.
        public let displayName: String?
        /// Of the subscription.
        public let period: SubscriptionPeriod?
        /// The things that were sold.
        public let items: [Item]

        /// One thing that was sold.
        public struct Item: Equatable, Hashable, Sendable {
            /// Its identifier, price and texts.
            public let details: Details
            /// The refunds so far.
            public let refunds: [Refund]?
            /// When it was revoked; nil if it was not.
            public let revocationDate: Date?

            /// An item's identifier, price and texts.
            public struct Details: Equatable, Hashable, Sendable {
                /// The app's own identifier.
                public let sku: String
                /// For the customer.
                public let displayName: String
                /// For the customer.
                public let description: String
                /// The offer that applied; nil without one.
                public let offer: Offer?
                /// In the currency of the transaction.
                public let price: Decimal
            }
        }

        /// A lower price of an item.
        public struct Offer: Equatable, Hashable, Sendable {
            /// Of one period.
            public let price: Decimal
            /// Of one payment.
            public let period: SubscriptionPeriod
            /// How many periods it has.
            public let periodCount: Int
            /// Why the customer got it.
            public let reason: Reason

            /// Why a customer got an offer.
            public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
                /// As in signed payloads.
                public let rawValue: String
                /// Any text.
                public init(rawValue: String) { self.rawValue = rawValue }

                /// To become a customer.
                public static let acquisition = Self(rawValue: "ACQUISITION")
                /// To stay one.
                public static let retention = Self(rawValue: "RETENTION")
                /// To become one again.
                public static let winBack = Self(rawValue: "WIN_BACK")
            }
        }

        /// Money returned for an item.
        public struct Refund: Equatable, Hashable, Sendable {
            /// Why.
            public let reason: Reason
            /// How much of it.
            public let type: RefundType
            /// When.
            public let date: Date
            /// In the currency of the transaction.
            public let amount: Decimal

            /// Why money was returned.
            public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
                /// As in signed payloads.
                public let rawValue: String
                /// Any text.
                public init(rawValue: String) { self.rawValue = rawValue }

                /// A law demands it.
                public static let legal = Self(rawValue: "LEGAL")
                /// The items were changed.
                public static let modifyItems = Self(rawValue: "MODIFY_ITEMS_REFUND")
                /// Bought by mistake.
                public static let unintended = Self(rawValue: "UNINTENDED_PURCHASE")
                /// Not delivered.
                public static let unfulfilled = Self(rawValue: "FULFILLMENT_ISSUE")
                /// The customer did not like it.
                public static let unsatisfied = Self(rawValue: "UNSATISFIED_WITH_PURCHASE")
                /// Any other.
                public static let other = Self(rawValue: "OTHER")
            }

            /// How much is returned.
            public struct RefundType: RawRepresentable, Equatable, Hashable, Sendable {
                /// As in signed payloads.
                public let rawValue: String
                /// Any text.
                public init(rawValue: String) { self.rawValue = rawValue }

                /// An amount that the app chose.
                public static let custom = Self(rawValue: "CUSTOM")
                /// For the unused time.
                public static let proRated = Self(rawValue: "PRORATED")
                /// All.
                public static let full = Self(rawValue: "FULL")
            }
        }
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The facts of a renewal in an app's own catalog. No renewal info of this store has one.
    public struct AdvancedCommerceInfo: Equatable, Hashable, Sendable {
        /// Names this state of the subscription.
        public let consistencyToken: String
        /// Of the request that made the subscription.
        public let requestReferenceID: String
        /// The kind of goods, for the tax.
        public let taxCode: String
        /// Of the subscription.
        public let description: String
        /// Of the subscription.
        public let displayName: String
        /// Of one payment.
        public let period: SubscriptionPeriod
        /// The things that renew.
        public let items: [Item]

        /// One thing that renews.
        public struct Item: Equatable, Hashable, Sendable {
            /// An item's identifier, price and texts.
            public typealias Details = Transaction.AdvancedCommerceInfo.Item.Details
            /// Its identifier, price and texts.
            public let details: Details
            /// A higher price that is planned; nil for none.
            public let priceIncreaseInfo: PriceIncreaseInfo?

            /// A higher price of an item.
            public struct PriceIncreaseInfo: Equatable, Hashable, Sendable {
                /// The items whose prices rise with it.
                public let dependentSKUs: [String]
                /// The new one.
                public let price: Decimal
                /// Whether the customer has accepted it.
                public let status: Status

                /// Whether a customer has accepted a higher price.
                public struct Status: RawRepresentable, Equatable, Hashable, Sendable {
                    /// As in signed payloads.
                    public let rawValue: String
                    /// Any text.
                    public init(rawValue: String) { self.rawValue = rawValue }

                    /// Not asked yet.
                    public static let scheduled = Self(rawValue: "SCHEDULED")
                    /// Asked, and not answered.
                    public static let pending = Self(rawValue: "PENDING")
                    /// Asked, and accepted.
                    public static let accepted = Self(rawValue: "ACCEPTED")
                }
            }
        }
    }
}
#endif
