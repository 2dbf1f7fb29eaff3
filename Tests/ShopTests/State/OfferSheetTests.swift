@testable import Shop
import ShopText
@testable import StoreModel
import Testing

/// Offers, codes and billing plans on the payment sheet.
@Suite("terms on the payment sheet") struct OfferSheetTests {
    private static let half = OfferAnswer(
        offer: Offer(
            kind: .promotional, id: "half", mode: .payAsYouGo,
            period: SubscriptionPeriod(unit: .year, value: 1),
            price: Money(milliunits: 1_000, currency: "USD")))

    /// The sample shop with this subscription or none, and the sheet of the yearly plan open.
    private static func opened(_ subscription: VerifiedSubscription? = nil) -> ShopProbe {
        var state = SampleShop.offering(subscription).state
        if let year = state.productList.product("plus.year") {
            _ = state.openPaymentSheet(
                for: year, ShopMoment(now: SampleShop.now, paymentID: SampleShop.payment(1)))
        }
        return ShopProbe(state)
    }

    private static func sheet(_ probe: ShopProbe) throws -> PaymentSheet {
        guard case .payment(let sheet)? = probe.state.sheet else {
            throw StoreError(.unknown, subject: "no payment sheet")
        }
        return sheet
    }

    private static func payment(_ effects: [ShopEffect]) -> Payment? {
        effects.lazy.compactMap { if case .purchase(let payment) = $0 { payment } else { nil } }
            .first
    }

    @Test("the introductory offer applies by itself, and what is shown is what is paid [D1]")
    func introductory() throws {
        var probe = Self.opened()
        let sheet = try Self.sheet(probe)
        #expect(sheet.chosenTerms.offer?.kind == .introductory && sheet.price.milliunits == 0)
        probe.happen(.choiceMoved(1))
        let payment = try #require(Self.payment(probe.happen(.confirmed)))
        #expect(payment.shownPrice.milliunits == 0 && payment.offer == nil)
        #expect(payment.billingPlan == .upFront)
    }

    @Test("the arrow keys choose an offer or a billing plan, and Cancel is chosen again")
    func choosing() throws {
        var probe = Self.opened()
        probe.happen(.paymentSheet(.offersArrived("plus.year", [Self.half])))
        #expect(try Self.sheet(probe).terms.count == 4)
        probe.happen(.choiceMoved(1))
        probe.happen(.paymentSheet(.quantityChanged(-1)))
        var sheet = try Self.sheet(probe)
        #expect(sheet.chosenTerms.asked?.id == "half" && !sheet.isConfirmChosen)
        probe.happen(.paymentSheet(.quantityChanged(-1)))
        sheet = try Self.sheet(probe)
        #expect(sheet.chosenTerms.billingPlan?.type == .monthly)
        probe.happen(.paymentSheet(.quantityChanged(1)))
        probe.happen(.choiceMoved(1))
        let payment = try #require(Self.payment(probe.happen(.confirmed)))
        #expect(payment.offer?.kind == .promotional && payment.shownPrice.milliunits == 1_000)
    }

    @Test("who keeps the own plan needs no approval, who pays for it in another way does")
    func approval() throws {
        let own = PlanChange(
            productID: "plus.year", kind: .present, startsAt: SampleShop.now,
            billingPlan: .upFront)
        var probe = Self.opened(SampleShop.subscription(plans: [own]))
        // Who has a subscription cannot have the introductory offer.
        var answer = SampleShop.withOffers(probe.state)
        for index in answer.products.indices {
            answer.products[index].subscription?.isEligibleForIntroOffer = false
        }
        answer.catalogRevision = 3
        probe.happen(.productsArrived(answer))
        var sheet = try Self.sheet(probe)
        #expect(sheet.chosenTerms.billingPlan?.type == .upFront)
        #expect(sheet.chosenTerms.offer == nil)
        #expect(!sheet.changesBillingPlan && !sheet.needsApproval)
        probe.happen(.paymentSheet(.quantityChanged(1)))
        sheet = try Self.sheet(probe)
        #expect(sheet.chosenTerms.billingPlan?.type == .monthly)
        #expect(sheet.changesBillingPlan && sheet.needsApproval)
    }

    @Test("an offer that is gone while the sheet is open asks again")
    func gone() throws {
        var probe = Self.opened()
        probe.happen(.choiceMoved(1))
        var answer = SampleShop.withOffers(probe.state)
        for index in answer.products.indices {
            answer.products[index].subscription?.isEligibleForIntroOffer = false
        }
        answer.catalogRevision = 3
        probe.happen(.productsArrived(answer))
        let sheet = try Self.sheet(probe)
        #expect(sheet.chosenTerms.offer == nil && !sheet.isConfirmChosen && sheet.hasPriceChanged)
    }

    @Test("a code is looked up, then confirmed on the payment sheet")
    func code() throws {
        var probe = ShopProbe(SampleShop.full())
        probe.happen(.redeemSheet(.opened))
        #expect(probe.happen(.confirmed) == [], "nothing was typed")
        probe.happen(.redeemSheet(.typed("SPRING")))
        #expect(probe.happen(.confirmed) == [.findRedemption(code: "SPRING")])
        let redemption = CodeRedemption(
            productID: "plus.month",
            offer: Offer(
                kind: .code, id: "spring", mode: .payAsYouGo,
                period: SubscriptionPeriod(unit: .month, value: 1),
                price: Money(milliunits: 990, currency: "USD")), code: "SPRING")
        probe.happen(.redeemSheet(.found(code: "OTHER", redemption)))
        #expect(probe.state.focus == .redeemSheet, "an answer to another text")
        probe.happen(.redeemSheet(.found(code: "SPRING", redemption)))
        let sheet = try Self.sheet(probe)
        #expect(sheet.isLater, "who has the plan is charged nothing now")
        probe.happen(.choiceMoved(1))
        let payment = try #require(Self.payment(probe.happen(.confirmed)))
        #expect(payment.offer == PaymentOffer(kind: .code, id: "spring", code: "SPRING"))
    }

    @Test("without a network the key of a code says how to turn it on")
    func codeOffline() {
        var probe = ShopProbe(SampleShop.full())
        probe.refresh { $0.whyOffline = .networkIsOff }
        probe.happen(.redeemSheet(.opened))
        #expect(probe.state.sheet == nil)
        #expect(probe.state.statusMessage?.what == .trouble(.networkIsOff))
    }

    @Test("a code that cannot be redeemed says so, until something else is typed")
    func refused() {
        var probe = ShopProbe(SampleShop.full())
        probe.happen(.redeemSheet(.opened))
        probe.happen(.redeemSheet(.typed("NO")))
        probe.happen(.confirmed)
        probe.happen(
            .redeemSheet(.failed(code: "NO", StoreError(.invalidOfferIdentifier, found: "NO"))))
        guard case .redeem(let failed)? = probe.state.sheet else {
            Issue.record("closed")
            return
        }
        #expect(failed.error?.code == .invalidOfferIdentifier && !failed.isAsking)
        probe.happen(.redeemSheet(.erased))
        guard case .redeem(let typed)? = probe.state.sheet else { return }
        #expect(typed.error == nil && typed.code == "N")
        probe.happen(.wentBack)
        #expect(probe.state.sheet == nil)
    }
}
