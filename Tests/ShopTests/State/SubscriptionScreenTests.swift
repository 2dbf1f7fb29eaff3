@testable import Shop
import ShopText
@testable import StoreModel
import Testing

/// Subscriptions on the screens: the state of each, and its actions.
@Suite("subscriptions in the shop") struct SubscriptionScreenTests {
    private static let end = SampleShop.planEnd
    private static let past = SampleShop.now.advanced(byMilliseconds: -2 * 86_400_000)
    private static let sale = TransactionID(1_000_020)

    private static func shop(_ subscription: VerifiedSubscription) -> ShopState {
        var state = SampleShop.full()
        let snapshot = SampleShop.snapshot(with: subscription, of: state)
        state.take([.accountArrived(snapshot)])
        state.statusMessage = nil
        return state
    }

    private static func opened(_ subscription: VerifiedSubscription) -> ShopProbe {
        var probe = ShopProbe(shop(subscription))
        probe.happen(.subscription(.opened))
        return probe
    }

    struct Row: Sendable, CustomStringConvertible {
        var name: String
        var subscription: VerifiedSubscription
        var standing: PlanStanding
        var section: LibrarySection?
        /// The screen's actions, without the plans.
        var actions: [SubscriptionChoice]
        var description: String { name }
    }

    private static let rows: [Row] = [
        Row(
            name: "renews", subscription: SampleShop.subscription(), standing: .renews(end),
            section: .timed, actions: [.cancel]),
        Row(
            name: "auto-renew off", subscription: SampleShop.subscription(autoRenews: false),
            standing: .ends(end), section: .timed, actions: [.resume]),
        Row(
            name: "auto-renew off, with the next period charged ahead",
            subscription: SampleShop.subscription(
                autoRenews: false, paidUntil: end.advanced(byMilliseconds: 31 * 86_400_000)),
            standing: .ends(end.advanced(byMilliseconds: 31 * 86_400_000)), section: .timed,
            actions: [.resume]),
        Row(
            name: "planned change", subscription: SampleShop.subscription(next: "plus.year"),
            standing: .changes(to: "plus.year", at: end), section: .timed,
            actions: [.keepPlan, .cancel]),
        Row(
            name: "payment fails", subscription: SampleShop.subscription(problem: .billingFailed),
            standing: .paymentFails(until: end), section: .attention, actions: [.payNow, .cancel]
        ),
        Row(
            name: "grace",
            subscription: SampleShop.subscription(.inGracePeriod, problem: .billingFailed),
            standing: .grace(until: past.advanced(byMilliseconds: 16 * 86_400_000)),
            section: .attention, actions: [.payNow, .cancel]),
        Row(
            name: "billing retry",
            subscription: SampleShop.subscription(.inBillingRetryPeriod, problem: .billingFailed),
            standing: .retrying, section: .attention, actions: [.payNow, .cancel]),
        Row(
            name: "price increase",
            subscription: SampleShop.subscription(problem: .priceConsentNeeded),
            standing: .priceIncrease(by: end), section: .attention,
            actions: [.acceptPrice, .declinePrice]),
        Row(
            name: "not for sale",
            subscription: SampleShop.subscription(problem: .productUnavailable),
            standing: .notForSale(until: end), section: .attention, actions: [.cancel]),
        Row(
            name: "expired",
            subscription: SampleShop.subscription(.expired, reason: .billingError),
            standing: .expired(.billingError, at: past), section: .ended,
            actions: [.resubscribe]),
        Row(
            name: "revoked", subscription: SampleShop.subscription(.revoked),
            standing: .revoked(at: SampleShop.now), section: .ended, actions: [.resubscribe]),
        Row(
            name: "shared", subscription: SampleShop.subscription(isShared: true),
            standing: .renews(end), section: .timed, actions: []),
        Row(
            name: "shared, in its owner's grace period",
            subscription: SampleShop.subscription(.inGracePeriod, isShared: true),
            standing: .grace(until: past.advanced(byMilliseconds: 16 * 86_400_000)),
            section: .timed, actions: []),
        Row(
            name: "shared, unpaid by its owner",
            subscription: SampleShop.subscription(.inBillingRetryPeriod, isShared: true),
            standing: .retrying, section: .ended, actions: []),
    ]

