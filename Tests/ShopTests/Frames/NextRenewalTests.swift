import Foundation
@testable import Shop
@testable import StoreModel
import Terminal
import Testing

/// The next renewal and the terms of offers, on a subscription's screen and the payment sheet.
@Suite struct NextRenewalTests {
    private static func rows(
        _ state: RenewalState, _ size: Size, isShared: Bool = false
    ) -> [String] {
        rows(
            of: SampleShop.subscription(
                state, problem: isShared ? nil : .billingFailed, isShared: isShared), size)
    }

    private static func rows(
        of subscription: VerifiedSubscription, _ size: Size, _ more: [ShopAction] = []
    ) -> [String] {
        var shop = SampleShop.full()
        let snapshot = SampleShop.snapshot(with: subscription, of: shop)
        shop.take([.accountArrived(snapshot), .subscription(.opened)] + more, on: size)
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

    @Test("a member is told that what was revoked is no longer shared")
    func sharedNoMore() {
        let text = Self.rows(.revoked, Screens.usual, isShared: true).joined(separator: "\n")
        #expect(text.contains("kai no longer shares this with you"), "\(text)")
    }

    @Test("a plan that is no longer sold has no next renewal")
    func notForSale() throws {
        let rows = Self.rows(
            of: SampleShop.subscription(problem: .productUnavailable), Screens.usual)
        let row = try #require(rows.first { $0.contains("Next renewal") })
        #expect(row.contains("none: no longer sold"), "\(row)")
    }

    /// The text of the screen of a subscription, without line ends.
    private static func text(
        of subscription: VerifiedSubscription, _ more: [ShopAction] = []
    ) -> String {
        rows(of: subscription, Size(columns: 80, rows: 60), more)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    }

    @Test("consent to a price that is no higher is not said to be about one that goes up")
    func price() {
        let same = Self.text(of: SampleShop.subscription(problem: .priceConsentNeeded))
        #expect(same.contains("You are asked to accept the price of"), "\(same)")
        #expect(!same.contains("goes up"), "\(same)")
        let higher = Self.text(
            of: SampleShop.subscription(problem: .priceConsentNeeded, renewalPrice: 9_990))
        #expect(higher.contains("The price goes up to"), "\(higher)")
    }

    @Test("a period that was revoked without money is not called refunded")
    func revoked() throws {
        var subscription = SampleShop.subscription(.revoked)
        #expect(Self.text(of: subscription).contains("Refunded"))
        var transaction = try subscription.transaction.get()
        transaction.revocationType = nil
        subscription.transaction = .success(transaction)
        let text = Self.text(of: subscription)
        #expect(text.contains("Revoked") && !text.contains("efunded"), "\(text)")
    }

    @Test("what happened names the plan that comes with a planned change, and its day")
    func planned() throws {
        let subscription = SampleShop.subscription(next: "plus.year")
        let chain = try subscription.renewalInfo.get().originalTransactionId
        let event = StoreEvent(
            cursor: FeedCursor(epoch: 1, position: 1), at: SampleShop.now,
            account: "aoi", device: nil,
            change: .subscriptionChanged(
                SubscriptionEvent(
                    kind: .planChangePlanned, chain: chain, productID: "plus.month",
                    until: SampleShop.planEnd, nextProductID: "plus.year")))
        let timeline = SubscriptionTimeline([event], of: chain)
        let text = Self.text(
            of: subscription, [.subscription(.timelineArrived(chain, timeline))])
        #expect(text.contains("yearly, from "), "\(text)")
    }

    /// The subscription's screen, and the payment sheet that the yearly plan's offer opens.
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
            shop.take([action], on: size)
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

    @Test("the payment sheet announces that another way of paying the own plan must be approved")
    func approval() throws {
        let own = PlanChange(
            productID: "plus.year", kind: .present, startsAt: SampleShop.now, isPlanned: true,
            billingPlan: .upFront)
        var shop = SampleShop.full()
        shop.settings?.askToBuy = true
        let snapshot = SampleShop.snapshot(with: SampleShop.subscription(plans: [own]), of: shop)
        let actions: [ShopAction] = [
            .accountArrived(snapshot), .productsArrived(SampleShop.withOffers(shop)),
        ]
        func draw(after actions: [ShopAction]) -> String {
            shop.take(actions, on: Screens.usual)
            return Screens.draw(shop, Screens.usual).lines.joined(separator: "\n")
        }
        _ = draw(after: actions)
        let year = try #require(shop.productList.product("plus.year"))
        var sheet = PaymentSheet(product: year, change: own)
        sheet.terms = (year.subscription?.billingPlans ?? []).map { PurchaseTerms(billingPlan: $0) }
        shop.sheet = .payment(sheet)
        let kept = draw(after: [])
        #expect(kept.contains("Keep this plan") && !kept.contains("must approve"), "\(kept)")
        let changed = draw(after: [.paymentSheet(.quantityChanged(1))])
        #expect(changed.contains("Change plan") && changed.contains("must approve"), "\(changed)")
    }
}
