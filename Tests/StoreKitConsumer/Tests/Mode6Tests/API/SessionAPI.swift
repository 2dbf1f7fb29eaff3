// Brings StoreKit along.
import StoreKitTest
import Testing

/// The declarations of StoreKitTest, each with its type.
enum SessionAPI {
    static func session(_ file: URL) throws -> SKTestSession {
        let _: SKTestSession = try SKTestSession(configurationFileNamed: "Consumer")
        return try SKTestSession(contentsOf: file)
    }

    static func settings(_ session: SKTestSession) {
        let _: any NSObject & Sendable = session
        session.disableDialogs = !session.disableDialogs
        session.askToBuyEnabled = !session.askToBuyEnabled
        session.interruptedPurchasesEnabled = !session.interruptedPurchasesEnabled
        session.shouldEnterBillingRetryOnRenewal = !session.shouldEnterBillingRetryOnRenewal
        session.billingGracePeriodIsEnabled = !session.billingGracePeriodIsEnabled
        session.storefront += ""
        session.locale = Locale(identifier: session.locale.identifier)
        session.timeRate = rate(session.timeRate)
        session.resetToDefaultState()
        session.clearTransactions()
    }

    private static func rate(_ rate: SKTestSession.TimeRate) -> SKTestSession.TimeRate {
        let _: Int = rate.rawValue
        switch rate {
        case .realTime, .monthlyRenewalEveryHour, .monthlyRenewalEveryThirtyMinutes,
            .monthlyRenewalEveryFifteenMinutes, .monthlyRenewalEveryFiveMinutes,
            .monthlyRenewalEveryThirtySeconds:
            return .oneRenewalEveryFifteenMinutes
        case .oneRenewalEveryFifteenMinutes, .oneRenewalEveryFiveMinutes, .oneRenewalEveryMinute,
            .oneRenewalEveryThirtySeconds, .oneRenewalEveryTenSeconds, .oneRenewalEveryTwoSeconds:
            return .realTime
        default: return rate
        }
    }

    static func purchases(_ session: SKTestSession) async throws {
        try await session.buyProduct(identifier: "consumer.coins")
        let _: Transaction = try await session.buyProduct(
            identifier: "consumer.monthly",
            options: [
                .purchaseDate(.now), .codeOffer(referenceName: "gift"),
                .promotionalOffer(id: "half"),
                .purchaseDate(.now, renewalBehavior: .cancelImmediately),
            ])
        for transaction: SKTestTransaction in session.allTransactions() {
            let id: UInt = transaction.identifier
            let _: UInt = transaction.originalTransactionIdentifier
            let _: String = transaction.productIdentifier
            let _: SKPaymentTransactionState = transaction.state
            let _: Date = transaction.purchaseDate
            let _: Date? = transaction.cancelDate
            let _: Date? = transaction.expirationDate
            let _: Bool = transaction.autoRenewingEnabled
            let _: Bool = transaction.hasPurchaseIssue
            let _: Bool = transaction.isPendingPriceIncreaseConsent
            let _: Bool = transaction.pendingAskToBuyConfirmation
            let _: String = transaction.description
            try session.approveAskToBuyTransaction(identifier: id)
            try session.declineAskToBuyTransaction(identifier: id)
            try session.resolveIssueForTransaction(identifier: id)
            try session.refundTransaction(identifier: id)
            try session.deleteTransaction(identifier: id)
            try session.enableAutoRenewForTransaction(identifier: id)
            try session.disableAutoRenewForTransaction(identifier: id)
            try session.requestPriceIncreaseConsentForTransaction(identifier: id)
            try session.consentToPriceIncreaseForTransaction(identifier: id)
            try session.declinePriceIncreaseForTransaction(identifier: id)
        }
        try session.expireSubscription(productIdentifier: "consumer.monthly")
        try session.forceRenewalOfSubscription(productIdentifier: "consumer.monthly")
    }

    static func behavior(
        _ behavior: Product.PurchaseOption.SubscriptionRenewalBehavior
    ) -> String {
        switch behavior {
        case .cancelImmediately: return "cancel"
        case .renewUntilNow: return "renew"
        @unknown default: return "unknown"
        }
    }

    @available(*, deprecated)
    static func deprecated(_ session: SKTestSession) throws {
        session.failTransactionsEnabled = !session.failTransactionsEnabled
        session.failureError = SKError.Code.invalidSignature
        let _: SKError.Code = session.failureError
        try session.buyProduct(productIdentifier: "consumer.coins")
        let _: [SKTestSession.TimeRate] = [
            .oneHourIsOneDay, .thirtyMinutesIsOneDay, .fiveMinutesIsOneDay, .oneMinuteIsOneDay,
            .thirtySecondsIsOneDay, .oneSecondIsOneDay,
        ]
    }

