/// An amount with the locale to write it in: the product's locale, never the terminal's.
package struct Price: Hashable, Sendable {
    package var money: Money
    /// StoreKit: `priceLocale`.
    package var locale: String

    package init(money: Money, locale: String) {
        self.money = money
        self.locale = locale
    }

    /// In the product's locale. Traps if it does not fit 64 bits.
    package init(of product: Product, quantity: Int = 1) {
        self.init(money: product.price.multiplied(by: quantity), locale: product.priceLocale)
    }
}
