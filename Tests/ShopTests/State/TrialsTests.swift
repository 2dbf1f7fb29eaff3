@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// Ticks of trials by the history, and the screen of the list.
@Suite struct TrialsTests {
    private static let dollar = Money(milliunits: 990, currency: "USD")

    private static func sale(
        _ id: Int64, _ product: ProductID, _ type: ProductType = .consumable,
        payment: PaymentID? = SampleShop.payment(1), quantity: Int = 1, price: Money = dollar,
        reason: TransactionPayload.Reason = .purchase, of chain: Int64? = nil,
        mode: OfferMode? = nil, offer: OfferKind? = nil,
        ownership: TransactionPayload.Ownership = .purchased
    ) -> PastSale {
        PastSale(
            id: TransactionID(id), originalID: TransactionID(chain ?? id), productID: product,
            type: type, quantity: quantity, price: price, payment: payment, reason: reason,
            ownership: ownership, purchasedAt: SampleShop.now, storefront: "USA", offerMode: mode,
            offerKind: offer)
    }

    /// In the ledger's order.
    private static func lines(
        _ changes: [StoreEvent.Change], of accounts: [AccountName?] = []
    ) -> [LogLine] {
        changes.enumerated().map { number, change in
            .event(
                StoreEvent(
                    cursor: FeedCursor(epoch: 1, position: Int64(number + 1)), at: SampleShop.now,
                    account: accounts.isEmpty ? "aoi" : accounts[number], device: "phone",
                    change: change))
        }
    }

    /// In the log of a device of `aoi`.
    private static func logged(_ what: DeviceLogEntry.What) -> LogLine {
        .entry(DeviceLogEntry(number: 1, at: SampleShop.now, what: what))
    }

    private static func ticks(
        _ seen: [String], _ link: Trial.Link = .transaction, in lines: [LogLine],
        after settings: [AccountName: AccountSettings] = [:]
    ) -> [LogLine]? {
        let text = TrialText(["en": "x"])
        let trial = Trial(id: "x", area: "a", title: text, how: text, seen: seen, link: link)
        let list = TrialList(trials: [trial])
        return TrialTicks(list, in: lines, of: "aoi", after: settings).evidence["x"]
    }

    @Test(
        "a sale is told by its type, offer, quantity, price and origin [I1]",
        arguments: [
            ("is:consumable", sale(1, "a")), ("is:nonConsumable", sale(1, "a", .nonConsumable)),
            ("is:autoRenewable is:freeTrial", sale(1, "a", .autoRenewable, mode: .freeTrial)),
            ("is:several", sale(1, "a", quantity: 2)),
            ("is:free", sale(1, "a", price: Money(milliunits: 0, currency: "USD"))),
            ("is:outside", sale(1, "a", payment: nil)),
            ("is:shared", sale(1, "a", payment: nil, ownership: .familyShared)),
            ("kind:renewed", sale(1, "a", .autoRenewable, payment: nil, reason: .renewal)),
        ])
    func facts(filter: String, sale: PastSale) {
        let plain = Self.sale(2, "b", .nonRenewing)
        let lines = Self.lines([.sold(plain), .sold(sale)])
        #expect(Self.ticks([filter], in: lines) == [lines[1]])
    }

    @Test("a sequence is one transaction's, in order, and its first lines stay the evidence")
    func sequence() {
        let (one, two) = (Self.sale(1, "a"), Self.sale(2, "b"))
        let seen = ["kind:sold", "kind:finished"]
        let other = Self.lines([.sold(one), .finished(TransactionID(2))])
        #expect(Self.ticks(seen, in: other) == nil)
        #expect(Self.ticks(seen, .nothing, in: other) == other)
        let backwards = Self.lines([.finished(TransactionID(1)), .sold(one)])
        #expect(Self.ticks(seen, in: backwards) == nil)
        let all = Self.lines([
            .sold(one), .sold(two), .finished(TransactionID(2)), .finished(TransactionID(1)),
        ])
        #expect(Self.ticks(seen, in: all) == [all[1], all[2]])
    }

