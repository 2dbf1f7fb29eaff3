import Basics
import StoreModel

extension CatalogReader {
    /// Warnings of rules of sale that a store carries out as they are written, and that their author
    /// hardly means. None for a file with errors, which has no catalog.
    package static func lints(of reading: CatalogReading) -> [CatalogProblem] {
        guard let format = reading.format, let catalog = reading.catalog,
            case .success(let file) = CatalogFile.open(reading.path),
            let document = try? JSONParser.parse(file.bytes)
        else { return [] }
        var lints = CatalogLints(catalog: catalog, root: document.root)
        switch format {
        case .storefront: lints.findInOurs()
        case .storekit: lints.findInXcodes()
        }
        return lints.problems.resolved(in: document)
    }
}

private struct CatalogLints {
    let catalog: Catalog
    let root: JSONValue
    var problems = ProblemList(severityOfDefects: .warning)

    init(catalog: Catalog, root: JSONValue) {
        self.catalog = catalog
        self.root = root
    }

    mutating func findInOurs() {
        let nodes = CatalogReader.products(in: root)
        warnOfNothingToRestore()
        for product in catalog.products {
            guard let node = nodes[product.id.rawValue] else { continue }
            if product.opensNothing {
                problems.warn(
                    at: node, code: .unlocksNothing, found: "\(product.id), which opens nothing",
                    expected: "`unlocks`, or content in its `delivery`: else buying it changes "
                        + "nothing")
            }
            let offers = node.member("subscription")?.member("offers")?.elements ?? []
            for offer in offers where offer.member("mode")?.text == "freeTrial" {
                warn(ofTrial: offer.member("period"), longerThan: product.subscription?.period)
            }
            warnOfRepeats(Self.localizations(ofOurs: node))
        }
    }

    mutating func findInXcodes() {
        let nodes = CatalogReader.products(in: root)
        warnOfNothingToRestore()
        for product in catalog.products {
            guard let node = nodes[product.id.rawValue] else { continue }
            for offer in Self.offers(ofXcodes: node)
            where offer.member("paymentMode")?.text == "free" {
                let isMonthly =
                    offer.member("billingPlanType")?.text == BillingPlanType.monthly.rawValue
                warn(
                    ofTrial: offer.member("subscriptionPeriod"),
                    longerThan: isMonthly
                        ? SubscriptionPeriod(unit: .month, value: 1) : product.subscription?.period)
            }
            if product.subscription == nil,
                let period = node.member(StoreKitKeys.Product.recurringSubscriptionPeriod.rawValue),
                period.isText, !period.text.isEmpty
            {
                let isCurrency = product.type == .consumable
                problems.warn(
                    at: period, code: isCurrency ? .currencyExpires : .periodOutsideSubscription,
                    expected: isCurrency
                        ? "no period: what a customer bought to spend must not expire"
                        : "no period: only subscriptions in a group renew; it is not used")
            }
            warnOfRounding(in: node)
            warnOfRepeats(Self.localizations(ofXcodes: node))
        }
    }

    /// A shop that is empty is told of as one by its reader.
    private mutating func warnOfNothingToRestore() {
        guard !catalog.sellsNothing, catalog.products.allSatisfy({ $0.type == .consumable }) else {
            return
        }
        problems.warn(
            at: root.member("products") ?? root, code: .noRestore,
            found: "consumables alone", expected: "something that lasts: a restore finds nothing")
    }

    // MARK: - Trials

    private static func offers(ofXcodes product: JSONValue) -> [JSONValue] {
        let lists: [StoreKitKeys.Product] = [
            .introductoryOffers, .adHocOffers, .codeOffers, .winbackOffers,
        ]
        let offers = lists.flatMap { product.member($0.rawValue)?.elements ?? [] }
        // Version 5 writes the introductory offer under its old key, too.
        let listed = product.member(StoreKitKeys.Product.introductoryOffers.rawValue)
        guard listed?.elements.isEmpty ?? true,
            let single = product.member(StoreKitKeys.Product.introductoryOffer.rawValue)
        else { return offers }
        return offers + [single]
    }

