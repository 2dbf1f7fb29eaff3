import StoreEngine
import StoreModel

/// A sale as version 0.1 wrote it: every sale was a device's payment, and nothing renewed.
struct FirstSale: Codable {
    var payment: Payment
    var type: ProductType
    var groupID: SubscriptionGroupID?
    var original: Sale.Original?
    var purchaseDate: Timestamp
    var expiresDate: Timestamp?
    var storefront: String
    var price: Money
    var grant: Grant?

    /// A subscription sold then has no term: it ends and does not renew, as it was sold.
    var sale: Sale {
        Sale(
            payment: payment, type: type, groupID: groupID, original: original,
            purchaseDate: purchaseDate, expiresDate: expiresDate, storefront: storefront,
            price: price, grant: grant)
    }
}
