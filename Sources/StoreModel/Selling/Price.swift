/// An amount with the locale it is written in: the product's, never the terminal's.
package struct Price: Hashable, Sendable {
    /// The amount with its currency.
    package var money: Money
    /// The locale in which the amount is written (StoreKit: `priceLocale`).
    package var locale: String

    /// Memberwise: the values are not checked.
    package init(money: Money, locale: String) {
        self.money = money
        self.locale = locale
    }

    /// The price of several of a product, in the product's locale.
    package init(of product: Product, quantity: Int = 1) {
        self.init(money: product.price.multiplied(by: quantity), locale: product.priceLocale)
    }
}
