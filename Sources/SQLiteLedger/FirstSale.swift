import StoreEngine
import StoreModel

/// A sale in the JSON form of version 0.1, when every sale answered a payment of a device and no
/// subscription renewed.
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

    /// The same sale in the present form. A subscription gets no term: it ends without renewal, as
    /// it was sold.
    var sale: Sale {
        Sale(
            payment: payment, type: type, groupID: groupID, original: original,
            purchaseDate: purchaseDate, expiresDate: expiresDate, storefront: storefront,
            price: price, grant: grant)
    }
}
