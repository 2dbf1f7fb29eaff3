import StoreCatalog
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Nothing is charged now, and yet the change can be deferred, fail and be answered.
@Suite("changes of plan for later that wait or fail") struct LaterPlanTests {
    private static let (yearly, monthly) = (SampleCatalog.yearly, SampleCatalog.monthly)

    private static func planned(_ shop: SubscriptionStore) async throws -> ProductID? {
        let chain = try await shop.store.ledger.allRows().subscriptions[shop.id]
        return chain?.state.nextProductID
    }

    private static func change(
        _ shop: SubscriptionStore, _ change: AccountChange
    ) async throws {
        try await shop.perform(.changeAccount(change))
    }

    private static func request(_ outcome: PurchaseOutcome) -> TransactionID? {
        if case .pending(let request, _) = outcome { request } else { nil }
    }

    @Test(
        "an approved one is planned, and all payments for it are answered [D1]",
        arguments: [0, 1, 2])
    func approved(by who: Int) async throws {
        let shop = try await SubscriptionStore(Self.yearly)
        let sold = try await shop.store.console.takings()
        try await Self.change(
            shop,
            AccountChange(
                account: "aoi", askToBuy: who == 0 ? true : nil,
                asksBank: who == 1 ? true : nil, interruptsPurchases: who == 2 ? true : nil))
        let session = shop.store.session()
        let first = Payment.of(Self.monthly)
        let joined = Payment.of(Self.monthly)
        let request = try #require(Self.request(try await session.purchase(first)))
        #expect(Self.request(try await session.purchase(joined)) == request)
        #expect(try await Self.planned(shop) == nil)
        let events = try await shop.perform(who == 2 ? .resolve(request) : .approve(request))
        #expect(events.count == 1)
        guard case .subscriptionChanged(let change)? = events.first?.change else {
            Issue.record("\(events)")
            return
        }
        #expect(change.kind == .planChangePlanned && change.nextProductID == Self.monthly)
        #expect(change.isDowngrade == true)
        #expect(
            change.answers
                == AnsweredRequest(
                    paymentID: first.id, productID: Self.monthly, request: request,
                    transaction: shop.id))
        #expect(try await Self.planned(shop) == Self.monthly)
        #expect(try await shop.store.console.pendingRequests().isEmpty)
        for payment in [first, joined] {
            let outcome = try await session.purchase(payment)
            guard case .purchased(_, shop.id, alreadyOwned: true) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
        #expect(try await shop.store.console.takings() == sold)
        // As for a request that was sold, a second approval changes nothing.
        for answer in [OperatorAction.approve(request), .resolve(request)] {
            #expect(try await shop.perform(answer).isEmpty)
        }
        try await session.resolve(request)
        #expect(try await shop.refusal(of: .decline(request)) == .requestNotPending)
        await #expect(throws: StoreError.self) { try await session.withdraw(request) }
        let entries = try await shop.store.entries()
        #expect(try await shop.store.ledger.allRows() == Projections(folding: entries))
        #expect(try await shop.next() == ["sold"])
        #expect(try await shop.periods().last?.sale.productID == Self.monthly)
    }

