#if os(Linux)
public import Foundation
package import StoreModel

extension Product {
    /// A choice for one purchase.
    public struct PurchaseOption: Hashable, Sendable, CustomDebugStringConvertible {
        package let kind: Kind

        package init(_ kind: Kind) { self.kind = kind }

        /// The choices that an option can hold.
        package enum Kind: Equatable, Hashable, Sendable {
            case quantity(Int)
            case appAccountToken(UUID)
            case offer(PaymentOffer)
            case introductoryEligibility(String)
            case billingPlan(String)
            case simulatesAskToBuy(Bool)
            /// Of a test's purchase outside the app.
            case purchaseDate(Date, renews: Bool)
            /// Kept; nothing reads it.
            case custom(key: String, value: String)
            case storefrontChange(StorefrontCheck)
        }

        /// A question to the app, equal to itself only.
        package struct StorefrontCheck: Equatable, Hashable, Sendable {
            let id = UUID()
            let shouldContinue: @Sendable (Storefront) -> Bool

            package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
            package func hash(into hasher: inout Hasher) { hasher.combine(id) }
        }

        /// How many to buy, 1 to 10.
        public static func quantity(_ quantity: Int) -> PurchaseOption {
            PurchaseOption(.quantity(quantity))
        }

        /// The app's own identifier of its user, signed into the transaction.
        public static func appAccountToken(_ token: UUID) -> PurchaseOption {
            PurchaseOption(.appAccountToken(token))
        }

        /// A promotional offer with the app's signature, in the form of StoreKit 1.
        @available(*, deprecated, renamed: "promotionalOffer(_:compactJWS:)")
        public static func promotionalOffer(
            offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
        ) -> PurchaseOption {
            PurchaseOption(
                .offer(
                    PaymentOffer(
                        kind: .promotional, id: OfferID(offerID),
                        signature: .parameters(
                            keyID: keyID, nonce: nonce,
                            timestamp: Timestamp(milliseconds: Int64(timestamp)),
                            signature: signature))))
        }

        /// A promotional offer with the app's signature.
        @available(*, deprecated, renamed: "promotionalOffer(_:compactJWS:)")
        public static func promotionalOffer(
            offerID: String, signature: Product.SubscriptionOffer.Signature
        ) -> PurchaseOption {
            promotionalOffer(
                offerID: offerID, keyID: signature.keyID, nonce: signature.nonce,
                signature: signature.signature, timestamp: signature.timestamp)
        }

        /// A promotional offer with the app's signature, a compact JWS.
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [Self] {
            let offer = PaymentOffer(
                kind: .promotional, id: OfferID(offerID), signature: .jws(compactJWS))
            return [PurchaseOption(.offer(offer))]
        }

        /// An offer for a former subscriber (`SubscriptionInfo.winBackOffers`).
        public static func winBackOffer(_ offer: Product.SubscriptionOffer) -> PurchaseOption {
            PurchaseOption(.offer(PaymentOffer(kind: .winBack, id: OfferID(offer.id ?? ""))))
        }

        /// The app's signed statement whether the customer gets the introductory offer.
        public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
            PurchaseOption(.introductoryEligibility(compactJWS))
        }

        /// How a subscription is paid.
        public static func billingPlanType(
            _ billingPlanType: Product.SubscriptionInfo.BillingPlanType
        ) -> PurchaseOption {
            PurchaseOption(.billingPlan(billingPlanType.rawValue))
        }

        /// True lets this purchase wait for an approval; false leaves that to the account.
        public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> Self {
            PurchaseOption(.simulatesAskToBuy(simulateAskToBuy))
        }

        /// A value that nothing reads, in Apple's test store neither.
        public static func custom(key: String, value: String) -> PurchaseOption {
            PurchaseOption(.custom(key: key, value: value))
        }

        /// As for a text.
        public static func custom(key: String, value: Double) -> PurchaseOption {
            PurchaseOption(.custom(key: key, value: "\(value)"))
        }

        /// As for a text.
        public static func custom(key: String, value: Bool) -> PurchaseOption {
            PurchaseOption(.custom(key: key, value: "\(value)"))
        }

        /// As for a text.
        public static func custom(key: String, value: Data) -> PurchaseOption {
            PurchaseOption(.custom(key: key, value: value.base64EncodedString()))
        }

        /// Asks the app whether to go on if the territory has changed since the product was loaded.
        @preconcurrency public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption {
            PurchaseOption(
                .storefrontChange(StorefrontCheck(shouldContinue: shouldContinuePurchase)))
        }

        /// The choice and its value.
        public var debugDescription: String { "\(kind)" }
    }
}
#endif
