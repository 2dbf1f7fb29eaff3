@testable import Shop
import ShopText
import StoreModel
import Testing

/// Purchases begun outside the app: an open shop continues one, unless the person is busy.
@Suite("purchases begun outside the app")
struct OutsideTests {
    @Test("an idle shop opens the product's page and its payment sheet [C5]")
    func anIdleShopContinues() {
        var probe = ShopProbe()
        probe.happen(.updateArrived(.event(.promoted("theme.sepia"))))
        guard case .payment(let sheet)? = probe.state.sheet else {
            Issue.record("no payment sheet")
            return
        }
        #expect(sheet.product.id == "theme.sepia")
        #expect(probe.state.screen == .product("theme.sepia"))
        #expect(probe.state.statusMessage?.what == .promoted(name: "Sepia"))
        #expect(probe.state.purchasing.underWay.isEmpty, "nothing is paid without a confirmation")
    }

    @Test("a busy shop only says so, and leaves what is open alone")
    func aBusyShopHolds() {
        var probe = ShopProbe()
        probe.happen(.palette(.opened))
        let before = probe.state.sheet
        probe.happen(.updateArrived(.event(.promoted("theme.sepia"))))
        #expect(probe.state.sheet == before)
        #expect(probe.state.statusMessage?.what == .promoted(name: "Sepia"))
    }

    @Test("a purchase that is held is continued or dropped by key [C5]")
    func heldByKey() {
        var probe = ShopProbe()
        #expect(probe.happen(.heldPurchase(.continued)).isEmpty)
        #expect(probe.state.statusMessage?.what == .refused(.nothingHeld))
        var snapshot = probe.state.snapshot
        snapshot.promoted = ["theme.sepia", "coins.10"].map {
            PromotedPurchase(productID: $0, begunAt: SampleShop.now)
        }
        probe.happen(.accountArrived(snapshot))
        probe.happen(.heldPurchase(.continued))
        guard case .payment(let sheet)? = probe.state.sheet else {
            Issue.record("no payment sheet")
            return
        }
        #expect(sheet.product.id == "theme.sepia")
        #expect(probe.state.screen == .product("theme.sepia"))
        probe.happen(.wentBack)
        // On a product's page the keys act on that product's purchase.
        #expect(probe.happen(.heldPurchase(.dropped)).contains(.dropPromoted("theme.sepia")))
        #expect(probe.state.promotedPurchase == "coins.10")
        #expect(probe.state.statusMessage?.what == .promotedDropped(name: "Sepia"))
    }

    @Test("where dialogs are off a key that buys pays without a sheet, once")
    func withoutSheets() {
        var probe = ShopProbe()
        var settings = SampleShop.settings(locale: "en_US")
        settings.disablesDialogs = true
        probe.happen(.updateArrived(.event(.accountChanged(settings))))
        let product = probe.state.selectedProduct?.id
        #expect(product != nil && payments(probe.happen(.buyChosen)) == [product])
        #expect(probe.state.sheet == nil)
        probe = ShopProbe()
        probe.happen(.updateArrived(.event(.accountChanged(settings))))
        settings.disablesDialogs = false
        probe.happen(.updateArrived(.event(.accountChanged(settings))))
        #expect(payments(probe.happen(.buyChosen)) == [])
        guard case .payment? = probe.state.sheet else {
            Issue.record("no payment sheet")
            return
        }
    }

    @Test("another locale of the account asks for the products anew, and dialogs do not")
    func localeAsksAnew() {
        var probe = ShopProbe()
        var settings = SampleShop.settings(locale: "en_US")
        settings.locale = "ja_JP"
        #expect(probe.happen(.updateArrived(.event(.accountChanged(settings)))) == [.loadProducts])
        settings.disablesDialogs = true
        #expect(
            !probe.happen(.updateArrived(.event(.accountChanged(settings)))).contains(.loadProducts)
        )
    }

    @Test("where dialogs are off a purchase begun outside still asks, until a key continues it")
    func promotedWithoutSheets() {
        var probe = ShopProbe()
        var settings = SampleShop.settings(locale: "en_US")
        settings.disablesDialogs = true
        probe.happen(.updateArrived(.event(.accountChanged(settings))))
        #expect(payments(probe.happen(.updateArrived(.event(.promoted("theme.sepia"))))) == [])
        guard case .payment(let sheet)? = probe.state.sheet else {
            Issue.record("no payment sheet")
            return
        }
        #expect(sheet.product.id == "theme.sepia")
        probe.happen(.wentBack)
        probe.refresh {
            $0.promoted = [PromotedPurchase(productID: "coins.10", begunAt: SampleShop.now)]
        }
        #expect(payments(probe.happen(.heldPurchase(.continued))) == ["coins.10"])
    }

    private func payments(_ effects: [ShopEffect]) -> [ProductID?] {
        effects.compactMap { effect in
            guard case .purchase(let payment) = effect else { return nil }
            return payment.productID
        }
    }

    @Test("what is not for sale opens nothing")
    func whatIsNotForSaleOpensNothing() {
        var probe = ShopProbe()
        probe.happen(.updateArrived(.event(.promoted("no.such"))))
        #expect(probe.state.sheet == nil)
        #expect(probe.state.screen == .list)
    }
}

