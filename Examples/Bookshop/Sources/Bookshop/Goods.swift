import Foundation
import StoreKit

/// What the shop sells, as in Bookshop.storekit.
public enum Goods {
    public static let coins = "bookshop.coins.10"
    public static let lighthouse = "bookshop.lighthouse"
    public static let harbour = "bookshop.harbour"
    public static let monthly = "bookshop.club.month"
    public static let yearly = "bookshop.club.year"

    public static let all = [coins, lighthouse, harbour, monthly, yearly]

    /// The group of the club's subscriptions.
    public static let club = "B00C1000"
}

extension Product {
    /// How long a subscription lasts, in words; nil for other products.
    public var term: String? {
        guard let period = subscription?.subscriptionPeriod else { return nil }
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = .full
        return formatter.string(from: DateComponents(subscriptionPeriod: period))
    }
}
