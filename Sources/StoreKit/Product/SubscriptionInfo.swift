#if os(Linux)
import StoreDevice
package import StoreModel

/// `Product.SubscriptionInfo`.
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// `Product.SubscriptionPeriod`.
public typealias SubscriptionPeriod = Product.SubscriptionPeriod

extension Product {
    /// The terms of a subscription that renews by itself.
    public struct SubscriptionInfo: Equatable, Hashable, Sendable {
        package let model: StoreModel.SubscriptionInfo
        let period: StoreModel.SubscriptionPeriod
        /// Of the product.
        let price: Money
        let priceLocale: String

        /// A free subscription has no period, and so no information of this kind.
        init?(_ model: StoreModel.SubscriptionInfo, of product: StoreModel.Product) {
            guard let period = model.period else { return nil }
            self.model = model
            self.period = period
            price = product.price
            priceLocale = product.priceLocale
        }

        /// The group, of which an account holds one subscription at a time.
        public var subscriptionGroupID: String { model.groupID.rawValue }
        /// In the account's language.
        public var groupDisplayName: String { model.groupName }
        /// Within the group; 1 is the highest.
        public var groupLevel: Int { model.level }
        /// The time until it renews.
        public var subscriptionPeriod: SubscriptionPeriod { SubscriptionPeriod(period) }
        /// The offer for new subscribers; nil for none.
        public var introductoryOffer: SubscriptionOffer? { offers(.introductory).first }
        /// The offers that the app signs.
        public var promotionalOffers: [SubscriptionOffer] { offers(.promotional) }
        /// The offers for former subscribers.
        public var winBackOffers: [SubscriptionOffer] { offers(.winBack) }

        private func offers(_ kind: OfferKind) -> [SubscriptionOffer] {
            model.offers.filter { $0.kind == kind }
                .map { SubscriptionOffer($0, priceLocale: priceLocale) }
        }

        /// Whether the account can have the introductory offer, as of now.
        public var isEligibleForIntroOffer: Bool {
            get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
        }

        /// Whether the account can have an introductory offer of the group, as of now.
        public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
            guard let session = try? await AppStoreProcess.current(),
                let products = try? await session.device.products(nil).value.products
            else { return false }
            return products.contains {
                $0.subscription?.groupID.rawValue == groupID
                    && $0.subscription?.isEligibleForIntroOffer == true
            }
        }

        /// How a subscription is paid.
        public struct BillingPlanType: RawRepresentable, Equatable, Hashable, Sendable {
            /// As in signed payloads.
            public let rawValue: String
            /// Any text.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// In monthly payments, to all of which the customer commits.
            public static let monthly = Self(rawValue: StoreModel.BillingPlanType.monthly.rawValue)
            /// Each period at its beginning.
            public static let upFront = Self(rawValue: StoreModel.BillingPlanType.upFront.rawValue)
        }
    }
}
#endif
