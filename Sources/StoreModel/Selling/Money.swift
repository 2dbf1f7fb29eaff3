import Basics
package import Foundation

/// An amount in thousandths of a currency's unit, the unit of prices in Apple's signed payloads:
/// 10990 of USD is $10.99, 480000 of JPY is ¥480. An integer, so that sums are exact.
package struct Money: Hashable, Codable, Sendable {
    /// Thousandths of the currency's unit.
    package let milliunits: Int64
    /// ISO 4217, upper case.
    package let currency: String

    package init(milliunits: Int64, currency: String) {
        self.milliunits = milliunits
        self.currency = currency
    }

    /// Exact, in units of the currency.
    package var amount: Decimal { Decimal(milliunits) / 1000 }

    /// As catalogs and spreadsheets write it: a point before the currency's decimals, no grouping, no
    /// currency. "3.99", "480", "-0.693" for what is no whole number of the smallest coins.
    package var plainText: String {
        let smallest = CurrencyDecimals.smallestMilliunits(of: currency)
        let decimals = milliunits % smallest == 0 ? CurrencyDecimals.count(of: currency) : 3
        let parts = milliunits.magnitude.quotientAndRemainder(dividingBy: 1000)
        let digits = String(1000 + parts.remainder).dropFirst().prefix(decimals)
        return (milliunits < 0 ? "-" : "") + String(parts.quotient)
            + (digits.isEmpty ? "" : "." + digits)
    }

    /// The nearest amount that fits.
    package func multiplied(by quantity: Int) -> Money {
        Money(milliunits: milliunits.multipliedClamped(by: Int64(quantity)), currency: currency)
    }

    /// The amount as text for a locale, in this amount's own currency: grouping, digits, symbol and
    /// position of the symbol follow the locale (Foundation's `FormatStyle`).
    package func formatted(locale: Locale) -> String {
        let style = Decimal.FormatStyle.Currency(code: currency, locale: locale)
        // Unicode's data shows no decimals for some currencies that have them. The price shown must
        // be the price charged.
        if milliunits % 1000 == 0 { return amount.formatted(style) }
        let decimals = CurrencyDecimals.count(of: currency)
        return amount.formatted(style.precision(.fractionLength(decimals)))
    }
}
