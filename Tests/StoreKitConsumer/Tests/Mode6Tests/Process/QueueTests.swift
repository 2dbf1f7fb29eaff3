import StoreKitTest
import XCTest

/// StoreKit 1's queue, which follows the store of the process: the newest session's. One test after
/// the other, as XCTest runs them.
final class QueueTests: XCTestCase {
    private var opened: SKTestSession?
    private var recorder = QueueRecorder()
    private var queue: SKPaymentQueue { .default() }

    override func setUpWithError() throws {
        try super.setUpWithError()
        let session = try SKTestSession(configurationFileNamed: Shop.configuration)
        session.resetToDefaultState()
        session.disableDialogs = true
        session.clearTransactions()
        opened = session
        recorder = QueueRecorder()
        queue.add(recorder)
    }

    override func tearDownWithError() throws {
        queue.remove(recorder)
        opened = nil
        try super.tearDownWithError()
    }

    private var session: SKTestSession { get throws { try XCTUnwrap(opened) } }

    private func payment(_ id: String) async throws -> SKMutablePayment {
        SKMutablePayment(product: try await RequestAnswer.product(id))
    }

    private func states() -> [SKPaymentTransactionState] {
        queue.transactions.map(\.transactionState)
    }

    /// Adds a payment, and waits for what becomes of it.
    private func buy(_ payment: SKPayment) async throws -> SKPaymentTransaction {
        queue.add(payment)
        let id = payment.productIdentifier
        let first = await recorder.next()
        XCTAssertEqual(first.text, "updated \(id) purchasing")
        let second = await recorder.next()
        XCTAssertEqual(first.transactions, second.transactions, "the same transaction")
        return try XCTUnwrap(second.transactions.first)
    }

    func testProductsRequestNamesWhatIsThereAndWhatIsNot() async throws {
        let response = try await RequestAnswer.products([
            Shop.coins, Shop.yearly, "consumer.unknown",
        ])
        XCTAssertEqual(response.invalidProductIdentifiers, ["consumer.unknown"])
        let coins = try XCTUnwrap(response.products.first { $0.productIdentifier == Shop.coins })
        XCTAssertEqual(coins.localizedTitle, "Coins")
        XCTAssertEqual(coins.localizedDescription, "Ten coins")
        XCTAssertEqual(coins.price, NSDecimalNumber(string: "0.99"))
        XCTAssertEqual(coins.priceLocale.currency?.identifier, "USD")
        XCTAssertNil(coins.subscriptionPeriod)
        let yearly = try XCTUnwrap(response.products.first { $0.productIdentifier == Shop.yearly })
        XCTAssertEqual(yearly.subscriptionPeriod?.unit, .year)
        XCTAssertEqual(yearly.subscriptionGroupIdentifier, Shop.group)
        XCTAssertEqual(yearly.introductoryPrice?.paymentMode, .freeTrial)
        let half = try await RequestAnswer.product(Shop.monthly).discounts.first
        XCTAssertEqual(half?.identifier, "half")
        XCTAssertEqual(half?.type, .subscription)
    }

    func testPurchasingThenPurchasedThenFinished() async throws {
        let payment = try await payment(Shop.coins)
        payment.quantity = 2
        payment.applicationUsername = UUID().uuidString
        queue.add(payment)
        XCTAssertEqual(states(), [.purchasing], "at once")
        let first = await recorder.next()
        XCTAssertTrue(first.isOnMainThread)
        XCTAssertEqual(first.text, "updated consumer.coins purchasing")
        let second = await recorder.next()
        XCTAssertEqual(second.text, "updated consumer.coins purchased")
        XCTAssertEqual(first.transactions.first?.transactionState, .purchasing)
        let bought = try XCTUnwrap(second.transactions.first)
        XCTAssertEqual(bought.payment.quantity, 2)
        XCTAssertNil(bought.error)
        XCTAssertNil(bought.original)
        XCTAssertTrue(bought.downloads.isEmpty)
        let latest = await Transaction.latest(for: Shop.coins)
        let transaction = try XCTUnwrap(latest).payloadValue
        XCTAssertEqual(bought.transactionIdentifier, String(transaction.id))
        XCTAssertEqual(bought.transactionDate, transaction.purchaseDate)
        XCTAssertEqual(transaction.appAccountToken?.uuidString, payment.applicationUsername)
        queue.finishTransaction(bought)
        XCTAssertTrue(queue.transactions.isEmpty)
        let unfinished = try await Shop.list(Transaction.unfinished)
        XCTAssertEqual(unfinished, [], "finished in the store, too")
        let removed = await recorder.next().text
        XCTAssertEqual(removed, "removed consumer.coins purchased")
    }

