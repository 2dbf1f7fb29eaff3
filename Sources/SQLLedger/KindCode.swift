import StoreModel

/// The number of a product type in the column `kind` of `transactions` and `sold_products`. Never
/// renumber one.
enum KindCode: Int {
    case consumable = 1
    case nonConsumable = 2
    case autoRenewable = 3
    case nonRenewing = 4

    var type: ProductType {
        switch self {
        case .consumable: .consumable
        case .nonConsumable: .nonConsumable
        case .autoRenewable: .autoRenewable
        case .nonRenewing: .nonRenewing
        }
    }

    init(_ type: ProductType) {
        self =
            switch type {
            case .consumable: .consumable
            case .nonConsumable: .nonConsumable
            case .autoRenewable: .autoRenewable
            case .nonRenewing: .nonRenewing
            }
    }
}
