import Basics
import Foundation
package import StoreModel

/// Formats prices, territories and dates for a locale. Each result is kept, because formatting one
/// value takes longer than drawing a whole row of the list. The same arguments always give the same
/// text. Safe to share between threads.
package final class LocalizedFormatters: Sendable {
    private let known = Memo<String, String>(limit: 10_000)
    private let prices = Memo<Price, String>(limit: 10_000)
    private let days = Memo<Day, String>(limit: 10_000)
    private let zoneName: String?

    /// - Parameter timeZone: an identifier such as `Asia/Tokyo`; nil for the system's.
    package init(timeZone: String? = nil) { zoneName = timeZone }

    /// Formats a price and a territory, so that Foundation reads the locale's data before the first
    /// list is drawn. Called while the store opens (`make bench`: "first screen to buy from", 1.1
    /// times).
    package func prepare(for locale: String) {
        _ = price(Price(money: Money(milliunits: 990, currency: "USD"), locale: locale))
        _ = territoryName("USA", locale: locale)
    }

    /// Read at its first use, because Foundation takes as long to find it as drawing a frame takes.
    private var timeZone: TimeZone {
        zoneName.flatMap { TimeZone(identifier: $0) } ?? .current
    }

    /// A price in its own locale's format: "$3.99".
    package func price(_ price: Price) -> String {
        prices.value(price) { price.money.formatted(locale: Locale(identifier: price.locale)) }
    }

    /// With the currency's code, "JPY 480", for terminals that cannot show its sign.
    package func asciiPrice(_ price: Price) -> String {
        let usual = self.price(price)
        let isASCII = usual.unicodeScalars.allSatisfy {
            $0.isASCII || $0 == "\u{A0}" || $0 == "\u{202F}"
        }
        if isASCII { return usual }
        return text("a \(price.money.milliunits) \(price.money.currency)") {
            price.money.amount.formatted(
                Decimal.FormatStyle.Currency(
                    code: price.money.currency, locale: Locale(identifier: "en_US")
                ).presentation(.isoCode))
        }
    }

    /// A territory with its currency: "Japan, JPY".
    package func territory(_ countryCode: String, currency: String?, locale: String) -> String {
        text("t \(countryCode) \(currency ?? "") \(locale)") {
            let name = territoryName(countryCode, locale: locale)
            let storefront = Storefront.find(countryCode)
            guard let money = currency ?? storefront?.currency else { return name }
            return name + (locale.hasPrefix("ja") ? "、" : ", ") + money
        }
    }

    /// A territory's name, "Japan", or its code if the locale has no name for it.
    package func territoryName(_ countryCode: String, locale: String) -> String {
        Storefront.find(countryCode).flatMap {
            Locale(identifier: locale).localizedString(forRegionCode: $0.regionCode)
        } ?? countryCode
    }

    /// A day, "21 Dec", with its year unless that is the present one.
    package func day(_ instant: Timestamp, now: Timestamp, locale: String) -> String {
        let day = Day(
            minute: instant.milliseconds / 60_000, today: now.milliseconds / 86_400_000,
            locale: locale)
        return days.value(day) {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            var style = Date.FormatStyle(locale: Locale(identifier: locale), timeZone: timeZone)
                .day().month(.abbreviated)
            if !calendar.isDate(instant.date, equalTo: now.date, toGranularity: .year) {
                style = style.year()
            }
            return instant.date.formatted(style)
        }
    }

    /// In ISO 8601 with the offset of the time zone: "2026-12-21T14:02:11+09:00"; "Z" in UTC.
    package func iso8601(_ instant: Timestamp) -> String {
        instant.date.formatted(
            Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: timeZone))
    }

    package func time(_ instant: Timestamp) -> String {
        let seconds =
            Int(instant.milliseconds / 1000) + timeZone.secondsFromGMT(for: instant.date)
        let ofDay = ((seconds % 86_400) + 86_400) % 86_400
        return Measures.twoDigits(ofDay / 3600) + ":" + Measures.twoDigits(ofDay / 60 % 60) + ":"
            + Measures.twoDigits(ofDay % 60)
    }

    private struct Day: Hashable {
        var minute: Int64
        var today: Int64
        var locale: String
    }

    private func text(_ key: String, _ make: () -> String) -> String { known.value(key, make) }
}
