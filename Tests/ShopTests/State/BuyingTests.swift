@testable import Shop
import ShopText
import StoreModel
import Testing

/// Buying: the payment sheet, the payment, and its outcomes.
@Suite struct BuyingTests {
    private let book: ProductID = "book.three"
    private let name = "The Lighthouse, part three"

    private func payment(_ probe: ShopProbe, _ product: ProductID) throws -> Payment {
        Payment(
            id: probe.nextPayment, productID: product,
            shownPrice: try probe.state.product(product).price)
    }

    @Test("a purchase is confirmed on the sheet, sold by the store and then delivered")
    func onePurchaseFromTheListToItsDelivery() throws {
        var probe = ShopProbe()
        probe.open(book)
        let product = try probe.state.product(book)
        probe.send(.confirmed) {
            $0.page.choice = .buy
            $0.sheet = .payment(PaymentSheet(product: product))
        }
        probe.send(.choiceMoved(1)) {
            $0.sheet = .payment(
                .init(product: product).changed { $0.isConfirmChosen = true })
        }
        let payment = try payment(probe, book)
        probe.send(.confirmed, [.purchase(payment)]) {
            $0.sheet = nil
            $0.purchasing.underWay = [payment.productID: PurchaseInFlight(payment: payment.id)]
            $0.announces(.asking(name: "The Lighthouse, part three"))
        }
        probe.send(.sold(payment, 7), [.refreshAccount]) {
            $0.purchasing.underWay[payment.productID]?.progress = .awaiting(payment, 7)
        }
        probe.send(.arrived(book, 7)) {
            $0.purchasing.underWay = [:]
            $0.page.choice = nil
            _ = $0.queries.ask(.refreshAccount)
            $0.snapshot.delivered = [payment.productID]
            $0.library.owned = [.elsewhere: [payment.productID]]
            $0.announces(
                .bought(
                    Bought(
                        name: product.displayName, quantity: 1,
                        price: Price(of: product).milli(4990), transaction: TransactionID(7),
                        content: .downloading)))
        }
    }

    // MARK: - One payment

    @Test("the sheet opens with Cancel chosen, however it is opened")
    func cancelIsChosenAtFirstWhateverTheWay() throws {
        var probe = ShopProbe()
        probe.open(book)
        for way in [ShopAction.confirmed, .buyChosen, .page(.pressed(button: 0))] {
            probe.happen(way)
            guard case .payment(let sheet) = probe.state.sheet else {
                Issue.record("no sheet")
                return
            }
            #expect(!sheet.isConfirmChosen)
            let isNew = probe.state.statusMessage == nil
            probe.send(.confirmed, isNew ? [.log(.purchaseCancelled(book))] : []) {
                $0.sheet = nil
                // Cancelling again keeps the first message.
                guard $0.statusMessage == nil else { return }
                $0.announces(.cancelled(name: "The Lighthouse, part three"))
            }
        }
    }

    @Test("pressing Enter many times pays once [C2]", arguments: [2, 50])
    func manyEntersPayOnce(_ count: Int) throws {
        var probe = ShopProbe()
        probe.askToPay(for: book)
        let effects = (0..<count).flatMap { _ in probe.happen(.confirmed) }
        #expect(effects.payments.count == 1)
        #expect(probe.state.purchasing.underWay.count == 1)
    }

    @Test(
        "holding Enter down never pays",
        arguments: ["book.three", "coins.10", "theme.sports", "plus.month"] as [ProductID])
    func enterHeldDownNeverPays(_ product: ProductID) throws {
        var probe = ShopProbe()
        probe.open(product)
        let effects = (0..<50).flatMap { _ in probe.happen(.confirmed) }
        #expect(effects.payments.isEmpty)
    }

    @Test("Esc after Enter does not take the payment back")
    func escAfterEnterTakesNothingBack() throws {
        var probe = ShopProbe()
        probe.askToPay(for: book)
        var effects = probe.happen(.confirmed)
        effects += probe.happen(.wentBack)
        effects += probe.happen(.wentBack)
        #expect(effects.payments.count == 1)
        #expect(try probe.state.status(book) == .purchasing)
    }

