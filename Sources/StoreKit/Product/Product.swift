#if os(Linux)
public import Foundation
import StoreDevice
package import StoreModel

/// A product of the store, as the account sees it.
public struct Product: Identifiable, Hashable, Sendable, CustomDebugStringConvertible {
    package let model: StoreModel.Product

    package init(_ model: StoreModel.Product) {
        // A product stays equal to itself when its account buys: what that changes is asked anew.
        var model = model
        model.subscription?.isEligibleForIntroOffer = false
        if model.issues != nil { (model.issues, model.delivery) = (nil, .embedded) }
        self.model = model
    }

    /// The type of `id`.
    public typealias ID = String

    /// Unique in the app.
    public var id: String { model.id.rawValue }
    /// Consumable, for good, or a subscription.
    public var type: ProductType { ProductType(rawValue: model.type.rawValue) }
    /// In the account's language.
    public var displayName: String { model.displayName }
    /// In the account's language; may be empty.
    public var description: String { model.description }
    /// In the currency of the account's territory.
    public var price: Decimal { model.price.amount }
    /// `price` as text, with its currency.
    public var displayPrice: String { model.displayPrice }
    /// Whether a family can share it.
    public var isFamilyShareable: Bool { model.isFamilyShareable }
    /// Nil unless the product renews by itself.
    public var subscription: SubscriptionInfo? {
        model.subscription.flatMap { SubscriptionInfo($0, of: model) }
    }

    /// Formats amounts as `displayPrice` is formatted.
    public var priceFormatStyle: Decimal.FormatStyle.Currency {
        Decimal.FormatStyle.Currency(
            code: model.price.currency, locale: Locale(identifier: model.priceLocale))
    }

    /// Identifier, name and price.
    public var debugDescription: String { "\(id) (\(displayName), \(displayPrice))" }

    /// The products of these identifiers that are for sale, in the catalog's order.
    public static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers: Collection, Identifiers.Element == String {
        let asked = identifiers.map { ProductID($0) }
        return try await throwingStoreKit { session in
            try await session.device.products(asked).value.products.map { Product($0) }
        }
    }

    /// The newest transaction of the product; nil if the account never bought it.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }

    /// The entitlements to the product: the account's own, and those that its family shares.
    public var currentEntitlements: Transaction.Transactions {
        Transaction.currentEntitlements(for: id)
    }

    /// The first entitlement to the product.
    @available(*, deprecated, renamed: "currentEntitlements")
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async { await currentEntitlements.first { _ in true } }
    }

    /// The kind of a product.
    public struct ProductType: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the `type` of signed payloads.
        public let rawValue: String
        /// Any text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Used up; may be bought again.
        public static let consumable = ProductType(.consumable)
        /// Bought once, for good.
        public static let nonConsumable = ProductType(.nonConsumable)
        /// A subscription whose end the app decides.
        public static let nonRenewable = ProductType(.nonRenewing)
        /// A subscription that renews by itself.
        public static let autoRenewable = ProductType(.autoRenewable)

        private init(_ type: StoreModel.ProductType) { rawValue = type.rawValue }

        /// In words.
        public var localizedDescription: String { rawValue }
    }

    /// The outcome of a purchase.
    @nonexhaustive public enum PurchaseResult: Sendable {
        /// Sold. The app delivers, then finishes the transaction.
        case success(VerificationResult<Transaction>)
        /// The person cancelled; nothing was charged.
        case userCancelled
        /// Waits for an answer. A sale arrives in `Transaction.updates`.
        case pending
    }
}
#endif
