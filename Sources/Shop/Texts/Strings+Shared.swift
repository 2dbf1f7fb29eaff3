import ShopText
import StoreModel

/// The texts that several screens have in common.
extension Strings {
    var glyphs: Glyphs { Glyphs(isASCII: isASCII) }

    func balance(_ balance: Balance) -> String {
        balance.amount < 0
            ? self[.owed(-balance.amount)] : self[.inPurse(balance.amount)]
    }

    func title(of column: SortColumn) -> String {
        switch column {
        case .name: self[.nameColumn]
        case .price: self[.priceColumn]
        case .day: self[.dayColumn]
        case .kind: self[.kindColumn]
        }
    }

    func section(_ section: ProductList.Section) -> String {
        switch section {
        case .named(let name), .group(let name): name
        case .kind(.consumable): self[.consumables]
        case .kind(.nonConsumable): self[.oneTimePurchases]
        case .kind(.autoRenewable): self[.subscriptions]
        case .kind(.nonRenewing): self[.passes]
        }
    }

    /// The note that no money moves: this store charges nobody, whatever its environment.
    func moneyNote(_ environment: StoreEnvironment, isShort: Bool) -> String {
        guard environment == .production else {
            return self[.noMoneyMoves(environment: environment.rawValue)]
        }
        return self[isShort ? .productionSimulatedShort : .productionSimulated]
    }
}