    @Test(
        "while a purchase is under way, no key starts another one of the product",
        arguments: [
            ShopAction.buyChosen, .confirmed, .page(.pressed(button: 0)),
            .paymentSheet(.pressed(button: 1)),
        ])
    func whileOneIsUnderWayNoKeyBeginsAnother(_ key: ShopAction) throws {
        var probe = ShopProbe()
        _ = try probe.pay(for: book)
        let effects = (0..<5).flatMap { _ in
            probe.happen(key) + probe.happen(.choiceMoved(1)) + probe.happen(.confirmed)
        }
        #expect(effects.payments.isEmpty)
    }

    @Test("an open sheet does not pay for a product whose purchase is already under way")
    func aSheetThatStayedOpenPaysNothingMeanwhile() throws {
        var probe = ShopProbe()
        probe.askToPay(for: book)
        var snapshot = AccountSnapshot()
        snapshot.delivered = [book]
        probe.happen(.accountArrived(snapshot))
        probe.send(.confirmed) {
            $0.sheet = nil
            $0.announces(.refused(.alreadyOwned(name: "The Lighthouse, part three")))
        }
    }

    @Test("two products can be bought at the same time")
    func twoProductsAreBoughtSideBySide() throws {
        var probe = ShopProbe()
        let first = try probe.pay(for: book)
        probe.happen(.wentBack)
        let second = try probe.pay(for: "coins.10")
        #expect(Set(probe.state.purchasing.underWay.keys) == [first.productID, second.productID])
        probe.happen(.sold(second, 8))
        probe.happen(.arrived("coins.10", 8))
        #expect(try probe.state.status(book) == .purchasing)
        #expect(try probe.state.status("coins.10") == .buyable(isFree: false))
    }

    // MARK: - Outcomes

    @Test(
        "a purchase's outcome is shown on every screen [A2]",
        arguments: [Screen.list, .product("coins.10"), .console])
    func theOutcomeReachesThePersonOnEveryScreen(_ screen: Screen) throws {
        var probe = ShopProbe()
        let payment = try probe.pay(for: book)
        var state = probe.state
        state.navigation.show(screen == .console ? .console : .shop)
        if case .product = screen { state.navigation.open(screen) }
        probe = ShopProbe(state)
        probe.happen(.sold(payment, 7))
        probe.happen(.arrived(book, 7))
        guard case .bought(let bought)? = probe.state.statusMessage?.what, bought.name == name,
            bought.quantity == 1, bought.content == .downloading
        else {
            Issue.record("news are \(String(describing: probe.state.statusMessage))")
            return
        }
        #expect(probe.state.screen == screen)
        #expect(try probe.state.status(book) == .notDownloaded)
    }

    @Test("the sale's event may arrive before the store's answer [A2]")
    func theEventMayArriveBeforeTheAnswer() throws {
        var probe = ShopProbe()
        let payment = try probe.pay(for: book)
        probe.send(.arrived(book, 7), [.refreshAccount]) {
            $0.purchasing.underWay[payment.productID]?.progress = .withEarly(payment, book, 7)
            $0.snapshot.delivered = [payment.productID]
            $0.library.owned = [.elsewhere: [payment.productID]]
            $0.announces(
                .bought(
                    Bought(
                        name: "The Lighthouse, part three", quantity: 1,
                        price: Price(
                            money: Money(milliunits: 4990, currency: "USD"), locale: "en_US"),
                        transaction: TransactionID(7), content: .downloading)))
        }
        #expect(try probe.state.status(book) == .purchasing)
        probe.send(.sold(payment, 7)) {
            $0.purchasing.underWay = [:]
            _ = $0.queries.ask(.refreshAccount)
        }
        #expect(try probe.state.status(book) == .notDownloaded)
    }

    @Test("another transaction of the same product does not end the wait for a purchase")
    func anotherTransactionOfTheProductEndsNoWait() throws {
        var probe = ShopProbe()
        let payment = try probe.pay(for: "coins.10")
        probe.happen(.arrived("coins.10", 3))
        #expect(try probe.state.status("coins.10") == .purchasing)
        probe.happen(.sold(payment, 4))
        #expect(try probe.state.status("coins.10") == .purchasing)
        probe.happen(.arrived("coins.10", 4))
        #expect(try probe.state.status("coins.10") == .buyable(isFree: false))
    }

