#if os(Linux)
/// A product of the app's own catalog, of which this store has none.
public struct AdvancedCommerceProduct: Identifiable, Hashable, Sendable,
    CustomDebugStringConvertible
{
    /// The type of `id`.
    public typealias ID = String
    /// The kind of a product.
    public typealias ProductType = Product.ProductType
    /// The outcome of a purchase.
    public typealias PurchaseResult = Product.PurchaseResult

    /// Of the generic product in App Store Connect.
    public let id: String
    /// Of the generic product.
    public let type: ProductType

    /// Always throws `StoreKitError.unsupported`.
    public init(id: String) async throws { throw StoreKitError.unsupported }

    /// The newest transaction of the product; nil if the account never bought it.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }
    /// The product's transactions.
    public var allTransactions: Transaction.Transactions { Transaction.all(for: id) }
    /// The entitlements to the product.
    public var currentEntitlements: Transaction.Transactions {
        Transaction.currentEntitlements(for: id)
    }

    /// A choice for one purchase.
    public struct PurchaseOption: Hashable, Sendable, CustomDebugStringConvertible {
        private let option: Product.PurchaseOption

        /// Asks the app whether the purchase continues in another territory.
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption {
            PurchaseOption(
                option: .onStorefrontChange(shouldContinuePurchase: shouldContinuePurchase))
        }

        /// The choice and its value.
        public var debugDescription: String { option.debugDescription }
    }

    /// The product's identifier, for logs.
    public var debugDescription: String { id }
}
#endif
