@testable import Shop
@testable import StoreModel
import Testing

/// The product list of catalogs from other shops: headings, names that occur twice, and plans to
/// compare; and the order of a product's packages.
@Suite struct ProductListTests {
    private static func product(
        _ id: ProductID, _ name: String, _ type: ProductType = .nonConsumable,
        milliunits: Int64 = 990, section: String = "", plan: SubscriptionInfo? = nil
    ) -> Product {
        Product(
            id: id, type: type, section: section, displayName: name, description: "",
            price: Money(milliunits: milliunits, currency: "USD"), priceLocale: "en_US",
            subscription: plan)
    }

    private static func plan(
        _ group: SubscriptionGroupID, _ unit: SubscriptionPeriod.Unit?, _ value: Int = 1,
        level: Int = 1
    ) -> SubscriptionInfo {
        SubscriptionInfo(
            groupID: group, groupName: "Group \(group.rawValue)", level: level,
            period: unit.map { SubscriptionPeriod(unit: $0, value: value) })
    }

    private static func list(_ products: [Product]) -> ProductList {
        ProductList(
            ProductsResponse(products: products, invalidProductIDs: [], catalogRevision: 1))
    }

    @Test("products of the same name are told apart by where their identifiers differ")
    func distinctions() {
        for (ids, parts) in [
            (["app.simple.monthly", "app.trial.monthly"], ["simple.monthly", "trial.monthly"]),
            (["app.a", "app.b.c"], ["a", "b.c"]),
            // Without the common prefix the first id would be empty, so both are shown whole.
            (["app.a", "app.a.b"], ["app.a", "b"]),
            (["x", "y", "z"], ["x", "y", "z"]),
        ] as [([String], [String])] {
            let twins = ids.map { Self.product(ProductID($0), "Monthly") }
            let list = Self.list(twins + [Self.product("app.other", "Yearly")])
            #expect(list.distinctions["app.other"] == nil)
            #expect(ids.map { list.distinctions[ProductID($0)] } == parts)
        }
    }

    @Test("a plan is compared with the shortest of its group, level and currency")
    func savings() {
        let plans = [
            Self.product("m", "M", .autoRenewable, milliunits: 4990, plan: Self.plan("a", .month)),
            Self.product("y", "Y", .autoRenewable, milliunits: 49_990, plan: Self.plan("a", .year)),
            // As much as three single months, and more than twelve: neither saves anything.
            Self.product(
                "q", "Q", .autoRenewable, milliunits: 14_970, plan: Self.plan("a", .month, 3)),
            Self.product("h", "H", .autoRenewable, milliunits: 99_990, plan: Self.plan("a", .year)),
            // Not compared: another level, another group, a plan without end, a free one, none.
            Self.product(
                "l", "L", .autoRenewable, milliunits: 990, plan: Self.plan("a", .year, level: 2)),
            Self.product("o", "O", .autoRenewable, milliunits: 990, plan: Self.plan("b", .year)),
            Self.product("e", "E", .autoRenewable, milliunits: 990, plan: Self.plan("a", nil)),
            Self.product("f", "F", .autoRenewable, milliunits: 0, plan: Self.plan("a", .year)),
            Self.product("b", "B", milliunits: 990),
        ]
        #expect(Self.list(plans).savings == ["y": 16])
    }

    @Test("a catalog without sections has headings from its groups and kinds, in its order")
    func headings() {
        let products = [
            Self.product("one", "One"), Self.product("coins", "Coins", .consumable),
            Self.product("m", "M", .autoRenewable, plan: Self.plan("a", .month)),
            Self.product("two", "Two"),
            Self.product("n", "N", .autoRenewable, plan: Self.plan("b", .month)),
            Self.product("y", "Y", .autoRenewable, plan: Self.plan("a", .year)),
            Self.product("pass", "Pass", .nonRenewing),
        ]
        let list = Self.list(products)
        #expect(
            list.sections == [
                .kind(.nonConsumable), .kind(.consumable), .group("Group a"), .group("Group b"),
                .kind(.nonRenewing),
            ])
        #expect(list.products.map(\.id) == ["one", "two", "coins", "m", "y", "n", "pass"])
        // One product with a section is enough: the list then has the catalog's own headings.
        let named = Self.list([Self.product("a", "A", section: "Books"), products[0]])
        #expect(named.sections == [.named("Books"), .named("")])
    }

    @Test("files stand in the catalog's order of packages, and those of no package come last")
    func packages() {
        func file(_ package: String, _ path: String) -> ContentFile {
            ContentFile(
                contentID: package, version: "1", path: path, absolutePath: "/" + path, length: 1,
                kind: .text)
        }
        let files = [
            file("map", "m"), file("pictures", "01"), file("pictures", "02"), file("text", "01"),
        ]
        #expect(
            files.arranged(byPackages: ["text", "pictures"]).map { $0.contentID + $0.path }
                == ["text01", "pictures01", "pictures02", "mapm"])
        #expect(files.arranged(byPackages: []) == files)
    }
}
