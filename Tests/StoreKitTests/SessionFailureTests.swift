import Foundation
import StoreKit
import StoreKitTest
import StoreModel
import Testing

/// What is deprecated, called without the warning that would stop the build.
private protocol DeprecatedMembers: AnyObject {
    var failTransactionsEnabled: Bool { get set }
    var failureError: SKError.Code { get set }
    func buyProduct(productIdentifier: String) throws
}
extension SKTestSession: DeprecatedMembers {}

@Suite(.timeLimit(.minutes(5))) struct SessionFailureTests {
    typealias Fixture = SessionFixture

    /// Calls an interface while it fails, and after.
    private func check<API: FailableStoreKitAPI>(
        _ api: API, _ failure: API.Failure, _ session: SKTestSession,
        _ call: () async throws -> Void
    ) async throws {
        try await session.setSimulatedError(failure, forAPI: api)
        #expect(await session.simulatedError(forAPI: api) != nil)
        await #expect(throws: (any Error).self, "\(API.self)") { try await call() }
        try await session.setSimulatedError(nil, forAPI: api)
        #expect(await session.simulatedError(forAPI: api) == nil)
        try await call()
    }

    @Test("every call fails while its failure is set, and succeeds after [H3]")
    func everyCall() async throws {
        try await Fixture.with { session in
            let coins = try await Fixture.product(Fixture.coins)
            let network = StoreKitError.networkError(URLError(.notConnectedToInternet))
            try await check(.loadProducts, .generic(network), session) {
                _ = try await Product.products(for: [Fixture.coins])
            }
            try await check(.purchase, .purchase(.productUnavailable), session) {
                _ = try await coins.purchase()
            }
            try await check(.appStoreSync, .generic(.unknown), session) {
                try await AppStore.sync()
            }
            try await check(.appTransaction, .generic(network), session) {
                _ = try await AppTransaction.refresh()
            }
            try await check(.subscriptionStatus, .generic(network), session) {
                _ = try await Product.SubscriptionInfo.status(for: Fixture.group)
            }
            try await check(StoreKitVerificationAPI(), .verification(.invalidSignature), session) {
                guard case .success(let result) = try await coins.purchase() else { return }
                _ = try result.payloadValue
            }
        }
    }

    @Test(
        "what cannot be read is an unverified transaction, too",
        arguments: [
            StoreKit.VerificationResult<StoreKit.Transaction>.VerificationError.invalidEncoding,
            .missingRequiredProperties, .invalidCertificateChain,
        ])
    func unreadable(
        _ reason: StoreKit.VerificationResult<StoreKit.Transaction>.VerificationError
    ) async throws {
        try await Fixture.with { session in
            let theme = try await Fixture.product(Fixture.theme)
            try await session.setSimulatedError(.verification(reason), forAPI: .verification)
            guard case .success(.unverified(let bought, let error)) = try await theme.purchase()
            else { return #expect(Bool(false)) }
            #expect(bought.productID == Fixture.theme && error == reason)
            #expect(session.allTransactions().map(\.identifier) == [UInt(bought.id)])
            #expect(await Fixture.list(Transaction.all) == [Fixture.theme])
            #expect(
                await session.simulatedError(forAPI: .verification)
                    == SKTestFailures.Verification.verification(reason))
            session.resetToDefaultState()
            #expect(try await Transaction.latest(for: Fixture.theme)?.payloadValue.id == bought.id)
        }
    }

    @Test("failures of calls with a sheet are kept, too")
    func sheets() async throws {
        try await Fixture.with { session in
            try await session.setSimulatedError(
                .generic(.notEntitled), forAPI: .manageSubscriptions)
            try await session.setSimulatedError(.generic(.unknown), forAPI: .offerCodeRedeem)
            try await session.setSimulatedError(
                .refundRequest(.duplicateRequest), forAPI: .refundRequest)
            guard
                case .generic(.notEntitled)? =
                    await session.simulatedError(forAPI: .manageSubscriptions),
                case .generic(.unknown)? = await session.simulatedError(forAPI: .offerCodeRedeem),
                case .refundRequest(.duplicateRequest)? =
                    await session.simulatedError(forAPI: .refundRequest)
            else { return #expect(Bool(false)) }
            #expect(try await session.store.console.faults().count == 3)
            session.resetToDefaultState()
            #expect(await session.simulatedError(forAPI: .refundRequest) == nil)
            #expect(try await session.store.console.faults().isEmpty)
        }
    }

    @Test("the error is the very one that the test has named")
    func exact() async throws {
        try await Fixture.with { session in
            let timedOut = StoreKitError.networkError(URLError(.timedOut))
            try await session.setSimulatedError(.generic(timedOut), forAPI: .loadProducts)
            let error = await #expect(throws: StoreKitError.self) {
                try await Product.products(for: [Fixture.coins])
            }
            guard case .networkError(let reason)? = error else { return #expect(Bool(false)) }
            #expect(reason.code == .timedOut)
            session.resetToDefaultState()
            #expect(try await Product.products(for: [Fixture.coins]).count == 1)
        }
    }

    @Test("the app transaction that the device keeps fails, too, while the call is made to fail")
    func keptAppTransaction() async throws {
        try await Fixture.with { session in
            let kept = try await AppTransaction.shared
            try await session.setSimulatedError(.generic(.notEntitled), forAPI: .appTransaction)
            let error = await #expect(throws: StoreKitError.self) {
                _ = try await AppTransaction.shared
            }
            guard case .notEntitled? = error else { return #expect(Bool(false)) }
            session.resetToDefaultState()
            #expect(try await AppTransaction.shared == kept)
        }
    }

    @Test("each call has its own error, also where the store has one code for them")
    func errorsOfCalls() async throws {
        try await Fixture.with { session in
            let coins = try await Fixture.product(Fixture.coins)
            func set<API: FailableStoreKitAPI>(_ api: API, _ failure: API.Failure) async throws {
                try await session.setSimulatedError(failure, forAPI: api)
            }
            func error(_ code: URLError.Code) -> StoreKitError { .networkError(URLError(code)) }
            try await set(.loadProducts, .generic(error(.timedOut)))
            try await set(.purchase, .generic(error(.cannotFindHost)))
            try await set(.appStoreSync, .generic(error(.dataNotAllowed)))
            try await set(.subscriptionStatus, .generic(error(.badServerResponse)))
            func code(_ call: () async throws -> Void) async -> URLError.Code? {
                do { try await call() } catch StoreKitError.networkError(let reason) {
                    return reason.code
                } catch {}
                return nil
            }
            let loading = await code { _ = try await Product.products(for: [Fixture.coins]) }
            #expect(loading == .timedOut)
            let buying = await code { _ = try await coins.purchase() }
            #expect(buying == .cannotFindHost)
            let syncing = await code { try await AppStore.sync() }
            #expect(syncing == .dataNotAllowed)
            let asking = await code {
                _ = try await Product.SubscriptionInfo.status(for: Fixture.group)
            }
            #expect(asking == .badServerResponse)
        }
    }

    @Test("failures are compared by the errors that they throw")
    func equality() async throws {
        typealias Purchase = SKTestFailures.Purchase
        func network(_ code: URLError.Code) -> Purchase {
            .generic(.networkError(URLError(code)))
        }
        func system(_ code: Int) -> Purchase {
            .generic(.systemError(NSError(domain: "Disk", code: code)))
        }
        let different: [Purchase] = [
            .generic(.userCancelled), .generic(.unknown), network(.timedOut),
            network(.cannotFindHost), system(1), system(2), .purchase(.invalidQuantity),
            .purchase(.productUnavailable),
        ]
        for (index, left) in different.enumerated() {
            for (other, right) in different.enumerated() {
                #expect((left == right) == (index == other), "\(left) \(right)")
            }
        }
        #expect(network(.timedOut) == network(.timedOut) && system(1) == system(1))
        typealias Refund = SKTestFailures.RefundRequest
        #expect(Refund.refundRequest(.failed) == .refundRequest(.failed))
        #expect(Refund.refundRequest(.failed) != .refundRequest(.duplicateRequest))
        try await Fixture.with { session in
            try await session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
            #expect(
                await session.simulatedError(forAPI: .purchase)
                    == SKTestFailures.Purchase.generic(.userCancelled))
        }
    }

    @Test("failing transactions have the error of StoreKit 1")
    func deprecated() async throws {
        try await Fixture.with { session in
            let old: any DeprecatedMembers = session
            old.failureError = .invalidOfferIdentifier
            #expect(try await Fixture.buy(Fixture.coins).productID == Fixture.coins)
            old.failTransactionsEnabled = true
            #expect(old.failTransactionsEnabled && old.failureError == .invalidOfferIdentifier)
            await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
                try await Fixture.buy(Fixture.coins)
            }
            try await session.setSimulatedError(
                .purchase(.purchaseNotAllowed), forAPI: StoreKitPurchaseAPI.purchase)
            await #expect(throws: Product.PurchaseError.purchaseNotAllowed) {
                try await Fixture.buy(Fixture.coins)
            }
            try await session.setSimulatedError(
                nil as SKTestFailures.Purchase?, forAPI: .purchase)
            await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
                try await Fixture.buy(Fixture.coins)
            }
            old.failTransactionsEnabled = false
            try await Fixture.buy(Fixture.coins)
            try old.buyProduct(productIdentifier: Fixture.theme)
            #expect(await Fixture.list(Transaction.currentEntitlements) == [Fixture.theme])
        }
    }
}
