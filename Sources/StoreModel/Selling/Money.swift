package import Foundation

/// An amount in thousandths of a currency's unit, the unit of prices in Apple's signed payloads:
/// 10990 of USD is $10.99, 480000 of JPY is ¥480. Integers, so sums are exact.
package struct Money: Hashable, Codable, Sendable {
    package let milliunits: Int64
    /// ISO 4217, upper case.
    package let currency: String

    package init(milliunits: Int64, currency: String) {
        self.milliunits = milliunits
        self.currency = currency
    }

    /// The exact decimal amount.
    package var amount: Decimal { Decimal(milliunits) / 1000 }

    package func multiplied(by quantity: Int) -> Money {
        Money(milliunits: milliunits * Int64(quantity), currency: currency)
    }

    /// The price as the people of a locale write it, in this amount's own currency: grouping,
    /// digits, symbol and side of the symbol all follow the locale (Foundation's `FormatStyle`).
    package func formatted(locale: Locale) -> String {
        let style = Decimal.FormatStyle.Currency(code: currency, locale: locale)
        // Unicode's data drops the decimals of some currencies that still have them: what is
        // charged must be what is shown.
        if milliunits % 1000 == 0 { return amount.formatted(style) }
        let decimals = CurrencyDecimals.count(of: currency)
        return amount.formatted(style.precision(.fractionLength(decimals)))
    }
}
