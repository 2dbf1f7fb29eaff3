@testable import StoreCatalog
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@testable import StoreEngine

@Suite("a price that rises for who subscribes") struct PriceRiseTests {
    private static let monthly = SampleCatalog.monthly

    /// Sells the monthly plan, which costs $4.99, or the yearly one at another price from now on.
    private static func sell(
        _ dollars: Int64, _ plan: ProductID = monthly, isKept: Bool? = nil,
        in shop: SubscriptionStore
    ) async throws {
        var catalog = SampleCatalog.catalog()
        for index in catalog.products.indices where catalog.products[index].id == plan {
            catalog.products[index].prices = .byTerritory(["USA": dollars, "JPN": dollars * 150])
            catalog.products[index].subscription?.preservesPrice = isKept
        }
        try await shop.store.engine.sell(catalog, digest: "\(plan) \(dollars) \(isKept == true)")
    }

    private static func info(_ shop: SubscriptionStore) async throws -> RenewalInfoPayload {
        let status = try #require(try await shop.store.session().subscriptionStatuses().first)
        return try await TestStore.verifier().verify(status.renewalInfo)
    }

    private static func charged(_ shop: SubscriptionStore) async throws -> [Int64] {
        try await shop.periods().map(\.sale.price.milliunits)
    }

    @Test(
        "consent is asked above half of the price and $5, or $50 a year [D11]",
        arguments: [
            (monthly, 9_990, false), (monthly, 9_991, true), (monthly, 7_480, false),
            (SampleCatalog.yearly, 99_990, false), (SampleCatalog.yearly, 99_991, true),
            (SampleCatalog.yearly, 70_000, false),
        ] as [(ProductID, Int64, Bool)])
    func limits(plan: ProductID, raised: Int64, isAsked: Bool) async throws {
        let shop = try await SubscriptionStore(plan)
        try await Self.sell(raised, plan, in: shop)
        let told = try await shop.next()
        #expect(told == [isAsked ? "priceIncreaseAsked" : "priceIncreaseNotified"])
    }

    @Test("a rise within the limits is told from 10 days before, recorded, then charged [D11]")
    func notified() async throws {
        let shop = try await SubscriptionStore()
        try await Self.sell(5_990, in: shop)
        let end = try #require(try await shop.periods().first?.expiresDate)
        let before = end.advanced(byMilliseconds: -10 * 86_400_000)
        try await shop.perform(.clock(.to(before.advanced(byMilliseconds: -1))))
        #expect(try await Self.info(shop).priceIncreaseStatus == nil)
        try await shop.perform(.clock(.to(before)))
        #expect(try await Self.info(shop).priceIncreaseStatus == 1)
        #expect(try await Self.info(shop).renewalPrice == 5_990)
        #expect(try await shop.next() == ["priceIncreaseNotified"])
        #expect(try await Self.charged(shop) == [4_990])
        #expect(try await shop.next() == ["sold"])
        #expect(try await Self.charged(shop) == [4_990, 5_990])
        #expect(try await shop.periods().last?.sale.purchaseDate == end)
        // The next renewal has nothing to tell.
        #expect(try await shop.next() == ["sold"])
        #expect(try await Self.charged(shop) == [4_990, 5_990, 5_990])
    }

    @Test("without consent to a rise above the limits the subscription ends [D11]")
    func unanswered() async throws {
        let shop = try await SubscriptionStore()
        try await Self.sell(14_990, in: shop)
        #expect(try await shop.next() == ["priceIncreaseAsked"])
        #expect(try await Self.info(shop).priceIncreaseStatus == 0)
        #expect(try await shop.next() == ["expired didNotConsentToPriceIncrease"])
        #expect(try await Self.charged(shop) == [4_990])
    }