    func testObserversHearTheSameUntilTheyAreRemoved() async throws {
        let second = QueueRecorder()
        queue.add(second)
        queue.add(second)
        XCTAssertEqual(queue.transactionObservers.count, 2)
        _ = try await buy(payment(Shop.coins))
        let heard = await second.next(2)
        XCTAssertEqual(
            heard, ["updated consumer.coins purchasing", "updated consumer.coins purchased"])
        queue.remove(second)
        let third = QueueRecorder()
        queue.add(third)
        let waiting = await third.next().text
        XCTAssertEqual(waiting, "updated consumer.coins purchased", "what is not finished")
        queue.remove(third)
        queue.add(QueueRecorder())
        XCTAssertEqual(queue.transactionObservers.count, 1, "an observer is not owned")
    }

    func testAskToBuyIsDeferredThenPurchasedOrFailed() async throws {
        let session = try session
        session.askToBuyEnabled = true
        for id in [Shop.coins, Shop.theme] {
            let waiting = try await buy(payment(id))
            XCTAssertEqual(waiting.transactionState, .deferred)
            XCTAssertNil(waiting.transactionIdentifier)
        }
        let requests = session.allTransactions().filter(\.pendingAskToBuyConfirmation)
        XCTAssertEqual(requests.map(\.productIdentifier), [Shop.coins, Shop.theme])
        try session.approveAskToBuyTransaction(identifier: requests[0].identifier)
        XCTAssertEqual(states(), [.purchased, .deferred], "visible when the call returns")
        try session.declineAskToBuyTransaction(identifier: requests[1].identifier)
        XCTAssertEqual(states(), [.purchased, .failed])
        let heard = await recorder.next(2)
        XCTAssertEqual(
            heard, ["updated consumer.coins purchased", "updated consumer.theme failed"])
        XCTAssertTrue(queue.transactions.last?.error is SKError)
        for transaction in queue.transactions { queue.finishTransaction(transaction) }
        XCTAssertTrue(queue.transactions.isEmpty)
    }

    func testInterruptedFailsAndIsPurchasedWhenResolved() async throws {
        let session = try session
        session.interruptedPurchasesEnabled = true
        let failed = try await buy(payment(Shop.theme))
        XCTAssertEqual(failed.transactionState, .failed)
        queue.finishTransaction(failed)
        session.interruptedPurchasesEnabled = false
        let request = try XCTUnwrap(session.allTransactions().first(where: \.hasPurchaseIssue))
        try session.resolveIssueForTransaction(identifier: request.identifier)
        XCTAssertEqual(states(), [.purchased])
        let heard = await recorder.next(2)
        XCTAssertEqual(
            heard, ["removed consumer.theme failed", "updated consumer.theme purchased"])
    }

    func testFailedPaymentsHaveTheirNumbers() async throws {
        let session = try session
        func code(_ payment: SKPayment) async throws -> SKError.Code? {
            let failed = try await buy(payment)
            XCTAssertEqual(failed.transactionState, .failed)
            queue.finishTransaction(failed)
            _ = await recorder.next()
            return (failed.error as? SKError)?.code
        }
        try await session.setSimulatedError(.purchase(.purchaseNotAllowed), forAPI: .purchase)
        let refused = try await code(payment(Shop.coins))
        XCTAssertEqual(refused, .paymentNotAllowed)
        try await session.setSimulatedError(
            .generic(.networkError(URLError(.timedOut))), forAPI: .purchase)
        let offline = try await code(payment(Shop.coins))
        XCTAssertEqual(offline, .cloudServiceNetworkConnectionFailed)
        try await session.setSimulatedError(nil, forAPI: .purchase)
        let unknown = SKMutablePayment()
        unknown.productIdentifier = "consumer.unknown"
        let missing = try await code(unknown)
        XCTAssertEqual(missing, .storeProductNotAvailable)
        let many = try await payment(Shop.coins)
        many.quantity = 11
        let invalid = try await code(many)
        XCTAssertEqual(invalid, .paymentInvalid)
        XCTAssertTrue(session.allTransactions().isEmpty, "nothing was sold")
    }

