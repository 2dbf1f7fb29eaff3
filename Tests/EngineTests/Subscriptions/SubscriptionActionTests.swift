import Foundation
import StoreCatalog
import StoreEngine
@testable import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite("what the operator does to a subscription") struct SubscriptionActionTests {
    private static let day: Int64 = 86_400_000

    @Test(
        "a subscription whose auto-renew is off expires with its period; its devices are told [D3]")
    func expiry() async throws {
        let shop = try await SubscriptionStore()
        try await shop.perform(.setAutoRenew(shop.id, false))
        let end = try #require(try await shop.periods()[0].sale.expiresDate)
        #expect(try await shop.store.console.clock().next?.kind == .expiry)
        #expect(try await shop.next() == ["expired autoRenewDisabled"])
        #expect(try await shop.now() == end)
        #expect(try await shop.entitlement() == nil)
        #expect(try await shop.refusal(of: .setAutoRenew(shop.id, true)) == .noSubscription)
        // Bought again, the subscription continues its chain with a new first period.
        let again = try #require(
            try await shop.store.session().purchase(.of(SampleCatalog.monthly)).number)
        let row = try #require(try await shop.periods().last)
        #expect(row.id == again && row.originalID == shop.id)
        #expect(row.sale.term?.index == 0 && row.sale.term?.ordinal == 2)
        #expect(try await shop.store.console.clock().next?.kind == .renewal)
    }

    @Test("an expired subscription is over now, also with the next period recorded already")
    func expire() async throws {
        let shop = try await SubscriptionStore()
        #expect(try await shop.refusal(of: .expire(TransactionID(9))) == .transactionNotFound)
        _ = try await shop.next()
        let happened = try await shop.perform(.expire(shop.id)).compactMap { shop.name(of: $0) }
        #expect(happened == ["refunded", "expiryMoved", "expired other"])
        #expect(try await shop.entitlement() == nil)
        let last = try #require(try await shop.periods().last)
        #expect(last.state.revocation?.refundedMilliunits == last.sale.price.milliunits)
        // A period that never begins is not the present one, at any time.
        for days in [0, 1, 40] {
            if days > 0 { _ = try await shop.days(days) }
            #expect(try await Self.state(of: shop) == .expired)
        }
        #expect(try await shop.refusal(of: .expire(shop.id)) == .noSubscription)
        #expect(try await shop.refusal(of: .clock(.next)) == .nothingDue)
    }

    @Test("a forced renewal ends the period and begins the next, once, and dates go on from there")
    func renew() async throws {
        let shop = try await SubscriptionStore()
        _ = try await shop.days(10)
        #expect(
            try await shop.perform(.renew(shop.id)).compactMap { shop.name(of: $0) } == [
                "expiryMoved", "sold",
            ])
        #expect(try await shop.refusal(of: .renew(shop.id)) == .periodJustBegun)
        let periods = try await shop.periods()
        let now = try await shop.now()
        #expect(periods[0].expiresDate == now && periods[1].sale.purchaseDate == now)
        #expect(
            periods[1].sale.expiresDate
                == SubscriptionPeriod(unit: .month, value: 1).end(from: now))
        #expect(periods[1].sale.term?.index == 1)
    }

    @Test("a forced renewal says that it turns auto-renew on; one that is charged ahead is refused")
    func renewOff() async throws {
        let shop = try await SubscriptionStore()
        #expect(try await shop.refusal(of: .renew(shop.id)) == .periodJustBegun)
        _ = try await shop.days(10)
        try await shop.perform(.setAutoRenew(shop.id, false))
        #expect(
            try await shop.perform(.renew(shop.id)).compactMap { shop.name(of: $0) } == [
                "on", "expiryMoved", "sold",
            ])
        #expect(try await shop.entitlement()?.renews == true)
        #expect(try await shop.next() == ["sold"])
        #expect(try await shop.refusal(of: .renew(shop.id)) == .nextPeriodCharged)
        #expect(try await shop.periods().count == 3)
    }

    @Test(
        "while payments fail, a forced renewal ends the period and its charge fails",
        arguments: [(true, "graceBegan"), (false, "billingRetryBegan")])
    func renewUnpaid(hasGracePeriod: Bool, event: String) async throws {
        let shop = try await SubscriptionStore()
        _ = try await shop.days(10)
        try await shop.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: hasGracePeriod)))
        try await shop.perform(.setAutoRenew(shop.id, false))
        #expect(
            try await shop.perform(.renew(shop.id)).compactMap { shop.name(of: $0) } == [
                "on", "expiryMoved", event,
            ])
        #expect(
            try await Self.state(of: shop)
                == (hasGracePeriod ? .inGracePeriod : .inBillingRetryPeriod))
        #expect(try await shop.periods().count == 1)
        // Once payments succeed, it recovers by itself.
        try await shop.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        #expect(try await shop.next() == ["sold"])
    }

    @Test(
        "a price increase is renewed only with consent, if that was asked",
        arguments: [
            ([], "sold"), ([.ask, .consent], "sold"),
            ([.ask], "expired didNotConsentToPriceIncrease"),
            ([.ask, .decline], "expired didNotConsentToPriceIncrease"),
        ] as [([PriceIncreaseStep], String)])
    func priceIncrease(steps: [PriceIncreaseStep], outcome: String) async throws {
        let shop = try await SubscriptionStore()
        for step in steps { try await shop.perform(.priceIncrease(shop.id, step)) }
        #expect(try await shop.next() == [outcome])
        #expect((try await shop.entitlement() == nil) == (outcome != "sold"))
    }

    @Test("a price that needs no consent is told, and charged from the next renewal")
    func priceNotice() async throws {
        let shop = try await SubscriptionStore()
        let told = try await shop.perform(.priceIncrease(shop.id, .notify))
        #expect(told.compactMap { shop.name(of: $0) } == ["priceIncreaseNotified"])
        #expect(try await shop.perform(.priceIncrease(shop.id, .notify)).isEmpty)
        #expect(
            try await shop.refusal(of: .priceIncrease(shop.id, .decline)) == .noPriceIncrease)
        let status = try #require(try await shop.store.session().subscriptionStatuses().first)
        #expect(status.problem == nil)
        #expect(try await shop.next() == ["sold"])
        #expect(try await shop.refusal(of: .priceIncrease(shop.id, .decline)) == .noPriceIncrease)
        try await shop.perform(.setAutoRenew(shop.id, false))
        #expect(try await shop.refusal(of: .priceIncrease(shop.id, .notify)) == .noSubscription)
    }

    @Test("a notice takes the place of a question that was not answered")
    func noticeAfterQuestion() async throws {
        let shop = try await SubscriptionStore()
        try await shop.perform(.priceIncrease(shop.id, .ask))
        try await shop.perform(.priceIncrease(shop.id, .notify))
        #expect(try await shop.next() == ["sold"])
    }

    @Test("consent given after the store has begun to charge renews at once")
    func lateConsent() async throws {
        let shop = try await SubscriptionStore()
        try await shop.perform(.priceIncrease(shop.id, .ask))
        #expect(try await shop.perform(.priceIncrease(shop.id, .ask)).isEmpty)
        let end = try #require(try await shop.periods()[0].sale.expiresDate)
        try await shop.perform(.clock(.to(end.advanced(byMilliseconds: -1_000))))
        try await shop.perform(.priceIncrease(shop.id, .consent))
        _ = try await shop.entitlement()
        #expect(try await shop.periods().count == 2)
    }

    @Test("an answer to a price increase that nobody asked for is refused")
    func unasked() async throws {
        let shop = try await SubscriptionStore()
        for step in [PriceIncreaseStep.consent, .decline] {
            #expect(
                try await shop.refusal(of: .priceIncrease(shop.id, step)) == .noPriceIncrease)
        }
        try await shop.perform(.setAutoRenew(shop.id, false))
        #expect(try await shop.refusal(of: .priceIncrease(shop.id, .ask)) == .noSubscription)
    }

    @Test("an extension moves the end and the dates of the run with it", arguments: [1, 20, 90])
    func extend(days: Int) async throws {
        let shop = try await SubscriptionStore()
        let end = try #require(try await shop.periods()[0].sale.expiresDate)
        let later = end.advanced(byMilliseconds: Int64(days) * Self.day)
        try await shop.perform(.extend(shop.id, days: days))
        #expect(try await shop.entitlement()?.until == later)
        #expect(try await shop.next() == ["sold"])
        #expect(try await shop.next() == ["sold"])
        let periods = try await shop.periods()
        let month = SubscriptionPeriod(unit: .month, value: 1)
        #expect(periods[0].expiresDate == later && periods[1].sale.purchaseDate == later)
        #expect(periods[1].sale.expiresDate == month.end(from: later))
        #expect(
            periods[2].sale.expiresDate
                == SubscriptionPeriod(unit: .month, value: 2).end(from: later))
        #expect(periods.map { $0.sale.term?.index } == [0, 1, 2])
    }

    @Test("an extension by no or too many days is refused", arguments: [-1, 0, 91])
    func badDays(days: Int) async throws {
        let shop = try await SubscriptionStore()
        #expect(try await shop.refusal(of: .extend(shop.id, days: days)) == .invalidName)
        #expect(
            try await shop.refusal(of: .extendAll(SampleCatalog.monthly, days: days))
                == .invalidName)
    }

    @Test("an extension for all moves every active subscription of the product, and no other")
    func extendAll() async throws {
        let shop = try await SubscriptionStore()
        let (kai, noor) = (
            shop.store.session(account: "kai"), shop.store.session(account: "noor")
        )
        _ = try await kai.purchase(.of(SampleCatalog.monthly))
        _ = try await noor.purchase(.of(SampleCatalog.yearly))
        let before = [
            try await shop.entitlement()?.until, try await kai.entitlements().first?.until,
            try await noor.entitlements().first?.until,
        ]
        #expect(
            try await shop.refusal(of: .extendAll("nothing", days: 3)) == .productUnavailable)
        let events = try await shop.perform(.extendAll(SampleCatalog.monthly, days: 3))
        #expect(events.count { $0.kind == .expiryMoved } == 2)
        let after = [
            try await shop.entitlement()?.until, try await kai.entitlements().first?.until,
            try await noor.entitlements().first?.until,
        ]
        let moved = zip(before, after).map { ($1?.milliseconds ?? 0) - ($0?.milliseconds ?? 0) }
        #expect(moved == [3 * Self.day, 3 * Self.day, 0])
        let again = try await shop.perform(.extendAll(SampleCatalog.monthly, days: 3))
        #expect(again.count { $0.kind == .expiryMoved } == 2, "without an id it is another one")
    }

    @Test("an extension for all answers without the renewals that were due before it")
    func extendAllAfterDue() async throws {
        let shop = try await SubscriptionStore()
        shop.store.clock.advance(byMilliseconds: 32 * Self.day)
        let events = try await shop.perform(.extendAll(SampleCatalog.monthly, days: 3))
        #expect(events.map(\.kind) == [.expiryMoved])
        #expect(try await shop.periods().count == 2)
    }

    @Test("an extension tells of the new end and of nothing else")
    func extensionEvents() async throws {
        for isOn in [true, false] {
            let shop = try await SubscriptionStore()
            if !isOn { try await shop.perform(.setAutoRenew(shop.id, false)) }
            let happened = try await shop.perform(.extend(shop.id, days: 5))
            #expect(happened.compactMap { shop.name(of: $0) } == ["expiryMoved"])
            #expect(try await shop.next() == [isOn ? "sold" : "expired autoRenewDisabled"])
        }
    }

    @Test("an extension after a failed attempt clears it, and charges a day before the new end")
    func extensionClearsFailure() async throws {
        let shop = try await SubscriptionStore(
            SampleCatalog.monthly, RenewalsChange(failsBilling: true))
        let end = try #require(try await shop.periods()[0].sale.expiresDate)
        #expect(try await shop.next() == ["billingFailed"])
        try await shop.perform(.extend(shop.id, days: 5))
        #expect(try await shop.refusal(of: .resolveBilling(shop.id)) == .noBillingIssue)
        #expect(try await shop.next() == ["billingFailed"])
        #expect(try await shop.now() == end.advanced(byMilliseconds: 4 * Self.day))
    }

    @Test("an end at the limit of renewals says so")
    func renewalLimit() async throws {
        let shop = try await SubscriptionStore(
            SampleCatalog.monthly, RenewalsChange(limit: .count(1)))
        _ = try await shop.days(70)
        let facts = try await shop.store.entries().map(\.entry.fact)
        guard case .subscriptionChanged(let change) = facts.last else {
            Issue.record("\(String(describing: facts.last))")
            return
        }
        #expect(change.event.reason == .other && change.event.isAtRenewalLimit == true)
        let timeline = try await shop.timeline()
        #expect(timeline.items.last?.isAtRenewalLimit == true)
        let status = try await shop.store.session().subscriptionStatuses().first
        #expect(status?.isAtRenewalLimit == true)
    }

    @Test("a timeline tells each move of an end with the end of then")
    func movedEnds() async throws {
        let shop = try await SubscriptionStore()
        let sold = try #require(try await shop.periods().first?.expiresDate)
        for _ in 0..<3 { try await shop.perform(.extend(shop.id, days: 10)) }
        let ends = try await shop.timeline().items.filter { $0.what == .revised(.expiryMoved) }
            .map { $0.until }
        #expect(ends == [10, 20, 30].map { sold.advanced(byMilliseconds: $0 * 86_400_000) })
    }

    @Test("a renewal by the operator is one in the timeline, also after its end was moved")
    func renewedAndMoved() async throws {
        let shop = try await SubscriptionStore()
        _ = try await shop.days(20)
        try await shop.perform(.renew(shop.id))
        try await shop.perform(.extend(shop.id, days: 5))
        _ = try await shop.next()
        let steps = try await shop.timeline().items.map { $0.what }
        #expect(!steps.contains(.resubscribed), "\(steps)")
        #expect(steps.count { $0 == .renewed } == 2, "\(steps)")
    }

    @Test(
        "customer service cancels: what is paid and not over is given back, and nothing renews [D3]"
    )
    func cancel() async throws {
        for isEarly in [false, true] {
            let shop = try await SubscriptionStore()
            if isEarly { _ = try await shop.next() }
            try await shop.perform(.cancelSubscription(shop.id))
            #expect(try await shop.entitlement() == nil)
            let totals = try #require(try await shop.store.console.takings().first)
            #expect(totals.refundedMilliunits == totals.soldMilliunits)
            #expect(try await shop.refusal(of: .cancelSubscription(shop.id)) == .noSubscription)
            #expect(try await shop.refusal(of: .clock(.next)) == .nothingDue)
            #expect(try await shop.periods().allSatisfy(\.state.isRevoked))
        }
    }

    @Test("a refund of a period that has not begun leaves the present one, which ends it")
    func refundOfNext() async throws {
        let shop = try await SubscriptionStore()
        _ = try await shop.next()
        let next = try #require(try await shop.periods().last)
        try await shop.perform(.refund(next.id, .rest, reason: .other))
        #expect(try await shop.entitlement()?.transactionID == shop.id)
        #expect(try await shop.next() == ["expired other"])
        #expect(try await shop.entitlement() == nil)
    }

    @Test(
        "a present period that is taken back takes the next one with it, which was charged ahead",
        arguments: [true, false])
    func refundOfPresent(isRefund: Bool) async throws {
        let shop = try await SubscriptionStore()
        _ = try await shop.next()
        try await shop.perform(
            isRefund ? .refund(shop.id, .rest, reason: .other) : .revoke(shop.id))
        let periods = try await shop.periods()
        #expect(periods.allSatisfy { $0.state.isRevoked })
        let refunded = periods.last?.state.revocation?.refundedMilliunits
        #expect(refunded == periods.last?.sale.price.milliunits)
        #expect(try await shop.entitlement() == nil)
        #expect(try await Self.state(of: shop) == .revoked)
        #expect(try await shop.refusal(of: .clock(.next)) == .nothingDue)
        // A reversal restores both periods, and access ends with the later one.
        try await shop.perform(.reverseRefund(shop.id))
        #expect(try await shop.periods().allSatisfy { !$0.state.isRevoked })
        #expect(try await shop.entitlement()?.transactionID == shop.id)
        #expect(try await Self.state(of: shop) == .subscribed)
        #expect(try await shop.refusal(of: .setAutoRenew(shop.id, true)) == nil)
        _ = try await shop.days(5)
        #expect(try await shop.entitlement()?.transactionID == periods.last?.id)
        #expect(try await shop.next() == ["expired other"])
        #expect(try await Self.state(of: shop) == .expired)
    }

    @Test("a plan that was upgraded comes back only after the new one was taken back and deleted")
    func reverseOfUpgraded() async throws {
        let shop = try await SubscriptionStore()
        let yearly = try #require(
            try await shop.store.session().purchase(.of(SampleCatalog.yearly)).number)
        try await shop.perform(.refund(yearly, .rest, reason: .other))
        #expect(try await shop.refusal(of: .reverseRefund(shop.id)) == .boughtAgain)
        try await shop.perform(.delete(yearly, wholeChain: false))
        try await shop.perform(.reverseRefund(shop.id))
        let row = try #require(try await shop.periods().first)
        #expect(!row.state.isUpgraded && !row.state.isRevoked)
    }

    @Test("the signed text of an upgraded plan says what was given back")
    func upgradedShare() async throws {
        let shop = try await SubscriptionStore()
        _ = try await shop.days(10)
        _ = try await shop.store.session().purchase(.of(SampleCatalog.yearly))
        let row = try #require(try await shop.periods().first)
        let signed = try await shop.store.session().transaction(shop.id)
        let payload = try #require(TransactionVerifier.unverifiedPayload(of: signed))
        #expect(payload.isUpgraded == true)
        let refunded = try #require(row.state.revocation?.refunded)
        #expect(refunded < .all && payload.revocationPercentage == refunded.millipercent)
    }

    @Test("a higher price is put to nobody whose renewal is still being charged")
    func priceWhileOwed() async throws {
        for hasGrace in [true, false] {
            let shop = try await SubscriptionStore(
                SampleCatalog.monthly,
                RenewalsChange(failsBilling: true, hasGracePeriod: hasGrace))
            _ = try await shop.days(32)
            let refusal = try await shop.store.console.refusal(of: .priceIncrease(shop.id, .ask))
            #expect(refusal?.code == .noSubscription)
            #expect(refusal?.subject == SubscriptionObstacle.paymentOwed.rawValue)
        }
    }

    @Test("a subscription that cannot be changed says why")
    func obstacles() async throws {
        let shop = try await SubscriptionStore()
        func obstacle(_ action: OperatorAction) async throws -> SubscriptionObstacle? {
            let refusal = try await shop.store.console.refusal(of: action)
            #expect(refusal?.code == .noSubscription)
            return refusal?.subject.flatMap(SubscriptionObstacle.init)
        }
        let theme = try #require(
            try await shop.store.session().purchase(.of(SampleCatalog.theme)).number)
        #expect(try await obstacle(.expire(theme)) == .neverRenews)
        #expect(
            try await obstacle(.extendAll(SampleCatalog.coins, days: 3)) == .neverRenews)
        try await shop.perform(.setAutoRenew(shop.id, false))
        #expect(try await obstacle(.priceIncrease(shop.id, .ask)) == .renewalOff)
        try await shop.perform(.expire(shop.id))
        #expect(try await obstacle(.extend(shop.id, days: 3)) == .over)
    }

    private static func state(of shop: SubscriptionStore) async throws -> RenewalState? {
        try await shop.store.session().subscriptionStatuses().first?.state
    }

    @Test("a subscription renews so often within a day of the store's time [D7]")
    func limitPerDay() async throws {
        for (perDay, limit, renewals) in [
            (RenewalsChange.Limit.count(6), RenewalsChange.Limit.endless, 6),
            (.count(99), .none, 12), (RenewalsChange.Limit.none, .count(3), 3),
        ] {
            let shop = try await SubscriptionStore(
                SampleCatalog.monthly,
                RenewalsChange(
                    rate: .monthlyRenewalEveryFiveMinutes, limit: limit, limitPerDay: perDay))
            _ = try await shop.days(2)
            #expect(try await shop.periods().count == renewals + 1)
            #expect(try await shop.entitlement() == nil)
        }
        // With a month of one hour, a day has 24 renewals, of which 23 lie within 24 hours.
        let slow = try await SubscriptionStore(
            SampleCatalog.monthly,
            RenewalsChange(
                rate: .monthlyRenewalEveryHour, limit: .endless, limitPerDay: .count(24)))
        _ = try await slow.days(3)
        #expect(try await slow.periods().count > 70)
    }

    @Test("the clock moves to the next thing that happens, and says what it was")
    func upcoming() async throws {
        let shop = try await SubscriptionStore(
            SampleCatalog.monthly, RenewalsChange(failsBilling: true))
        #expect(try await shop.store.console.clock().next?.kind == .renewal)
        _ = try await shop.next()
        #expect(try await shop.store.console.clock().next?.kind == .billingRetry)
        #expect(try await shop.store.console.upcoming(limit: 3).map(\.kind) == [.billingRetry])
    }

    @Test("a catalog's settings make payments fail and give a grace period, once")
    func catalogSettings() async throws {
        var catalog = SampleCatalog.catalog()
        catalog.settings = CatalogSettings(entersBillingRetry: true, hasGracePeriod: true)
        let store = try await TestStore(elapsed: nil, catalog: catalog)
        let settings = try await store.console.clock().renewals
        #expect(settings.failsBilling && settings.hasGracePeriod)
        _ = try await store.console.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        try await store.engine.sell(catalog, digest: "another")
        #expect(try await !store.console.clock().renewals.failsBilling)
    }
}
