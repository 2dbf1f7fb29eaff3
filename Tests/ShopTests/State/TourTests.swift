@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// The tour through a purchase: its next step in each state of the shop.
@Suite struct TourTests {
    private static let product: ProductID = "book.three"

    /// A shop with its tour.
    private struct Guided {
        var probe: ShopProbe
        var tour = Tour()

        init(_ state: ShopState) {
            probe = ShopProbe(state)
            tour.follow(probe.state)
        }

        @discardableResult
        mutating func happen(_ actions: ShopAction...) -> [ShopEffect] {
            actions.flatMap { action in
                let effects = probe.happen(action)
                tour.follow(probe.state)
                return effects
            }
        }

        mutating func open() {
            probe.open(TourTests.product)
            tour.follow(probe.state)
        }

        mutating func pay() throws -> Payment {
            open()
            return try #require(happen(.buyChosen, .choiceMoved(1), .confirmed).payments.first)
        }

        /// Pays; then the purchase is sold and delivered.
        mutating func own() throws {
            let payment = try pay()
            happen(.sold(payment, 1_000_050), .arrived(TourTests.product, 1_000_050))
        }

        /// Sends a snapshot in which the pending requests were approved, or declined.
        mutating func answer(approved: Bool = true) {
            var snapshot = probe.state.snapshot
            if approved { snapshot.delivered.formUnion(snapshot.queued.keys) }
            snapshot.queued = [:]
            happen(.accountArrived(snapshot))
        }
    }

    @Test("each step is passed when the shop is where it leads to")
    func wholeTour() throws {
        var guided = Guided(SampleShop.full())
        #expect(guided.tour.product == Self.product)
        #expect(guided.tour.step == .open)
        guided.open()
        #expect(guided.tour.step == .buy)
        guided.happen(.buyChosen)
        #expect(guided.tour.step == .pay)
        let payment = try #require(guided.happen(.choiceMoved(1), .confirmed).payments.first)
        #expect(guided.tour.step == .console)
        guided.happen(.viewChosen(.console))
        #expect(guided.tour.step == .console, "the purchase is not delivered yet")
        guided.happen(.sold(payment, 1_000_050), .arrived(Self.product, 1_000_050))
        #expect(guided.tour.step == .approve)
        guided.answer()
        #expect(guided.tour.step == .shop)
        guided.happen(.viewChosen(.shop))
        #expect(guided.tour.step == .shop, "the page is still open")
        guided.happen(.viewChosen(.shop))
        #expect(guided.tour.step == .library)
        guided.happen(.viewChosen(.library))
        #expect(guided.tour.step == .read)
        guided.happen(.selectionMoved(.first), .confirmed)
        #expect(guided.tour.step == .read)
        guided.happen(.confirmed)
        #expect(guided.tour.step == .closeBook)
        guided.happen(.wentBack)
        #expect(guided.tour.step == .refund)
        guided.happen(
            .updateArrived(
                .revised(
                    SampleShop.payload("book.one", 1_000_001), .refunded, signed: "a.b.c")))
        #expect(guided.tour.step == .leave)
    }

    @Test("the tour goes back to the step that was undone")
    func goesBack() throws {
        var guided = Guided(SampleShop.full())
        guided.open()
        guided.happen(.buyChosen)
        guided.happen(.wentBack)
        #expect(guided.tour.step == .buy)
        guided.happen(.wentBack)
        #expect(guided.tour.step == .open)
        let payment = try guided.pay()
        #expect(guided.tour.step == .console)
        guided.happen(.purchaseFailed(payment, StoreError(.paymentDeclined)))
        #expect(guided.tour.step == .buy)
        try guided.own()
        guided.happen(.viewChosen(.console))
        #expect(guided.tour.step == .approve)
        guided.happen(.viewChosen(.shop))
        #expect(guided.tour.step == .console)
    }

