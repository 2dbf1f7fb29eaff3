@testable import Shop
import ShopText
import StoreModel
import Testing

/// The offers on a plan's page: when the shop queries them, and which accounts can take them.
@Suite("offers on a page") struct PageOffersTests {
    private static func answer(_ kind: OfferKind, refusal: OfferRefusal? = nil) -> OfferAnswer {
        OfferAnswer(
            offer: Offer(
                kind: kind, id: kind == .introductory ? nil : OfferID(kind.rawValue),
                mode: .freeTrial, period: SubscriptionPeriod(unit: .week, value: 1),
                price: Money(milliunits: 0, currency: "USD")), refusal: refusal)
    }

    private static let answers = [
        answer(.introductory), answer(.promotional, refusal: .neverSubscribed), answer(.winBack),
        answer(.code),
    ]

    private static func select(_ product: ProductID, in probe: inout ShopProbe) -> [ShopEffect] {
        probe.happen(
            .list(.pointed(row: probe.state.productList.row(of: product) ?? 0)))
    }

    private static func offers(_ probe: ShopProbe) throws -> [OfferAnswer] {
        probe.state.offersOnPage(of: try #require(probe.state.productList.product("plus.year")))
    }

    @Test("they are asked for when the page is opened, once, and again when it is opened again")
    func opening() throws {
        var probe = SampleShop.offering(nil)
        #expect(Self.select("plus.year", in: &probe) == [])
        #expect(probe.happen(.confirmed) == [.findOffers("plus.year")])
        #expect(
            try Self.offers(probe).map(\.offer.kind) == [.introductory],
            "the device knows that it applies")
        #expect(probe.happen(.resized) == [])
        probe.happen(.paymentSheet(.offersArrived("plus.month", [Self.answer(.winBack)])))
        probe.happen(.paymentSheet(.offersArrived("plus.year", Self.answers)))
        #expect(try Self.offers(probe) == Self.answers)
        #expect(probe.happen(.choiceMoved(1)) == [])
        #expect(probe.happen(.wentBack) == [])
        #expect(probe.happen(.confirmed) == [.findOffers("plus.year")])
        #expect(try Self.offers(probe) == Self.answers, "until the next answer")
    }

    @Test("a product that is no plan asks for none and has none")
    func none() throws {
        var probe = SampleShop.offering(nil)
        _ = Self.select("book.two", in: &probe)
        #expect(!probe.happen(.confirmed).contains(.findOffers("book.two")))
        let product = try #require(probe.state.selectedProduct)
        #expect(probe.state.offersOnPage(of: product) == [])
    }

    @Test("where the page stands beside the list, they are asked for when the plan is selected")
    func beside() {
        var probe = SampleShop.offering(nil)
        probe.viewport.panes = 2
        #expect(Self.select("plus.year", in: &probe) == [.findOffers("plus.year")])
        #expect(probe.happen(.confirmed) == [], "it is the same page")
        probe.happen(.wentBack)
        #expect(Self.select("plus.month", in: &probe) == [.findOffers("plus.month")])
        #expect(Self.select("plus.year", in: &probe) == [.findOffers("plus.year")])
    }

    @Test("they are asked for again when the subscription or the products change")
    func changes() {
        var probe = SampleShop.offering(SampleShop.subscription(.expired))
        _ = Self.select("plus.year", in: &probe)
        probe.happen(.confirmed)
        let renewed = SampleShop.snapshot(with: SampleShop.subscription(), of: probe.state)
        #expect(
            probe.happen(.accountArrived(renewed)) == [.loadProducts, .findOffers("plus.year")],
            "the products say whether the introductory offer applies")
        #expect(probe.happen(.accountArrived(renewed)) == [])
        let products = probe.state.productList.products
        #expect(
            probe.happen(
                .productsArrived(
                    ProductsResponse(
                        products: products, invalidProductIDs: [], catalogRevision: 3)))
                == [.findOffers("plus.year")])
    }

    @Test("without a network nothing is asked; what is known stays, and it is asked on return")
    func offline() throws {
        var probe = SampleShop.offering(nil)
        probe.refresh { $0.whyOffline = .networkIsOff }
        _ = Self.select("plus.year", in: &probe)
        #expect(!probe.happen(.confirmed).contains(.findOffers("plus.year")))
        #expect(try Self.offers(probe).map(\.offer.kind) == [.introductory])
        #expect(probe.refresh { $0.whyOffline = nil }.contains(.findOffers("plus.year")))
    }

    @Test("a plan may have nothing but codes, so the store is asked about every plan")
    func codesAlone() throws {
        var probe = SampleShop.offering(nil)
        _ = Self.select("plus.month", in: &probe)
        #expect(probe.happen(.confirmed) == [.findOffers("plus.month")])
        probe.happen(.paymentSheet(.offersArrived("plus.month", [Self.answer(.code)])))
        let plan = try #require(probe.state.productList.product("plus.month"))
        #expect(probe.state.offersOnPage(of: plan).map(\.offer.kind) == [.code])
    }

    @Test("a plan of a subscription that a family member shares has none")
    func shared() throws {
        var probe = SampleShop.offering(SampleShop.subscription(isShared: true))
        _ = Self.select("plus.year", in: &probe)
        #expect(probe.happen(.confirmed) == [])
        probe.happen(.paymentSheet(.offersArrived("plus.year", Self.answers)))
        #expect(try Self.offers(probe) == [])
    }

    struct Row: Sendable, CustomStringConvertible {
        var name: String
        var subscription: VerifiedSubscription?
        /// The states of the introductory, promotional, win-back and code offers, in this order.
        var standings: [OfferStanding]
        var description: String { name }
    }

    private static let rows = [
        Row(
            name: "never subscribed", subscription: nil,
            standings: [.available, .refused(.neverSubscribed), .available, .withCode]),
        Row(
            name: "change at the renewal", subscription: SampleShop.subscription(),
            standings: [.available, .refused(.neverSubscribed), .available, .withCode]),
        Row(
            name: "upgrade at once",
            subscription: SampleShop.subscription(plans: [SampleShop.upgrade()]),
            standings: [.available, .refused(.neverSubscribed), .available, .withCode]),
        Row(
            name: "payment failed",
            subscription: SampleShop.subscription(.inGracePeriod, problem: .billingFailed),
            standings: [
                .afterPayment, .refused(.neverSubscribed), .afterPayment, .afterPayment,
            ]),
    ]

    @Test("an offer is available only where it could be taken now", arguments: rows)
    func standings(_ row: Row) throws {
        let state = SampleShop.offering(row.subscription).state
        let product = try #require(state.productList.product("plus.year"))
        #expect(Self.answers.map { state.standing(of: $0, of: product) } == row.standings)
    }
}
