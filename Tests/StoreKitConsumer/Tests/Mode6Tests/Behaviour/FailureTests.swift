import StoreKitTest
import Testing

@Suite(.storeKit(Shop.configuration), .timeLimit(.minutes(1))) struct FailureTests {
    /// Calls an interface while it fails, and after.
    private func check<API: FailableStoreKitAPI>(
        _ api: API, _ failure: API.Failure, _ session: SKTestSession,
        sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Void
    ) async throws {
        try await session.setSimulatedError(failure, forAPI: api)
        #expect(await session.simulatedError(forAPI: api) != nil, sourceLocation: sourceLocation)
        await #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try await call() }
        try await session.setSimulatedError(nil, forAPI: api)
        #expect(await session.simulatedError(forAPI: api) == nil, sourceLocation: sourceLocation)
        try await call()
    }

    @Test("each of the nine interfaces fails while its failure is set, and succeeds after")
    func every() async throws {
        let session = try currentSession()
        let coins = try await Shop.product(Shop.coins)
        let theme = try await Shop.buy(Shop.theme)
        try await check(.loadProducts, .generic(.unknown), session) {
            _ = try await Product.products(for: [Shop.coins])
        }
        try await check(.purchase, .purchase(.purchaseNotAllowed), session) {
            _ = try await coins.purchase()
        }
        try await check(.appStoreSync, .generic(.userCancelled), session) {
            try await AppStore.sync()
        }
        try await check(.appTransaction, .generic(.unknown), session) {
            _ = try await AppTransaction.refresh()
        }
        try await check(.manageSubscriptions, .generic(.notEntitled), session) {
            try await AppStore.showManageSubscriptions()
        }
        try await check(.offerCodeRedeem, .generic(.unsupported), session) {
            try await AppStore.presentOfferCodeRedeemSheet(code: "GIFT")
        }
        try await check(.refundRequest, .refundRequest(.failed), session) {
            _ = try await theme.beginRefundRequest()
        }
        try await check(.subscriptionStatus, .generic(.unknown), session) {
            _ = try await SubscriptionInfo.status(for: Shop.group)
        }
        try await check(.verification, .verification(.revokedCertificate), session) {
            guard case .success(let result) = try await coins.purchase() else { return }
            _ = try result.payloadValue
        }
    }

    @Test("the error is the one that the test has named, with its cause")
    func exact() async throws {
        let session = try currentSession()
        try await session.setSimulatedError(
            .generic(.networkError(URLError(.timedOut))), forAPI: .loadProducts)
        do {
            _ = try await Product.products(for: [Shop.coins])
            Issue.record("loaded")
        } catch StoreKitError.networkError(let error) {
            #expect(error.code == .timedOut)
        }
        session.resetToDefaultState()
        let coins = try await Shop.product(Shop.coins)
        try await session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
        #expect(await ErrorAPI.purchase(coins) == "cancelled")
        try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
        #expect(await ErrorAPI.purchase(coins) == "not for sale")
        try await session.setSimulatedError(
            .generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .purchase)
        #expect(await ErrorAPI.purchase(coins) == "offline")
        try await session.setSimulatedError(nil as SKTestFailures.Purchase?, forAPI: .purchase)
        #expect(await ErrorAPI.purchase(coins) == "sold")
    }

    @Test("what is deprecated fails purchases as before")
    func deprecated() async throws {
        let session: any DeprecatedSession = try currentSession()
        session.failureError = .invalidOfferIdentifier
        session.failTransactionsEnabled = true
        let coins = try await Shop.product(Shop.coins)
        await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
            try await coins.purchase()
        }
        session.failTransactionsEnabled = false
        try session.buyProduct(productIdentifier: Shop.theme)
        #expect(try await Shop.list(Transaction.currentEntitlements) == [Shop.theme])
    }

    @Test("a session says what it lacks")
    func sessionErrors() async throws {
        let session = try currentSession()
        func code(_ call: () throws -> Void) -> SKTestError.Code? {
            do { try call() } catch { return (error as? SKTestError)?.code }
            return nil
        }
        #expect(
            code { try session.expireSubscription(productIdentifier: "consumer.unknown") }
                == .invalidProductIdentifier)
        #expect(
            code { try session.expireSubscription(productIdentifier: Shop.monthly) }
                == .noSubscriptionFound)
        try await Shop.buy(Shop.theme)
        #expect(
            code { try session.forceRenewalOfSubscription(productIdentifier: Shop.theme) }
                == .invalidProductType)
        #expect(code { try session.refundTransaction(identifier: 4711) } == .noTransactionFound)
        #expect(
            code { _ = try SKTestSession(configurationFileNamed: "Nowhere") } == .fileNotFound)
        do { try session.refundTransaction(identifier: 4711) } catch {
            #expect(SessionAPI.errors(error) == "none")
            #expect((error as NSError).domain == SKTestErrorDomain)
        }
    }
}

/// What is deprecated, called without a warning.
private protocol DeprecatedSession: AnyObject {
    var failTransactionsEnabled: Bool { get set }
    var failureError: SKError.Code { get set }
    func buyProduct(productIdentifier: String) throws
}
extension SKTestSession: DeprecatedSession {}
