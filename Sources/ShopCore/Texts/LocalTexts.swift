import Basics
import Foundation
package import StoreModel

/// Prices, territories and dates in words, each made once: formatting one costs more than drawing a
/// whole row. The same question always gets the same answer, so remembering changes nothing but the
/// time it takes.
package final class LocalTexts: Sendable {
    private let known = Memo<String, String>(limit: 10_000)
    private let prices = Memo<Price, String>(limit: 10_000)
    private let zoneName: String?

    /// - Parameter timeZone: an identifier such as `Asia/Tokyo`; nil for the system's.
    package init(timeZone: String? = nil) { zoneName = timeZone }

    /// Asked for when it is needed: the first question costs as much as a frame.
    private var timeZone: TimeZone {
        zoneName.flatMap { TimeZone(identifier: $0) } ?? .current
    }

    package func price(_ price: Price) -> String {
        // Asked for each row of each frame: not even the key is made twice.
        prices.value(price) { price.money.formatted(locale: Locale(identifier: price.locale)) }
    }

    /// "JPY 480": for terminals that cannot show the price as its people write it.
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

    /// "Japan, JPY"
    package func territory(_ countryCode: String, currency: String?, locale: String) -> String {
        text("t \(countryCode) \(currency ?? "") \(locale)") {
            let storefront = Storefront.find(countryCode)
            let name =
                storefront.flatMap {
                    Locale(identifier: locale).localizedString(forRegionCode: $0.regionCode)
                } ?? countryCode
            guard let money = currency ?? storefront?.currency else { return name }
            return "\(name), \(money)"
        }
    }

    /// "21 Dec", with the year where it is another one.
    package func day(_ instant: Timestamp, now: Timestamp, locale: String) -> String {
        text("d \(instant.milliseconds / 60_000) \(now.milliseconds / 86_400_000) \(locale)") {
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

    /// "14:02:11"
    package func time(_ instant: Timestamp) -> String {
        let seconds =
            Int(instant.milliseconds / 1000) + timeZone.secondsFromGMT(for: instant.date)
        let ofDay = ((seconds % 86_400) + 86_400) % 86_400
        return Self.two(ofDay / 3600) + ":" + Self.two(ofDay / 60 % 60) + ":" + Self.two(ofDay % 60)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private func text(_ key: String, _ make: () -> String) -> String { known.value(key, make) }
}