    func testRenewalsAndSalesOutsideTheAppArePurchased() async throws {
        let session = try session
        let theme = try await session.buyProduct(identifier: Shop.theme)
        try await session.buyProduct(identifier: Shop.monthly)
        try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
        XCTAssertEqual(states(), [.purchased, .purchased, .purchased])
        try session.refundTransaction(identifier: UInt(theme.id))
        let heard = await recorder.next(4)
        XCTAssertEqual(
            heard,
            [
                "updated consumer.theme purchased", "updated consumer.monthly purchased",
                "updated consumer.monthly purchased", "revoked consumer.theme",
            ])
    }

    func testRestoreBringsOriginalsThenFinishes() async throws {
        let session = try session
        for id in [Shop.coins, Shop.theme, Shop.monthly] {
            try await session.buyProduct(identifier: id)
        }
        _ = await recorder.next(3)
        let sold = queue.transactions
        for transaction in sold { queue.finishTransaction(transaction) }
        _ = await recorder.next(3)
        queue.restoreCompletedTransactions()
        let restored = await recorder.next()
        XCTAssertEqual(
            restored.text, "updated consumer.monthly restored, consumer.theme restored")
        XCTAssertEqual(
            restored.transactions.map { $0.original?.transactionIdentifier },
            [sold[2], sold[1]].map(\.transactionIdentifier))
        XCTAssertEqual(restored.transactions.first?.original?.transactionState, .purchased)
        let end = await recorder.next().text
        XCTAssertEqual(end, "restore finished")
        for transaction in queue.transactions { queue.finishTransaction(transaction) }
        XCTAssertTrue(queue.transactions.isEmpty)
        _ = await recorder.next(2)

        try await session.setSimulatedError(
            .generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .appStoreSync)
        queue.restoreCompletedTransactions(withApplicationUsername: "somebody")
        let failure = await recorder.next().text
        XCTAssertEqual(failure, "restore failed 7")
    }

    func testStorefront() async throws {
        XCTAssertEqual(queue.storefront?.countryCode, "USA")
        XCTAssertTrue(SKPaymentQueue.canMakePayments())
        try session.storefront = "DEU"
        let heard = await recorder.next().text
        XCTAssertEqual(heard, "storefront DEU")
    }

    func testReceiptIsRefreshed() async throws {
        let answer = RequestAnswer()
        let request = SKReceiptRefreshRequest(receiptProperties: nil)
        request.delegate = answer
        request.start()
        let response = try await answer.next()
        XCTAssertNil(response)
        let receipt = try XCTUnwrap(StoreKitHost.receiptURL)
        XCTAssertFalse(try Data(contentsOf: receipt).isEmpty)
    }

    func testBothGenerationsSeeOnePurchase() async throws {
        let bought = try await Shop.buy(Shop.theme)
        let heard = await recorder.next()
        XCTAssertEqual(heard.text, "updated consumer.theme purchased")
        XCTAssertEqual(heard.transactions.first?.transactionIdentifier, String(bought.id))
        await bought.finish()
        XCTAssertTrue(queue.transactions.isEmpty)
    }

    func testDownloadsRunAsTheyAreStarted() async throws {
        let catalog = Bundle.module.bundleURL.appending(path: "Resources/Hosted/catalog.json")
        let session = try SKTestSession(contentsOf: catalog)
        let book = try await RequestAnswer.product("consumer.book")
        XCTAssertTrue(book.isDownloadable)
        XCTAssertEqual(book.downloadContentLengths, [4, 8])
        let bought = try await buy(SKPayment(product: book))
        XCTAssertEqual(bought.downloads.map(\.contentIdentifier), ["text", "pictures"])
        XCTAssertEqual(bought.downloads.map(\.state), [.waiting, .waiting])
        let pictures = bought.downloads[1]
        queue.start([pictures])
        while pictures.state != .finished {
            let text = await recorder.next().text
            XCTAssertEqual(text, "downloads")
        }
        XCTAssertEqual(pictures.progress, 1)
        let folder = try XCTUnwrap(pictures.contentURL)
        let page = folder.appending(path: "Contents/page.txt")
        XCTAssertEqual(try String(contentsOf: page, encoding: .utf8), "pictures")
        XCTAssertEqual(bought.downloads[0].state, .waiting, "it was not started")
        queue.finishTransaction(bought)
        XCTAssertTrue(queue.transactions.isEmpty)
        withExtendedLifetime(session) {}
    }
}
