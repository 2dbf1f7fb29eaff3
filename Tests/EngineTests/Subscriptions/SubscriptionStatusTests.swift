import StoreCatalog
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite("the status of a subscription") struct SubscriptionStatusTests {
    private static let day: Int64 = 86_400_000

    /// The only status, and its verified renewal info.
    private static func status(
        _ shop: SubscriptionStore
    ) async throws -> (status: SubscriptionStatus, info: RenewalInfoPayload) {
        let statuses = try await shop.store.session().subscriptionStatuses()
        #expect(statuses.count == 1)
        let status = try #require(statuses.first)
        return (status, try await TestStore.verifier().verify(status.renewalInfo))
    }

    @Test("an active subscription says when it renews, for how much, and since when it lasts")
    func active() async throws {
        let shop = try await SubscriptionStore()
        let bought = try #require(try await shop.periods().first)
        for _ in 0..<3 {
            let (status, info) = try await Self.status(shop)
            #expect(status.state == .subscribed && status.problem == nil)
            #expect(info.originalTransactionId == shop.id)
            #expect(info.productId == SampleCatalog.monthly)
            #expect(info.autoRenewProductId == SampleCatalog.monthly && info.autoRenewStatus == 1)
            #expect(info.renewalDate == (try await shop.periods().last?.expiresDate))
            #expect(info.renewalPrice == SampleCatalog.dollars(SampleCatalog.monthly))
            #expect(info.currency == "USD")
            #expect(info.recentSubscriptionStartDate == bought.sale.purchaseDate)
            #expect(info.isInBillingRetryPeriod == nil && info.expirationIntent == nil)
            #expect(info.signedDate == (try await shop.now()))
            _ = try await shop.next()
        }
    }

    @Test(
        "a failed payment is told from the attempt on, through grace and retry to the expiry [D6]")
    func failing() async throws {
        let shop = try await SubscriptionStore(
            SampleCatalog.monthly, RenewalsChange(failsBilling: true, hasGracePeriod: true))
        #expect(try await Self.status(shop).status.problem == nil)
        let end = try #require(try await shop.periods()[0].sale.expiresDate)
        // From 10 days before the end the store reports a problem that would stop the renewal.
        try await shop.perform(.clock(.to(end.advanced(byMilliseconds: -10 * Self.day))))
        #expect(try await Self.status(shop).status.problem == .billingFailed)
        _ = try await shop.next()
        #expect(try await Self.status(shop).status.state == .subscribed)
        _ = try await shop.next()
        var (status, info) = try await Self.status(shop)
        #expect(status.state == .inGracePeriod && status.problem == .billingFailed)
        #expect(info.gracePeriodExpiresDate == end.advanced(byMilliseconds: 16 * Self.day))
        #expect(info.isInBillingRetryPeriod == true)
        _ = try await shop.days(20)
        (status, info) = try await Self.status(shop)
        #expect(status.state == .inBillingRetryPeriod && info.isInBillingRetryPeriod == true)
        #expect(info.gracePeriodExpiresDate == nil, "the grace period is over")
        _ = try await shop.days(60)
        (status, info) = try await Self.status(shop)
        #expect(status.state == .expired && status.problem == nil)
        #expect(info.gracePeriodExpiresDate == nil && info.renewalPrice == nil)
        #expect(info.expirationIntent == 2 && info.isInBillingRetryPeriod == false)
        #expect(info.autoRenewStatus == 0 && info.renewalDate == nil)
    }

    @Test("an end says its reason, a refund revokes, and a price increase waits for consent [D4]")
    func others() async throws {
        let off = try await SubscriptionStore()
        try await off.perform(.setAutoRenew(off.id, false))
        var (status, info) = try await Self.status(off)
        #expect(status.state == .subscribed && info.autoRenewStatus == 0)
        _ = try await off.next()
        (status, info) = try await Self.status(off)
        #expect(status.state == .expired && info.expirationIntent == 1)

        let refunded = try await SubscriptionStore()
        try await refunded.perform(.cancelSubscription(refunded.id))
        #expect(try await Self.status(refunded).status.state == .revoked)

        let given = try await SubscriptionStore()
        try await given.perform(.priceIncrease(given.id, .ask))
        try await given.perform(.refund(given.id, .rest, reason: .other))
        (status, info) = try await Self.status(given)
        #expect(status.state == .revoked && info.priceIncreaseStatus == nil)
        #expect(info.renewalPrice == nil && info.renewalDate == nil && info.offerType == nil)

        let dearer = try await SubscriptionStore()
        try await dearer.perform(.priceIncrease(dearer.id, .ask))
        (status, info) = try await Self.status(dearer)
        #expect(status.problem == .priceConsentNeeded && info.priceIncreaseStatus == 0)
        try await dearer.perform(.priceIncrease(dearer.id, .consent))
        (status, info) = try await Self.status(dearer)
        #expect(status.problem == nil && info.priceIncreaseStatus == 1)
        #expect(try await dearer.next() == ["sold"])
        #expect(try await Self.status(dearer).info.priceIncreaseStatus == nil)
        try await dearer.perform(.priceIncrease(dearer.id, .notify))
        (status, info) = try await Self.status(dearer)
        #expect(status.problem == nil && info.priceIncreaseStatus == 1)
    }

    @Test(
        "a next period that was charged ahead is paid, also where nothing renews after it",
        arguments: [true, false])
    func paidAhead(isReversed: Bool) async throws {
        let shop = try await SubscriptionStore()
        let bought = try #require(try await shop.periods().first)
        #expect(try await Self.status(shop).status.paidUntil == bought.expiresDate)
        _ = try await shop.next()
        let next = try #require(try await shop.periods().last)
        #expect(next.id != bought.id)
        if isReversed {
            try await shop.perform(.refund(shop.id, .rest, reason: .other))
            #expect(try await Self.status(shop).status.paidUntil == nil)
            try await shop.perform(.reverseRefund(shop.id))
        } else {
            try await shop.perform(.setAutoRenew(shop.id, false))
        }
        let (status, info) = try await Self.status(shop)
        #expect(info.autoRenewStatus == 0 && info.renewalDate == nil)
        #expect(status.paidUntil == next.expiresDate)
        // When the next period is refunded, the present one is the last paid one.
        try await shop.perform(.refund(next.id, .rest, reason: .other))
        #expect(try await Self.status(shop).status.paidUntil == bought.expiresDate)
    }

    @Test("a product taken off sale is told at once")
    func offSale() async throws {
        let shop = try await SubscriptionStore()
        var catalog = SampleCatalog.catalog()
        for index in catalog.products.indices
        where catalog.products[index].id == SampleCatalog.monthly {
            catalog.products[index].prices = .byTerritory([:])
        }
        try await shop.store.engine.sell(catalog, digest: "off sale")
        #expect(try await Self.status(shop).status.problem == .productUnavailable)
        _ = try await shop.days(45)
        let (status, info) = try await Self.status(shop)
        #expect(status.state == .expired && info.expirationIntent == 4)
    }

    @Test("a break of more than 60 days begins a new series, a shorter one does not")
    func series() async throws {
        for (days, isNew) in [(50, false), (70, true)] {
            let shop = try await SubscriptionStore()
            let start = try #require(try await shop.periods().first?.sale.purchaseDate)
            try await shop.perform(.setAutoRenew(shop.id, false))
            _ = try await shop.next()
            _ = try await shop.days(days)
            _ = try await shop.store.session().purchase(.of(SampleCatalog.monthly))
            let now = try await shop.now()
            let info = try await Self.status(shop).info
            #expect(info.recentSubscriptionStartDate == (isNew ? now : start))
        }
    }

    @Test("the fault of a status fails the call that asks for it, and is used up")
    func fault() async throws {
        let shop = try await SubscriptionStore()
        try await shop.store.console.failNext(.subscriptionStatus, error: .networkError, count: 1)
        await #expect {
            try await shop.store.session().subscriptionStatuses()
        } throws: {
            ($0 as? StoreError)?.code == .networkError
        }
        #expect(try await shop.store.session().subscriptionStatuses().count == 1)
    }

    @Test("a renewal info passes for no other text, and an altered one is not verified")
    func verified() async throws {
        let shop = try await SubscriptionStore()
        let status = try await Self.status(shop).status
        let verifier = try TestStore.verifier()
        let text = status.renewalInfo.rawValue
        for wrong in [String(text.dropLast(4)) + "AAAA", status.transaction.rawValue, "a.b.c"] {
            do throws(VerificationError) {
                _ = try await verifier.verify(SignedRenewalInfo(wrong))
                Issue.record("verified")
            } catch { #expect(error != .revokedCertificate) }
        }
        guard case .unverified = await verifier.verify(SignedTransaction(text)) else {
            Issue.record("a transaction")
            return
        }
    }

    @Test("the timeline tells a life in order, with its gaps and the times it was active")
    func timeline() async throws {
        let shop = try await SubscriptionStore()
        _ = try await shop.next()
        try await shop.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        for _ in 0..<3 { _ = try await shop.next() }
        try await shop.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        _ = try await shop.next()
        try await shop.perform(.setAutoRenew(shop.id, false))
        _ = try await shop.next()
        _ = try await shop.days(10)
        _ = try await shop.store.session().purchase(.of(SampleCatalog.monthly))
        let timeline = try await shop.timeline()
        #expect(
            timeline.items.map(\.what) == [
                .subscribed, .renewed, .event(.billingFailed), .event(.graceBegan),
                .event(.billingRetryFailed), .recovered, .autoRenew(isOn: false),
                .expired(.autoRenewDisabled), .gap(days: 10), .resubscribed,
            ])
        let times = timeline.items.map(\.at)
        #expect(times == times.sorted())
        // One renewal was charged a day ahead, and another was paid after it had failed.
        let renewed = timeline.items[1]
        #expect(renewed.from.map { $0 > renewed.at } == true)
        let recovered = timeline.items[5]
        #expect(recovered.from.map { $0 < recovered.at } == true)
        #expect(recovered.from == renewed.until && timeline.items[0].from == nil)
        #expect(timeline.active.count == 2)
        let ended = try #require(timeline.active[0].until)
        let gap = timeline.active[1].from.milliseconds - ended.milliseconds
        #expect(gap == 10 * Self.day)
    }

    @Test("an unpaid grace period gave access: the gap begins where it ended")
    func gapAfterGrace() async throws {
        let shop = try await SubscriptionStore()
        try await shop.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        var steps: [String] = []
        while !steps.contains("graceEnded") { steps = try await shop.next() }
        _ = try await shop.days(5)
        try await shop.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        while !steps.contains("sold") { steps = try await shop.next() }
        let items = try await shop.timeline().items
        let grace = try #require(items.first { $0.what == .event(.graceBegan) })
        let gap = try #require(items.first { if case .gap = $0.what { true } else { false } })
        let recovered = try #require(items.first { $0.what == .recovered })
        #expect(gap.at == grace.until)
        let days = ((recovered.from ?? recovered.at).milliseconds - gap.at.milliseconds) / Self.day
        #expect(gap.what == .gap(days: Int(days)) && days >= 5)
    }
}
