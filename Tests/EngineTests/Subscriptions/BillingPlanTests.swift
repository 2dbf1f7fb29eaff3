import Foundation
@testable import StoreCatalog
import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

/// Subscriptions that are paid monthly, with a commitment to all payments of their period.
@Suite("billing plans with a commitment") struct BillingPlanTests {
    private static let yearly = SampleCatalog.yearly
    private static let month = SubscriptionPeriod(unit: .month, value: 1)
    private static let year = SubscriptionPeriod(unit: .year, value: 1)

    /// The sample catalog, whose yearly subscription can be paid monthly for $4.49.
    static func catalog(
        offers: [CatalogProduct.Offer] = [], payment: Int64 = 4_490
    ) -> Catalog {
        var catalog = OfferCatalog.catalog(offers, of: yearly)
        for index in catalog.products.indices where catalog.products[index].id == yearly {
            catalog.products[index].subscription?.billingPlans = [
                .init(type: .upFront, prices: .everywhere(milliunits: 49_990)),
                .init(
                    type: .monthly, prices: .everywhere(milliunits: payment),
                    commitmentPrices: .everywhere(milliunits: 53_880)),
            ]
        }
        return catalog
    }

    private static func store(
        offers: [CatalogProduct.Offer] = []
    ) async throws -> TestStore {
        try await TestStore(elapsed: nil, catalog: catalog(offers: offers))
    }

    private static func monthly(_ milliunits: Int64 = 4_490) -> Payment {
        var payment = Payment.of(yearly)
        payment.shownPrice = OfferCatalog.dollar(milliunits)
        payment.billingPlan = .monthly
        return payment
    }

    private func check(_ store: TestStore) async throws {
        let entries = try await store.entries()
        #expect(try await store.ledger.allRows() == Projections(folding: entries))
    }

    @Test("a higher price that is told in the last period is what a new commitment costs [D11]")
    func toldBeforeNext() async throws {
        let store = try await Self.store()
        let id = try #require(try await store.session().purchase(Self.monthly()).number)
        while try await store.periods().last?.sale.commitment?.number != 12 {
            _ = try await store.next()
        }
        try await store.engine.sell(Self.catalog(payment: 6_490), digest: "raised")
        _ = try await store.console.perform(.priceIncrease(id, .notify))
        #expect(try await store.renewalInfo().renewalPrice == 6_490)
        _ = try await store.next()
        let latest = try #require(try await store.periods().last?.sale)
        #expect(latest.commitment?.number == 1 && latest.price == OfferCatalog.dollar(6_490))
    }

