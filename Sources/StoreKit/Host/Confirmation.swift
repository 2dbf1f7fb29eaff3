import Foundation
import StoreModel

/// Asks who confirms a purchase in place of Apple's payment sheet.
enum Confirmation {
    /// Whether the purchase continues.
    static func allows(_ purchase: AppPurchase, in session: AppStoreSession) async -> Bool {
        guard !purchase.storefrontChecks.isEmpty,
            let storefront = await Storefront.current(of: session),
            storefront.currencyCode != purchase.product.price.currency
        else { return true }
        return purchase.storefrontChecks.allSatisfy { $0.shouldContinue(storefront) }
    }
}
