@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// A plan's offers on its page and a subscription's screen, and how its price compares.
@Suite struct PlanRowTests {
    private static func offer(
        _ kind: OfferKind, _ months: Int, refusal: OfferRefusal? = nil
    ) -> OfferAnswer {
        OfferAnswer(
            offer: Offer(
                kind: kind, id: kind == .introductory ? nil : OfferID(kind.rawValue),
                mode: kind == .introductory ? .freeTrial : .payAsYouGo,
                period: SubscriptionPeriod(unit: .month, value: 1), periodCount: months,
                price: Money(milliunits: kind == .introductory ? 0 : 2490, currency: "USD")),
            refusal: refusal)
    }

    private static let answers = [
        offer(.introductory, 1, refusal: .introductoryUsed), offer(.promotional, 3),
        offer(.winBack, 2, refusal: .stillSubscribed), offer(.code, 6),
    ]

    /// The yearly plan costs a sixth less than twelve months.
    private static func shop(
        _ subscription: VerifiedSubscription, _ size: Size, locale: String = "en_US"
    ) -> ShopState {
        var shop = SampleShop.full(locale: locale)
        // On a small screen the list leaves out rows.
        shop.take([.resized], on: size)
        let snapshot = SampleShop.snapshot(with: subscription, of: shop)
        var products = shop.productList.products
        for index in products.indices where products[index].id == "plus.year" {
            products[index].subscription?.offers = answers.map(\.offer)
            products[index].price = Money(
                milliunits: 29_990, currency: products[index].price.currency)
        }
        let answer = ProductsResponse(
            products: products, invalidProductIDs: [], catalogRevision: 2)
        show(snapshot, answer, in: &shop, size)
        return shop
    }

    /// Gives the shop an account and its products, and selects the yearly plan.
    private static func show(
        _ snapshot: AccountSnapshot, _ answer: ProductsResponse, in shop: inout ShopState,
        _ size: Size
    ) {
        shop.take(
            [
                .accountArrived(snapshot), .productsArrived(answer), .messageFaded,
                .list(.pointed(row: shop.productList.row(of: "plus.year") ?? 0)),
            ], on: size)
    }

    /// Every row of the yearly plan's page, from its top to its end.
    private static func page(_ size: Size, locale: String = "en_US") -> [String] {
        var shop = shop(SampleShop.subscription(), size, locale: locale)
        shop.take([.confirmed, .paymentSheet(.offersArrived("plus.year", answers))], on: size)
        var rows = Screens.draw(shop, size).lines
        for _ in 0..<40 {
            shop.take([.selectionMoved(.rows(1))], on: size)
            rows += Screens.draw(shop, size).lines.filter { !rows.contains($0) }
        }
        return rows
    }