    @Test("the own subscription is shown, unless it is over and a shared one of its group is not")
    func precedence() {
        let rows: [(own: RenewalState, shared: RenewalState, isShared: Bool)] = [
            (.subscribed, .subscribed, false), (.inBillingRetryPeriod, .subscribed, false),
            (.expired, .inBillingRetryPeriod, true), (.expired, .expired, false),
        ]
        for row in rows {
            let both = [
                SampleShop.subscription(row.own),
                SampleShop.subscription(row.shared, isShared: true),
            ].compactMap { AccountSubscription($0) }
            for order in [both, both.reversed()] {
                var snapshot = SampleShop.full().snapshot
                snapshot.subscriptions = [:]
                for subscription in order { snapshot.add(subscription) }
                let shown = snapshot.subscriptions["plus"]
                #expect(shown?.isShared == row.isShared, "\(row)")
                #expect(shown?.sharedBy == (row.isShared ? "kai" : nil))
            }
        }
    }

    @Test(
        "a member can buy what is shared, and has no action of its owner",
        arguments: [RenewalState.subscribed, .inGracePeriod])
    func shared(_ state: RenewalState) throws {
        let shared = SampleShop.subscription(state, isShared: true)
        var probe = ShopProbe(Self.shop(shared))
        var snapshot = SampleShop.snapshot(with: shared, of: probe.state)
        let entitled = try #require(snapshot.entitlements["plus.month"])
        snapshot.family = FamilyStatus(
            shares: [
                .init(
                    transactionID: entitled.transactionID, productID: "plus.month", owner: "kai")
            ])
        probe.happen(.accountArrived(snapshot))
        let month = try #require(probe.state.productList.product("plus.month"))
        let year = try #require(probe.state.productList.product("plus.year"))
        guard case .plan = probe.state.status(of: month) else {
            Issue.record("\(probe.state.status(of: month))")
            return
        }
        #expect(probe.state.refusal(toBuy: month) == nil)
        #expect(!probe.state.pageButtons(for: month).contains(.buy))
        guard case .groupTaken(by: "plus.month", _) = probe.state.status(of: year) else {
            Issue.record("\(probe.state.status(of: year))")
            return
        }
        #expect(probe.state.troubledSubscriptions.isEmpty)
    }

