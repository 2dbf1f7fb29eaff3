import ShopCore
import ShopTestSupport
@testable import ShopTUI
import StoreModel
import Terminal
import Testing

/// The next renewal on the screen of a subscription, and the terms of the offers there and on the
/// payment sheet.
@Suite struct NextRenewalTests {
    /// The rows of the screen, of a subscription in a state.
    private static func rows(
        _ state: RenewalState, _ size: Size, isShared: Bool = false
    ) -> [String] {
        var shop = SampleShop.full()
        let snapshot = SampleShop.snapshot(
            with: SampleShop.subscription(
                state, problem: isShared ? nil : .billingFailed, isShared: isShared), of: shop)
        let actions: [ShopAction] = [.accountArrived(snapshot), .subscription(.opened)]
        for action in actions {
            _ = shop.reduce(
                action,
                ShopMoment(
                    now: SampleShop.now, paymentID: SampleShop.payment(0),
                    viewport: Screens.viewport(size, in: shop)))
        }
        return Screens.draw(shop, size).lines
    }

    @Test(
        "after a failed payment the next renewal is told by what it waits for, not by a day that is over",
        arguments: [RenewalState.inGracePeriod, .inBillingRetryPeriod])
    func overdue(state: RenewalState) throws {
        let rows = Self.rows(state, Screens.usual)
        let row = try #require(rows.first { $0.contains("Next renewal") })
        #expect(row.contains("as soon as the payment succeeds"), "\(row)")
    }

    @Test(
        "a member is told that the owner's payment failed, and is not asked to pay",
        arguments: [RenewalState.inGracePeriod, .inBillingRetryPeriod])
    func shared(state: RenewalState) {
        let text = Self.rows(state, Screens.usual, isShared: true).joined(separator: "\n")
        #expect(text.contains("Its owner's payment failed"), "\(text)")
        #expect(text.contains("kai shares this with you"), "\(text)")
        #expect(!text.contains("Pay to") && !text.contains("Next renewal"), "\(text)")
    }

    /// The rows of the screen of a subscription whose yearly plan has an offer, and of the payment
    /// sheet that the offer opens.
    private static func offer(
        of product: ProductID, locale: String, _ size: Size
    ) -> (screen: [String], sheet: [String]) {
        var shop = SampleShop.full(locale: locale)
        let currency = shop.productList.product(product)?.price.currency ?? ""
        let answer = OfferAnswer(
            offer: Offer(
                kind: .promotional, id: "half", mode: .payAsYouGo,
                period: SubscriptionPeriod(unit: .month, value: 1), periodCount: 3,
                price: Money(milliunits: 100_000, currency: currency)))
        let actions: [ShopAction] = [
            .subscription(.opened), .paymentSheet(.offersArrived(product, [answer])),
            .subscription(.pointed(.offer(product, PaymentOffer(kind: .promotional, id: "half")))),
        ]
        func take(_ action: ShopAction) {
            _ = shop.reduce(
                action,
                ShopMoment(
                    now: SampleShop.now, paymentID: SampleShop.payment(0),
                    viewport: Screens.viewport(size, in: shop)))
        }
        actions.forEach(take)
        let screen = Screens.draw(shop, size).lines
        take(.confirmed)
        return (screen, Screens.draw(shop, size).lines)
    }

    @Test("an offer is listed with its terms, and its sheet says what is charged now and then")
    func offer() throws {
        let (screen, sheet) = Self.offer(of: "plus.month", locale: "en_US", Screens.usual)
        let heading = try #require(screen.firstIndex { $0.contains("OFFERS") })
        #expect(screen[heading + 1].contains("Lantern Plus"))
        #expect(
            screen[heading + 2].contains(
                "promotional offer: $100.00/month for 3 months, then $2.99/month"))
        #expect(screen[heading + 1].contains("▌"), "selected")
        for words in [
            "nothing", "$100.00/month for 3 months", "$2.99/month after 3 months",
            "renews Dec 21 for $100.00", "[ Cancel ]", "[ Take this offer ]",
        ] { #expect(sheet.contains { $0.contains(words) }, "\(words)") }
    }

    @Test("on a narrow screen the terms of an offer stand below the plan, in every language")
    func narrowOffer() throws {
        let narrow = Size(columns: 40, rows: 16)
        let (screen, _) = Self.offer(of: "plus.year", locale: "en_US", narrow)
        let row = try #require(screen.firstIndex { $0.contains("▌ Lantern Plus, yearly") })
        #expect(screen[row + 1].contains("promotional offer: $100.00/month"))
        #expect(screen[row + 2].contains("for 3 months, then $35.99/year"))
        #expect(screen.filter { $0.contains("▌") }.count == 1)
        let (japanese, sheet) = Self.offer(of: "plus.month", locale: "ja_JP", Screens.usual)
        #expect(japanese.contains { $0.contains("特典") })
        #expect(sheet.contains { $0.contains("このオファーを使う") })
    }
}
