import Foundation
@testable import StoreCatalog
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Subscriptions that are sold with offers.
@Suite("subscriptions with offers") struct OfferLifeTests {
    private static let monthly = SampleCatalog.monthly
    private static func usd(_ milliunits: Int64) -> Money { OfferCatalog.dollar(milliunits) }

    @Test("a year of a subscription that begins with a free trial")
    func yearWithTrial() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        let outcome = try await store.session().purchase(.of(Self.monthly))
        let first = try await store.payload(of: outcome.number)
        #expect(first.price == 0 && first.offerType == 1 && first.offerIdentifier == nil)
        #expect(first.offerDiscountType == "FREE_TRIAL" && first.offerPeriod == "P1W")
        #expect(first.expiresDate == OfferCatalog.week.end(from: first.purchaseDate))
        let info = try await store.renewalInfo()
        #expect(info.renewalPrice == 4_990 && info.offerType == nil)
        try await store.advance(SubscriptionPeriod(unit: .year, value: 1))
        let periods = try await store.periods()
        #expect(periods.count == 1 + 12)
        #expect(
            periods[1...].allSatisfy { $0.sale.offer == nil && $0.sale.price == Self.usd(4_990) })
        let end = try #require(first.expiresDate)
        #expect(
            periods[1].sale.purchaseDate == end, "the first paid period begins at the trial's end")
        for (number, period) in periods[1...].enumerated() {
            let length = SubscriptionPeriod(unit: .month, value: number + 1)
            #expect(period.sale.expiresDate == length.end(from: end), "month \(number + 1)")
        }
        let entries = try await store.entries()
        #expect(try await store.ledger.allRows() == Projections(folding: entries))
    }

    /// An introductory offer, and the prices and lengths of the first periods.
    static let introductions: [(CatalogProduct.Offer, [(Int64, SubscriptionPeriod)])] = [
        (OfferCatalog.trial, [(0, OfferCatalog.week), (4_990, OfferCatalog.month)]),
        (
            CatalogProduct.Offer(
                kind: .introductory, mode: .payAsYouGo, period: OfferCatalog.week, periodCount: 2,
                prices: .everywhere(milliunits: 990)),
            [
                (990, OfferCatalog.week), (990, OfferCatalog.week), (4_990, OfferCatalog.month),
            ]
        ),
        (
            CatalogProduct.Offer(
                kind: .introductory, mode: .payAsYouGo, period: OfferCatalog.month, periodCount: 3,
                prices: .byTerritory(["USA": 1_990])),
            [
                (1_990, OfferCatalog.month), (1_990, OfferCatalog.month),
                (1_990, OfferCatalog.month), (4_990, OfferCatalog.month),
            ]
        ),
        (
            CatalogProduct.Offer(
                kind: .introductory, mode: .payUpFront,
                period: SubscriptionPeriod(unit: .month, value: 6),
                prices: .byTerritory(["USA": 9_990])),
            [
                (9_990, SubscriptionPeriod(unit: .month, value: 6)),
                (4_990, OfferCatalog.month),
            ]
        ),
        // This offer has no price in the account's territory, so the account does not get it.
        (
            CatalogProduct.Offer(
                kind: .introductory, mode: .payUpFront, period: OfferCatalog.month,
                prices: .byTerritory(["JPN": 100_000])),
            [(4_990, OfferCatalog.month), (4_990, OfferCatalog.month)]
        ),
    ]

    @Test(
        "an introductory offer applies by itself for its periods, then ordinary ones follow [D1]",
        arguments: introductions)
    func introductory(
        offer: CatalogProduct.Offer, expected: [(Int64, SubscriptionPeriod)]
    ) async throws {
        let store = try await OfferCatalog.store([offer])
        _ = try await store.session().purchase(.of(Self.monthly))
        for (price, period) in expected {
            let info = try await store.renewalInfo()
            let latest = try #require(try await store.periods().last)
            #expect(latest.sale.price == Self.usd(price))
            #expect(latest.sale.term?.period == period)
            #expect(latest.sale.expiresDate == period.end(from: latest.sale.purchaseDate))
            _ = try await store.next()
            // The renewal has the price and the offer that the renewal info announced.
            let next = try #require(try await store.periods().last)
            #expect(next.sale.price.milliunits == info.renewalPrice)
            #expect(next.sale.offer?.kind.number == info.offerType)
            #expect(next.sale.offer?.mode.rawValue == info.offerDiscountType)
        }
    }

    @Test("a person gets one introductory offer of a group, also after the first was over")
    func introductoryOnce() async throws {
        var catalog = OfferCatalog.catalog([OfferCatalog.trial])
        for index in catalog.products.indices
        where catalog.products[index].id == SampleCatalog.yearly {
            catalog.products[index].subscription?.offers = [OfferCatalog.trial]
        }
        let store = try await TestStore(elapsed: nil, catalog: catalog)
        let outcome = try await store.session().purchase(.of(Self.monthly))
        let id = try #require(outcome.number)
        for product in [Self.monthly, SampleCatalog.yearly] {
            let answer = try await store.session().offers(of: product)
            #expect(answer.map(\.refusal) == [.introductoryUsed])
            let listed = try await store.session().products([product]).products
            #expect(listed.first?.subscription?.introductoryOffer == nil)
        }
        _ = try await store.console.perform(.expire(id))
        let again = try await store.session().purchase(.of(SampleCatalog.yearly))
        #expect(try await store.payload(of: again.number).price == 49_990)
        // Another account gets its own introductory offer.
        let other = try await store.session(account: "kai").purchase(.of(Self.monthly))
        #expect(other.number != nil)
        #expect(try await store.periods().last?.sale.offer?.kind == .introductory)
    }

    @Test(
        "a change of plan has no introductory offer, and neither products nor offers promise one",
        arguments: [SampleCatalog.monthly, SampleCatalog.yearly], [false, true])
    func introductoryOnChange(from plan: ProductID, isUnpaid: Bool) async throws {
        let other = plan == Self.monthly ? SampleCatalog.yearly : Self.monthly
        let store = try await TestStore(
            elapsed: nil, catalog: OfferCatalog.catalog([OfferCatalog.trial], of: other))
        let session = store.session()
        func isPromised() async throws -> Bool {
            let answer = try await session.offers(of: other).first
            let listed = try await session.products([other]).products.first?.subscription
            let isEligible = try #require(listed).isEligibleForIntroOffer
            #expect(isEligible == (answer?.refusal == nil), "one rule")
            #expect((listed?.introductoryOffer == nil) == !isEligible)
            return isEligible
        }
        #expect(try await isPromised())
        let id = try #require(try await session.purchase(.of(plan)).number)
        #expect(try await !isPromised())
        if isUnpaid {
            _ = try await store.console.perform(.setRenewals(RenewalsChange(failsBilling: true)))
            let end = try #require(try await store.periods().last?.sale.expiresDate)
            _ = try await store.console.perform(.clock(.to(end.advanced(byMilliseconds: 1_000))))
            #expect(try await !isPromised(), "the renewal is retried")
            _ = try await store.console.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        }
        _ = try await session.purchase(.of(other))
        for _ in 0..<3 { _ = try await store.next() }
        let sold = try await store.periods()
        #expect(sold.contains { $0.sale.productID == other })
        #expect(sold.allSatisfy { $0.sale.offer == nil && $0.sale.price.milliunits > 0 })
        // Once it is over, the account may subscribe anew with the offer.
        _ = try await store.console.perform(.expire(sold.last?.id ?? id))
        #expect(try await isPromised())
        _ = try await session.purchase(.of(other))
        #expect(try await store.periods().last?.sale.offer?.kind == .introductory)
    }

    @Test(
        "who answers a request sees what is charged: the trial, the price, or nothing until later")
    func charges() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        _ = try await store.console.perform(
            .changeAccount(.init(account: "aoi", askToBuy: true)))
        let session = store.session()
        /// What is said of the request, and what approving it has sold.
        func asked(
            _ product: ProductID, quantity: Int = 1
        ) async throws -> (charge: ApprovalRequest.Charge, sold: PastSale?) {
            _ = try await session.purchase(.of(product, quantity: quantity))
            let request = try #require(try await store.console.pendingRequests().first)
            #expect(try await session.requests() == [request])
            let events = try await store.console.perform(.approve(request.number))
            return (try #require(request.charge), events.compactMap(\.sale).last)
        }
        let trial = try await asked(Self.monthly)
        #expect(trial.charge.price == Self.usd(0) && trial.sold?.price == Self.usd(0))
        #expect(trial.charge.offer?.kind == .introductory)
        #expect(trial.charge.offer?.mode == .freeTrial && trial.charge.startsAt == nil)
        #expect(trial.charge.renewalPrice == Self.usd(4_990))
        #expect(trial.charge.renewalPeriod == OfferCatalog.month)
        let upgrade = try await asked(SampleCatalog.yearly)
        #expect(upgrade.charge.price == Self.usd(49_990) && upgrade.sold?.price == Self.usd(49_990))
        #expect(upgrade.charge.offer == nil && upgrade.charge.startsAt == nil)
        let later = try await asked(Self.monthly)
        #expect(later.charge.price == Self.usd(0) && later.sold == nil)
        #expect(later.charge.startsAt == (try await store.periods().last?.sale.expiresDate))
        #expect(later.charge.offer == nil && later.charge.renewalPrice == Self.usd(4_990))
        let coins = try await asked(SampleCatalog.coins, quantity: 3)
        #expect(coins.charge.price == coins.sold?.price && coins.charge.renewalPrice == nil)
    }

    @Test("a family member who had the trial shared has used it")
    func introductoryShared() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        _ = try await store.console.perform(.family(.create(organizer: "aoi")))
        _ = try await store.console.perform(
            .family(.join("kai", organizer: "aoi", role: .adult)))
        _ = try await store.session(account: "kai").purchase(.of(SampleCatalog.coins))
        #expect(
            try await store.session(account: "kai").offers(of: Self.monthly).map(\.refusal)
                == [nil])
        _ = try await store.session().purchase(.of(Self.monthly))
        #expect(
            try await store.session(account: "kai").offers(of: Self.monthly).map(\.refusal)
                == [.introductoryUsed])
        let entries = try await store.entries()
        #expect(try await store.ledger.allRows() == Projections(folding: entries))
    }

    @Test("deleting the transaction of a trial gives the offer back, as a new test begins")
    func deletedTrial() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        let outcome = try await store.session().purchase(.of(Self.monthly))
        let id = try #require(outcome.number)
        _ = try await store.console.perform(.delete(id, wholeChain: false))
        #expect(try await store.session().offers(of: Self.monthly).map(\.refusal) == [nil])
        let again = try await store.session().purchase(.of(Self.monthly))
        #expect(try await store.payload(of: again.number).price == 0)
    }

    /// The price that a payment names, whether the offer was used, and whether the store sells.
    static let prices: [(Int64, Bool, Bool)] = [
        (4_990, false, true), (0, false, true), (4_990, true, true), (0, true, false),
        (990, false, false),
    ]

    @Test(
        "a payment names the product's price or the offer's; who is not eligible is not charged more",
        arguments: prices)
    func shownPrice(milliunits: Int64, isUsed: Bool, isSold: Bool) async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        if isUsed {
            let first = try await store.session().purchase(.of(Self.monthly))
            _ = try await store.console.perform(.expire(try #require(first.number)))
        }
        var payment = Payment.of(Self.monthly)
        payment.shownPrice = Self.usd(milliunits)
        let outcome: PurchaseOutcome
        do throws(StoreError) { outcome = try await store.session().purchase(payment) } catch {
            #expect(!isSold && error.code == .priceChanged, "\(error)")
            return
        }
        #expect(isSold)
        #expect(try await store.payload(of: outcome.number).price == (isUsed ? 4_990 : 0))
    }

    @Test("a payment sent again is answered with its trial; another offer under its id is refused")
    func exactlyOnce() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial, OfferCatalog.spring])
        let payment = store.code("SPRING")
        let first = try await store.session().purchase(payment)
        let count = try await store.entries().count
        #expect(try await store.session().purchase(payment).number == first.number)
        #expect(try await store.entries().count == count)
        var other = payment
        other.offer = nil
        do throws(StoreError) {
            _ = try await store.session().purchase(other)
            Issue.record("another payment was answered")
        } catch {
            #expect(error.code == .paymentMismatch && error.subject == "offer")
        }
    }

    @Test("an upgrade in the middle of an offer gives back its part and ends the offer")
    func upgrade() async throws {
        let upFront = CatalogProduct.Offer(
            kind: .introductory, mode: .payUpFront, period: OfferCatalog.month,
            prices: .byTerritory(["USA": 3_000]))
        let store = try await OfferCatalog.store([upFront])
        _ = try await store.session().purchase(.of(Self.monthly))
        try await store.advance(SubscriptionPeriod(unit: .day, value: 10))
        _ = try await store.session().purchase(.of(SampleCatalog.yearly))
        let periods = try await store.periods()
        let (old, new) = (periods[0], periods[1])
        let refunded = try #require(old.state.revocation?.refundedMilliunits)
        #expect(refunded > 0 && refunded < 3_000 && old.state.isUpgraded)
        #expect(new.sale.offer == nil && new.sale.price == Self.usd(49_990))
    }

    @Test("a downgrade at the renewal ends an offer with periods left")
    func downgrade() async throws {
        let store = try await TestStore(
            elapsed: nil,
            catalog: OfferCatalog.catalog(
                [
                    CatalogProduct.Offer(
                        kind: .introductory, mode: .payAsYouGo, period: OfferCatalog.month,
                        periodCount: 3, prices: .byTerritory(["USA": 10_000]))
                ], of: SampleCatalog.yearly))
        _ = try await store.session().purchase(.of(SampleCatalog.yearly))
        _ = try await store.session().purchase(.of(Self.monthly))
        let info = try await store.renewalInfo()
        #expect(info.autoRenewProductId == Self.monthly)
        #expect(info.offerType == nil && info.renewalPrice == 4_990)
        _ = try await store.next()
        let latest = try #require(try await store.periods().last)
        #expect(latest.sale.offer == nil && latest.sale.price == Self.usd(4_990))
        #expect(latest.sale.term?.period == OfferCatalog.month)
    }

    /// A change that the customer makes between redeeming an offer and the renewal.
    enum Detour: CaseIterable {
        case planTakenBack, planTwice, autoRenewOff, forcedWhileOff, paidWhileOverdue
    }

    @Test(
        "an offer that was redeemed for the renewal holds again when the plan is kept after all",
        arguments: Detour.allCases)
    func keptOffer(detour: Detour) async throws {
        let yearly = SampleCatalog.yearly
        let store = try await TestStore(
            elapsed: nil, catalog: OfferCatalog.catalog([OfferCatalog.spring], of: yearly))
        let session = store.session()
        let id = try #require(try await session.purchase(.of(yearly)).number)
        var redeeming = Payment.of(yearly)
        redeeming.offer = PaymentOffer(kind: .code, id: "spring", code: "SPRING")
        _ = try await session.purchase(redeeming)
        #expect(try await store.renewalInfo().renewalPrice == 5_000)
        switch detour {
        case .planTakenBack:
            _ = try await session.purchase(.of(Self.monthly))
            let info = try await store.renewalInfo()
            #expect(info.autoRenewProductId == Self.monthly)
            #expect(info.renewalPrice == 4_990 && info.offerIdentifier == nil)
            _ = try await session.purchase(.of(yearly))
        case .planTwice:
            for product in [Self.monthly, yearly, Self.monthly, yearly] {
                _ = try await session.purchase(.of(product))
            }
        case .autoRenewOff:
            _ = try await store.console.perform(.setAutoRenew(id, false))
            #expect(try await store.renewalInfo().offerIdentifier == nil)
            _ = try await store.console.perform(.setAutoRenew(id, true))
        case .forcedWhileOff:
            try await store.advance(OfferCatalog.week)
            _ = try await store.console.perform(.setAutoRenew(id, false))
            _ = try await store.console.perform(.renew(id))
        case .paidWhileOverdue:
            _ = try await session.purchase(.of(Self.monthly))
            _ = try await store.console.perform(.setRenewals(RenewalsChange(failsBilling: true)))
            for _ in 0..<2 { _ = try await store.next() }
            _ = try await session.purchase(.of(yearly))
        }
        if detour != .forcedWhileOff, detour != .paidWhileOverdue {
            #expect(try await store.renewalInfo().renewalPrice == 5_000)
            _ = try await store.next()
        }
        let latest = try #require(try await store.periods().last)
        #expect(latest.sale.offer?.code == "SPRING" && latest.sale.price == Self.usd(5_000))
        #expect(latest.sale.productID == yearly)
        _ = try await store.console.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        // The offer applies to one sale.
        _ = try await store.next()
        #expect(try await store.periods().last?.sale.price == Self.usd(49_990))
        let entries = try await store.entries()
        #expect(try await store.ledger.allRows() == Projections(folding: entries))
    }

    @Test("a plan bought while its renewal is unpaid never takes the offer of another plan")
    func offerOfAnotherPlan() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.half])
        let session = store.session()
        _ = try await session.purchase(.of(SampleCatalog.yearly))
        _ = try await session.purchase(try await store.signed("half"))
        #expect(try await store.renewalInfo().renewalPrice == 2_490)
        _ = try await store.console.perform(.setRenewals(RenewalsChange(failsBilling: true)))
        for _ in 0..<2 { _ = try await store.next() }
        _ = try await session.purchase(.of(SampleCatalog.yearly))
        let latest = try #require(try await store.periods().last)
        #expect(latest.sale.productID == SampleCatalog.yearly)
        #expect(latest.sale.offer == nil && latest.sale.price == Self.usd(49_990))
    }

    @Test("a payment that fails in an offer is tried again, and the offer goes on")
    func billing() async throws {
        let store = try await OfferCatalog.store([
            CatalogProduct.Offer(
                kind: .introductory, mode: .payAsYouGo, period: OfferCatalog.month, periodCount: 2,
                prices: .byTerritory(["USA": 1_000]))
        ])
        let outcome = try await store.session().purchase(.of(Self.monthly))
        _ = try await store.console.perform(.setRenewals(RenewalsChange(failsBilling: true)))
        _ = try await store.next()
        _ = try await store.next()
        #expect(try await store.session().entitlements().isEmpty)
        _ = try await store.console.perform(.resolveBilling(try #require(outcome.number)))
        let latest = try #require(try await store.periods().last)
        #expect(latest.sale.price == Self.usd(1_000) && latest.sale.offer?.periodsLeft == 0)
    }

    @Test("a request with a trial is sold with it when it is approved")
    func approval() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        _ = try await store.console.perform(
            .changeAccount(AccountChange(account: "aoi", askToBuy: true)))
        let outcome = try await store.session().purchase(.of(Self.monthly))
        let request = try #require(outcome.number)
        _ = try await store.console.perform(.approve(request))
        #expect(try await store.payload(of: request).price == 0)
    }

    @Test("an offer is told in the history and in the timeline")
    func timeline() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        let outcome = try await store.session().purchase(.of(Self.monthly))
        let id = try #require(outcome.number)
        _ = try await store.next()
        let events = try await store.session().events(
            before: nil, filter: HistoryFilter(), limit: 100
        ).events.reversed()
        let items = SubscriptionTimeline(Array(events), of: id).items
        #expect(items.map(\.offerMode) == [.freeTrial, nil])
    }
}