    @Test(
        "a subscription stands where the store says, is listed there, offers what helps [D4, D6]",
        arguments: rows)
    func standing(_ row: Row) throws {
        var probe = Self.opened(row.subscription)
        let open = try #require(probe.state.openSubscription)
        #expect(open.standing == row.standing)
        #expect(probe.state.librarySection(of: "plus.month") == row.section)
        #expect(probe.state.isOwned("plus.month") == open.hasAccess)
        let plans = ["plus.month", "plus.year"].map { SubscriptionChoice.plan($0) }
        #expect(probe.state.choices(for: open) == row.actions + (open.isShared ? [] : plans))
        // An Enter too many carries out none of the actions.
        #expect(
            probe.state.selectedSubscriptionChoice == (open.isShared ? nil : .plan("plus.month")))
        #expect(probe.state.troubledSubscriptions.isEmpty == !open.needsAttention)
        // A subscription with a problem is listed first, whatever was selected before.
        if open.needsAttention {
            probe.happen(.viewChosen(.library))
            probe.happen(.selectionMoved(.first))
            #expect(probe.state.selectedProduct?.id == "plus.month")
        }
    }

    struct Deed: Sendable, CustomStringConvertible {
        var choice: SubscriptionChoice
        var subscription: VerifiedSubscription
        /// Whether the shop asks before it acts.
        var asks: Bool
        var action: OperatorAction
        var description: String { "\(choice)" }
    }

    private static let deeds = [
        Deed(
            choice: .cancel, subscription: SampleShop.subscription(), asks: true,
            action: .setAutoRenew(sale, false)),
        Deed(
            choice: .resume, subscription: SampleShop.subscription(autoRenews: false),
            asks: false, action: .setAutoRenew(sale, true)),
        Deed(
            choice: .payNow,
            subscription: SampleShop.subscription(.inGracePeriod, problem: .billingFailed),
            asks: true, action: .resolveBilling(sale)),
        Deed(
            choice: .acceptPrice,
            subscription: SampleShop.subscription(problem: .priceConsentNeeded), asks: false,
            action: .priceIncrease(sale, .consent)),
        Deed(
            choice: .declinePrice,
            subscription: SampleShop.subscription(problem: .priceConsentNeeded), asks: true,
            action: .priceIncrease(sale, .decline)),
    ]

    @Test("what takes something away or charges asks first; No changes nothing", arguments: deeds)
    func doing(_ deed: Deed) {
        var probe = Self.opened(deed.subscription)
        while probe.state.selectedSubscriptionChoice != deed.choice {
            probe.happen(.selectionMoved(.up))
        }
        guard deed.asks else {
            #expect(probe.happen(.confirmed) == [.perform(deed.action)])
            return
        }
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.happen(.confirmed) == [], "No is chosen")
        #expect(probe.state.sheet == nil)
        probe.happen(.confirmed)
        probe.happen(.choiceMoved(1))
        #expect(probe.happen(.confirmed) == [.perform(deed.action)])
    }

    @Test("without a network nothing is asked of the store")
    func offline() {
        var state = Self.shop(SampleShop.subscription(autoRenews: false))
        state.snapshot.whyOffline = .networkIsOff
        var probe = ShopProbe(state)
        probe.happen(.subscription(.opened))
        probe.happen(.selectionMoved(.up))
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.state.statusMessage?.what == .trouble(.networkIsOff))
    }

    @Test(
        "what was selected and is gone leaves a choice selected that asks before it does anything")
    func gone() {
        var probe = Self.opened(SampleShop.subscription())
        probe.happen(.selectionMoved(.up))
        probe.happen(.confirmed)
        probe.happen(.wentBack)
        let off = SampleShop.subscription(autoRenews: false)
        probe.happen(.accountArrived(SampleShop.snapshot(with: off, of: probe.state)))
        #expect(probe.state.selectedSubscriptionChoice == .plan("plus.month"), "not .resume")
        #expect(
            !probe.happen(.confirmed).contains { if case .perform = $0 { true } else { false } })
        #expect(Self.isConfirmChosen(probe) == false)
    }

    @Test("where nothing asks first, nothing is selected, and Enter does nothing")
    func goneWithoutDialogs() {
        var probe = Self.opened(SampleShop.subscription())
        var settings = SampleShop.settings()
        settings.disablesDialogs = true
        probe.happen(.updateArrived(.event(.accountChanged(settings))))
        probe.happen(.selectionMoved(.up))
        probe.happen(.confirmed)
        probe.happen(.wentBack)
        let off = SampleShop.subscription(autoRenews: false)
        probe.happen(.accountArrived(SampleShop.snapshot(with: off, of: probe.state)))
        #expect(probe.state.selectedSubscriptionChoice == nil)
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.state.sheet == nil)
        probe.happen(.selectionMoved(.down))
        #expect(probe.state.selectedSubscriptionChoice == .resume)
    }

    struct Gone: Sendable, CustomStringConvertible {
        var choice: SubscriptionChoice
        var before: VerifiedSubscription
        var after: VerifiedSubscription
        var marked: SubscriptionChoice
        var description: String { "\(choice), then \(marked)" }
    }

    private static let unpaid = SampleShop.subscription(.inGracePeriod, problem: .billingFailed)
    private static let goneRows = [
        Gone(choice: .payNow, before: unpaid, after: SampleShop.subscription(), marked: .cancel),
        Gone(
            choice: .payNow, before: unpaid,
            after: SampleShop.subscription(.expired, reason: .billingError), marked: .resubscribe),
        Gone(
            choice: .declinePrice, before: SampleShop.subscription(problem: .priceConsentNeeded),
            after: SampleShop.subscription(), marked: .cancel),
        Gone(
            choice: .cancel, before: SampleShop.subscription(),
            after: SampleShop.subscription(autoRenews: false), marked: .plan("plus.month")),
    ]

    @Test(
        "a question closes when what it asks about has gone, and a row stays marked",
        arguments: goneRows)
    func questionCloses(_ row: Gone) {
        var probe = Self.opened(row.before)
        while probe.state.selectedSubscriptionChoice != row.choice {
            probe.happen(.selectionMoved(.up))
        }
        probe.happen(.confirmed)
        probe.happen(.choiceMoved(1))
        let same = SampleShop.snapshot(with: row.before, of: probe.state)
        probe.happen(.accountArrived(same))
        #expect(probe.state.focus == .questionSheet, "it is still there")
        let effects = probe.happen(
            .accountArrived(SampleShop.snapshot(with: row.after, of: probe.state)))
        #expect(probe.state.sheet == nil)
        #expect(probe.state.selectedSubscriptionChoice == row.marked)
        // The Enter that answered Yes may arrive after that.
        let late = effects + probe.happen(.confirmed)
        #expect(
            !late.contains {
                switch $0 {
                case .perform, .purchase: true
                default: false
                }
            }, "\(late)")
    }

    @Test("after the payment of this shop a row is marked, too")
    func paid() {
        var probe = Self.opened(Self.unpaid)
        probe.happen(.subscription(.pointed(.payNow)))
        probe.happen(.confirmed)
        probe.happen(.choiceMoved(1))
        #expect(probe.happen(.confirmed) == [.perform(.resolveBilling(Self.sale))])
        probe.happen(
            .accountArrived(
                SampleShop.snapshot(with: SampleShop.subscription(), of: probe.state)))
        #expect(probe.state.selectedSubscriptionChoice == .cancel)
    }

    // MARK: - Plans

    @Test("a plan for later charges nothing, says so, and is announced by its event, not as bought")
    func later() throws {
        var probe = ShopProbe(Self.shop(SampleShop.subscription()))
        let row = probe.state.productList.row(of: "plus.year") ?? 0
        probe.happen(.list(.pointed(row: row)))
        #expect(probe.happen(.buyChosen) == [])
        guard case .payment(let sheet) = probe.state.sheet else {
            Issue.record("no sheet")
            return
        }
        #expect(sheet.isLater && sheet.change?.startsAt == Self.end)
        probe.happen(.choiceMoved(1))
        let effects = probe.happen(.confirmed)
        guard case .purchase(let payment)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(probe.state.statusMessage?.what == .changingPlan(name: "Lantern Plus, yearly"))
        // The store's answer is the present transaction, which the observer delivers again.
        var present = SampleShop.payload("plus.month", 1_000_020)
        present.type = .autoRenewable
        probe.happen(
            .updateArrived(.transaction(.verified(present), signed: "a.b.c", isNew: false)))
        probe.happen(
            .purchaseAnswered(payment, .purchased("a.b.c", id: Self.sale, alreadyOwned: true)))
        #expect(probe.state.statusMessage == nil)
        let event = SubscriptionEvent(
            kind: .planChangePlanned, chain: Self.sale, productID: "plus.month", until: Self.end,
            nextProductID: "plus.year")
        probe.happen(.updateArrived(.event(.subscriptionChanged(event))))
        #expect(
            probe.state.statusMessage?.what
                == .subscription(event, name: "Lantern Plus", next: "Lantern Plus, yearly"))
        let planned = SampleShop.subscription(next: "plus.year")
        probe.happen(.accountArrived(SampleShop.snapshot(with: planned, of: probe.state)))
        #expect(try probe.state.status("plus.year") == .planned(from: Self.end))
        #expect(
            try probe.state.status("plus.month") == .plan(.changes(to: "plus.year", at: Self.end)))
    }

    @Test("an upgrade asks anew what is given back; a change meanwhile sets the choice to Cancel")
    func upgrade() {
        let upgrading = SampleShop.subscription(plans: [SampleShop.upgrade()])
        var probe = ShopProbe(Self.shop(upgrading))
        let row = probe.state.productList.row(of: "plus.year") ?? 0
        probe.happen(.list(.pointed(row: row)))
        #expect(probe.happen(.buyChosen) == [.refreshAccount])
        probe.happen(.choiceMoved(1))
        probe.happen(.accountArrived(SampleShop.snapshot(with: upgrading, of: probe.state)))
        #expect(Self.isConfirmChosen(probe) == true, "it would do the same")
        let other = SampleShop.subscription()
        probe.happen(.accountArrived(SampleShop.snapshot(with: other, of: probe.state)))
        #expect(Self.isConfirmChosen(probe) == false)
    }

    private static func isConfirmChosen(_ probe: ShopProbe) -> Bool? {
        if case .payment(let sheet) = probe.state.sheet { sheet.isConfirmChosen } else { nil }
    }

    @Test("buying the plan one has is refused where nothing would change, and says so")
    func keep() {
        for (subscription, mayBuy) in [
            (SampleShop.subscription(), false), (SampleShop.subscription(autoRenews: false), true),
            (SampleShop.subscription(next: "plus.year"), true),
        ] {
            var probe = ShopProbe(Self.shop(subscription))
            probe.happen(
                .list(.pointed(row: probe.state.productList.row(of: "plus.month") ?? 0)))
            probe.happen(.buyChosen)
            #expect((probe.state.sheet != nil) == mayBuy)
            if !mayBuy {
                #expect(
                    probe.state.statusMessage?.what
                        == .refused(.alreadyYourPlan(name: "Lantern Plus")))
            }
        }
    }

    @Test("a month of each plan is compared")
    func compared() {
        let list = SampleShop.full().productList
        #expect(list.monthlyPrices["plus.month"] == nil, "its own price says it")
        #expect(list.monthlyPrices["plus.year"]?.milliunits == 3000)
        let yen = SampleShop.full(locale: "ja_JP").productList
        #expect(yen.monthlyPrices["plus.year"]?.milliunits == 483_000)
    }

    /// A plan's price and period, and its price for a month.
    static let monthly: [(Int64, String, String, Int64?)] = [
        (2_900_000, "JPY", "P6M", 483_000), (5_800_000, "JPY", "P1Y", 483_000),
        (5_810_000, "JPY", "P1Y", 484_000), (9_990, "USD", "P1Y", 830), (9_980, "USD", "P1Y", 830),
        (1_240, "KWD", "P1Y", 103), (1_000, "USD", "P1W", 4_350), (3_000, "JPY", "P1Y", nil),
        (990, "USD", "P1M", nil),
    ]

    @Test("a month of a plan is the nearest amount of its currency", arguments: monthly)
    func nearestMonth(price: Int64, currency: String, period: String, month: Int64?) {
        let plans = [period, "P3M"].map { text in
            var plan = Product(
                id: ProductID(text), type: .autoRenewable, displayName: text,
                price: Money(milliunits: price, currency: currency), priceLocale: "en_US")
            plan.subscription = SubscriptionInfo(
                groupID: "g", groupName: "G", level: 1,
                period: SubscriptionPeriod(iso8601: text))
            return plan
        }
        #expect(
            ProductList.monthlyPrices(of: plans)[ProductID(period)]
                == month.map { Money(milliunits: $0, currency: currency) })
    }

    // MARK: - Offers

    /// Two offers of the yearly plan and one of the monthly plan that the account has.
    private static let yearlyOffers = [
        offer(.promotional, "half", .year), offer(.winBack, "back", .month),
        offer(.promotional, "never", .year, refusal: .switchedOff),
        offer(.code, "code", .month), offer(.introductory, nil, .week),
    ]
    private static let monthlyOffers = [offer(.promotional, "stay", .month)]

    private static func offer(
        _ kind: OfferKind, _ id: OfferID?, _ unit: SubscriptionPeriod.Unit,
        refusal: OfferRefusal? = nil
    ) -> OfferAnswer {
        OfferAnswer(
            offer: Offer(
                kind: kind, id: id, mode: .payAsYouGo,
                period: SubscriptionPeriod(unit: unit, value: 1),
                price: Money(milliunits: 990, currency: "USD")), refusal: refusal)
    }

    /// The screen is open; the plans have offers, and the yearly plan has two billing plans.
    private static func offered(_ subscription: VerifiedSubscription) -> ShopProbe {
        var probe = ShopProbe(shop(subscription))
        var answer = SampleShop.withOffers(probe.state)
        for (index, product) in answer.products.enumerated() {
            let offers = ["plus.year": yearlyOffers, "plus.month": monthlyOffers][product.id]
            guard let offers else { continue }
            answer.products[index].subscription?.offers = offers.map(\.offer)
        }
        probe.happen(.productsArrived(answer))
        #expect(
            probe.happen(.subscription(.opened)) == [
                .manageSubscriptions(sale), .readTimeline(sale), .findOffers("plus.month"),
                .findOffers("plus.year"),
            ])
        probe.happen(.paymentSheet(.offersArrived("plus.month", monthlyOffers)))
        probe.happen(.paymentSheet(.offersArrived("plus.year", yearlyOffers)))
        return probe
    }

    private static let stay = SubscriptionChoice.offer(
        "plus.month", PaymentOffer(kind: .promotional, id: "stay"))
    private static let half = SubscriptionChoice.offer(
        "plus.year", PaymentOffer(kind: .promotional, id: "half"))
    private static let back = SubscriptionChoice.offer(
        "plus.year", PaymentOffer(kind: .winBack, id: "back"))

    struct OfferRow: Sendable, CustomStringConvertible {
        var name: String
        var subscription: VerifiedSubscription
        /// The listed offers, in order.
        var offers: [SubscriptionChoice]
        var description: String { name }
    }

    private static let offerRows = [
        OfferRow(
            name: "renews", subscription: SampleShop.subscription(), offers: [stay, half, back]),
        OfferRow(
            name: "auto-renew off", subscription: SampleShop.subscription(autoRenews: false),
            offers: [stay, half, back]),
        OfferRow(
            name: "expired", subscription: SampleShop.subscription(.expired),
            offers: [stay, half, back]),
        // A purchase pays the overdue renewal, with the rest of the renewal's own offer.
        OfferRow(
            name: "grace",
            subscription: SampleShop.subscription(.inGracePeriod, problem: .billingFailed),
            offers: []),
    ]

    @Test(
        "the offers that the account can take are listed once each, before the plans",
        arguments: offerRows)
    func offersAreListed(_ row: OfferRow) throws {
        let state = Self.offered(row.subscription).state
        let choices = state.choices(for: try #require(state.openSubscription))
        #expect(choices.filter { $0.offer != nil } == row.offers)
        #expect(choices.suffix(2) == [.plan("plus.month"), .plan("plus.year")])
    }

    @Test("an offer opens the payment sheet with its terms, Cancel chosen, and is paid for by name")
    func offerIsTaken() throws {
        for (choice, subscription, isLater) in [
            (Self.stay, SampleShop.subscription(), true),
            (Self.half, SampleShop.subscription(next: "plus.year"), true),
            (Self.back, SampleShop.subscription(.expired), false),
        ] {
            var probe = Self.offered(subscription)
            probe.happen(.subscription(.pointed(choice)))
            #expect(probe.state.selectedSubscriptionChoice == choice)
            probe.happen(.confirmed)
            guard case .payment(let sheet)? = probe.state.sheet else {
                Issue.record("no sheet for \(choice)")
                continue
            }
            #expect(sheet.chosenTerms.asked == choice.offer && !sheet.isConfirmChosen)
            #expect(sheet.isLater == isLater)
            // A later offer is for the present plan, so the sheet lists no terms without an offer.
            #expect(sheet.terms.contains { $0.asked == nil } == !isLater)
            probe.happen(.choiceMoved(1))
            let payments = probe.happen(.confirmed).compactMap { effect in
                if case .purchase(let payment) = effect { payment } else { nil }
            }
            #expect(payments.map(\.offer) == [choice.offer])
            #expect(payments.map(\.productID) == [choice.product])
        }
    }

    @Test("an offer that the store refuses now is gone, and the choice with it")
    func offerIsGone() {
        var probe = Self.offered(SampleShop.subscription())
        probe.happen(.subscription(.pointed(Self.stay)))
        let off = SampleShop.subscription(autoRenews: false)
        let effects = probe.happen(
            .accountArrived(SampleShop.snapshot(with: off, of: probe.state)))
        #expect(effects.contains(.findOffers("plus.month")), "what it can have may be another")
        var refused = Self.monthlyOffers
        refused[0].refusal = .stillSubscribed
        probe.happen(.paymentSheet(.offersArrived("plus.month", refused)))
        #expect(probe.state.selectedSubscriptionChoice == nil)
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.state.sheet == nil)
    }

    // MARK: - Past events

    @Test("what happened is read once at a time, and again after what happens meanwhile")
    func timeline() {
        var probe = ShopProbe(Self.shop(SampleShop.subscription()))
        #expect(
            probe.happen(.subscription(.opened))
                == [.manageSubscriptions(Self.sale), .readTimeline(Self.sale)])
        let event = SubscriptionEvent(
            kind: .priceIncreaseAsked, chain: Self.sale, productID: "plus.month")
        #expect(
            !probe.happen(.updateArrived(.event(.subscriptionChanged(event))))
                .contains(.readTimeline(Self.sale)))
        let arrived = ShopAction.subscription(.timelineArrived(Self.sale, SampleShop.timeline()))
        #expect(probe.happen(arrived) == [.readTimeline(Self.sale)])
        #expect(probe.happen(arrived) == [])
        #expect(probe.state.subscription.timeline?.items.isEmpty == false)
    }

    @Test("the shop wakes when the store's answer changes by time alone, and not before")
    func wake() throws {
        var subscription = SampleShop.subscription()
        let check = SampleShop.now.advanced(byMilliseconds: 20 * 86_400_000)
        subscription.status.changesAt = check
        #expect(Self.shop(subscription).deadlines.nextEnd == check)
    }

    @Test("what is not verified says nothing")
    func unverified() {
        let state = Self.shop(SampleShop.subscription(isVerified: false))
        #expect(state.snapshot.subscriptions.isEmpty)
    }

    @Test("the screen opens at the problem from anywhere, and says where there is nothing [D4, D6]")
    func opening() {
        var none = SampleShop.empty()
        none.snapshot.areSubscriptionsKnown = true
        var probe = ShopProbe(none)
        probe.happen(.subscription(.opened))
        #expect(probe.state.statusMessage?.what == .refused(.noSubscription))
        let failing = SampleShop.subscription(.inGracePeriod, problem: .billingFailed)
        probe = ShopProbe(Self.shop(failing))
        probe.happen(.viewChosen(.history))
        probe.happen(.subscription(.opened))
        #expect(probe.state.screen == .subscription("plus"))
        probe.happen(.wentBack)
        #expect(probe.state.screen == .history)
    }

    // MARK: - The console

    @Test("in the console the palette acts on the subscription whose next step is selected")
    func console() throws {
        let item = UpcomingItem(
            at: Self.end, account: "kai", productID: "plus.month", chain: TransactionID(77),
            kind: .renewal)
        var probe = ShopProbe(SampleShop.full())
        probe.happen(.consoleToggled)
        probe.happen(.scheduleArrived([item], .system))
        probe.happen(.console(.pointed(.upcoming, row: 0)))
        probe.happen(.palette(.opened))
        guard case .palette(let palette) = probe.state.sheet else {
            Issue.record("no palette")
            return
        }
        #expect(palette.product == "plus.month")
        for action: OperatorAction in [
            .renew(item.chain), .expire(item.chain), .resolveBilling(item.chain),
            .priceIncrease(item.chain, .ask), .extend(item.chain, days: 7),
            .setAutoRenew(item.chain, false), .cancelSubscription(item.chain),
        ] { #expect(palette.actions.contains(action), "\(action)") }
        // The palette closes when the due item that it acts on is gone.
        probe.happen(.scheduleArrived([], .system))
        #expect(probe.state.sheet == nil)
    }
}
