import ShopText
import StoreModel

/// Chooses the texts for the shop's state. The words themselves are in `ShopText`.
struct Wording: Sendable {
    let strings: Strings
    let glyphs: Glyphs
    /// The present time. A date in another year is written with its year.
    let now: Timestamp
    /// Whether the texts may speak of the console and name errors by their codes
    /// (`ShopState.showsCodes`).
    let namesConsole: Bool
    /// The display name of a product for sale; nil for any other.
    var productName: @Sendable (ProductID) -> String? = { _ in nil }

    subscript(text: ScreenText) -> String { strings[text] }

    func day(_ instant: Timestamp) -> String { strings.day(instant, now: now) }

    func instant(_ instant: Timestamp) -> String { strings.dayAndTime(instant, now: now) }

    func price(_ product: Product) -> String { strings.price(of: product) }

    func balance(_ balance: Balance) -> String {
        balance.amount < 0
            ? self[.owed(-balance.amount)] : self[.inPurse(balance.amount)]
    }

    /// The text of a heading of the product list.
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
