package import StoreCatalog
package import StoreModel

/// A small catalog with one product of each kind.
package enum SampleCatalog {
    package static let coins = ProductID("test.coins")
    package static let theme = ProductID("test.theme")
    package static let otherTheme = ProductID("test.theme.other")
    package static let monthly = ProductID("test.monthly")
    package static let yearly = ProductID("test.yearly")
    package static let pass = ProductID("test.pass")
    package static let free = ProductID("test.free")
    package static let charts = ProductID("test.charts")
    package static let book = ProductID("test.book")
    package static let group = SubscriptionGroupID("test.group")

    /// Prices in the USA and in Japan; the book's content is the folder `book` of `contentFolder`.
    package static func catalog(contentFolder: String? = nil) -> Catalog {
        Catalog(
            bundleID: "com.example.test", appName: ["en": "Test"], defaultTerritory: "USA",
            defaultLocale: "en_US", groups: [.init(id: group, name: ["en": "Membership"])],
            products: [
                product(coins, .consumable, 990, 160_000, grant: Grant(unit: "coins", amount: 10)),
                product(theme, .nonConsumable, 1_990, 300_000),
                product(otherTheme, .nonConsumable, 2_990, 400_000),
                product(monthly, .autoRenewable, 4_990, 580_000, period: "P1M", level: 2),
                product(yearly, .autoRenewable, 49_990, 5_800_000, period: "P1Y", level: 1),
                product(pass, .nonRenewing, 7_990, 980_000),
                product(free, .nonConsumable, 0, 0),
                product(
                    charts, .nonConsumable, 9_990, 1_500_000,
                    delivery: .ownServer(url: "http://127.0.0.1:1/charts")),
                product(
                    book, .nonConsumable, 3_990, 480_000,
                    delivery: contentFolder == nil
                        ? .embedded
                        : .hosted([.init(id: "text", version: "1.0", path: "book")])),
            ], contentFolder: contentFolder)
    }

    private static func product(
        _ id: ProductID, _ type: ProductType, _ dollars: Int64, _ yen: Int64,
        period: String? = nil, level: Int = 1, grant: Grant? = nil,
        delivery: CatalogDelivery = .embedded
    ) -> CatalogProduct {
        CatalogProduct(
            id: id, type: type, name: ["en": id.rawValue],
            prices: .byTerritory(["USA": dollars, "JPN": yen]),
            subscription: period.flatMap { SubscriptionPeriod(iso8601: $0) }.map {
                .init(groupID: group, level: level, period: $0)
            }, grant: grant, delivery: delivery)
    }
}

extension Catalog {
    /// Looks through all products.
    package func product(_ id: ProductID) -> CatalogProduct? { products.first { $0.id == id } }
}
