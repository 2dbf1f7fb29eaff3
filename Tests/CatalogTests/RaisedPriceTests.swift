import StoreCatalog
import StoreModel
import Testing

@Suite("a plan's price that the operator raises")
struct RaisedPriceTests {
    private static func prices(
        _ prices: CatalogProduct.Prices, raisedBy percent: Int
    ) throws -> CatalogProduct.Prices? {
        var product = CatalogProduct(
            id: "plan", type: .autoRenewable, name: ["en": "Plan"], prices: prices)
        product.subscription = CatalogProduct.Subscription(
            groupID: "group", level: 1, period: SubscriptionPeriod(unit: .month, value: 1))
        var other = product
        other.id = "other"
        let catalog = Catalog(
            bundleID: "com.example.app", appName: ["en": "App"], defaultLocale: "en",
            products: [other, product])
        let raised = catalog.raisingPrice(of: "plan", percent: percent, keepsPrice: true)
        #expect(raised.products[0] == other)
        #expect(raised.products[1].subscription?.preservesPrice == true)
        return raised.products[1].prices
    }

    @Test("it is rounded up to each currency's smallest unit, and never overflows")
    func rounding() throws {
        #expect(
            try Self.prices(
                .byTerritory(["USA": 4_990, "JPN": 605_000, "KWT": 1_501]), raisedBy: 10)
                == .byTerritory(["USA": 5_490, "JPN": 666_000, "KWT": 1_651]))
        #expect(
            try Self.prices(.everywhere(milliunits: 990), raisedBy: 1)
                == .everywhere(milliunits: 1_000))
        #expect(
            try Self.prices(.everywhere(milliunits: 0), raisedBy: 1_000)
                == .everywhere(milliunits: 0))
        guard
            case .everywhere(let most)? = try Self.prices(
                .everywhere(milliunits: .max), raisedBy: 1_000)
        else { return }
        #expect((1..<Int64.max / 1_000_000).contains(most), "sums of it stay far from the end")
    }
}