    @Test("a snapshot shows a sale as owned before its update announces it as bought")
    func snapshotBeforeTheUpdate() throws {
        var probe = ShopProbe()
        let payment = try probe.pay(for: book)
        probe.happen(.sold(payment, 7))
        var snapshot = AccountSnapshot()
        snapshot.delivered = [book]
        snapshot.latestDelivered = [
            book: .init(transactionID: TransactionID(7), purchasedAt: SampleShop.now)
        ]
        probe.happen(.accountArrived(snapshot))
        #expect(try probe.state.status(book) != .purchasing)
        #expect(probe.state.statusMessage?.what == .asking(name: NamedItem(name)))
        // Another process has delivered the purchase, so this process gets it as not new.
        probe.happen(
            .updateArrived(
                .transaction(
                    .verified(SampleShop.payload(book, 7)), signed: "a.b.c", isNew: false)))
        #expect(probe.state.purchasing.underWay.isEmpty)
        guard case .bought? = probe.state.statusMessage?.what else {
            Issue.record("not announced: \(String(describing: probe.state.statusMessage))")
            return
        }
    }

    @Test("buying an owned product says that it is owned already")
    func buyingAnOwnedProductSaysSo() throws {
        var probe = ShopProbe()
        let payment = try probe.pay(for: book)
        probe.send(.sold(payment, 7, alreadyOwned: true), [.refreshAccount]) {
            $0.purchasing.underWay = [:]
            $0.announces(.alreadyOwned(name: "The Lighthouse, part three"))
        }
    }

    @Test("an answer to an old payment does not end a new one")
    func anAnswerToAnOldPaymentEndsNoNewOne() throws {
        var probe = ShopProbe()
        let old = try probe.pay(for: book)
        probe.happen(.purchaseFailed(old, StoreError(.networkError)))
        probe.happen(.wentBack)
        let new = try probe.pay(for: book)
        probe.happen(.sold(old, 7))
        #expect(probe.state.purchasing.underWay[book] == PurchaseInFlight(payment: new.id))
        probe.happen(.updateArrived(.event(.failed(old, StoreError(.networkError), request: nil))))
        #expect(probe.state.purchasing.underWay[book]?.payment == new.id)
    }

    @Test("a sale that fails verification unlocks nothing")
    func anUnverifiedSaleUnlocksNothing() throws {
        var probe = ShopProbe()
        let update = DeviceUpdate.transaction(
            .unverified(SampleShop.payload(book, 7), .invalidSignature), signed: "a.b.c",
            isNew: true)
        probe.send(.updateArrived(update), [.refreshAccount]) {
            $0.announces(.unverified(.invalidSignature))
        }
        // The device has logged the message, so another message in its row counts it as replaced.
        probe.happen(.catalogRefused(problem: "a"))
        #expect(probe.state.statusMessage?.replaced == 1)
        #expect(try probe.state.status(book).canBuy)
    }

