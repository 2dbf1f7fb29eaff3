import Foundation
@testable import StoreCatalog
@testable import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite struct SaleTermsRulesTests {
    private typealias Window = CatalogProduct.Window

    private static let day: Int64 = 86_400_000

    private func bench(_ change: (inout CatalogProduct) -> Void) throws -> Bench {
        var bench = Bench()
        for index in bench.catalog.products.indices { change(&bench.catalog.products[index]) }
        return bench
    }

    @Test(
        "a product that is not for sale now is refused with the reason, unless it is owned",
        arguments: [
            (CatalogProduct.Window(from: Bench.now.advanced(byMilliseconds: 1)), "availableFrom"),
            (CatalogProduct.Window(until: Bench.now), "availableUntil"),
        ])
    func purchase(window: CatalogProduct.Window, subject: String) throws {
        var bench = try bench { $0.availability = window }
        let refusal = bench.buy(.of(SampleCatalog.theme)).refusal
        #expect(refusal?.code == .productUnavailable)
        #expect(refusal?.subject == subject)
        bench.sell(Bench.sold(SampleCatalog.theme, type: .nonConsumable))
        #expect(bench.buy(.of(SampleCatalog.theme)).answer?.alreadyOwned == true)
    }

    @Test("a product in test is sold in the sandbox, and not in production [B8]")
    func inTest() throws {
        var bench = try bench { $0.state = .inTest }
        #expect(bench.buy(.of(SampleCatalog.theme)).sale != nil)
        bench.snapshot.identity = AppIdentity(
            bundleID: "com.example.test", environment: .production)
        let refusal = bench.buy(.of(SampleCatalog.theme)).refusal
        #expect(refusal?.code == .productUnavailable)
        #expect(refusal?.found == "inTest")
    }

    @Test("a campaign's price is charged while it lasts, and no other [B7]")
    func campaign() throws {
        let running = Window(until: Bench.now.advanced(byMilliseconds: 1))
        let bench = try bench {
            $0.campaigns = [.init(window: running, prices: ["USA": 0])]
        }
        #expect(bench.buy(.of(SampleCatalog.theme)).refusal?.code == .priceChanged)
        var payment = Payment.of(SampleCatalog.theme)
        payment.shownPrice = Money(milliunits: 0, currency: "USD")
        #expect(bench.buy(payment).sale?.price.milliunits == 0)
        let over = try self.bench {
            $0.campaigns = [.init(window: Window(until: Bench.now), prices: ["USA": 0])]
        }
        #expect(over.buy(payment).refusal?.code == .priceChanged)
        #expect(over.buy(.of(SampleCatalog.theme)).sale != nil)
    }

    @Test("an approval after the sale has ended sells nothing, and says why")
    func approval() throws {
        var bench = try bench { $0.availability = Window(until: Bench.now) }
        bench.ask(.of(SampleCatalog.theme))
        let failure = bench.perform(.approve(TransactionID(7))).failure
        #expect(failure?.code == .productUnavailable)
        #expect(failure?.subject == "availableUntil")
    }
}

@Suite struct SaleTermsLifeTests {
    @Test("who took a free product keeps it; afterwards it is charged again, and then gone [B7]")
    func life() async throws {
        let clock = ManualClock()
        let start = clock.now()
        let day: Int64 = 86_400_000
        var catalog = SampleCatalog.catalog()
        let at = try #require(catalog.products.firstIndex { $0.id == SampleCatalog.theme })
        let freeUntil = start.advanced(byMilliseconds: day)
        let soldUntil = start.advanced(byMilliseconds: 2 * day)
        catalog.products[at].campaigns = [
            .init(window: .init(until: freeUntil), prices: ["USA": 0])
        ]
        catalog.products[at].availability = .init(until: soldUntil)
        let store = try await TestStore(clock: clock, elapsed: nil, catalog: catalog)
        let aoi = store.session()
        let kai = store.session(account: "kai")
        func price(_ session: some Store) async throws -> Int64? {
            try await session.products([SampleCatalog.theme]).products.first?.price.milliunits
        }

        #expect(try await price(aoi) == 0)
        #expect(try await aoi.products(nil).changesAt == freeUntil)
        var free = Payment.of(SampleCatalog.theme)
        free.shownPrice = Money(milliunits: 0, currency: "USD")
        #expect(try await aoi.purchase(free).isPurchased)

        _ = try await store.console.perform(.clock(.to(freeUntil)))
        #expect(try await price(kai) == 1_990)
        #expect(try await aoi.products(nil).changesAt == soldUntil)
        #expect(try await aoi.entitlements().map(\.productID) == [SampleCatalog.theme])

        _ = try await store.console.perform(.clock(.to(soldUntil)))
        #expect(try await price(kai) == nil)
        #expect(try await kai.products(nil).changesAt == nil)
        #expect(
            try await kai.products([SampleCatalog.theme]).invalidProductIDs
                == [SampleCatalog.theme])
        #expect(try await price(aoi) == 1_990, "its owner still gets its name and content")
        #expect(try await aoi.entitlements().map(\.productID) == [SampleCatalog.theme])
        #expect(try await aoi.restorable(before: nil, limit: 10).transactions.count == 1)
        await #expect(throws: StoreError.self) {
            try await kai.purchase(.of(SampleCatalog.theme))
        }
    }

    @Test("a subscription whose product is not for sale at its expiry ends")
    func renewal() async throws {
        let clock = ManualClock()
        var catalog = SampleCatalog.catalog()
        let at = try #require(catalog.products.firstIndex { $0.id == SampleCatalog.monthly })
        let day: Int64 = 86_400_000
        catalog.products[at].availability = .init(
            until: clock.now().advanced(byMilliseconds: 10 * day))
        let store = try await TestStore(clock: clock, elapsed: nil, catalog: catalog)
        let aoi = store.session()
        #expect(try await aoi.purchase(.of(SampleCatalog.monthly)).isPurchased)
        _ = try await store.console.perform(
            .clock(.to(clock.now().advanced(byMilliseconds: 20 * day))))
        #expect(try await aoi.entitlements().count == 1, "to the end of its period")
        _ = try await store.console.perform(
            .clock(.to(clock.now().advanced(byMilliseconds: 40 * day))))
        #expect(try await aoi.entitlements().isEmpty)
        let reasons = try await store.entries().compactMap { entry in
            if case .autoRenewChanged(let change) = entry.entry.fact { change.reason } else { nil }
        }
        #expect(reasons == [.productUnavailable])
    }
}