    static func failures(_ session: SKTestSession) async throws {
        try await session.setSimulatedError(
            .generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .loadProducts)
        try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
        try await session.setSimulatedError(.generic(.unknown), forAPI: StoreKitPurchaseAPI())
        try await session.setSimulatedError(nil as SKTestFailures.Purchase?, forAPI: .purchase)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .appStoreSync)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .appTransaction)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .manageSubscriptions)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .offerCodeRedeem)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .subscriptionStatus)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .refundRequest)
        try await session.setSimulatedError(
            .refundRequest(.duplicateRequest), forAPI: .refundRequest)
        try await session.setSimulatedError(
            .verification(.invalidSignature), forAPI: .verification)
        let _: [any FailableStoreKitAPI] = [
            StoreKitLoadProductsAPI(), StoreKitPurchaseAPI(), StoreKitAppStoreSyncAPI(),
            StoreKitAppTransactionAPI(), StoreKitManageSubscriptionsAPI(),
            StoreKitOfferCodeRedeemAPI(), StoreKitRefundRequestAPI(),
            StoreKitSubscriptionStatusAPI(), StoreKitVerificationAPI(),
        ]
        let _: SKTestFailures.LoadProducts? = await session.simulatedError(forAPI: .loadProducts)
    }

    /// The failure of each interface, as a test reads it back.
    static func failure(_ session: SKTestSession) async -> String {
        switch await session.simulatedError(forAPI: .purchase) {
        case .generic(let error): return error.localizedDescription
        case .purchase(let error): return error.localizedDescription
        case nil: break
        @unknown default: break
        }
        let refund: SKTestFailures.RefundRequest? =
            await session.simulatedError(forAPI: .refundRequest)
        switch refund {
        case .generic(let error): return error.localizedDescription
        case .refundRequest(let error): return error.localizedDescription
        case nil: break
        @unknown default: break
        }
        let verification: SKTestFailures.Verification? =
            await session.simulatedError(forAPI: .verification)
        switch verification {
        case .verification(let error): return error.localizedDescription
        case nil: return ""
        @unknown default: return ""
        }
    }

    static func generic(
        _ a: SKTestFailures.LoadProducts, _ b: SKTestFailures.AppStoreSync,
        _ c: SKTestFailures.AppTransaction, _ d: SKTestFailures.ManageSubscriptions,
        _ e: SKTestFailures.OfferCodeRedeem, _ f: SKTestFailures.SubscriptionStatus
    ) -> [StoreKitError] {
        let _: [any SKTestFailure] = [a, b, c, d, e, f]
        guard case .generic(let a) = a, case .generic(let b) = b, case .generic(let c) = c,
            case .generic(let d) = d, case .generic(let e) = e, case .generic(let f) = f
        else { return [] }
        return [a, b, c, d, e, f]
    }

    static func errors(_ error: any Error) -> String {
        if case SKTestError.noTransactionFound = error { return "none" }
        guard let error = error as? SKTestError else { return "" }
        isValue(SKTestError.self)
        isError(SKTestError.self)
        let _: Bool = SKTestError.errorDomain == SKTestErrorDomain
        let _: (Int, Int) = (error.errorCode, error.code.rawValue)
        let _: String? = error.errorDescription
        let _: Bool = SKTestError.Code.fileNotFound ~= error
        let _: [SKTestError.Code] = [
            SKTestError.serviceUnavailable, SKTestError.invalidProductIdentifier,
            SKTestError.invalidProductType, SKTestError.invalidURL, SKTestError.fileNotFound,
            SKTestError.noSubscriptionFound, SKTestError.noTransactionFound,
            SKTestError.invalidAction,
        ]
        switch error.code {
        case .serviceUnavailable, .invalidURL, .fileNotFound: return "file"
        case .invalidProductIdentifier, .invalidProductType, .noSubscriptionFound: return "product"
        case .noTransactionFound, .invalidAction: return "transaction"
        @unknown default: return "unknown"
        }
    }

    /// Not Apple's: the clock, and sessions of a task.
    static func more(_ session: SKTestSession) async throws {
        let clock: SKTestSession.Clock = session.clock
        let _: (Date, Bool, Date?) = (clock.now, clock.isStopped, clock.nextEvent)
        try clock.stop()
        try clock.resume()
        try clock.advance(byAdding: .month, value: 1)
        try clock.advance(to: clock.now.addingTimeInterval(60))
        try clock.advanceToNextEvent()
        let _: SKTestSession? = SKTestSession.current
        let _: [Product] = try await StoreKitHost.with(session) {
            try await Product.products(for: ["consumer.coins"])
        }
        await StoreKitHost.with(session, isolation: nil) { await Task.yield() }
        let trait: StoreKitTrait = .storeKit("Consumer")
        let _: any Trait & TestTrait & SuiteTrait & TestScoping = trait
        let _: Bool = trait.isRecursive
        let _: StoreKitTrait = .storeKit(contentsOf: URL(filePath: "/Consumer.storekit"))
    }

    static func bound(_ session: SKTestSession) -> Int {
        StoreKitHost.with(session) { session.allTransactions().count }
    }

    static func scope(_ trait: StoreKitTrait, _ test: Test) async throws {
        try await trait.provideScope(for: test, testCase: nil, performing: {})
    }
}
