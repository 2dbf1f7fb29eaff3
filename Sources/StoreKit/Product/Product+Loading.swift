#if os(Linux)
import StoreDevice
import StoreModel

extension Product {
    /// The products of these identifiers that are for sale, in the catalog's order. Unknown
    /// identifiers are left out.
    public static func products<Identifiers>(
        for identifiers: Identifiers
    ) async throws -> [Product]
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
}
#endif
