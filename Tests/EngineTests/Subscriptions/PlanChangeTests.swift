import StoreCatalog
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite("changes of plan inside a group") struct PlanChangeTests {
    private static let day: Int64 = 86_400_000

    @discardableResult
    private static func buy(
        _ product: ProductID, in shop: SubscriptionStore
    ) async throws -> PurchaseOutcome {
        try await shop.store.session().purchase(.of(product))
    }

    @Test(
        "an upgrade begins at once and gives back the rest of the period [D1]",
        arguments: [false, true])
    func upgrade(isEarly: Bool) async throws {
        let shop = try await SubscriptionStore()
        // If the next period is charged already, it is refunded, too.
        if isEarly { _ = try await shop.next() } else { _ = try await shop.days(10) }
        let before = try await shop.periods()
        let outcome = try await Self.buy(SampleCatalog.yearly, in: shop)
        guard case .purchased(_, let id, alreadyOwned: false) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let periods = try await shop.periods()
        let (old, new) = (try #require(periods.first), try #require(periods.last))
        let now = try await shop.now()
        #expect(new.id == id && new.originalID == shop.id)
        #expect(new.sale.purchaseDate == now && new.sale.term?.anchor == now)
        #expect(old.state.isUpgraded && old.state.isRevoked)
        let end = try #require(before[0].sale.expiresDate)
        let length = end.milliseconds - before[0].sale.purchaseDate.milliseconds
        let unused = Share(
            millipercent: Int((end.milliseconds - now.milliseconds) * 100_000 / length))
        #expect(old.state.revocation?.refunded == unused)
        if isEarly { #expect(periods[1].state.revocation?.refunded == .all) }
        #expect(try await shop.entitlement()?.transactionID == id)
        let info = try await shop.store.session().subscriptionStatuses()
        #expect(info.count == 1 && info.first?.state == .subscribed)
        // The new plan renews a year later.
        #expect(try await shop.next() == ["sold"])
        #expect(try await shop.periods().last?.sale.productID == SampleCatalog.yearly)
    }

    @Test(
        "a downgrade waits for the renewal, is answered with the present one, charges nothing [D1]")
    func downgrade() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.yearly)
        let sold = try await shop.store.console.takings()
        for _ in 0..<2 {
            let outcome = try await Self.buy(SampleCatalog.monthly, in: shop)
            guard case .purchased(_, shop.id, alreadyOwned: true) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
        #expect(try await shop.store.console.takings() == sold)
        #expect(try await shop.entitlement()?.productID == SampleCatalog.yearly)
        #expect(try await shop.next() == ["sold"])
        let periods = try await shop.periods()
        let (old, new) = (periods[0], periods[1])
        #expect(new.sale.productID == SampleCatalog.monthly && !old.state.isRevoked)
        #expect(new.sale.purchaseDate == old.sale.expiresDate)
        #expect(
            new.sale.expiresDate
                == SubscriptionPeriod(unit: .month, value: 1).end(from: new.sale.purchaseDate))
        #expect(
            new.sale.price.milliunits == SampleCatalog.dollars(SampleCatalog.monthly))
        #expect(try await shop.next() == ["sold"])
        #expect(try await shop.periods().last?.sale.productID == SampleCatalog.monthly)
    }

    @Test("buying the plan one has takes a waiting change back, and turns auto-renew on")
    func keep() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.yearly)
        try await Self.buy(SampleCatalog.monthly, in: shop)
        let entries = try await shop.store.entries().count
        let outcome = try await Self.buy(SampleCatalog.yearly, in: shop)
        #expect(outcome.number == shop.id)
        #expect(try await shop.store.entries().count == entries + 1)
        // The same purchase again is no change.
        try await Self.buy(SampleCatalog.yearly, in: shop)
        #expect(try await shop.store.entries().count == entries + 1)
        try await shop.perform(.setAutoRenew(shop.id, false))
        try await Self.buy(SampleCatalog.yearly, in: shop)
        #expect(try await shop.entitlement()?.renews == true)
        #expect(try await shop.next() == ["sold"])
        #expect(try await shop.periods().last?.sale.productID == SampleCatalog.yearly)
    }

    @Test("a crossgrade of the same duration begins at once, of another at the renewal")
    func crossgrade() async throws {
        for (unit, isAtOnce) in [(SubscriptionPeriod.Unit.month, true), (.year, false)] {
            var catalog = SampleCatalog.catalog()
            for index in catalog.products.indices
            where catalog.products[index].id == SampleCatalog.yearly {
                catalog.products[index].subscription?.level = 2
                catalog.products[index].subscription?.period = SubscriptionPeriod(
                    unit: unit, value: 1)
            }
            let shop = try await SubscriptionStore()
            try await shop.store.engine.sell(catalog, digest: "other levels")
            let outcome = try await Self.buy(SampleCatalog.yearly, in: shop)
            #expect((outcome.number != shop.id) == isAtOnce)
            #expect(
                try await shop.entitlement()?.productID
                    == (isAtOnce ? SampleCatalog.yearly : SampleCatalog.monthly))
            #expect(try await shop.next() == ["sold"])
            #expect(try await shop.periods().last?.sale.productID == SampleCatalog.yearly)
        }
    }

    @Test("auto-renew turned off takes a waiting change back")
    func off() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.yearly)
        try await Self.buy(SampleCatalog.monthly, in: shop)
        try await shop.perform(.setAutoRenew(shop.id, false))
        try await shop.perform(.setAutoRenew(shop.id, true))
        #expect(try await shop.next() == ["sold"])
        #expect(try await shop.periods().last?.sale.productID == SampleCatalog.yearly)
    }

    @Test("an approved upgrade ends the plan it replaces")
    func approved() async throws {
        let shop = try await SubscriptionStore()
        _ = try await shop.store.console.changeAccount(
            "aoi", askToBuy: true, canMakePayments: nil, territory: nil)
        let request = try #require(try await Self.buy(SampleCatalog.yearly, in: shop).number)
        #expect(try await shop.entitlement()?.transactionID == shop.id)
        _ = try await shop.store.console.approve(request)
        #expect(try await shop.entitlement()?.transactionID == request)
        #expect(try await shop.periods().first?.state.isUpgraded == true)
    }

    @Test(
        "a payment that was answered by a change is answered the same again, also when that is over",
        arguments: LedgerKind.allCases)
    func answeredAgain(_ kind: LedgerKind) async throws {
        let folder = try TemporaryFolder()
        let ledger = try kind.make(in: folder)
        let store = try await TestStore(ledger: ledger, elapsed: nil)
        let session = store.session()
        let bought = try #require(try await session.purchase(.of(SampleCatalog.yearly)).number)
        let later = Payment.of(SampleCatalog.monthly)
        let back = Payment.of(SampleCatalog.yearly)
        for payment in [later, back, later] {
            let entries = try await store.entries().count
            for _ in 0..<2 {
                let outcome = try await session.purchase(payment)
                guard case .purchased(_, bought, alreadyOwned: true) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                #expect(try await session.outcome(of: payment)?.number == bought)
            }
            // The second time, the store knows the payment and changes nothing.
            #expect(try await store.entries().count <= entries + 1)
        }
        var other = later
        other.quantity = 2
        let error = await #expect(throws: StoreError.self) { try await session.purchase(other) }
        #expect(error?.code == .paymentMismatch)
        // The subscription has expired: the payment still gets its answer, without a charge.
        _ = try await store.console.perform(.expire(bought))
        let sold = try await store.console.takings()
        #expect(try await session.purchase(later).number == bought)
        #expect(try await store.console.takings() == sold)
        let rows = try await ledger.allRows()
        #expect(try rows == Projections(folding: try await ledger.allEntries()))
    }

    @Test("the timeline names both plans of a change, and a new subscription after a lapse")
    func timeline() async throws {
        let shop = try await SubscriptionStore(SampleCatalog.yearly)
        try await Self.buy(SampleCatalog.monthly, in: shop)
        let planned = try #require(try await shop.timeline().items.last)
        #expect(planned.productID == SampleCatalog.yearly)
        #expect(planned.nextProductID == SampleCatalog.monthly)
        #expect(try await shop.next() == ["sold"])
        #expect(try await shop.timeline().items.last?.what == .changedPlan)
        try await shop.perform(.expire(shop.id))
        _ = try await shop.days(3)
        try await Self.buy(SampleCatalog.yearly, in: shop)
        #expect(try await shop.timeline().items.last?.what == .resubscribed)
    }

    @Test("the status says what buying each plan would mean, and buying it does that")
    func preview() async throws {
        let (month, year) = (SampleCatalog.monthly, SampleCatalog.yearly)
        for (owned, wanted, kind, isAtOnce) in [
            (month, year, PlanChange.Kind.upgrade, true), (year, month, .downgrade, false),
        ] {
            let shop = try await SubscriptionStore(owned)
            _ = try await shop.days(10)
            let session = shop.store.session()
            let status = try #require(try await session.subscriptionStatuses().first)
            let present = try #require(status.plans.first { $0.productID == owned })
            #expect(present.kind == .present && present.isPlanned && !present.isAtOnce)
            let change = try #require(status.plans.first { $0.productID == wanted })
            #expect(change.kind == kind && change.isAtOnce == isAtOnce && !change.isPlanned)
            let before = try await shop.periods()
            let end = try #require(before.last?.sale.expiresDate)
            try await Self.buy(wanted, in: shop)
            let now = try await shop.now()
            let after = try #require(try await session.subscriptionStatuses().first)
            if isAtOnce {
                let old = try #require(try await shop.periods().first)
                #expect(change.startsAt == now)
                #expect(change.refund?.milliunits == old.state.revocation?.refundedMilliunits)
                #expect(after.plans.first { $0.productID == wanted }?.kind == .present)
            } else {
                #expect(change.startsAt == end && change.refund == nil)
                #expect(after.plans.first { $0.productID == wanted }?.isPlanned == true)
                #expect(after.plans.first { $0.productID == owned }?.isPlanned == false)
            }
        }
    }

    @Test("the status changes by time alone when the store begins to look for problems [D1]")
    func changesAt() async throws {
        let shop = try await SubscriptionStore()
        let end = try #require(try await shop.periods()[0].sale.expiresDate)
        let status = try #require(
            try await shop.store.session().subscriptionStatuses().first)
        #expect(status.changesAt == end.advanced(byMilliseconds: -10 * Self.day))
        try await shop.perform(.expire(shop.id))
        let over = try #require(try await shop.store.session().subscriptionStatuses().first)
        #expect(over.plans.isEmpty && over.changesAt == nil)
    }
}