    private mutating func warn(ofTrial node: JSONValue?, longerThan plan: SubscriptionPeriod?) {
        guard let node, node.isText, let plan, let trial = SubscriptionPeriod(iso8601: node.text),
            trial.days.lowerBound > plan.days.upperBound
        else { return }
        problems.warn(
            at: node, code: .longTrial, found: "a trial of \(trial.iso8601)",
            expected: "at most \(plan.iso8601), the period of its plan")
    }

    // MARK: - Prices

    /// A price for all territories has the decimals of the file's own currency.
    private mutating func warnOfRounding(in value: JSONValue) {
        guard let home = Storefront.find(catalog.defaultTerritory ?? Storefront.usa.countryCode)
        else { return }
        // Xcode keeps the old price of an offer that was made free.
        if value.member("paymentMode")?.text == "free" { return }
        var prices: [JSONValue] = []
        value.forEachMember { key, content in
            let isPrice = ["displayPrice", "commitmentDisplayPrice"].contains(key.text)
            if isPrice { prices.append(content) }
        }
        for price in prices {
            guard price.isText || price.kind == .number,
                case .milliunits(let written) = PriceText.read(price.text),
                let paid = CatalogProduct.Prices.everywhere(milliunits: written).price(in: home),
                paid.milliunits != written
            else { continue }
            let decimals = CurrencyDecimals.count(of: home.currency)
            problems.warn(
                at: price, code: .priceRounds,
                expected: (decimals == 0 ? "no decimals" : "at most \(decimals) decimals")
                    + " (\(home.currency)): it is sold for \(paid.plainText)",
                suggestion: "\"\(paid.plainText)\"")
        }
        for part in Self.parts(of: value) { warnOfRounding(in: part) }
    }

    /// The objects below an object: offers and billing plans.
    private static func parts(of value: JSONValue) -> [JSONValue] {
        var parts: [JSONValue] = []
        value.forEachMember { _, content in
            if content.kind == .object { parts.append(content) }
            content.forEachElement { if $0.kind == .object { parts.append($0) } }
        }
        return parts
    }

    // MARK: - Languages

    private struct Localization {
        var locale: String
        var name: String
        var description: String
        var node: JSONValue

        var language: Substring { locale.prefix { $0 != "_" && $0 != "-" } }

        /// Whether it says the same as another. A name alone is often the same in two languages.
        func repeats(_ other: Localization) -> Bool {
            name == other.name && description == other.description && !name.isEmpty
                && (!description.isEmpty || language == other.language)
        }
    }

    private static func localizations(ofOurs product: JSONValue) -> [Localization] {
        var localizations: [Localization] = []
        let description = product.member("description")
        product.member("name")?.forEachMember { key, name in
            localizations.append(
                Localization(
                    locale: key.text, name: name.text,
                    description: description?.member(key.text)?.text ?? "", node: name))
        }
        return localizations
    }

    private static func localizations(ofXcodes product: JSONValue) -> [Localization] {
        (product.member("localizations")?.elements ?? []).compactMap { node in
            guard let locale = node.member("locale"), locale.isText,
                let name = node.member("displayName"), name.isText
            else { return nil }
            let description = node.member("description").flatMap { $0.isText ? $0.text : nil }
            return Localization(
                locale: locale.text, name: name.text, description: description ?? "", node: node)
        }
    }

    private mutating func warnOfRepeats(_ localizations: [Localization]) {
        for (number, localization) in localizations.enumerated() {
            guard
                let first = localizations[..<number].first(where: { localization.repeats($0) })
            else { continue }
            let locales = [localization, first].map { UntrustedText.short($0.locale) }
            problems.warn(
                at: localization.node, code: .repeatedLocalization,
                found: "the text of \(locales[1]) again",
                expected: "a text of its own for \(locales[0]), or none")
        }
    }
}

extension SubscriptionPeriod {
    /// How many days it has at least and at most: a month has 28 to 31.
    fileprivate var days: ClosedRange<Int> {
        let ofOne =
            switch unit {
            case .day: 1...1
            case .week: 7...7
            case .month: 28...31
            case .year: 365...366
            }
        return ofOne.lowerBound * value...ofOne.upperBound * value
    }
}
