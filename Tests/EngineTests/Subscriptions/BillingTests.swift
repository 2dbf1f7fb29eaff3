import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite("a renewal that cannot be paid") struct BillingTests {
    private static let day: Int64 = 86_400_000
    private static let failing = RenewalsChange(failsBilling: true)
    private static let graced = RenewalsChange(failsBilling: true, hasGracePeriod: true)

    @Test("a renewal is recorded a day before its period, and the present one stays current [D1]")
    func early() async throws {
        let shop = try await SubscriptionStore()
        #expect(try await shop.next() == ["sold"])
        let periods = try await shop.periods()
        #expect(periods.count == 2)
        #expect(periods[1].sale.purchaseDate == periods[0].sale.expiresDate)
        let now = try await shop.now()
        #expect(now == periods[1].sale.purchaseDate.advanced(byMilliseconds: -Self.day))
        // The entitlement and its payload are those of the period that contains the present time.
        var entitlement = try #require(try await shop.entitlement())
        #expect(entitlement.transactionID == periods[0].id)
        #expect(entitlement.until == periods[0].sale.expiresDate && entitlement.renews == true)
        #expect(try await shop.days(1) == [])
        entitlement = try #require(try await shop.entitlement())
        #expect(entitlement.transactionID == periods[1].id)
    }

    @Test("a text of a renewal that begins tomorrow is dated today")
    func signedDate() async throws {
        let shop = try await SubscriptionStore()
        let events = try await shop.perform(.clock(.next))
        let verifier = try TestStore.verifier()
        for issued in events.filter({ $0.kind == .sold }).compactMap(\.issued) {
            guard case .verified(let transaction) = await verifier.verify(issued.signed) else {
                Issue.record("not verified")
                return
            }
            #expect(transaction.payload.signedDate == (try await shop.now()))
        }
    }

    @Test("without a grace period access ends with the period, after 60 days the subscription [D1]")
    func expires() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.monthly, Self.failing)
        let end = try #require(try await shop.periods()[0].sale.expiresDate)
        #expect(try await shop.next() == ["billingFailed"])
        #expect(try await shop.entitlement() != nil)
        #expect(try await shop.next() == ["billingRetryBegan"])
        #expect(try await shop.now() == end)
        #expect(try await shop.entitlement() == nil)
        for _ in 0..<6 { #expect(try await shop.next() == ["billingRetryFailed"]) }
        #expect(try await shop.next() == ["expired billingError"])
        #expect(try await shop.now() == end.advanced(byMilliseconds: 60 * Self.day))
        #expect(try await shop.refusal(of: .clock(.next)) == .nothingDue)
        #expect(try await shop.refusal(of: .resolveBilling(shop.id)) == .noBillingIssue)
        #expect(try await shop.refusal(of: .setAutoRenew(shop.id, true)) == .noSubscription)
    }

    /// The last attempt in the grace period is made at the instant at which it ends, on day 16.
    @Test(
        "in the grace period access goes on, and a recovery keeps the dates of the run [D1, D6]",
        arguments: [5, 15])
    func recoversInGrace(failingDays: Int) async throws {
        let shop = try await SubscriptionStore(SampleCatalog.monthly, Self.graced)
        let end = try #require(try await shop.periods()[0].sale.expiresDate)
        #expect(try await shop.next() == ["billingFailed"])
        #expect(try await shop.next() == ["graceBegan"])
        #expect(try await shop.days(failingDays).contains("billingRetryFailed"))
        let grace = try #require(try await shop.entitlement())
        #expect(grace.transactionID == shop.id)
        #expect(grace.until == end.advanced(byMilliseconds: 16 * Self.day))
        // Payments succeed again: the next attempt renews.
        try await shop.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        #expect(try await shop.next() == ["sold"])
        let periods = try await shop.periods()
        #expect(periods[1].sale.purchaseDate == end)
        #expect(periods[1].sale.term?.anchor == periods[0].sale.term?.anchor)
        #expect(try await shop.entitlement()?.transactionID == periods[1].id)
    }

    @Test("a recovery after the grace period begins a new run when it is paid")
    func recoversAfterGrace() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.monthly, Self.graced)
        let end = try #require(try await shop.periods()[0].sale.expiresDate)
        let happened = try await shop.days(31 + 20)
        #expect(happened.contains("graceEnded"))
        #expect(try await shop.entitlement() == nil)
        try await shop.perform(.resolveBilling(shop.id))
        let now = try await shop.now()
        let periods = try await shop.periods()
        #expect(periods[1].sale.purchaseDate == now && now > end)
        #expect(periods[1].sale.term?.anchor == now && periods[1].sale.term?.index == 0)
        #expect(periods[1].originalID == shop.id && periods[1].sale.cause == .renewal)
        #expect(try await shop.entitlement()?.transactionID == periods[1].id)
    }

    @Test("what is due in a year without the store happens in order, as with it")
    func afterAYear() async throws {
        let stepped = try await SubscriptionStore(SampleCatalog.monthly, Self.graced)
        var steps: [String] = []
        while try await stepped.refusal(of: .clock(.next)) == nil {
            steps += try await stepped.next()
        }
        let closed = try await SubscriptionStore(SampleCatalog.monthly, Self.graced)
        closed.store.clock.advance(byMilliseconds: 365 * Self.day)
        #expect(try await closed.entitlement() == nil)
        let entries = try await closed.store.entries()
        let times = entries.compactMap { entry in
            if case .subscriptionChanged = entry.entry.fact { entry.entry.effectiveAt } else { nil }
        }
        #expect(times == times.sorted())
        #expect(times.count == steps.count)
    }

    @Test(
        "a purchase during billing retry begins a new run, in the grace period it keeps the dates")
    func bought() async throws {
        for settings in [Self.failing, Self.graced] {
            let shop = try await SubscriptionStore(SampleCatalog.monthly, settings)
            _ = try await shop.days(33)
            let first = try #require(try await shop.periods().first)
            let again = try await shop.store.session().purchase(.of(SampleCatalog.monthly))
            guard case .purchased(_, let id, alreadyOwned: false) = again else {
                Issue.record("\(again)")
                return
            }
            let last = try #require(try await shop.periods().last)
            #expect(last.id == id && last.originalID == shop.id)
            let now = try await shop.now()
            if settings.hasGracePeriod == true {
                #expect(last.sale.purchaseDate == first.expiresDate)
                #expect(last.sale.term?.anchor == first.sale.term?.anchor)
                #expect(last.sale.term?.index == 1)
            } else {
                #expect(last.sale.purchaseDate == now && last.sale.term?.anchor == now)
                #expect(last.sale.term?.index == 0)
            }
            #expect(try await shop.entitlement()?.transactionID == id)
            #expect(try await shop.refusal(of: .resolveBilling(shop.id)) == .noBillingIssue)
        }
    }

    @Test("in the grace period another plan begins at once, in a new run")
    func otherPlanInGrace() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.monthly, Self.graced)
        _ = try await shop.days(33)
        _ = try await shop.store.session().purchase(.of(SampleCatalog.yearly))
        let last = try #require(try await shop.periods().last)
        #expect(last.sale.productID == SampleCatalog.yearly && last.sale.term?.index == 0)
        #expect(last.sale.purchaseDate == (try await shop.now()))
    }

    @Test("auto-renew turned off in the grace period keeps access until that ends")
    func offInGrace() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.monthly, Self.graced)
        let end = try #require(try await shop.periods()[0].sale.expiresDate)
        _ = try await shop.days(33)
        try await shop.perform(.setAutoRenew(shop.id, false))
        let grace = end.advanced(byMilliseconds: 16 * Self.day)
        #expect(try await shop.entitlement()?.until == grace)
        #expect(try await shop.entitlement()?.renews == false)
        let status = try #require(
            try await shop.store.session().subscriptionStatuses().first)
        #expect(status.state == .inGracePeriod && status.problem == nil)
        #expect(try await shop.next() == ["expired autoRenewDisabled"])
        #expect(try await shop.now() == grace)
        #expect(try await shop.entitlement() == nil)
    }

    @Test("auto-renew turned off during billing retry ends it")
    func givenUp() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.monthly, Self.failing)
        _ = try await shop.days(33)
        try await shop.perform(.setAutoRenew(shop.id, false))
        #expect(try await shop.entitlement() == nil)
        let facts = try await shop.store.entries().map(\.entry.fact)
        guard case .subscriptionChanged(let last) = facts.last else {
            Issue.record("\(String(describing: facts.last))")
            return
        }
        #expect(last.event.reason == .autoRenewDisabled)
    }
}
