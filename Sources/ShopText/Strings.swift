import Foundation
package import StoreModel

/// Texts and numbers for one person: a language for the words, a locale for dates and numbers.
/// Prices are written as the product's own locale writes them.
package struct Strings: Sendable {
    /// The language of the words.
    package let language: any Language.Type
    /// The locale dates and territories are written in.
    package let locale: String
    /// Writes dates and prices, and remembers them.
    package let formatters: LocalizedFormatters
    /// Only characters of ASCII can be shown.
    package let isASCII: Bool
    /// The account that a command named, which the commands in an error's advice name too; nil where it
    /// named none.
    package var account: String?

    /// - Parameters:
    ///   - language: as in `--language`; nil for the locale's.
    ///   - isASCII: for a terminal without other characters. Words are English then unless their
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

    /// The same for a terminal that shows only ASCII.
    package var forASCII: Strings {
        var strings = Strings(
            locale: locale, language: language.code, isASCII: true, formatters: formatters)
        strings.account = account
        return strings
    }

    /// The texts of JSON and logs, whatever the person's language.
    package static let english = Strings(locale: "en_US", language: "en")

    /// A text of the screens in this language.
    package subscript(text: ScreenText) -> String { language.text(text) }
    /// A text of the command line in this language.
    package subscript(text: CommandText) -> String { language.text(text) }
    /// A part of an error's message in this language.
    package subscript(text: ErrorText) -> String { language.text(text) }

    // MARK: - Money, places, dates

    /// "$3.99"; "JPY 480" where the sign cannot be shown. Money is never shown as question marks.
    package func price(_ price: Price) -> String {
        isASCII ? formatters.asciiPrice(price) : formatters.price(price)
    }

    /// The price of a product, on a label: "$3.99", "Free".
    package func price(of product: Product) -> String {
        product.price.milliunits == 0 ? self[.free] : price(Price(of: product))
    }

    /// The price of several of a product together: "$7.98", "Free".
    package func price(of product: Product, quantity: Int) -> String {
        product.price.milliunits == 0
            ? self[.free] : price(Price(of: product, quantity: quantity))
    }

    /// The name of a language in that language: "日本語"; its tag where the name is not known or
    /// cannot be shown.
    package func languageName(_ tag: String) -> String {
        let locale = Locale(identifier: tag)
        guard let name = locale.localizedString(forIdentifier: tag), !name.isEmpty,
            !isASCII || name.allSatisfy(\.isASCII)
        else { return tag }
        return name
    }

    /// "Japan, JPY"
    package func territory(_ countryCode: String, currency: String?) -> String {
        readable { formatters.territory(countryCode, currency: currency, locale: $0) }
    }

    /// "Japan"
    package func territoryName(_ countryCode: String) -> String {
        readable { formatters.territoryName(countryCode, locale: $0) }
    }

    /// "21 Dec", with the year where it is another one than now's.
    /// In the language of the words, because it stands in their sentences.
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

    /// A day and the time on it.
    package func dayAndTime(_ instant: Timestamp, now: Timestamp) -> String {
        self[.dayAndTime(day: day(instant, now: now), time: formatters.time(instant))]
    }

    /// "2026-12-21T14:02:11Z", as command lines print dates.
    package func date(_ instant: Timestamp) -> String { instant.date.formatted(.iso8601) }

    /// In the person's locale; in US English where ASCII could show it only as question marks.
    private func readable(_ make: (String) -> String) -> String {
        let text = make(dateLocale)
        guard isASCII, text.unicodeScalars.contains(where: { $0.value >= 0x250 }) else {
            return text
        }
        return make("en_US")
    }

    /// "phone, tablet"
    package func list(_ parts: [String]) -> String { parts.joined(separator: self[.listSeparator]) }

    /// "3 × 10 coins"; the name alone for one.
    package func items(_ quantity: Int, _ name: String) -> String {
        guard quantity > 1 else { return name }
        let text = self[.items(quantity, name: name)]
        return isASCII ? text.replacing("×", with: "x") : text
    }

    // MARK: - Periods

    /// "/month", "/3 months"
    package func perPeriod(_ period: SubscriptionPeriod) -> String {
        self[.perPeriod(period.value, period.unit)]
    }

    /// "/m", "/3m"
    package func perPeriodShort(_ period: SubscriptionPeriod) -> String {
        self[.perPeriodShort(period.value, period.unit)]
    }

    /// "3 months"
    package func length(_ period: SubscriptionPeriod) -> String {
        self[.lengthOfTime(period.value, period.unit)]
    }

    /// A stretch of time in its largest unit: `20 s`, `5 min`, `3 h`, `2 d`.
    package func roughly(seconds: Int64) -> String {
        switch seconds {
        case ..<120: self[.shortSeconds(max(0, seconds))]
        case ..<7_200: self[.shortMinutes(seconds / 60)]
        case ..<172_800: self[.shortHours(seconds / 3_600)]
        default: self[.shortDays(seconds / 86_400)]
        }
    }

    // MARK: - Offers

    /// "free for 1 week, then $4.99/month": what an offer costs, and what follows.
    ///
    /// - Parameter product: that the offer is of.
    package func terms(of offer: Offer, _ product: Product) -> String {
        let first = first(of: offer, locale: product.priceLocale)
        guard let period = product.subscription?.period else { return first }
        return self[
            .offerThen(first: first, price: self.price(of: product) + perPeriod(period))]
    }

    /// "free for 1 week": what an offer costs.
    ///
    /// - Parameter locale: the locale for writing the price.
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

    /// "3 months": how long an offer lasts in all.
    package func length(of offer: Offer) -> String { length(wholePeriod(of: offer)) }

    private func wholePeriod(of offer: Offer) -> SubscriptionPeriod {
        SubscriptionPeriod(unit: offer.period.unit, value: offer.period.value * offer.periodCount)
    }

    // MARK: - Errors

    /// The message about an error, for a person.
    ///
    /// - Parameter reader: nil for a person at a shell.
    package func message(for error: StoreError, to reader: ErrorReader? = nil) -> ErrorMessage {
        write(ErrorTexts.texts(for: error, to: reader ?? .shell(account: account)))
    }

    /// The same for an error that keeps a download from going on.
    ///
    /// - Parameters:
    ///   - isHere: whether the content is in place, and only its record or the finish of its purchase
    ///     waits.
    ///   - commands: what can be done about it, where a person reads this at a shell.
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
