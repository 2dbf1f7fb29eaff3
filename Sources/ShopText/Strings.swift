import Basics
import Foundation
package import StoreModel

/// Texts and numbers for one person: a language for the words, a locale for dates and numbers.
/// Prices use the format of the product's own locale.
package struct Strings: Sendable {
    package private(set) var language: any Language.Type
    package let locale: String
    package let formatters: LocalizedFormatters
    package private(set) var isASCII: Bool
    /// The locale, if it has the language of the words; otherwise that language in the locale's
    /// region: English sentences in Germany have English dates.
    private var dateLocale: String
    /// As a command named it, for the commands in an error's advice; nil if it named none.
    package var account: String?
    /// The present time on a screen: a date in another year is written with its year.
    package var now = Timestamp(milliseconds: 0)
    /// Whether the texts of a screen may speak of the console and name errors by their codes.
    package var namesConsole = true
    /// The keys that a person of a screen has chosen.
    package var keys = OwnKeys()
    /// Whether the texts are of the shop in lines, which reads words and no keys.
    package var isLinear = false
    /// The display name of a product for sale, for a screen; nil for any other.
    package var productName: @Sendable (ProductID) -> String? = { _ in nil }

    /// - Parameters:
    ///   - language: as in `--language`; nil for the locale's.
    ///   - isASCII: whether the terminal shows only ASCII. The words are then English, unless the
    ///     language is written in ASCII.
    package init(
        locale: String, language: String? = nil, isASCII: Bool = false,
        formatters: LocalizedFormatters = LocalizedFormatters()
    ) {
        let wanted = Languages.named(language ?? locale)
        let shown: any Language.Type =
            isASCII && wanted.needsUnicode ? English.self : wanted
        self.language = shown
        self.locale = locale
        dateLocale = Self.dateLocale(of: shown, in: locale)
        self.formatters = formatters
        self.isASCII = isASCII
    }

    package var forASCII: Strings {
        var strings = self
        strings.isASCII = true
        if language.needsUnicode {
            strings.language = English.self
            strings.dateLocale = Self.dateLocale(of: English.self, in: locale)
        }
        return strings
    }

    /// The English texts of JSON and logs, which depend neither on the person's language nor on
    /// the time zone.
    package static let english = Strings(
        locale: "en_US", language: "en", formatters: LocalizedFormatters(timeZone: "GMT"))

    package subscript(text: ListText) -> String { language.text(text) }
    package subscript(text: KeyText) -> String { language.text(text) }
    package func sentence(_ text: KeyText) -> String { language.sentence(text) }
    package subscript(text: QuestionText) -> String { language.text(text) }
    package subscript(text: ButtonText) -> String { language.text(text) }
    package subscript(text: PaletteText) -> String { language.text(text) }
    package subscript(text: LibraryText) -> String { language.text(text) }
    package subscript(text: ProductText) -> String { language.text(text) }
    package subscript(text: OfferText) -> String { language.text(text) }
    package subscript(text: PageText) -> String { language.text(text) }
    package subscript(text: SubscriptionText) -> String { language.text(text) }
    package subscript(text: EventText) -> String { language.text(text) }
    package subscript(text: LogText) -> String { language.text(text) }
    package subscript(text: PaymentText) -> String { language.text(text) }
    package subscript(text: ConsoleText) -> String { language.text(text) }
    package subscript(text: ReceiptText) -> String { language.text(text) }
    package subscript(text: TourText) -> String { language.text(text) }
    package subscript(text: SettingText) -> String { language.text(text) }
    package subscript(text: LinearText) -> String { language.text(text) }
    package subscript(text: TrialsText) -> String { language.text(text) }
    package subscript(text: ServerText) -> String { language.text(text) }
    package subscript(text: ColumnText) -> String { language.text(text) }
    package subscript(text: PurchaseLineText) -> String { language.text(text) }
    package subscript(text: DownloadLineText) -> String { language.text(text) }
    package subscript(text: SubscriptionLineText) -> String { language.text(text) }
    package subscript(text: StoreLineText) -> String { language.text(text) }
    package subscript(text: DocumentLineText) -> String { language.text(text) }
    /// A message of the message row in this language, its cause first.
    package subscript(text: StatusText) -> String { language.text(text, self) }
    /// The same message for a row that cannot hold it; it names the same keys. Nil if there is none.
    package func short(_ text: StatusText) -> String? { language.short(text, self) }
    package subscript(reason: Refusal) -> String { language.text(reason, self) }

    /// A key, as sentences and labels of the screens name it; in lines a word, if the label cannot be
    /// typed there.
    package func key(_ name: KeyName) -> String {
        let label = keys.label(name)
        guard isLinear, !OwnKeys.isTyped(label), let word = name.word else { return label }
        return self[word]
    }

    // MARK: - Money, places, dates

    /// A sum of money: "$3.99"; "JPY 480" where the currency's sign cannot be shown, never a "?".
    package func price(_ price: Price) -> String {
        isASCII ? formatters.asciiPrice(price) : formatters.price(price)
    }

    /// The price of a product on a label: "$3.99", "Free".
    package func price(of product: Product) -> String {
        product.price.milliunits == 0 ? self[.free] : price(Price(of: product))
    }

    package func price(of product: Product, quantity: Int) -> String {
        product.price.milliunits == 0
            ? self[.free] : price(Price(of: product, quantity: quantity))
    }

    /// In that language itself, "日本語"; the tag if the name is unknown or cannot be shown.
    package func languageName(_ tag: String) -> String {
        let locale = Locale(identifier: tag)
        guard let name = locale.localizedString(forIdentifier: tag), !name.isEmpty,
            !isASCII || name.allSatisfy(\.isASCII)
        else { return tag }
        return name
    }

    package func territory(_ countryCode: String, currency: String?) -> String {
        readable { formatters.territory(countryCode, currency: currency, locale: $0) }
    }

    package func territoryName(_ countryCode: String) -> String {
        readable { formatters.territoryName(countryCode, locale: $0) }
    }

    /// That nothing is for sale in a territory, and in which it is: the first three by their names.
    package func soldElsewhere(than territory: String, in others: [String]) -> String {
        let named = others.prefix(3).map { territoryName($0) }
        return self[
            .nothingForSaleIn(
                territoryName(territory), soldIn: list(named), more: others.count - named.count)]
    }

    /// In the language of the words, because their sentences contain it.
    package func day(_ instant: Timestamp, now: Timestamp) -> String {
        formatters.day(instant, now: now, locale: dateLocale)
    }

    package func day(_ instant: Timestamp) -> String { day(instant, now: now) }

    private static func dateLocale(of language: any Language.Type, in locale: String) -> String {
        guard Languages.exactly(locale)?.code != language.code else { return locale }
        let parts: [Substring] = locale.split { "_-.".contains($0) }
        let region = parts.dropFirst().first { $0.count == 2 && $0.allSatisfy(\.isLetter) }
        return region.map { "\(language.code)_\(String($0).uppercased())" } ?? language.code
    }

    /// A day with a time of day.
    package func instant(_ instant: Timestamp) -> String {
        self[.dayAndTime(day: day(instant), time: time(instant))]
    }

    package func time(_ instant: Timestamp) -> String { formatters.time(instant) }

    /// An instant in ISO 8601, as commands print dates: "2026-12-21T14:02:11+09:00".
    package func date(_ instant: Timestamp) -> String { formatters.iso8601(instant) }

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

    package func item(_ item: NamedItem) -> String { items(item.quantity, item.name) }

    /// How much of a purchase was taken back: "9 of 30 coins"; "30 % of 3 × 10 coins" if it is
    /// unknown what each granted.
    package func part(_ share: Share, of item: NamedItem, granting grant: Grant?) -> String {
        guard share != .all else { return self.item(item) }
        guard let grant else { return self[.partOf(share.percentText, whole: self.item(item))] }
        let all = Int64(grant.amount).multipliedClamped(by: Int64(item.quantity))
        return self[.partOf(String(share.of(all)), whole: "\(all) \(grant.unit)")]
    }

    /// A payment of an earlier process: "3 × 10 coins for $2.97".
    package func item(_ payment: PastPayment) -> String {
        let item = items(payment.quantity, payment.name)
        guard let price = payment.price else { return item }
        return self[.itemFor(item: item, price: self.price(price))]
    }

    // MARK: - Purchases

    /// The first sentence about a delivered purchase: "Bought The Lighthouse for $3.99."
    package func bought(_ purchase: Bought) -> String { language.bought(purchase, self) }

    /// The second sentence: "Transaction 1000003, verified. Downloading."
    package func receipt(_ purchase: Bought) -> String { language.receipt(purchase, self) }

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
    package func terms(of offer: Offer, _ product: Product) -> String {
        let first = first(of: offer, locale: product.priceLocale)
        guard let period = product.subscription?.period else { return first }
        return self[
            .offerThen(first: first, price: self.price(of: product) + perPeriod(period))]
    }

    /// What an approval charges: "$9.99", "free for 1 month, then $9.99/month", and for a change of
    /// plan that waits for the renewal also when it begins.
    ///
    /// - Parameter locale: the price format.
    package func charge(of request: ApprovalRequest, locale: String) -> String {
        func price(_ money: Money) -> String { self.price(Price(money: money, locale: locale)) }
        let payment = request.payment
        guard let charge = request.charge else {
            return price(payment.shownPrice.multiplied(by: payment.quantity))
        }
        let regular = charge.renewalPrice.map { money in
            price(money) + (charge.renewalPeriod.map { perPeriod($0) } ?? "")
        }
        let isSale = charge.startsAt == nil
        var text = isSale ? price(charge.price) : regular ?? price(charge.price)
        if let offer = charge.offer {
            let first = first(of: offer, locale: locale)
            text = regular.map { self[.offerThen(first: first, price: $0)] } ?? first
        }
        return charge.startsAt.map { list([text, self[.timelineFrom(day($0))]]) } ?? text
    }

    /// The price of an offer: "free for 1 week".
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

    /// - Parameter reader: nil for a person at a shell.
    package func message(for error: StoreError, to reader: ErrorReader? = nil) -> ErrorMessage {
        let facts = ErrorFacts(
            error: error, reader: reader ?? .shell(account: account), formatters: formatters,
            key: key)
        guard var message = language.message(about: facts) else {
            return write(ErrorTexts.texts(for: facts))
        }
        message.kept = language.text(ErrorTexts.kept(error))
        message.separator = language.sentenceGap
        return message
    }

    /// For a screen. `name` is the product's; nil for the name of the product in the error.
    package func line(_ error: StoreError, of name: String? = nil) -> String {
        let name = name ?? error.productID.flatMap(productName)
        return message(for: error, to: .screen(product: name, namesConsole: namesConsole)).line
    }

    /// For a screen. The product's name is put before the message unless that contains it.
    func about(_ name: String, _ error: StoreError) -> String {
        let text = line(error, of: name)
        // A placeholder that no sentence contains by chance.
        let mark = "\u{0}"
        return line(error, of: mark).contains(mark)
            ? text : self[.about(name: name, text: text)]
    }

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
            words(texts.happened), kept: texts.kept.map { language.text($0) } ?? "",
            next: texts.next.map(words) ?? "", separator: language.sentenceGap)
    }

    private func words(_ sentence: ErrorSentence) -> String {
        switch sentence {
        case .buying(let text): language.text(text)
        case .sale(let text): language.text(text)
        case .store(let text): language.text(text)
        case .download(let text): language.text(text)
        case .advice(let text): language.text(text)
        }
    }
}