    @Test("a step whose end is reached already is skipped")
    func skips() throws {
        var guided = Guided(SampleShop.full())
        guided.answer()
        try guided.own()
        guided.happen(.viewChosen(.console))
        #expect(guided.tour.step == .shop)
        guided.happen(.viewChosen(.library))
        #expect(guided.tour.step == .read)
    }

    @Test("a purchase that waits for approval is answered at the console, too")
    func waiting() throws {
        var guided = Guided(SampleShop.full())
        let payment = try guided.pay()
        var snapshot = guided.probe.state.snapshot
        snapshot.queued[Self.product] = QueuedPayment(
            payment: payment, state: .deferred, queuedAt: SampleShop.now,
            request: TransactionID(1_000_050))
        guided.happen(.accountArrived(snapshot), .viewChosen(.console))
        #expect(guided.tour.step == .approve)
    }

    @Test("nothing is read where nothing was downloaded")
    func nothingToRead() {
        var guided = Guided(
            SampleShop.empty(
                response: ProductsResponse(
                    products: [], invalidProductIDs: [], catalogRevision: 1)))
        guided.happen(.viewChosen(.console), .viewChosen(.library))
        #expect(guided.tour.step == .refund)
    }

    @Test("the tour begins when the shop can sell, and buys nothing where nothing is for sale")
    func nothingForSale() {
        let closed = Guided(ShopState(shop: SampleShop.identity()))
        #expect(closed.tour.step == nil)
        let nothing = Guided(
            SampleShop.empty(
                response: ProductsResponse(
                    products: [], invalidProductIDs: [], catalogRevision: 1)))
        #expect(nothing.tour.product == nil)
        #expect(nothing.tour.step == .console)
    }

    @Test(
        "what the tour says of the answer to a request is what was answered",
        arguments: [true, false], ["en_US", "ja_JP"])
    func answers(isApproved: Bool, locale: String) throws {
        let strings = Strings(locale: locale)
        var guided = Guided(SampleShop.full(locale: locale))
        try guided.own()
        guided.happen(.viewChosen(.console))
        #expect(guided.tour.step == .approve)
        guided.answer(approved: isApproved)
        #expect(guided.tour.step == .shop)
        func story() -> String {
            strings.story(of: guided.tour, in: guided.probe.state)
        }
        #expect(story() == strings[isApproved ? .tourApproved : .tourNotSold])
        guided.happen(.viewChosen(.shop), .viewChosen(.shop))
        #expect(story() == strings[isApproved ? .tourFollowed : .tourNotFollowed])
    }

    @Test("the tour goes back, on, to its beginning and to its end, by key on every screen")
    func moves() throws {
        var state = SampleShop.full()
        state.tour = Tour()
        var probe = ShopProbe(state)
        func press(_ key: Key) {
            if let action = KeyMap.action(for: key, in: probe.state) { probe.happen(action) }
        }
        probe.open(Self.product)
        #expect(probe.state.tour?.step == .buy)
        for view in ShopView.allCases {
            probe.happen(.viewChosen(view))
            let step = try #require(probe.state.tour?.step)
            press(.character(">"))
            #expect(probe.state.tour?.step?.rawValue == step.rawValue + 1)
            press(.character("<"))
            #expect(probe.state.tour?.step == step)
        }
        press(.character("0"))
        #expect(probe.state.tour?.step == .open)
        for _ in TourStep.allCases { press(.character("<")) }
        #expect(probe.state.tour?.step == .open)
        for _ in TourStep.allCases { press(.character(">")) }
        #expect(probe.state.tour?.step == .leave)
        press(.control("x"))
        #expect(probe.state.tour == nil)
        #expect(KeyMap.action(for: .character(">"), in: probe.state) == nil)
    }

    @Test("a step that a person went to is passed when it is done")
    func passesAfterMoving() {
        var guided = Guided(SampleShop.full())
        guided.tour.move(by: 6, in: guided.probe.state)
        #expect(guided.tour.step == .library)
        guided.happen(.viewChosen(.library))
        #expect(guided.tour.step == .read)
    }
}
