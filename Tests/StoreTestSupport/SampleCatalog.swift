@testable package import StoreCatalog
package import StoreModel

/// A small catalog with products of every type.
package enum SampleCatalog {
    /// A consumable that grants 10 coins.
    package static let coins = ProductID("test.coins")
    /// A non-consumable.
    package static let theme = ProductID("test.theme")
    /// Another non-consumable. Families share it, `monthly` and `book`.
    package static let otherTheme = ProductID("test.theme.other")
    /// An auto-renewable subscription of one month, level 2 of `group`.
    package static let monthly = ProductID("test.monthly")
    /// An auto-renewable subscription of one year, level 1 of `group`.
    package static let yearly = ProductID("test.yearly")
    /// A non-renewing subscription.
    package static let pass = ProductID("test.pass")
    /// A non-consumable at a price of zero.
    package static let free = ProductID("test.free")
    /// A non-consumable that the app's own server delivers.
    package static let charts = ProductID("test.charts")
    /// A non-consumable; its content is hosted if the catalog has a content folder.
    package static let book = ProductID("test.book")
    /// The subscription group of `monthly` and `yearly`.
    package static let group = SubscriptionGroupID("test.group")

    /// With prices in the USA and Japan. With a `contentFolder` the book is hosted from `book`.
    package static func catalog(contentFolder: String? = nil) -> Catalog {
        Catalog(
            bundleID: "com.example.test", appName: ["en": "Test"], defaultTerritory: "USA",
            defaultLocale: "en_US", groups: [.init(id: group, name: ["en": "Membership"])],
            products: [
                product(coins, .consumable, 990, 160_000, grant: Grant(unit: "coins", amount: 10)),
                product(theme, .nonConsumable, 1_990, 300_000),
                product(otherTheme, .nonConsumable, 2_990, 400_000, isShareable: true),
                product(
                    monthly, .autoRenewable, 4_990, 580_000, period: "P1M", level: 2,
                    isShareable: true),
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
                        : .hosted([.init(id: "text", version: "1.0", path: "book")]),
                    isShareable: true),
            ], contentFolder: contentFolder)
    }

    /// With an offer of each subscription to those who have it, or another of its group.
    package static func catalogWithOffers() -> Catalog {
        var catalog = Self.catalog()
        for index in catalog.products.indices {
            catalog.products[index].subscription?.offers = [
                CatalogProduct.Offer(
                    kind: .promotional, id: "stay", mode: .freeTrial,
                    period: SubscriptionPeriod(unit: .month, value: 1))
            ]
        }
        return catalog
    }

    private static func product(
        _ id: ProductID, _ type: ProductType, _ dollars: Int64, _ yen: Int64,
        period: String? = nil, level: Int = 1, grant: Grant? = nil,
        delivery: CatalogDelivery = .embedded, isShareable: Bool = false
    ) -> CatalogProduct {
        CatalogProduct(
            id: id, type: type, name: ["en": id.rawValue],
            prices: .byTerritory(["USA": dollars, "JPN": yen]), isFamilyShareable: isShareable,
            subscription: period.flatMap { SubscriptionPeriod(iso8601: $0) }.map {
                .init(groupID: group, level: level, period: $0)
            }, grant: grant, delivery: delivery)
    }
}

extension Catalog {
    func product(_ id: ProductID) -> CatalogProduct? { products.first { $0.id == id } }
}
