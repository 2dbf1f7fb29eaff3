@testable import StoreCatalog
@testable import StoreModel
import Testing

/// What trials advise where a catalog is open that lacks the products that they name.
@Suite struct TrialFittingTests {
    private static func trial(_ need: TrialNeed) -> Trial {
        Trial(
            id: need.rawValue, area: "all", title: TrialText(["en": "A thing is bought"]),
            how: TrialText(["en": "Buy demo.thing now.", "ja": "demo.thing を購入します。"]),
            commands: ["buy demo.thing --quantity 2", "restore"], seen: ["kind:sold"],
            place: Trial.Place(product: "demo.thing", palette: "buy"),
            needs: ["demo.thing": need, "demo.unused": .hosted])
    }

    private static func fitted(_ needs: [TrialNeed], to catalog: Catalog) -> [Trial] {
        CatalogIndex(catalog).fitted(
            TrialList(trials: needs.map { trial($0) }), in: .usa,
            for: CatalogIndex.Visit(now: .earliest, environment: .sandbox)
        ).trials
    }

    /// What takes the place of the product that a trial names, by the need.
    private static func names(in catalog: Catalog) -> [String: String] {
        var names: [String: String] = [:]
        for trial in fitted(TrialNeed.allCases, to: catalog) {
            names[trial.id] = trial.place?.product?.rawValue
            #expect(trial.unmet?.rawValue == (trial.place == nil ? trial.id : nil))
            #expect(trial.commands.isEmpty == (trial.place == nil))
        }
        return names
    }

    private static func catalog(_ products: [CatalogProduct]) -> Catalog {
        Catalog(
            bundleID: "com.example.other", appName: ["en": "Other"], defaultLocale: "en",
            products: products)
    }

    private static func product(
        _ id: ProductID, _ type: ProductType, milliunits: Int64 = 990
    ) -> CatalogProduct {
        CatalogProduct(
            id: id, type: type, name: ["en": "A"], prices: .everywhere(milliunits: milliunits))
    }

    private static func plan(
        _ id: ProductID, level: Int, _ period: String?, _ offers: [CatalogProduct.Offer] = []
    ) -> CatalogProduct {
        var plan = product(id, .autoRenewable, milliunits: period == nil ? 0 : 990)
        plan.subscription = CatalogProduct.Subscription(
            groupID: period == nil ? "letters" : "club", level: level,
            period: period.flatMap { SubscriptionPeriod(iso8601: $0) })
        plan.subscription?.offers = offers
        return plan
    }

    private static let month = SubscriptionPeriod(unit: .month, value: 1)

    @Test("a file of Xcode's has the first product of each kind that it sells [I1]")
    func puzzles() throws {
        let path = try #require(
            ConfigurationFiles.paths.first {
                ConfigurationFiles.name($0) == "Puzzles-5.0.storekit"
            })
        let catalog = try #require(CatalogReader.read(path: path).catalog)
        #expect(
            Self.names(in: catalog) == [
                "consumable": "hint", "nonConsumable": "all", "nonRenewing": "summer",
                "autoRenewable": "puzzles.month", "shortPeriod": "puzzles.month",
                "freeTrial": "puzzles.month", "familyShareable": "puzzles.month",
            ])
    }

    @Test("two levels are of one group, a code is the catalog's, and what is free costs nothing")
    func others() {
        var book = Self.product("book", .nonConsumable)
        book.delivery = .hosted([CatalogDelivery.Package(id: "text", version: "1", path: "text")])
        let products = [
            Self.plan("letters", level: 1, nil), Self.plan("low.year", level: 2, "P1Y"),
            Self.plan(
                "high.month", level: 1, "P1M",
                [
                    .init(
                        kind: .introductory, mode: .payAsYouGo, period: Self.month,
                        periodCount: 3, prices: .everywhere(milliunits: 490)),
                    .init(
                        kind: .code, id: OfferID("spring"), mode: .freeTrial, period: Self.month,
                        codes: [.init(code: "OWN26")]),
                ]), book, Self.product("gift", .nonConsumable, milliunits: 0),
        ]
        #expect(
            Self.names(in: Self.catalog(products)) == [
                "nonConsumable": "book", "hosted": "book", "noCharge": "gift",
                "freeSubscription": "letters", "autoRenewable": "low.year",
                "shortPeriod": "high.month", "payAsYouGo": "high.month",
                "higherLevel": "high.month", "lowerLevel": "low.year", "offerCode": "OWN26",
            ])
    }

    @Test("a name is replaced in commands, words and place, and nothing else is [I1]")
    func words() throws {
        let catalog = Self.catalog([Self.product("coins", .consumable)])
        let trials = Self.fitted([.consumable, .hosted], to: catalog)
        #expect(trials[0].commands == ["buy coins --quantity 2", "restore"])
        #expect(trials[0].how.text(in: "en") == "Buy coins now.")
        #expect(trials[0].how.text(in: "ja") == "coins を購入します。")
        #expect(trials[0].place == Trial.Place(product: "coins", palette: "buy"))
        #expect(trials[0].unmet == nil)
        #expect(trials[1].commands.isEmpty && trials[1].place == nil)
        #expect(trials[1].unmet == .hosted)
    }

    @Test("a product that the catalog has keeps its name, whatever else it sells")
    func known() {
        let catalog = Self.catalog([
            Self.product("coins", .consumable), Self.product("demo.thing", .nonConsumable),
        ])
        let trials = Self.fitted([.consumable, .hosted], to: catalog)
        #expect(trials == [Self.trial(.consumable), Self.trial(.hosted)])
    }
}
