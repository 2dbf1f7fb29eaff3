import Basics
import Foundation
package import StoreModel

/// Texts and numbers for one person: a language for the words, a locale for dates and numbers.
/// Prices use the format of the product's own locale.
package struct Strings: Sendable {
    /// The language of the words.
    package let language: any Language.Type
    /// The locale of dates and territories.
    package let locale: String
    /// Formats dates and prices, and keeps the results.
    package let formatters: LocalizedFormatters
    /// Whether only ASCII characters can be shown.
    package let isASCII: Bool
    /// The account that a command named, which the commands in an error's advice repeat; nil if the
    /// command named none.
    package var account: String?

    /// - Parameters:
    ///   - language: as in `--language`; nil for the locale's.
    ///   - isASCII: whether the terminal shows only ASCII. The words are then English, unless the
    ///     language is written in ASCII.
    package init(
        locale: String, language: String? = nil, isASCII: Bool = false,
        formatters: LocalizedFormatters = LocalizedFormatters()
    ) {
        let wanted = Languages.named(language ?? locale)
        self.language = isASCII && wanted.needsUnicode ? English.self : wanted
        self.locale = locale
        self.formatters = formatters
        self.isASCII = isASCII
    }

    /// These texts for a terminal that shows only ASCII.
    package var forASCII: Strings {
        var strings = Strings(
            locale: locale, language: language.code, isASCII: true, formatters: formatters)
        strings.account = account
        return strings
    }

    /// The English texts of JSON and logs, which do not depend on the person's language.
    package static let english = Strings(locale: "en_US", language: "en")

    /// A text of the screens in this language.
    package subscript(text: ScreenText) -> String { language.text(text) }
    /// A text of the command line in this language.
    package subscript(text: CommandText) -> String { language.text(text) }
    /// A part of an error's message in this language.
    package subscript(text: ErrorText) -> String { language.text(text) }

    // MARK: - Money, places, dates

    /// A sum of money: "$3.99"; "JPY 480" where the currency's sign cannot be shown, never a "?".
    package func price(_ price: Price) -> String {
        isASCII ? formatters.asciiPrice(price) : formatters.price(price)
    }

    /// The price of a product on a label: "$3.99", "Free".
    package func price(of product: Product) -> String {
        product.price.milliunits == 0 ? self[.free] : price(Price(of: product))
    }

    /// The price of a quantity of a product: "$7.98", "Free".
    package func price(of product: Product, quantity: Int) -> String {
        product.price.milliunits == 0
            ? self[.free] : price(Price(of: product, quantity: quantity))
    }

    /// The name of a language in that language, "日本語"; its tag if the name is unknown or cannot be
    /// shown.
    package func languageName(_ tag: String) -> String {
        let locale = Locale(identifier: tag)
        guard let name = locale.localizedString(forIdentifier: tag), !name.isEmpty,
            !isASCII || name.allSatisfy(\.isASCII)
        else { return tag }
        return name
    }

    /// A territory with its currency: "Japan, JPY".
    package func territory(_ countryCode: String, currency: String?) -> String {
        readable { formatters.territory(countryCode, currency: currency, locale: $0) }
    }

    /// A territory's name: "Japan".
    package func territoryName(_ countryCode: String) -> String {
        readable { formatters.territoryName(countryCode, locale: $0) }
    }

    /// A day, "21 Dec", with its year unless that is the present one. It is in the language of the
    /// words, because their sentences contain it.
    package func day(_ instant: Timestamp, now: Timestamp) -> String {
        formatters.day(instant, now: now, locale: dateLocale)
    }

    /// The locale, if it has the language of the words; otherwise that language in the locale's
    /// region: English sentences in Germany have English dates.
    private var dateLocale: String {
        guard Languages.exactly(locale)?.code != language.code else { return locale }
        let parts: [Substring] = locale.split { "_-.".contains($0) }
        let region = parts.dropFirst().first { $0.count == 2 && $0.allSatisfy(\.isLetter) }
        return region.map { "\(language.code)_\(String($0).uppercased())" } ?? language.code
    }

    /// A day with a time of day.
    package func dayAndTime(_ instant: Timestamp, now: Timestamp) -> String {
        self[.dayAndTime(day: day(instant, now: now), time: formatters.time(instant))]
    }

    /// An instant in ISO 8601, as commands print dates: "2026-12-21T14:02:11Z".
    package func date(_ instant: Timestamp) -> String { instant.date.formatted(.iso8601) }

    /// A territory's text in the person's locale; in US English if ASCII cannot show that text.
    private func readable(_ make: (String) -> String) -> String {
        let text = make(dateLocale)
        guard isASCII, text.unicodeScalars.contains(where: { $0.value >= 0x250 }) else {
            return text
        }
        return make("en_US")
    }

    /// A list of names: "phone, tablet".
    package func list(_ parts: [String]) -> String { parts.joined(separator: self[.listSeparator]) }

    /// A quantity of a product, "3 × 10 coins"; for one, only the name.
    package func items(_ quantity: Int, _ name: String) -> String {
        guard quantity > 1 else { return name }
        let text = self[.items(quantity, name: name)]
        return isASCII ? text.replacing("×", with: "x") : text
    }

    // MARK: - Periods

    /// The period after a price: "/month", "/3 months".
    package func perPeriod(_ period: SubscriptionPeriod) -> String {
        self[.perPeriod(period.value, period.unit)]
    }

    /// The short period after a price: "/m", "/3m".
    package func perPeriodShort(_ period: SubscriptionPeriod) -> String {
        self[.perPeriodShort(period.value, period.unit)]
    }

    /// A number of periods: "3 months".
    package func length(_ period: SubscriptionPeriod) -> String {
        self[.lengthOfTime(period.value, period.unit)]
    }

    /// A length of time in its largest unit: `20 s`, `5 min`, `3 h`, `2 d`.
    package func roughly(seconds: Int64) -> String {
        switch seconds {
        case ..<120: self[.shortSeconds(max(0, seconds))]
        case ..<7_200: self[.shortMinutes(seconds / 60)]
        case ..<172_800: self[.shortHours(seconds / 3_600)]
        default: self[.shortDays(seconds / 86_400)]
        }
    }

    // MARK: - Offers

    /// The price of an offer and the regular price after it: "free for 1 week, then $4.99/month".
    ///
    /// - Parameter product: the product that has the offer.
    package func terms(of offer: Offer, _ product: Product) -> String {
        let first = first(of: offer, locale: product.priceLocale)
        guard let period = product.subscription?.period else { return first }
        return self[
            .offerThen(first: first, price: self.price(of: product) + perPeriod(period))]
    }

    /// The price of an offer: "free for 1 week".
    ///
    /// - Parameter locale: the locale of the price's format.
    package func first(of offer: Offer, locale: String) -> String {
        let price = self.price(Price(money: offer.price, locale: locale))
        let whole = wholePeriod(of: offer)
        let length = length(whole)
        return switch offer.mode {
        case .freeTrial: self[.offerFree(length: length)]
        case .payAsYouGo:
            self[.offerPerPeriod(price: price + perPeriod(offer.period), length: length)]
        case .payUpFront: self[.offerUpFront(price: price, whole.value, whole.unit)]
        }
    }

    /// The whole length of an offer: "3 months".
    package func length(of offer: Offer) -> String { length(wholePeriod(of: offer)) }

    private func wholePeriod(of offer: Offer) -> SubscriptionPeriod {
        SubscriptionPeriod(
            unit: offer.period.unit,
            value: offer.period.value.multipliedClamped(by: offer.periodCount))
    }

    // MARK: - Errors

    /// The message about an error, for a person.
    ///
    /// - Parameter reader: nil for a person at a shell.
    package func message(for error: StoreError, to reader: ErrorReader? = nil) -> ErrorMessage {
        let facts = ErrorFacts(error: error, reader: reader ?? .shell(account: account))
        guard var message = language.message(about: facts) else {
            return write(ErrorTexts.texts(for: facts))
        }
        message.kept = self[ErrorTexts.kept(error.code)]
        message.separator = language.sentenceGap
        return message
    }

    /// The message about an error that stops or delays a download.
    ///
    /// - Parameters:
    ///   - isHere: whether the content is installed, and only its record or the finish of its
    ///     purchase waits.
    ///   - commands: the commands to name, for a person at a shell; nil on a screen.
    package func downloadMessage(
        for error: StoreError, isHere: Bool = false, commands: DownloadCommands? = nil
    ) -> ErrorMessage {
        write(
            isHere
                ? DownloadErrorTexts.texts(forContentHere: error, commands: commands)
                : DownloadErrorTexts.texts(for: error, commands: commands))
    }

    private func write(_ texts: ErrorTexts) -> ErrorMessage {
        ErrorMessage(
            self[texts.happened], kept: texts.kept.map { self[$0] } ?? "",
            next: texts.next.map { self[$0] } ?? "", separator: language.sentenceGap)
    }
}