/// A shop whose first products could not be loaded.
@Suite("products that could not be loaded")
struct ProductsFailureTests {
    private func failed() -> ShopProbe {
        var probe = ShopProbe(ShopState(shop: SampleShop.identity(locale: "en_US")))
        probe.happen(.opened(SampleShop.settings(locale: "en_US"), holdsLease: true))
        probe.happen(.productsFailed(StoreError(.networkError, subject: "loadProducts")))
        return probe
    }

    @Test("the failure is kept, and the products are asked for again after a pause")
    func byTime() throws {
        var probe = failed()
        #expect(probe.state.loading.failure?.code == .networkError)
        let end = try #require(probe.state.deadlines.nextEnd)
        #expect(end == probe.state.now.advanced(byMilliseconds: 5_000))
        for _ in 1...5 { probe.happen(.resized) }
        #expect(probe.happen(.timePassed).contains(.loadProducts))
        probe.happen(.productsFailed(StoreError(.networkError)))
        #expect(probe.state.deadlines.nextEnd == probe.state.now.advanced(byMilliseconds: 10_000))
    }

    @Test("the end of a fault and the shop's view ask at once, and products end the failure")
    func byEvent() {
        var probe = failed()
        let fault = Fault(id: 1, call: .loadProducts, error: .networkError, remaining: 0)
        #expect(probe.happen(.updateArrived(.event(.faultCleared(fault)))).contains(.loadProducts))
        probe.happen(.productsFailed(StoreError(.networkError)))
        #expect(probe.happen(.viewChosen(.shop)).contains(.loadProducts))
        probe.happen(.productsArrived(SampleShop.response(locale: "en_US")))
        #expect(probe.state.loading.failure == nil)
        #expect(probe.state.areProductsKnown)
    }
}

/// The customer's answers to a pending purchase and to an accidental one.
@Suite("resolving, taking back and asking for a refund on the page")
struct CustomerAnswerTests {
    private func page(of product: ProductID, _ reason: RequestReason) -> ShopProbe {
        var probe = ShopProbe()
        var snapshot = AccountSnapshot()
        snapshot.queued[product] = QueuedPayment(
            payment: Payment(
                id: SampleShop.payment(1), productID: product,
                shownPrice: Money(milliunits: 1990, currency: "USD")),
            state: .deferred, queuedAt: SampleShop.now, request: TransactionID(9),
            reason: reason)
        probe.happen(.accountArrived(snapshot))
        probe.open(product)
        return probe
    }

    @Test("a request of another device waits here too, and can be taken back")
    func requestsOfOtherDevices() throws {
        var probe = ShopProbe()
        let product: ProductID = "theme.sepia"
        let request = SampleShop.request(9, of: product, in: probe.state)
        let later = SampleShop.request(12, of: "coins.10", in: probe.state)
        var snapshot = AccountSnapshot()
        snapshot.requests = AccountSnapshot.latest([
            request, SampleShop.request(11, of: "coins.10", in: probe.state), later,
        ])
        #expect(snapshot.requests?["coins.10"] == later)
        #expect(!snapshot.isEmpty)
        probe.happen(.accountArrived(snapshot))
        // A snapshot without requests leaves the known ones as they are.
        probe.happen(.accountArrived(AccountSnapshot()))
        #expect(
            try probe.state.status(product) == .waitingForAnswer(request: request.number, .askToBuy)
        )
        probe.open(product)
        #expect(probe.state.choices.contains(.withdraw) && !probe.state.choices.contains(.buy))
        #expect(probe.happen(.buyChosen).payments == [] && probe.state.sheet == nil)
        let error = StoreError(.requestWithdrawn)
        probe.happen(.updateArrived(.event(.failed(request.payment, error, request: nil))))
        #expect(try probe.state.status(product) == .failed(error))
        snapshot.requests = [:]
        probe.happen(.accountArrived(snapshot))
        #expect(try probe.state.status("coins.10") == .buyable(isFree: false))
    }

    @Test("an interrupted purchase is resolved by its first button, and by no other reason's")
    func resolve() throws {
        var probe = page(of: "theme.sepia", .interrupted)
        #expect(probe.state.choices == [.resolve, .back, .withdraw])
        #expect(probe.happen(.confirmed) == [.resolve(TransactionID(9))])
        for reason in [RequestReason.askToBuy, .authentication] {
            #expect(!page(of: "theme.sepia", reason).state.choices.contains(.resolve))
        }
    }

    @Test("a request is taken back after a question whose first answer is no")
    func withdraw() throws {
        var probe = page(of: "theme.sepia", .askToBuy)
        let button = try #require(probe.state.choices.firstIndex(of: .withdraw))
        #expect(probe.happen(.page(.pressed(button: button))) == [])
        #expect(probe.happen(.confirmed) == [], "No is chosen at first")
        _ = probe.happen(.page(.pressed(button: button)))
        _ = probe.happen(.choiceMoved(1))
        #expect(probe.happen(.confirmed) == [.withdraw(TransactionID(9))])
    }

    @Test("a refund of what is owned is asked for after a question")
    func refund() throws {
        var probe = ShopProbe(SampleShop.full())
        probe.open("theme.night")
        let button = try #require(probe.state.choices.firstIndex(of: .requestRefund))
        _ = probe.happen(.page(.pressed(button: button)))
        #expect(probe.happen(.confirmed) == [], "No is chosen at first")
        _ = probe.happen(.page(.pressed(button: button)))
        _ = probe.happen(.choiceMoved(1))
        guard case .requestRefund(_, .unintended)? = probe.happen(.confirmed).first else {
            Issue.record("nothing was asked for")
            return
        }
    }
}