    @Test(
        "who consents, also before the store asks, pays the higher price [D11]",
        arguments: [true, false])
    func consent(isAsked: Bool) async throws {
        let shop = try await SubscriptionStore()
        try await Self.sell(14_990, in: shop)
        #expect(try await shop.refusal(of: .priceIncrease(shop.id, .consent)) == .noPriceIncrease)
        let end = try #require(try await shop.periods().first?.expiresDate)
        try await shop.perform(.clock(.to(end.advanced(byMilliseconds: -10 * 86_400_000))))
        if isAsked { #expect(try await shop.next() == ["priceIncreaseAsked"]) }
        let status = try await shop.store.session().subscriptionStatuses().first
        #expect(status?.problem == .priceConsentNeeded)
        try await shop.perform(.priceIncrease(shop.id, .consent))
        #expect(try await shop.next() == ["sold"])
        #expect(try await Self.charged(shop) == [4_990, 14_990])
    }

    @Test("a price that is told while an offer runs is known after the offer [D11]")
    func toldWithinOffer() async throws {
        let trial = CatalogProduct.Offer(
            kind: .introductory, mode: .payAsYouGo, period: OfferCatalog.month, periodCount: 2,
            prices: .everywhere(milliunits: 990))
        func catalog(_ dollars: Int64) -> Catalog {
            var catalog = OfferCatalog.catalog([trial])
            for index in catalog.products.indices
            where catalog.products[index].id == Self.monthly {
                catalog.products[index].prices = .everywhere(milliunits: dollars)
            }
            return catalog
        }
        let store = try await TestStore(elapsed: nil, catalog: catalog(4_990))
        let id = try #require(try await store.session().purchase(.of(Self.monthly)).number)
        try await store.engine.sell(catalog(5_990), digest: "raised")
        _ = try await store.console.perform(.priceIncrease(id, .notify))
        for _ in 0..<2 { #expect(try await store.next().map(\.kind) == [.clockSet, .sold]) }
        #expect(try await store.periods().map(\.sale.price.milliunits) == [990, 990, 5_990])
    }

    @Test("an offer that is redeemed while consent is asked for begins, and nothing ends [D11]")
    func redeemedWhileAsked() async throws {
        func catalog(_ dollars: Int64) -> Catalog {
            var catalog = OfferCatalog.catalog([OfferCatalog.spring])
            for index in catalog.products.indices
            where catalog.products[index].id == Self.monthly {
                catalog.products[index].prices = .everywhere(milliunits: dollars)
            }
            return catalog
        }
        let store = try await TestStore(elapsed: nil, catalog: catalog(4_990))
        _ = try await store.session().purchase(.of(Self.monthly))
        try await store.engine.sell(catalog(14_990), digest: "raised")
        #expect(try await store.next().map(\.kind).contains(.priceIncrease))
        #expect(try await store.renewalInfo().priceIncreaseStatus == 0)
        var redeeming = store.code("SPRING")
        redeeming.shownPrice = OfferCatalog.dollar(14_990)
        _ = try await store.session().purchase(redeeming)
        #expect(try await store.renewalInfo().priceIncreaseStatus == nil)
        #expect(try await store.periods().map(\.sale.price.milliunits) == [4_990, 5_000])
    }

    @Test("who declines before the store asks is not charged again")
    func declined() async throws {
        let shop = try await SubscriptionStore()
        try await Self.sell(14_990, in: shop)
        let end = try #require(try await shop.periods().first?.expiresDate)
        try await shop.perform(.clock(.to(end.advanced(byMilliseconds: -86_400_001))))
        try await shop.perform(.priceIncrease(shop.id, .decline))
        #expect(try await shop.next() == ["expired didNotConsentToPriceIncrease"])
        #expect(try await Self.charged(shop) == [4_990])
    }

    @Test("a second rise within a year needs consent")
    func twice() async throws {
        let shop = try await SubscriptionStore()
        try await Self.sell(5_490, in: shop)
        #expect(try await shop.next() == ["priceIncreaseNotified"])
        #expect(try await shop.next() == ["sold"])
        try await Self.sell(5_990, in: shop)
        #expect(try await shop.next() == ["priceIncreaseAsked"])
        try await shop.perform(.priceIncrease(shop.id, .consent))
        for _ in 0..<13 { _ = try await shop.next() }
        try await Self.sell(6_490, in: shop)
        #expect(try await shop.next() == ["priceIncreaseNotified"])
    }

    @Test(
        "a price agreed to that rises again before the charge is asked for again [D11]",
        arguments: [true, false])
    func again(isAnswered: Bool) async throws {
        let shop = try await SubscriptionStore()
        try await Self.sell(14_990, in: shop)
        let end = try #require(try await shop.periods().first?.expiresDate)
        try await shop.perform(.clock(.to(end.advanced(byMilliseconds: -10 * 86_400_000))))
        try await shop.perform(.priceIncrease(shop.id, .consent))
        #expect(try await Self.info(shop).priceIncreaseStatus == 1)
        try await Self.sell(24_990, in: shop)
        #expect(try await Self.info(shop).priceIncreaseStatus == 0)
        #expect(try await shop.next() == ["priceIncreaseAsked"])
        guard isAnswered else {
            #expect(try await shop.next() == ["expired didNotConsentToPriceIncrease"])
            #expect(try await Self.charged(shop) == [4_990])
            return
        }
        try await shop.perform(.priceIncrease(shop.id, .consent))
        #expect(try await shop.next() == ["sold"])
        #expect(try await Self.charged(shop) == [4_990, 24_990])
    }

    @Test("too late to be told of a further rise, a customer pays the price that was told [D11]")
    func tooLate() async throws {
        let shop = try await SubscriptionStore()
        try await Self.sell(5_990, in: shop)
        #expect(try await shop.next() == ["priceIncreaseNotified"])
        try await Self.sell(6_490, in: shop)
        #expect(try await Self.info(shop).priceIncreaseStatus == 1)
        #expect(try await Self.info(shop).renewalPrice == 5_990)
        #expect(try await shop.next() == ["sold"])
        #expect(try await Self.charged(shop) == [4_990, 5_990])
        // The second rise within a year is asked for before it is charged.
        #expect(try await shop.next() == ["priceIncreaseAsked"])
    }

    @Test(
        "the operator raises a price for all who subscribe, or for who comes later [D11]",
        arguments: [
            (100, false, "priceIncreaseNotified"), (101, false, "priceIncreaseAsked"),
            (300, true, "sold"),
        ])
    func byOperator(percent: Int, keepsPrice: Bool, next: String) async throws {
        let shop = try await SubscriptionStore()
        let events = try await shop.store.console.perform(
            .raisePrice(Self.monthly, percent: percent, keepsPrice: keepsPrice))
        #expect(events.map(\.kind) == [.catalogRevised])
        #expect(try await shop.next() == [next])
        #expect(try await Self.charged(shop).allSatisfy { $0 == 4_990 })
        let products = try await shop.store.session(account: "ren").products([Self.monthly])
        #expect(
            products.products.first?.price.milliunits
                == [100: 9_980, 101: 10_030, 300: 19_960][percent])
    }

    @Test("a price that was told of one plan is not charged for another [D11]")
    func otherPlan() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.yearly)
        var catalog = SampleCatalog.catalog()
        let prices: [ProductID: Int64] = [SampleCatalog.yearly: 54_990, Self.monthly: 60_000]
        for (plan, price) in prices {
            for index in catalog.products.indices where catalog.products[index].id == plan {
                catalog.products[index].prices = .byTerritory(["USA": price])
            }
        }
        try await shop.store.engine.sell(catalog, digest: "two prices")
        #expect(try await shop.next() == ["priceIncreaseNotified"])
        var payment = Payment.of(Self.monthly)
        payment.shownPrice = Money(milliunits: 60_000, currency: "USD")
        _ = try await shop.store.session().purchase(payment)
        #expect(try await Self.info(shop).autoRenewProductId == Self.monthly)
        #expect(try await Self.info(shop).renewalPrice == 60_000)
        // The next period is charged at once: the price was told within the last day of this one.
        #expect(try await Self.charged(shop) == [49_990, 60_000])
    }

    @Test("a plan that is taken back is charged at no price that was told of another [D11]")
    func takenBack() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.yearly)
        _ = try await shop.store.session().purchase(.of(Self.monthly))
        try await shop.perform(.priceIncrease(shop.id, .notify))
        _ = try await shop.store.session().purchase(.of(SampleCatalog.yearly))
        #expect(try await Self.info(shop).renewalPrice == 49_990)
        #expect(try await shop.next() == ["sold"])
        #expect(try await Self.charged(shop) == [49_990, 49_990])
    }

    @Test("consent asked for one plan is not needed for another that the customer buys [D11]")
    func otherPlanWhileAsked() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.yearly)
        try await Self.sell(149_990, SampleCatalog.yearly, in: shop)
        #expect(try await shop.next() == ["priceIncreaseAsked"])
        _ = try await shop.store.session().purchase(.of(Self.monthly))
        #expect(try await Self.info(shop).priceIncreaseStatus == nil)
        #expect(try await Self.charged(shop) == [49_990, 4_990])
    }

    @Test(
        "consent to the present price, or a notice of it, is none to a later, higher one [D11]",
        arguments: [[.ask, .consent], [.notify]] as [[PriceIncreaseStep]])
    func askedWithoutRise(steps: [PriceIncreaseStep]) async throws {
        let shop = try await SubscriptionStore()
        for step in steps { try await shop.perform(.priceIncrease(shop.id, step)) }
        #expect(try await Self.info(shop).renewalPrice == 4_990)
        try await Self.sell(14_990, in: shop)
        #expect(try await shop.next() == ["priceIncreaseAsked"])
        #expect(try await Self.info(shop).renewalPrice == 14_990)
        #expect(try await shop.next() == ["expired didNotConsentToPriceIncrease"])
        #expect(try await Self.charged(shop) == [4_990])
    }

    @Test("a price that is raised again and again stays one that a catalog can have")
    func raisingEnds() async throws {
        let shop = try await SubscriptionStore()
        for _ in 0..<12 {
            _ = try await shop.store.console.perform(
                .raisePrice(Self.monthly, percent: 1_000, keepsPrice: true))
        }
        let products = try await shop.store.session(account: "ren").products([Self.monthly])
        #expect(products.products.first?.price.milliunits == 1_000_000_000_000)
    }

    @Test("a price is raised by 1 to 1000 percent, and only of a plan that renews")
    func raisingIsRefused() async throws {
        let shop = try await SubscriptionStore()
        func refusal(_ product: ProductID, _ percent: Int) async throws -> StoreError.Code? {
            try await shop.refusal(of: .raisePrice(product, percent: percent, keepsPrice: false))
        }
        #expect(try await refusal(Self.monthly, 0) == .invalidName)
        #expect(try await refusal(Self.monthly, 1_001) == .invalidName)
        #expect(try await refusal(SampleCatalog.coins, 10) == .noSubscription)
        #expect(try await refusal("nothing", 10) == .productUnavailable)
    }

    @Test("a seller may let subscribers keep their price; who comes later pays the new one [D11]")
    func preserved() async throws {
        let shop = try await SubscriptionStore()
        try await Self.sell(14_990, isKept: true, in: shop)
        for _ in 0..<3 { #expect(try await shop.next() == ["sold"]) }
        #expect(try await Self.charged(shop) == [4_990, 4_990, 4_990, 4_990])
        #expect(try await Self.info(shop).renewalPrice == 4_990)
        #expect(try await Self.info(shop).priceIncreaseStatus == nil)
        let error = await #expect(throws: StoreError.self) {
            try await shop.store.session(account: "ren").purchase(.of(Self.monthly))
        }
        #expect(error?.code == .priceChanged)
    }

    @Test("a plan that has become free renews, and a later price is told before it is charged")
    func free() async throws {
        let shop = try await SubscriptionStore()
        try await Self.sell(0, in: shop)
        #expect(try await shop.next() == ["sold"])
        try await Self.sell(2_990, in: shop)
        #expect(try await shop.next() == ["priceIncreaseNotified"])
        #expect(try await shop.next() == ["sold"])
        #expect(try await Self.charged(shop) == [4_990, 0, 2_990])
        try await Self.sell(0, in: shop)
        #expect(try await shop.next() == ["sold"])
        try await Self.sell(9_990, in: shop)
        #expect(try await shop.next() == ["priceIncreaseAsked"])
    }

    @Test("a lower price is charged without a word, and a forced renewal charges no higher one")
    func others() async throws {
        let shop = try await SubscriptionStore()
        try await Self.sell(3_990, in: shop)
        #expect(try await shop.next() == ["sold"])
        try await Self.sell(14_990, in: shop)
        let begin = try #require(try await shop.periods().last?.sale.purchaseDate)
        try await shop.perform(.clock(.to(begin.advanced(byMilliseconds: 1_000))))
        try await shop.perform(.renew(shop.id))
        #expect(try await Self.charged(shop) == [4_990, 3_990, 3_990])
    }

    @Test("a customer who moves to a dearer territory pays its price")
    func moved() async throws {
        let sale = Sale(
            cause: .renewal, productID: Self.monthly, type: .autoRenewable,
            purchaseDate: .earliest, storefront: "USA",
            price: Money(milliunits: 4_990, currency: "USD"))
        var product = try #require(
            SampleCatalog.catalog().products.first { $0.id == Self.monthly })
        product.prices = .everywhere(milliunits: 9_990)
        let dear = Money(milliunits: 9_990, currency: "USD")
        let billing = try #require(BillingTerms(nil, of: product, in: .usa, at: .earliest))
        let ecuador = try #require(Storefront.find("ECU"))
        #expect(
            PriceRise(after: sale, to: billing, of: product, in: .usa, at: .earliest)?.to == dear)
        #expect(
            PriceRise(after: sale, to: billing, of: product, in: ecuador, at: .earliest) == nil)
        // A price that was told in one territory holds there alone.
        let told = Money(milliunits: 5_990, currency: "USD")
        #expect(billing.outdated(told, in: .usa, after: sale) == told)
        #expect(billing.outdated(told, in: ecuador, after: sale) == nil)
        #expect(billing.outdated(dear, in: .usa, after: sale) == nil)
    }
}