    @Test("an older sale of the same product does not end the wait for a new one")
    func olderSale() throws {
        var probe = ShopProbe()
        let payment = try probe.pay(for: book)
        probe.happen(.sold(payment, 7))
        probe.happen(
            .updateArrived(
                .transaction(
                    .unverified(SampleShop.payload(book, 6), .invalidSignature), signed: "a.b.c",
                    isNew: true)))
        #expect(
            probe.state.purchasing.underWay[book]?.progress.awaitedTransaction == TransactionID(7))
    }

    @Test(
        "a sale that fails verification, or cannot be read, ends its purchase, before or after the answer",
        arguments: [true, false], [true, false])
    func anUnverifiedSaleEndsItsPurchase(_ isAnsweredFirst: Bool, isReadable: Bool) throws {
        var probe = ShopProbe()
        let payment = try probe.pay(for: book)
        let claimed = isReadable ? SampleShop.payload(book, 7) : nil
        let update = DeviceUpdate.transaction(
            .unverified(claimed, .invalidSignature), signed: "a.b.c", isNew: true)
        if isAnsweredFirst { probe.happen(.sold(payment, 7)) }
        probe.happen(.updateArrived(update))
        if !isAnsweredFirst { probe.happen(.sold(payment, 7)) }
        #expect(probe.state.purchasing.underWay.isEmpty)
        #expect(!probe.state.snapshot.delivered.contains(book))
    }

    // MARK: - Approval

    @Test("a purchase waits for approval and is approved [A2, C4]")
    func waitingThenApproved() throws {
        var probe = ShopProbe()
        let payment = try probe.pay(for: "theme.sepia")
        probe.send(
            .purchaseAnswered(payment, .pending(request: TransactionID(9), reason: .askToBuy)),
            [.refreshAccount]
        ) {
            $0.purchasing.underWay = [:]
            $0.snapshot.queued["theme.sepia"] = QueuedPayment(
                payment: payment, state: .deferred, queuedAt: $0.now, reason: .askToBuy)
            $0.announces(.pending(name: "Sepia", .askToBuy))
        }
        #expect(try probe.state.status("theme.sepia") == .waitingForAnswer(request: nil, .askToBuy))
        probe.send(.buyChosen) { $0.announces(.refused(.alreadyWaiting(name: "Sepia"))) }
        probe.happen(.arrived("theme.sepia", 9))
        var snapshot = AccountSnapshot()
        snapshot.delivered = ["theme.sepia"]
        probe.happen(.accountArrived(snapshot))
        #expect(try probe.state.status("theme.sepia") == .owned(isRestored: false))
    }

    @Test("a purchase waits for approval and is declined")
    func waitingThenDeclined() throws {
        var probe = ShopProbe()
        let payment = try probe.pay(for: "theme.sepia")
        probe.happen(
            .updateArrived(.event(.deferred(payment, request: TransactionID(9), reason: .askToBuy)))
        )
        probe.happen(
            .purchaseAnswered(payment, .pending(request: TransactionID(9), reason: .askToBuy)))
        let error = StoreError(.approvalDeclined)
        probe.send(.updateArrived(.event(.failed(payment, error, request: nil)))) {
            $0.purchasing.failures["theme.sepia"] = error
            $0.snapshot.queued = [:]
            _ = $0.queries.ask(.refreshAccount)
            $0.announces(.failed(name: "Sepia", error))
        }
        #expect(try probe.state.status("theme.sepia") == .failed(error))
    }

    // MARK: - Failures

    @Test(
        "a failed purchase is announced and can be tried again [C4]",
        arguments: Fault.Call.purchase.errors + [.priceChanged, .storeFull, "brandNew"])
    func aFailureIsAnnouncedAndCanBeTriedAgain(_ code: StoreError.Code) throws {
        for isEvent in [false, true] {
            var probe = ShopProbe()
            let payment = try probe.pay(for: book)
            let error = StoreError(code, productID: book)
            let reloads = code == .priceChanged
            probe.send(
                isEvent
                    ? .updateArrived(.event(.failed(payment, error, request: nil)))
                    : .purchaseAnswered(payment, .failed(error)),
                (reloads ? [.loadProducts] : []) + [.refreshAccount]
            ) {
                $0.purchasing.underWay = [:]
                if code == .userCancelled {
                    $0.announces(.cancelled(name: "The Lighthouse, part three"))
                } else {
                    $0.purchasing.failures = [payment.productID: error]
                    $0.announces(.failed(name: "The Lighthouse, part three", error))
                }
            }
            #expect(try probe.state.status(book).canBuy)
            #expect(
                try probe.state.status(book)
                    == (code == .userCancelled ? .buyable(isFree: false) : .failed(error)))
            probe.happen(.wentBack)
            _ = try probe.pay(for: book)
            #expect(probe.state.purchasing.failures.isEmpty)
        }
    }

    @Test("the same failure is announced once")
    func theSameFailureIsAnnouncedOnce() throws {
        var probe = ShopProbe()
        let payment = try probe.pay(for: book)
        probe.happen(
            .updateArrived(.event(.failed(payment, StoreError(.networkError), request: nil))))
        let statusMessage = probe.state.statusMessage
        probe.happen(.purchaseAnswered(payment, .failed(StoreError(.networkError))))
        #expect(probe.state.statusMessage == statusMessage)
    }

    // MARK: - The sheet

    @Test("a price change sets the open sheet back to Cancel")
    func aPriceChangeSetsTheSheetBackToCancel() throws {
        var probe = ShopProbe()
        probe.askToPay(for: book)
        var response = SampleShop.response(revision: 2)
        response.products[2].price = Money(milliunits: 9990, currency: "USD")
        probe.happen(.shown)
        probe.happen(.productsArrived(response))
        guard case .payment(let sheet) = probe.state.sheet else {
            Issue.record("the sheet is gone")
            return
        }
        #expect(sheet.hasPriceChanged)
        #expect(!sheet.isConfirmChosen)
        #expect(sheet.product.price.milliunits == 9990)
        #expect(probe.happen(.confirmed).payments.isEmpty)
        let payment = try probe.pay(for: book)
        #expect(payment.shownPrice.milliunits == 9990)
    }

    @Test("loading the same products again leaves the sheet as it is")
    func theSameCatalogAgainChangesNoChoice() throws {
        var probe = ShopProbe()
        probe.askToPay(for: book)
        let sheet = probe.state.sheet
        probe.happen(.shown)
        probe.happen(.productsArrived(SampleShop.response(revision: 2)))
        #expect(probe.state.sheet == sheet)
    }

    @Test("the sheet closes when its product is no longer for sale")
    func theSheetClosesWithoutItsProduct() throws {
        var probe = ShopProbe()
        probe.askToPay(for: book)
        var response = SampleShop.response(revision: 2)
        response.products.remove(at: 2)
        probe.happen(.productsArrived(response))
        #expect(probe.state.sheet == nil)
        #expect(probe.state.screen == .list)
        #expect(probe.happen(.confirmed).payments.isEmpty)
    }

    @Test("the quantity stays between 1 and 10 [C2]")
    func quantityGoesFromOneToTen() throws {
        var probe = ShopProbe()
        probe.askToPay(for: "coins.10")
        // After an arrow key a digit begins another number.
        for action: PaymentSheetAction in [.digitTyped(1), .quantityChanged(-1), .digitTyped(2)] {
            probe.happen(.paymentSheet(action))
        }
        guard case .payment(let typed) = probe.state.sheet else { return }
        #expect(typed.quantity == 2)
        for (steps, step, quantity) in [(20, 1, 10), (3, -1, 7), (30, -1, 1), (2, 1, 3)] {
            for _ in 0..<steps { probe.happen(.paymentSheet(.quantityChanged(step))) }
            guard case .payment(let sheet) = probe.state.sheet else { break }
            #expect(sheet.quantity == quantity)
        }
        let payment = try #require(probe.happen(.confirmed).payments.first)
        #expect(payment.quantity == 3)
        #expect(payment.shownPrice == (try probe.state.product("coins.10").price))
    }

    @Test(
        "a quantity is typed as a number, at most 10, and Backspace erases its last digit",
        arguments: [
            ([3], 3), ([2, 5], 10), ([1, 0], 10), ([1, 0, 7], 10), ([0], 1), ([0, 4], 4),
            ([1, 0, -1], 1), ([1, 0, -1, 0], 10), ([7, -1], 1), ([7, -1, 3], 3), ([-1], 1),
        ] as [([Int], Int)])
    func quantityIsTyped(digits: [Int], quantity: Int) {
        var probe = ShopProbe()
        probe.askToPay(for: "coins.10")
        for digit in digits {
            probe.happen(.paymentSheet(digit < 0 ? .digitErased : .digitTyped(digit)))
        }
        guard case .payment(let sheet) = probe.state.sheet else {
            Issue.record("the sheet is closed")
            return
        }
        #expect(sheet.quantity == quantity)
    }

    @Test("after a purchase with content the page chooses what is useful next, not Back")
    func afterAPurchaseTheNextButtonIsChosen() throws {
        var probe = ShopProbe()
        probe.open(book)
        probe.happen(.confirmed)
        probe.happen(.choiceMoved(1))
        let payment = try #require(probe.happen(.confirmed).payments.first)
        let product = try probe.state.product(book)
        let buttons = probe.state.pageButtons(for: product)
        #expect(probe.state.chosenButton(for: product).map { buttons[$0] } == .back)
        probe.happen(.arrived(book, 7))
        probe.happen(.sold(payment, 7))
        #expect(probe.state.chosenButton(for: product) == 0)
        #expect(probe.state.pageButtons(for: product)[0] == .download)
    }

    @Test("only a consumable's quantity can be changed")
    func onlyConsumablesHaveAQuantity() throws {
        for product in SampleShop.products()
        where product.type != .consumable {
            var probe = ShopProbe()
            probe.open(product.id)
            probe.happen(.buyChosen)
            probe.send(.paymentSheet(.quantityChanged(1)))
            probe.send(.selectionMoved(.up))
        }
    }

    // MARK: - Refusals

    @Test("an account that may not make payments sees the reason, not a sheet [B5]")
    func anAccountThatMayNotPaySeesTheReason() throws {
        var state = SampleShop.empty()
        state.settings?.canMakePayments = false
        var probe = ShopProbe(state)
        probe.open(book)
        for key in [ShopAction.buyChosen, .confirmed, .page(.pressed(button: 0))] {
            probe.happen(key)
            #expect(probe.state.statusMessage?.what == .refused(.paymentsNotAllowed))
            #expect(probe.state.sheet == nil)
        }
    }

    @Test("a sheet does not pay if payments were turned off while it was open [B5]")
    func paymentsForbiddenWhileTheSheetIsOpen() throws {
        var probe = ShopProbe()
        probe.askToPay(for: book)
        var settings = SampleShop.settings()
        settings.canMakePayments = false
        probe.send(.updateArrived(.event(.accountChanged(settings)))) {
            $0.settings = settings
            $0.console.settings = settings
            $0.announces(.payments(areAllowed: false))
        }
        probe.send(.confirmed) {
            $0.sheet = nil
            $0.announces(.refused(.paymentsNotAllowed))
        }
    }

    @Test("choosing to buy opens the sheet, or says why the product cannot be bought")
    func everyProductThatCannotBeBoughtSaysWhy() throws {
        let full = SampleShop.full()
        for product in full.productList.products {
            var probe = ShopProbe(full)
            probe.open(product.id)
            probe.happen(.buyChosen)
            if full.status(of: product).canBuy {
                #expect(probe.state.sheet != nil, "\(product.id)")
            } else {
                #expect(probe.state.sheet == nil, "\(product.id)")
                guard case .refused = probe.state.statusMessage?.what else {
                    Issue.record("\(product.id): no reason")
                    continue
                }
            }
        }
    }
}

extension PaymentSheet {
    fileprivate func changed(_ change: (inout PaymentSheet) -> Void) -> PaymentSheet {
        var sheet = self
        change(&sheet)
        return sheet
    }
}

extension Price {
    fileprivate func milli(_ milliunits: Int64) -> Price {
        Price(money: Money(milliunits: milliunits, currency: money.currency), locale: locale)
    }
}

extension PurchaseProgress {
    /// The progress of a payment that is sold and whose transaction has not arrived.
    fileprivate static func awaiting(_ payment: Payment, _ id: Int64) -> Self {
        var progress = PurchaseProgress(payment.id, waitingFor: .arrival)
        _ = progress.take(
            .answered(.purchased("a.b.c", id: TransactionID(id), alreadyOwned: false)))
        return progress
    }

    /// The progress of an unanswered payment, after a transaction has arrived that may be its sale.
    fileprivate static func withEarly(
        _ payment: Payment, _ product: ProductID, _ id: Int64
    ) -> Self {
        var progress = PurchaseProgress(payment.id, waitingFor: .arrival)
        _ = progress.take(
            .observed(
                .transaction(
                    .verified(SampleShop.payload(product, id)), signed: "a.b.c", isNew: true)))
        return progress
    }
}