    @Test("a renewal belongs to its subscription, and a request to the sale that it becomes")
    func chains() {
        let first = Self.sale(1, "a", .autoRenewable)
        let next = Self.sale(2, "a", .autoRenewable, payment: nil, reason: .renewal, of: 1)
        let renewed = Self.lines([.sold(first), .sold(next)])
        #expect(Self.ticks(["kind:sold", "kind:renewed"], in: renewed) == renewed)
        let payment = SampleShop.waiting.payment
        let approved = Self.lines([
            .deferred(payment, request: TransactionID(5), reason: .askToBuy),
            .sold(Self.sale(5, "a")),
        ])
        #expect(Self.ticks(["kind:deferred is:askToBuy", "kind:sold"], in: approved) == approved)
    }

    @Test("within a subscription a sale answers its request, and comes back under its own number")
    func ownNumbers() {
        let payment = SampleShop.waiting.payment
        let asked = StoreEvent.Change.deferred(
            payment, request: TransactionID(5), reason: .interrupted)
        let sale = Self.sale(5, "a", .autoRenewable, of: 1)
        let next = Self.sale(6, "a", .autoRenewable, payment: nil, reason: .renewal, of: 1)
        let answered = Self.lines([asked, .sold(sale), .sold(next)])
        #expect(
            Self.ticks(["is:interrupted", "kind:sold"], in: answered) == Array(answered[...1]))
        #expect(
            Self.ticks(["is:interrupted", "kind:sold is:inApp", "kind:renewed"], in: answered)
                == answered)
        let back = [answered[1], Self.logged(.finishedAtLaunch(TransactionID(5), "a"))]
        #expect(Self.ticks(["kind:sold", "is:finishedAtLaunch"], in: back) == back)
        let other = [answered[1], Self.logged(.finishedAtLaunch(TransactionID(6), "a"))]
        #expect(Self.ticks(["kind:sold", "is:finishedAtLaunch"], in: other) == nil)
        let refund = RefundRequest(
            transactionID: TransactionID(5), account: "aoi", device: "phone", productID: "a",
            reason: .other, askedAt: SampleShop.now)
        let refunded = Self.lines([
            .sold(Self.sale(1, "a", .autoRenewable)), .sold(sale), .refundRequested(refund),
        ])
        #expect(
            Self.ticks(["kind:sold", "kind:refundRequested"], in: refunded)
                == Array(refunded[1...]))
        let planned = SubscriptionEvent(
            kind: .planChangePlanned, chain: TransactionID(1), productID: "a",
            answers: AnsweredRequest(
                paymentID: payment.id, productID: "a", request: TransactionID(5),
                transaction: TransactionID(1)))
        let changed = Self.lines([asked, .subscriptionChanged(planned)])
        #expect(Self.ticks(["kind:deferred", "kind:planChange"], in: changed) == changed)
    }

    @Test(
        "another account's lines complete no trial; a line of all accounts belongs to each",
        arguments: [Trial.Link.product, .nothing])
    func accounts(link: Trial.Link) {
        let sales = [StoreEvent.Change.sold(Self.sale(1, "a")), .sold(Self.sale(2, "a"))]
        let seen = ["kind:sold", "kind:sold"]
        let others = Self.lines(sales, of: ["aoi", "kai"])
        #expect(Self.ticks(seen, link, in: others) == nil)
        let own = Self.lines(sales, of: ["kai", "kai"])
        #expect(Self.ticks(seen, link, in: own) == own)
        let downloaded = Self.logged(
            .downloaded("a", contentID: "text", version: "1", bytes: 1))
        for (account, isSeen) in [("aoi", true), ("kai", false)] {
            let lines = Self.lines([sales[0]], of: [AccountName(account)]) + [downloaded]
            #expect(
                Self.ticks(["kind:sold", "is:downloaded"], link, in: lines)
                    == (isSeen ? lines : nil))
        }
        let revised = Self.lines([sales[0], .catalogRevised(revision: 2)], of: ["kai", nil])
        let catalogs = ["kind:sold", "kind:catalogRevised"]
        #expect(Self.ticks(catalogs, .nothing, in: revised) == revised)
        let earlier = Self.lines([.catalogRevised(revision: 2), sales[0]], of: [nil, "kai"])
        #expect(Self.ticks(catalogs.reversed(), .nothing, in: earlier) == earlier)
    }

    private static func settings(_ territory: String, pays: Bool = true) -> StoreEvent.Change {
        var settings = AccountSettings(name: "JPN", territory: territory)
        settings.canMakePayments = pays
        settings.locale = "ja_JPN"
        return .accountChanged(settings)
    }

    @Test("a change of an account tells what it changed, also of what was before the lines [I1]")
    func changedSettings() {
        let lines = Self.lines([
            Self.settings("USA"), Self.settings("JPN"), Self.settings("JPN", pays: false),
            Self.settings("JPN", pays: false), Self.settings("USA"), Self.settings("JPN"),
        ])
        #expect(Self.ticks(["is:JPN", "is:JPN"], .nothing, in: lines) == [lines[1], lines[5]])
        #expect(Self.ticks(["is:paymentsOff", "is:paymentsOff"], .nothing, in: lines) == nil)
        #expect(Self.ticks(["is:paymentsOff"], in: lines) == [lines[2]])
        let later = Array(lines[2...3])
        var before = AccountSettings(name: "JPN", territory: "JPN")
        #expect(Self.ticks(["is:JPN"], in: later, after: ["JPN": before]) == nil)
        #expect(Self.ticks(["is:paymentsOff"], in: later, after: ["JPN": before]) == [later[0]])
        before.canMakePayments = false
        #expect(Self.ticks(["is:paymentsOff"], in: later, after: ["JPN": before]) == nil)
        #expect(Self.ticks(["is:JPN"], in: later, after: ["kai": before]) == [later[0]])
    }

    /// A filter, what it is seen by, and what is like it.
    static let neighbours: [(String, StoreEvent.Change, StoreEvent.Change)] = [
        (
            "kind:catalogRevised is:offSale", .catalogRevised(revision: 2, takesOffSale: true),
            .catalogRevised(revision: 3)
        ),
        ("kind:accountChanged is:JPN", settings("JPN"), settings("USA")),
        ("kind:accountChanged is:paymentsOff", settings("USA", pays: false), settings("USA")),
        (
            "kind:planChange is:downgrade",
            .subscriptionChanged(
                SubscriptionEvent(
                    kind: .planChangePlanned, chain: TransactionID(1), productID: "a",
                    isDowngrade: true)),
            .subscriptionChanged(
                SubscriptionEvent(
                    kind: .planChangePlanned, chain: TransactionID(1), productID: "a"))
        ),
        (
            "is:free", .sold(sale(1, "a", price: Money(milliunits: 0, currency: "USD"))),
            .sold(
                sale(
                    1, "a", .autoRenewable, price: Money(milliunits: 0, currency: "USD"),
                    mode: .freeTrial))
        ),
        (
            "is:code", .sold(sale(1, "a", .autoRenewable, mode: .freeTrial, offer: .code)),
            .sold(sale(1, "a", .autoRenewable, mode: .freeTrial, offer: .winBack))
        ),
        (
            "kind:sold is:inApp", .sold(sale(1, "a", .autoRenewable)),
            .sold(sale(1, "a", .autoRenewable, payment: nil, reason: .renewal))
        ),
    ]

    @Test("what is only like it ticks nothing", arguments: neighbours)
    func alike(filter: String, change: StoreEvent.Change, like: StoreEvent.Change) {
        let lines = Self.lines([like, change])
        #expect(Self.ticks([filter], in: lines) == [lines[1]])
    }

    @Test("a restore that brought nothing restores nothing, and a download stops in two ways")
    func deviceFacts() {
        let nothing = Self.logged(.restored(count: 0, alreadyHere: 0, unverified: 1))
        let one = Self.logged(.restored(count: 1, alreadyHere: 0, unverified: 0))
        #expect(Self.ticks(["is:restored"], in: [nothing, one]) == [one])
        for stop in [
            DeviceLogEntry.What.downloadPaused("a"),
            .downloadFailed("a", contentID: "text", StoreError(.networkError)),
        ] {
            #expect(Self.ticks(["is:downloadStopped"], in: [Self.logged(stop)]) != nil)
        }
    }

    @Test("what happens only on the device ticks as well, and is linked by its product")
    func entries() {
        let whats: [DeviceLogEntry.What] = [
            .contentDeleted("b"), .contentDeleted("a"), .downloadResumed("b"),
            .downloaded("a", contentID: "text", version: "1", bytes: 1),
        ]
        let lines = whats.enumerated().map { number, what in
            LogLine.entry(DeviceLogEntry(number: Int64(number), at: SampleShop.now, what: what))
        }
        // A list may have the name of earlier programs.
        for removed in ["is:contentRemoved", "is:contentDeleted"] {
            #expect(TrialTicks.problem(ofFilter: removed) == nil)
            #expect(
                Self.ticks([removed, "is:downloaded"], .product, in: lines)
                    == [lines[1], lines[3]])
        }
        #expect(Self.ticks(["is:finishedAtLaunch"], in: lines) == nil)
        let held = LogLine.entry(
            DeviceLogEntry(
                number: 9, at: SampleShop.now, what: .paymentHeld(SampleShop.payment(1), "a")))
        #expect(Self.ticks(["kind:held is:held"], in: lines + [held]) == [held])
    }

    @Test(
        "a filter that names nothing is no condition of a trial [I1]",
        arguments: [
            ("kind:sould", LogFilter.Problem.noSuchKind("sould")), ("is:fre", .noSuchFact("fre")),
            ("product:a.b kind:sould", .noSuchKind("sould")),
            ("knd:sold", .noSuchField("knd")), ("since:soon", .noDay("soon")),
        ])
    func badFilters(text: String, problem: LogFilter.Problem) {
        #expect(TrialTicks.problem(ofFilter: text) == problem)
        #expect(TrialTicks.problem(ofFilter: "kind:sold is:paymentDeclined product:a.b") == nil)
    }

    @Test("a field without a value is no filter")
    func emptyFields() {
        #expect(LogFilter.emptyField(in: "is:free kind:") == .kind)
        #expect(LogFilter.emptyField(in: "IS: sold") == .fact)
        #expect(LogFilter.emptyField(in: "kind:sold a: b") == nil)
    }

    static let linked: [(String, [Trial.Link])] = [
        ("kind:sold is:free", [.transaction, .product, .nothing]),
        ("is:finishedAtLaunch", [.transaction, .product, .nothing]),
        ("is:networkError", [.transaction, .product, .nothing]),
        ("is:downloaded", [.product, .nothing]), ("kind:promoted", [.product, .nothing]),
        ("kind:catalogRevised", [.product, .nothing]), ("kind:held", [.product, .nothing]),
        ("is:restored", [.nothing]), ("is:offline", [.nothing]),
        ("is:catalogRefused", [.nothing]), ("is:contentDeleted", [.product, .nothing]),
        // An error has the name of an occurrence.
        ("kind:failed is:unknown", [.transaction, .product, .nothing]),
        ("kind:accountChanged is:JPN", [.nothing]), ("kind:sold is:downloaded", []),
    ]

    @Test("a step that can have nothing in common with another one is known", arguments: linked)
    func links(filter: String, links: [Trial.Link]) {
        #expect(Trial.Link.allCases.filter { TrialTicks.canLink(filter, by: $0) } == links)
    }

    @Test("a filter's account is that of its lines")
    func filterOfAccount() {
        let sales = [StoreEvent.Change.sold(Self.sale(1, "a")), .sold(Self.sale(2, "a"))]
        let lines = Self.lines(sales, of: ["aoi", "kai"])
        #expect(Self.ticks(["account:kai kind:sold"], in: lines) == [lines[1]])
        let offline = Self.logged(.network(isOn: false))
        #expect(Self.ticks(["account:aoi is:offline"], in: [offline]) == [offline])
        #expect(Self.ticks(["account:kai is:offline"], in: [offline]) == nil)
    }

    // MARK: - Screen

    private static func opened(_ ticks: TrialTicks = TrialTicks()) -> ShopProbe {
        var probe = ShopProbe(SampleShop.full())
        probe.happen(.trials(.opened))
        probe.happen(.trials(.arrived(SampleShop.trials, ticks)))
        return probe
    }

    @Test("it reads once at a time, and again after an event while it is in sight")
    func reads() {
        var probe = ShopProbe(SampleShop.full())
        #expect(probe.happen(.trials(.opened)) == [.readTrials])
        #expect(probe.state.screen == .trials)
        #expect(probe.happen(.eventsArrived([])).isEmpty, "one reading is under way")
        #expect(
            probe.happen(.trials(.arrived(SampleShop.trials, TrialTicks()))) == [.readTrials])
        probe.happen(.trials(.arrived(SampleShop.trials, TrialTicks())))
        #expect(probe.happen(.eventsArrived([])) == [.readTrials])
        probe.happen(.trials(.failed(StoreError(.storeBusy))))
        #expect(probe.state.trials.error == StoreError(.storeBusy))
        #expect(probe.state.trials.list == SampleShop.trials)
        probe.happen(.wentBack)
        #expect(probe.state.screen == .list)
        #expect(!probe.happen(.eventsArrived([])).contains(.readTrials))
    }

    @Test("a customer's shop has no trials")
    func customer() {
        var state = SampleShop.full()
        state.shop.hasConsole = false
        var probe = ShopProbe(state)
        #expect(probe.happen(.trials(.opened)).isEmpty)
        #expect(probe.state.statusMessage?.what == .refused(.noConsole))
    }

    @Test("Enter leads to the product, the view or the palette where a trial is made to happen")
    func leads() {
        var product = Self.opened()
        product.happen(.confirmed)
        #expect(product.state.screen == .product("book.two"))
        var console = Self.opened()
        console.happen(.selectionMoved(.down))
        console.happen(.confirmed)
        #expect(console.state.navigation.view == .console)
        var palette = Self.opened()
        palette.happen(.trials(.pointed(row: 2)))
        palette.happen(.trials(.pointed(row: 2)))
        guard case .palette(let open) = palette.state.sheet else {
            Issue.record("no palette")
            return
        }
        #expect(open.list.filter == "ask-to-buy")
        var none = Self.opened()
        none.happen(.selectionMoved(.last))
        none.happen(.confirmed)
        #expect(none.state.screen == .trials && none.state.sheet == nil)
    }

    @Test("a trial for which the catalog sells nothing says so, and Enter leads nowhere [I1]")
    func unmet() {
        var list = SampleShop.trials
        list.trials[0].unmet = .hosted
        list.trials[0].commands = []
        list.trials[0].place = nil
        var probe = ShopProbe(SampleShop.full())
        probe.happen(.trials(.opened))
        probe.happen(.trials(.arrived(list, TrialTicks())))
        probe.happen(.confirmed)
        #expect(probe.state.screen == .trials)
        let text = Screens.draw(probe.state, Screens.usual).text
        #expect(text.contains("This catalog sells no non-consumable with hosted content."))
        #expect(!text.contains("Press b on its page") && !text.contains("storefront buy"))
    }

    @Test("the areas are shown one after the other, then all")
    func areas() {
        var probe = Self.opened()
        #expect(probe.state.trials.shown.count == 5)
        probe.happen(.trials(.areaCycled))
        #expect(probe.state.trials.shown.map(\.id) == ["sold", "refunded", "deferred"])
        probe.happen(.trials(.areaCycled))
        #expect(probe.state.trials.shown.map(\.id) == ["downloaded", "restored"])
        probe.happen(.trials(.areaCycled))
        #expect(probe.state.trials.area == nil)
    }

    @Test("the signed text of a seen trial is copied, and without one nothing is")
    func copies() {
        let lines = Self.lines([.sold(Self.sale(7, "book.two", .nonConsumable))])
        var probe = Self.opened(TrialTicks(SampleShop.trials, in: lines, of: "aoi"))
        #expect(probe.state.trials.seenCount == 1)
        #expect(
            probe.happen(.trials(.copied)) == [.readTransaction(TransactionID(7), .store)])
        let details = SignedDetails(
            id: TransactionID(7), signed: "a.b.c", problem: nil, payload: [])
        let copied = probe.happen(.transactionArrived(details, .store))
        #expect(copied.contains(.copy(.signedText(TransactionID(7), "a.b.c"))))
        probe.happen(.selectionMoved(.last))
        #expect(probe.happen(.trials(.copied)).isEmpty)
        #expect(probe.state.statusMessage?.what == .refused(.nothingToCopy))
    }

    @Test("the palette of every screen has the trials, by their command's name")
    func palette() {
        var state = SampleShop.full()
        state.take([.palette(.opened), .palette(.typed("trials"))])
        let entries = Screens.viewport(Screens.usual, in: state).entries
        let first = entries.first?.action
        guard case .component(let action)? = first, case .opened? = action as? TrialsAction else {
            Issue.record("\(entries)")
            return
        }
    }
}