    @Test("twelve payments are charged by the month, and a new commitment follows [D1]")
    func year() async throws {
        let store = try await Self.store()
        let outcome = try await store.session().purchase(Self.monthly())
        let first = try await store.payload(of: outcome.number)
        #expect(first.price == 4_490 && first.billingPlanType == "MONTHLY")
        #expect(first.expiresDate == Self.month.end(from: first.purchaseDate))
        #expect(
            first.commitmentInfo
                == TransactionCommitmentInfo(
                    billingPeriodNumber: 1, totalBillingPeriods: 12, commitmentPrice: 53_880,
                    commitmentExpiresDate: Self.year.end(from: first.purchaseDate)))
        let info = try await store.renewalInfo()
        #expect(info.renewalPrice == 4_490 && info.renewalBillingPlanType == "MONTHLY")
        #expect(
            info.commitmentInfo
                == RenewalCommitmentInfo(
                    commitmentAutoRenewProductId: Self.yearly, commitmentAutoRenewStatus: 1,
                    commitmentRenewalBillingPlanType: "MONTHLY",
                    commitmentRenewalDate: Self.year.end(from: first.purchaseDate),
                    commitmentRenewalPrice: 4_490))
        try await store.advance(SubscriptionPeriod(unit: .month, value: 13))
        let numbers = try await store.periods().map { $0.sale.commitment?.number }
        #expect(numbers == Array(1...12) + [1, 2])
        let periods = try await store.periods()
        for (one, next) in zip(periods, periods.dropFirst()) {
            #expect(next.sale.purchaseDate == one.sale.expiresDate)
        }
        try await check(store)
    }

    @Test("cancelling stops at the end of the commitment, and can be taken back until then")
    func cancelling() async throws {
        let store = try await Self.store()
        let outcome = try await store.session().purchase(Self.monthly())
        let id = try #require(outcome.number)
        try await store.advance(SubscriptionPeriod(unit: .month, value: 2))
        let off = try await store.console.perform(.setAutoRenew(id, false))
        let end = try #require(try await store.periods().first?.sale.commitmentEnd)
        guard case .autoRenewChanged(_, _, false, end)? = off.first?.change else {
            Issue.record("\(off)")
            return
        }
        var info = try await store.renewalInfo()
        #expect(info.autoRenewStatus == 1 && info.commitmentInfo?.commitmentAutoRenewStatus == 0)
        #expect(info.commitmentInfo?.commitmentRenewalDate == nil)
        // The customer's choice is kept during the payments that follow.
        try await store.advance(SubscriptionPeriod(unit: .month, value: 3))
        info = try await store.renewalInfo()
        #expect(info.commitmentInfo?.commitmentAutoRenewStatus == 0)
        let count = try await store.entries().count
        _ = try await store.console.perform(.setAutoRenew(id, false))
        #expect(try await store.entries().count == count, "it is off already")
        _ = try await store.session().purchase(Self.monthly())
        #expect(
            try await store.renewalInfo().commitmentInfo?.commitmentAutoRenewStatus == 1,
            "buying the plan one has turns auto-renew on")
        _ = try await store.console.perform(.setAutoRenew(id, false))
        try await store.advance(Self.year)
        let periods = try await store.periods()
        #expect(periods.count == 12)
        // The customer's own choice is recorded once, and then the end.
        let last = try await store.entries().suffix(2).map(\.entry.fact)
        guard case .sold = last[0], case .subscriptionChanged(let end) = last[1] else {
            Issue.record("\(last)")
            return
        }
        #expect(end.event.kind == .expired)
        let status = try await store.session().subscriptionStatuses().first
        #expect(status?.state == .expired)
        #expect(try await store.renewalInfo().expirationIntent == 1)
        try await check(store)
    }

    @Test("a commitment keeps its price, also when its product is not sold any more")
    func price() async throws {
        let store = try await Self.store()
        let outcome = try await store.session().purchase(Self.monthly())
        let dearer = try await TestStore(
            ledger: store.ledger, clock: store.clock, elapsed: nil,
            catalog: Self.catalog(payment: 5_490), digest: "two")
        try await dearer.advance(SubscriptionPeriod(unit: .month, value: 11))
        #expect(
            try await dearer.periods().allSatisfy { $0.sale.price.milliunits == 4_490 })
        #expect(try await dearer.renewalInfo().renewalPrice == 5_490)
        try await dearer.advance(Self.month)
        #expect(try await dearer.periods().last?.sale.price.milliunits == 5_490)
        let id = try #require(outcome.number)
        #expect(
            try await dearer.console.refusal(of: .priceIncrease(id, .ask))?.code == .priceCommitted)
    }

    @Test("a failed payment is recovered with its number, and ends it after 60 days")
    func billing() async throws {
        let store = try await Self.store()
        let outcome = try await store.session().purchase(Self.monthly())
        let id = try #require(outcome.number)
        _ = try await store.console.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        try await store.advance(SubscriptionPeriod(unit: .day, value: 35))
        #expect(try await store.session().subscriptionStatuses().first?.state == .inGracePeriod)
        _ = try await store.console.perform(.resolveBilling(id))
        #expect(try await store.periods().map { $0.sale.commitment?.number } == [1, 2])
        try await store.advance(SubscriptionPeriod(unit: .month, value: 5))
        #expect(try await store.session().subscriptionStatuses().first?.state == .expired)
        try await check(store)
    }

    @Test("an introductory offer comes before the commitment, and cancelling it owes nothing")
    func trial() async throws {
        let store = try await Self.store(offers: [OfferCatalog.trial])
        let outcome = try await store.session().purchase(Self.monthly(0))
        let payload = try await store.payload(of: outcome.number)
        #expect(payload.price == 0 && payload.billingPlanType == "MONTHLY")
        #expect(payload.commitmentInfo == nil)
        let info = try await store.renewalInfo()
        #expect(info.renewalPrice == 4_490 && info.renewalBillingPlanType == "MONTHLY")
        try await store.advance(SubscriptionPeriod(unit: .day, value: 8))
        let second = try #require(try await store.periods().last)
        #expect(second.sale.commitment?.number == 1 && second.sale.price.milliunits == 4_490)
        #expect(second.sale.term?.period == Self.month)
        let other = try await Self.store(offers: [OfferCatalog.trial])
        let trial = try #require(try await other.session().purchase(Self.monthly(0)).number)
        _ = try await other.console.perform(.setAutoRenew(trial, false))
        try await other.advance(Self.month)
        #expect(try await other.periods().count == 1)
        #expect(try await other.session().subscriptionStatuses().first?.state == .expired)
    }

    @Test("an offer for one billing plan applies to no other")
    func offerOfPlan() async throws {
        var trial = OfferCatalog.trial
        trial.billingPlan = .upFront
        let store = try await Self.store(offers: [trial])
        let outcome = try await store.session().purchase(Self.monthly())
        #expect(try await store.payload(of: outcome.number).offerType == nil)
        let second = try await Self.store(offers: [trial])
        var payment = Payment.of(Self.yearly)
        payment.shownPrice = OfferCatalog.dollar(0)
        let upFront = try await second.session().purchase(payment)
        let payload = try await second.payload(of: upFront.number)
        #expect(payload.offerType == 1 && payload.billingPlanType == "BILLED_UPFRONT")
    }

    @Test(
        "another way of paying the own plan waits for approval; the answer says how it is paid now")
    func otherWayOfPaying() async throws {
        let store = try await Self.store()
        func present() async throws -> PlanChange? {
            try await store.session().subscriptionStatuses().first?.plans.first {
                $0.kind == .present
            }
        }
        var upFront = Payment.of(Self.yearly)
        _ = try await store.session().purchase(upFront)
        #expect(try await present()?.billingPlan == .upFront)
        _ = try await store.console.perform(
            .changeAccount(AccountChange(account: "aoi", askToBuy: true)))
        guard case .pending = try await store.session().purchase(Self.monthly()) else {
            Issue.record("not asked")
            return
        }
        // No request is made for the billing plan that the subscription already has.
        upFront = Payment.of(Self.yearly)
        upFront.billingPlan = .upFront
        guard
            case .purchased(_, _, alreadyOwned: true) = try await store.session().purchase(upFront)
        else {
            Issue.record("asked")
            return
        }
        let other = try await Self.store()
        _ = try await other.session().purchase(Self.monthly())
        #expect(
            try await other.session().subscriptionStatuses().first?.plans.map(\.billingPlan)
                .contains(.monthly) == true)
    }

    @Test("a change of plan or of payment waits for the end of the commitment")
    func changes() async throws {
        let store = try await Self.store()
        let outcome = try await store.session().purchase(Self.monthly())
        var upFront = Payment.of(Self.yearly)
        upFront.billingPlan = .upFront
        #expect(try await store.session().purchase(upFront).number == outcome.number)
        #expect(
            try await store.renewalInfo().commitmentInfo?.commitmentRenewalBillingPlanType
                == "BILLED_UPFRONT")
        try await store.advance(SubscriptionPeriod(unit: .month, value: 12))
        let last = try #require(try await store.periods().last)
        #expect(last.sale.price.milliunits == 49_990 && last.sale.commitment == nil)
        #expect(last.sale.term?.period == Self.year && last.sale.ordinaryPeriod == nil)
        #expect(try await store.periods().count == 13)
        // Back to monthly payments at the next renewal.
        _ = try await store.session().purchase(Self.monthly())
        #expect(try await store.renewalInfo().renewalBillingPlanType == "MONTHLY")
        #expect(try await store.renewalInfo().renewalPrice == 4_490)
        // A lower plan.
        _ = try await store.session().purchase(.of(SampleCatalog.monthly))
        #expect(try await store.renewalInfo().autoRenewProductId == SampleCatalog.monthly)
        try await check(store)
    }

    @Test("a plan that the product does not have is refused, and nothing is recorded")
    func refused() async throws {
        let store = try await Self.store()
        var payment = Payment.of(SampleCatalog.monthly)
        payment.billingPlan = .monthly
        await #expect(throws: StoreError.self) { try await store.session().purchase(payment) }
        // A monthly payment that shows the price of the year is refused, too.
        var wrong = Self.monthly()
        wrong.shownPrice = OfferCatalog.dollar(49_990)
        await #expect(throws: StoreError.self) { try await store.session().purchase(wrong) }
        #expect(try await store.periods().isEmpty)
    }

    @Test("the same payment again is answered as before, and another plan is another payment")
    func again() async throws {
        let store = try await Self.store()
        var payment = Self.monthly()
        let outcome = try await store.session().purchase(payment)
        #expect(try await store.session().purchase(payment).number == outcome.number)
        payment.billingPlan = nil
        do throws(StoreError) {
            _ = try await store.session().purchase(payment)
            Issue.record("sold")
        } catch { #expect(error.code == .paymentMismatch && error.subject == "billingPlan") }
    }

    @Test("a payment by the month that waits for approval is sold as it was asked")
    func approval() async throws {
        let store = try await Self.store()
        _ = try await store.console.changeAccount("aoi", askToBuy: true)
        let outcome = try await store.session().purchase(Self.monthly())
        _ = try await store.console.perform(.approve(try #require(outcome.number)))
        let payload = try await store.payload(of: outcome.number)
        #expect(payload.commitmentInfo?.totalBillingPeriods == 12 && payload.price == 4_490)
        #expect(payload.expiresDate == Self.month.end(from: payload.purchaseDate))
    }
}

/// Signed statements by which the app, instead of the store's rule, decides whether a customer gets
/// the introductory offer (StoreKit: `introductoryOfferEligibility`).
@Suite("the app's word on the introductory offer") struct IntroductoryWordTests {
    private static let monthly = SampleCatalog.monthly

    private static func payment(_ text: String, _ milliunits: Int64) -> Payment {
        var payment = Payment.of(monthly)
        payment.shownPrice = OfferCatalog.dollar(milliunits)
        payment.introductoryEligibility = text
        return payment
    }

    private static func code(
        of payment: Payment, in store: TestStore
    ) async throws -> (StoreError.Code?, String?) {
        do throws(StoreError) {
            let outcome = try await store.session().purchase(payment)
            return (outcome.failure?.code, outcome.failure?.subject)
        } catch { return (error.code, error.subject) }
    }

    @Test("the offer is given again where the app allows it, once for each text")
    func allowed() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        let first = try #require(try await store.session().purchase(.of(Self.monthly)).number)
        _ = try await store.console.perform(.expire(first))
        let text = try await store.engine.signEligibility(
            of: Self.monthly, for: "aoi", isAllowed: true)
        let payment = Self.payment(text, 0)
        let outcome = try await store.session().purchase(payment)
        #expect(try await store.payload(of: outcome.number).offerType == 1)
        #expect(try await store.session().purchase(payment).number == outcome.number)
        _ = try await store.console.perform(.expire(try #require(outcome.number)))
        let (code, reason) = try await Self.code(of: Self.payment(text, 0), in: store)
        #expect(code == .invalidOfferSignature && reason == "replayed")
    }

    @Test("the offer is not given where the app denies it")
    func denied() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        let text = try await store.engine.signEligibility(
            of: Self.monthly, for: "aoi", isAllowed: false)
        let (code, _) = try await Self.code(of: Self.payment(text, 0), in: store)
        #expect(code == .priceChanged, "the price of the trial is not charged")
        let outcome = try await store.session().purchase(Self.payment(text, 4_990))
        let payload = try await store.payload(of: outcome.number)
        #expect(payload.price == 4_990 && payload.offerType == nil)
    }

    @Test("a text of another customer, of another store or that is old is refused")
    func refused() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        let others = try await store.engine.signEligibility(
            of: Self.monthly, for: "nia", isAllowed: true)
        var found = try await Self.code(of: Self.payment(others, 0), in: store)
        #expect(found.0 == .invalidOfferSignature && found.1 == "signedForOther")
        let foreign = try await OfferCatalog.store([OfferCatalog.trial]).engine
            .signEligibility(of: Self.monthly, for: "aoi", isAllowed: true)
        found = try await Self.code(of: Self.payment(foreign, 0), in: store)
        #expect(found.0 == .invalidOfferSignature && found.1 == "unknownKey")
        found = try await Self.code(of: Self.payment("a.b.c", 0), in: store)
        #expect(found.0 == .invalidOfferSignature && found.1 == "unreadable")
        let old = try await store.engine.signEligibility(
            of: Self.monthly, for: "aoi", isAllowed: true)
        try await store.advance(SubscriptionPeriod(unit: .day, value: 2))
        found = try await Self.code(of: Self.payment(old, 0), in: store)
        #expect(found.0 == .invalidOfferSignature && found.1 == "expired")
    }
}
