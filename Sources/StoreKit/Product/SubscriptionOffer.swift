#if os(Linux)
public import Foundation
package import StoreModel

extension Product {
    /// A lower price for eligible customers of a subscription.
    public struct SubscriptionOffer: Equatable, Hashable, Sendable {
        package let model: Offer
        let priceLocale: String

        package init(_ model: Offer, priceLocale: String) {
            self.model = model
            self.priceLocale = priceLocale
        }

        /// Nil for an introductory offer.
        public var id: String? { model.id?.rawValue }
        /// The customers that the offer is for.
        public var type: OfferType { OfferType(rawValue: model.kind.rawValue) }
        /// Of one period, or of the whole offer where it is paid up front.
        public var price: Decimal { model.price.amount }
        /// `price` as text, with its currency.
        public var displayPrice: String {
            model.price.formatted(locale: Locale(identifier: priceLocale))
        }
        /// Of one payment, or of the whole offer.
        public var period: SubscriptionPeriod { SubscriptionPeriod(model.period) }
        /// How many periods the offer has.
        public var periodCount: Int { model.periodCount }
        /// How it is paid.
        public var paymentMode: PaymentMode { PaymentMode(model.mode) }

        /// The customers that an offer is for.
        public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
            /// The type's name.
            public let rawValue: String
            /// Any text.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// New subscribers of the group.
            public static let introductory = OfferType(rawValue: OfferKind.introductory.rawValue)
            /// Present and former subscribers, with the app's signature.
            public static let promotional = OfferType(rawValue: OfferKind.promotional.rawValue)
            /// Former subscribers.
            public static let winBack = OfferType(rawValue: OfferKind.winBack.rawValue)

            /// In words.
            public var localizedDescription: String {
                switch self {
                case .introductory: "Introductory Offer"
                case .promotional: "Promotional Offer"
                case .winBack: "Win-back Offer"
                default: rawValue
                }
            }
        }

        /// How an offer is paid.
        public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
            /// The mode's name.
            public let rawValue: String
            /// Any text.
            public init(rawValue: String) { self.rawValue = rawValue }

            init(_ mode: OfferMode) {
                self =
                    switch mode {
                    case .freeTrial: .freeTrial
                    case .payAsYouGo: .payAsYouGo
                    case .payUpFront: .payUpFront
                    }
            }

            /// The offer's price for each of its periods.
            public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
            /// Once, for the whole offer.
            public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
            /// The offer's period is free.
            public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

            /// In words.
            public var localizedDescription: String {
                switch self {
                case .payAsYouGo: "Pay As You Go"
                case .payUpFront: "Pay Up Front"
                case .freeTrial: "Free Trial"
                default: rawValue
                }
            }
        }

        /// The app's signature of a promotional offer, in the form of StoreKit 1.
        @available(*, deprecated, message: "PurchaseOption.promotionalOffer(_:compactJWS:)")
        public struct Signature: Equatable, Hashable, Sendable {
            /// Of the key that signed.
            public var keyID: String
            /// Used once.
            public var nonce: UUID
            /// Milliseconds since 1970.
            public var timestamp: Int
            /// ECDSA, DER.
            public var signature: Data

            /// All parts of a signature.
            public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
                self.keyID = keyID
                self.nonce = nonce
                self.timestamp = timestamp
                self.signature = signature
            }
        }
    }
}
#endif