    @Test(
        "a page ends with its offers: kind, terms, and whether the account can take each, or why not",
        arguments: [Screens.usual, Screens.large, Size(columns: 170, rows: 40)])
    func page(size: Size) throws {
        let rows = Self.page(size)
        let heading = try #require(rows.firstIndex { $0.contains("OFFERS") })
        let id = try #require(rows.firstIndex { $0.contains("plus.year") })
        #expect(id < heading)
        for words in [
            "introductory offer: free for 1 month", "$29.99/year",
            "you had an introductory offer of this group",
            "promotional offer: $2.49/month for 3", "available",
            "win-back offer: $2.49/month for 2", "for those whose subscription is over",
            "offer code: $2.49/month for 6", "available with a code",
        ] { #expect(rows.contains { $0.contains(words) }, "\(words)") }
        #expect(!rows.contains { $0.contains("Offers  ") }, "named once")
    }

    @Test("on a small screen the page scrolls to its offers, which are wrapped and never cut")
    func smallPage() throws {
        let rows = Self.page(Screens.smallest)
        #expect(rows.contains { $0.contains("OFFERS") })
        for words in [
            "promotional offer: $2.49/month for 3", "months, then $29.99/year", "  available",
            "  you had an introductory offer of this", "  group",
            "  for those whose subscription is over",
        ] { #expect(rows.contains { $0.hasPrefix(words) }, "\(words)") }
        #expect(Self.page(Screens.usual, locale: "ja_JP").contains { $0.contains("利用可能") })
    }

    @Test("a page without offers has no such part")
    func noOffers() {
        var shop = SampleShop.full()
        let size = Screens.large
        shop.take(
            [.list(.pointed(row: shop.productList.row(of: "plus.month") ?? 0)), .confirmed],
            on: size)
        #expect(!Screens.draw(shop, size).lines.contains { $0.contains("OFFERS") })
    }

    @Test(
        "how a plan compares stays beside the consequence of buying it, wherever there is room",
        arguments: [
            (80, 24, "upgrade, at once, save 16%"), (120, 30, "upgrade, at once, save 16%"),
            (160, 45, "upgrade, at once, save 16%"),
        ])
    func managed(columns: Int, rows: Int, text: String) throws {
        let size = Size(columns: columns, rows: rows)
        var shop = Self.shop(SampleShop.subscription(plans: [SampleShop.upgrade()]), size)
        shop.take([.subscription(.opened)], on: size)
        let row = try #require(
            Screens.draw(shop, size).lines.first { $0.contains("Lantern Plus, yearly") })
        #expect(row.contains(text), "\(row)")
        #expect(!row.contains("…"), "\(row)")
    }

    @Test(
        "the list says so too, as much as there is room for",
        arguments: [
            (80, 24, "upgrade, at once, save 16%"), (100, 30, "upgrade"), (120, 30, "upgrade"),
            (160, 45, "upgrade, at once, save 16%"),
        ])
    func listed(columns: Int, rows: Int, text: String) throws {
        let size = Size(columns: columns, rows: rows)
        let shop = Self.shop(SampleShop.subscription(plans: [SampleShop.upgrade()]), size)
        let rows = Screens.draw(shop, size).lines.map { $0.prefix { $0 != "│" } }
        let row = try #require(rows.first { $0.contains("Lantern Plus, yearly") })
        #expect(row.contains(text), "\(row)")
    }

    /// The account never subscribed; the yearly plan, with a free trial, is selected.
    private static func newcomer(_ size: Size) -> ShopState {
        var shop = SampleShop.full()
        shop.take([.resized], on: size)
        show(
            SampleShop.snapshot(withOnly: nil, of: shop), SampleShop.withOffers(shop),
            in: &shop, size)
        return shop
    }

    @Test("a trial that applies by itself stands in the row, in the price and on the button")
    func trial() throws {
        var shop = Self.newcomer(Screens.usual)
        let row = try #require(
            Screens.draw(shop, Screens.usual).lines.first { $0.contains("Lantern Plus, yearly") })
        #expect(row.contains("/year   free for 1 week"), "\(row)")
        shop.take([.confirmed], on: Screens.usual)
        let page = Screens.draw(shop, Screens.usual).text
        #expect(page.contains("free for 1 week, then $35.99/year"), "\(page)")
        #expect(page.contains("[ Start the free trial ]") && !page.contains("Buy for"), "\(page)")
    }

    @Test("whoever had the trial is shown the price alone")
    func noTrial() throws {
        var shop = Self.newcomer(Screens.usual)
        var products = shop.productList.products
        for index in products.indices {
            products[index].subscription?.isEligibleForIntroOffer = false
        }
        shop.take(
            [
                .productsArrived(
                    ProductsResponse(products: products, invalidProductIDs: [], catalogRevision: 3)
                ), .confirmed,
            ], on: Screens.usual)
        let page = Screens.draw(shop, Screens.usual).text
        #expect(!page.contains("free for 1 week, then"), "\(page)")
        #expect(page.contains("Buy for $35.99"), "\(page)")
    }

    @Test(
        "in a narrow list the account's own plan says when it renews, in the columns of its period",
        arguments: [(100, "✓ renews Dec 21"), (120, "✓ renews Dec 21")])
    func ownPlan(columns: Int, text: String) throws {
        let size = Size(columns: columns, rows: 30)
        let shop = Self.shop(SampleShop.subscription(), size)
        let rows = Screens.draw(shop, size).lines.map { $0.prefix { $0 != "│" } }
        let row = try #require(rows.first { $0.contains("Lantern Plus ") })
        #expect(row.contains(text), "\(row)")
    }

    @Test("two offers of one plan with the same terms are told apart by their kinds")
    func kinds() throws {
        let size = Screens.usual
        var shop = Self.shop(SampleShop.subscription(.expired), size)
        let same = [Self.offer(.promotional, 3), Self.offer(.winBack, 3)]
        shop.take(
            [.subscription(.opened), .paymentSheet(.offersArrived("plus.year", same))], on: size)
        let rows = Screens.draw(shop, size).lines
        for kind in ["promotional", "win-back"] {
            #expect(
                rows.contains {
                    $0.contains("\(kind) offer: $2.49/month for 3 months, then $29.99/year")
                }, "\(rows)")
        }
    }
}
