import StoreModel

/// The parts of a catalog that a configuration cannot hold, each a warning.
extension StoreKitFileWriter {
    private static let place = "nothing: a .storekit file has no place for it"

    var omissions: [CatalogProblem] {
        (catalogOmissions + productOmissions + subscriptionOmissions).compactMap(\.self)
            + state.omissions
    }

    private var catalogOmissions: [CatalogProblem?] {
        let listed = catalog.productList?.count ?? 0
        return [
            .omitted(
                "app", "the app \(catalog.bundleID)",
                expected: "nothing: a .storekit file names no app; opened here, it is another "
                    + "store"),
            catalog.productList.map { _ in
                .omitted(
                    "app.productList", "a list of \(listed) product\(listed == 1 ? "" : "s")",
                    expected: Self.place)
            },
            catalog.proceedsRate.map { rate in
                .omitted("proceedsRate", "proceeds of \(rate.percentText)", expected: Self.place)
            },
        ] + catalog.publicationOmissions + catalog.releaseOmissions
    }

    private var productOmissions: [CatalogProblem?] {
        let code = territory.countryCode
        return [
            catalog.omission("content", "hosted content", expected: Self.place) {
                $0.delivery.isHosted
            },
            catalog.omission("content", "content of the app's own server", expected: Self.place) {
                if case .ownServer = $0.delivery { true } else { false }
            },
            catalog.omission(
                "prices", "no price in \(code)", expected: "a price; the product is left out"
            ) {
                $0.price(in: territory) == nil
            },
            catalog.omission(
                "prices", "prices in other territories than \(code)", expected: Self.place
            ) {
                $0.allPrices.contains { $0.hasOthers(than: code) }
            },
            catalog.omission("grants", "a grant", expected: Self.place) { $0.grant != nil },
            catalog.omission("unlocks", "unlocks", expected: Self.place) {
                $0.unlocks?.isEmpty == false
            },
            catalog.omission("unlockedBy", "content opened by an unlock", expected: Self.place) {
                $0.unlockedBy != nil
            },
            catalog.omission("content", "embedded content", expected: Self.place) {
                $0.embedded != nil
            },
            catalog.omission("issues", "issues", expected: Self.place) { $0.issues != nil },
            catalog.omission("availability", "dates of a sale", expected: Self.place) {
                $0.availability != nil
            },
            catalog.omission("campaigns", "campaign prices", expected: Self.place) {
                $0.campaigns != nil
            },
            catalog.omission("section", "a section", expected: Self.place) { $0.sectionID != nil },
            catalog.omission(
                "period", "the length of a non-renewing subscription", expected: Self.place
            ) { $0.nonRenewingPeriod != nil },
        ]
    }

    private var subscriptionOmissions: [CatalogProblem?] {
        let code = territory.countryCode
        return [
            catalog.omission(
                "subscription", "monthly payments without a price in \(code)",
                expected: "a price; the billing plan is left out"
            ) { product in
                product.price(in: territory) != nil
                    && product.subscription?.billingPlans?.contains {
                        $0.type == .monthly && $0.prices.price(in: territory) == nil
                    } == true
            },
            catalog.omission(
                "subscription", "offers without a price in \(code)",
                expected: "a price; the offer is left out"
            ) { product in
                product.price(in: territory) != nil
                    && product.offers.contains { $0.price(in: territory) == nil }
            },
            catalog.omission("subscription", "codes of offers", expected: Self.place) {
                $0.offers.contains { $0.kind == .code }
            },
            catalog.omission("subscription", "limits of offer codes", expected: Self.place) {
                $0.offers.contains { $0.codes?.contains { $0.limit != nil } == true }
            },
            catalog.omission("subscription", "who can be won back", expected: Self.place) {
                $0.offers.contains { $0.winBack?.hasConditions == true }
            },
            catalog.omission("subscription", "a price that is kept", expected: Self.place) {
                $0.subscription?.preservesPrice == true
            },
            catalog.omission(
                "subscription", "priorities of win-back offers", expected: Self.place
            ) {
                $0.offers.contains { $0.winBack?.priority != nil }
            },
            catalog.omission(
                "period", "a free subscription, which never ends",
                expected: "a period; it is written as \(Self.periodOfFree)"
            ) { $0.isFreeSubscription },
        ]
    }
}

extension Catalog {
    /// With the number of products that have the property; nil if none has.
    func omission(
        _ path: String, _ words: String, expected: String, where has: (CatalogProduct) -> Bool
    ) -> CatalogProblem? {
        let chosen = products.filter(has)
        guard let first = chosen.first else { return nil }
        let others = chosen.count == 1 ? "" : " and \(chosen.count - 1) more"
        return .omitted(path, "\(words) (\(first.id)\(others))", expected: expected)
    }

    var releaseOmissions: [CatalogProblem] {
        let owners = Set((releases ?? []).map(\.productID))
        return [
            omission(
                "content", "packages in the store",
                expected: "nothing: a .storekit file has no place for them"
            ) { owners.contains($0.id) }
        ].compactMap(\.self)
    }

    var publicationOmissions: [CatalogProblem] {
        [
            omission(
                "state", "a state that is not approved",
                expected: "nothing: Xcode sells what is in the file"
            ) { $0.state != nil && $0.state != .approved }
        ].compactMap(\.self)
    }
}

extension CatalogProduct {
    fileprivate var allPrices: [Prices] {
        let plans = subscription?.billingPlans ?? []
        return [prices] + offers.compactMap(\.prices)
            + plans.flatMap { [$0.prices, $0.commitmentPrices].compactMap(\.self) }
    }
}

extension CatalogProduct.Prices {
    fileprivate func hasOthers(than territory: String) -> Bool {
        switch self {
        case .everywhere: false
        case .byTerritory(let prices): prices.keys.contains { $0 != territory }
        }
    }
}

extension CatalogProduct.WinBackRule {
    /// Whether the rule depends on times, which a configuration does not have.
    fileprivate var hasConditions: Bool {
        paidMonths != nil || lapsedMonthsMin != nil || lapsedMonthsMax != nil
    }
}