    @Test("one that is declined or withdrawn changes nothing", arguments: [true, false])
    func declined(isWithdrawn: Bool) async throws {
        let shop = try await SubscriptionStore(Self.yearly)
        try await Self.change(shop, AccountChange(account: "aoi", askToBuy: true))
        let payment = Payment.of(Self.monthly)
        let session = shop.store.session()
        let request = try #require(Self.request(try await session.purchase(payment)))
        if isWithdrawn {
            try await session.withdraw(request)
        } else {
            try await shop.perform(.decline(request))
        }
        #expect(
            try await session.purchase(payment).failure?.code
                == (isWithdrawn ? .requestWithdrawn : .approvalDeclined))
        #expect(try await Self.planned(shop) == nil)
        #expect(try await shop.next() == ["sold"])
        #expect(try await shop.periods().last?.sale.productID == Self.yearly)
    }

    @Test(
        "without payments, and by a fault, it fails and is not planned", arguments: [true, false])
    func failed(isByFault: Bool) async throws {
        let shop = try await SubscriptionStore(Self.yearly)
        if isByFault {
            try await shop.store.console.failNext(.purchase, error: .networkError, count: 1)
        } else {
            try await Self.change(shop, AccountChange(account: "aoi", canMakePayments: false))
        }
        let outcome = try await shop.store.session().purchase(.of(Self.monthly))
        #expect(outcome.failure?.code == (isByFault ? .networkError : .purchaseNotAllowed))
        #expect(try await Self.planned(shop) == nil)
        #expect(try await shop.store.console.faults().isEmpty)
    }

    @Test("keeping the plan that one has asks nobody")
    func keep() async throws {
        let shop = try await SubscriptionStore(Self.yearly)
        let session = shop.store.session()
        _ = try await session.purchase(.of(Self.monthly))
        try await Self.change(
            shop, AccountChange(account: "aoi", askToBuy: true, canMakePayments: false))
        #expect(try await session.purchase(.of(Self.yearly)).number == shop.id)
        #expect(try await Self.planned(shop) == nil)
        #expect(try await shop.store.console.pendingRequests().isEmpty)
    }

    @Test("an approval fails where the renewal would cost another price")
    func otherPrice() async throws {
        let shop = try await SubscriptionStore(Self.yearly)
        try await Self.change(shop, AccountChange(account: "aoi", askToBuy: true))
        let payment = Payment.of(Self.monthly)
        let session = shop.store.session()
        let request = try #require(Self.request(try await session.purchase(payment)))
        var catalog = SampleCatalog.catalog()
        for index in catalog.products.indices where catalog.products[index].id == Self.monthly {
            catalog.products[index].prices = .everywhere(milliunits: 7_990)
        }
        try await shop.store.engine.sell(catalog, digest: "dearer")
        try await shop.perform(.approve(request))
        #expect(try await session.purchase(payment).failure?.code == .priceChanged)
        #expect(try await Self.planned(shop) == nil)
    }

    @Test("an approval fails where the plan is the present one by then")
    func presentByThen() async throws {
        let shop = try await SubscriptionStore(Self.yearly)
        let session = shop.store.session()
        try await Self.change(shop, AccountChange(account: "aoi", askToBuy: true))
        let payment = Payment.of(Self.monthly)
        let request = try #require(Self.request(try await session.purchase(payment)))
        try await shop.perform(.expire(shop.id))
        try await shop.perform(.buyOutside(Self.monthly, account: "aoi", quantity: 1, offer: nil))
        try await shop.perform(.approve(request))
        #expect(try await session.purchase(payment).failure?.code == .alreadyOwned)
    }

    @Test("an approval of what was planned meanwhile answers the payment all the same")
    func plannedMeanwhile() async throws {
        let shop = try await SubscriptionStore(Self.yearly)
        try await Self.change(shop, AccountChange(account: "aoi", askToBuy: true))
        let payment = Payment.of(Self.monthly)
        let session = shop.store.session()
        let request = try #require(Self.request(try await session.purchase(payment)))
        try await shop.perform(
            .buyOutside(Self.monthly, account: "aoi", quantity: 1, offer: nil))
        try await shop.perform(.approve(request))
        #expect(try await session.purchase(payment).number == shop.id)
        #expect(try await Self.planned(shop) == Self.monthly)
    }

    @Test("bought outside the app it is planned too, once, and belongs to no payment")
    func outside() async throws {
        let shop = try await SubscriptionStore(Self.yearly)
        let action = OperatorAction.buyOutside(
            Self.monthly, account: "aoi", quantity: 1, offer: nil)
        let events = try await shop.perform(action)
        guard case .subscriptionChanged(let change)? = events.first?.change else {
            Issue.record("\(events)")
            return
        }
        #expect(change.kind == .planChangePlanned && change.answers == nil)
        #expect(try await Self.planned(shop) == Self.monthly)
        #expect(try await shop.refusal(of: action) == .subscriptionActive)
        #expect(
            try await shop.refusal(
                of: .buyOutside(Self.yearly, account: "aoi", quantity: 1, offer: nil))
                == .subscriptionActive)
        #expect(try await shop.next() == ["sold"])
    }
}
