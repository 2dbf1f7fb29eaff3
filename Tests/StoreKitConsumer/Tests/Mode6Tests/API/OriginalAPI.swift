import StoreKit

/// The declarations of StoreKit 1, each with its type.
enum OriginalAPI {
    static func product(_ product: SKProduct) -> String {
        let _: any NSObject & Sendable = product
        let _: String = product.productIdentifier
        let _: String = product.localizedTitle
        let _: String = product.localizedDescription
        let _: NSDecimalNumber = product.price
        let _: Locale = product.priceLocale
        let _: Bool = product.isDownloadable
        let _: [NSNumber] = product.downloadContentLengths
        let _: String = product.downloadContentVersion
        let _: String = product.contentVersion
        let _: SKProductDiscount? = product.introductoryPrice
        let _: [SKProductDiscount] = product.discounts
        let _: String? = product.subscriptionGroupIdentifier
        let _: Bool = product.isFamilyShareable
        guard let period: SKProductSubscriptionPeriod = product.subscriptionPeriod else {
            return "none"
        }
        let _: Int = period.numberOfUnits
        let _: SKProduct.PeriodUnit? = SKProduct.PeriodUnit(rawValue: UInt(3))
        switch period.unit {
        case .day: return "day"
        case .week: return "week"
        case .month: return "month"
        case .year: return "year"
        @unknown default: return "unknown"
        }
    }

    static func discount(_ discount: SKProductDiscount) -> String {
        let _: String? = discount.identifier
        let _: NSDecimalNumber = discount.price
        let _: Locale = discount.priceLocale
        let _: SKProductSubscriptionPeriod = discount.subscriptionPeriod
        let _: Int = discount.numberOfPeriods
        let type: SKProductDiscount.`Type` = discount.type
        switch type {
        case .introductory: return "introductory"
        case .subscription: break
        @unknown default: return "unknown"
        }
        let mode: SKProductDiscount.PaymentMode = discount.paymentMode
        let _: UInt = mode.rawValue
        switch mode {
        case .payAsYouGo, .payUpFront: return "paid"
        case .freeTrial: return "free"
        @unknown default: return "unknown"
        }
    }

    static func payment(_ product: SKProduct) {
        let payment: SKPayment = SKPayment(product: product)
        let _: String = payment.productIdentifier
        let _: Int = payment.quantity
        let _: String? = payment.applicationUsername
        let _: SKPaymentDiscount? = payment.paymentDiscount
        let _: Data? = payment.requestData
        let _: Bool = payment.simulatesAskToBuyInSandbox
        let _: any NSCopying & NSMutableCopying = payment
        let _: Any = payment.copy(with: nil)
        let _: Any = payment.mutableCopy(with: nil)
        let _: Bool = payment.isEqual(SKPayment()) && payment.hash == 0
        let chosen = SKMutablePayment(product: product)
        let _: SKMutablePayment = SKMutablePayment()
        chosen.productIdentifier = "consumer.coins"
        chosen.quantity = 2
        chosen.applicationUsername = "somebody"
        chosen.requestData = nil
        chosen.simulatesAskToBuyInSandbox = true
        let discount = SKPaymentDiscount(
            identifier: "half", keyIdentifier: "KEY", nonce: UUID(), signature: "AAAA",
            timestamp: NSNumber(value: 1))
        chosen.paymentDiscount = discount
        let _: [String] = [discount.identifier, discount.keyIdentifier, discount.signature]
        let _: UUID = discount.nonce
        let _: NSNumber = discount.timestamp
    }

    static func transaction(_ transaction: SKPaymentTransaction) -> String {
        let _: SKPayment = transaction.payment
        let _: (any Error)? = transaction.error
        let _: String? = transaction.transactionIdentifier
        let _: Date? = transaction.transactionDate
        let _: SKPaymentTransaction? = transaction.original
        let _: [SKDownload] = transaction.downloads
        let _: Bool = transaction.isEqual(transaction) && transaction.hash == 0
        let state: SKPaymentTransactionState = transaction.transactionState
        let _: Int = state.rawValue
        switch state {
        case .purchasing: return "purchasing"
        case .purchased: return "purchased"
        case .failed: return "failed"
        case .restored: return "restored"
        case .deferred: return "deferred"
        @unknown default: return "unknown"
        }
    }

    static func queue(_ observer: any SKPaymentTransactionObserver, _ downloads: [SKDownload]) {
        let queue: SKPaymentQueue = SKPaymentQueue.default()
        let _: SKPaymentQueue = SKPaymentQueue()
        let _: Bool = SKPaymentQueue.canMakePayments()
        let _: (any SKPaymentQueueDelegate)? = queue.delegate
        queue.delegate = nil
        queue.add(observer)
        queue.remove(observer)
        queue.add(SKMutablePayment())
        queue.restoreCompletedTransactions()
        queue.restoreCompletedTransactions(withApplicationUsername: "somebody")
        queue.start(downloads)
        queue.pause(downloads)
        queue.resume(downloads)
        queue.cancel(downloads)
        queue.showPriceConsentIfNeeded()
        queue.presentCodeRedemptionSheet()
        let _: [any SKPaymentTransactionObserver] = queue.transactionObservers
        for transaction: SKPaymentTransaction in queue.transactions {
            queue.finishTransaction(transaction)
        }
        guard let storefront: SKStorefront = queue.storefront else { return }
        let _: [String] = [storefront.countryCode, storefront.identifier]
    }

    static func download(_ download: SKDownload) -> String {
        let _: String = download.contentIdentifier
        let _: String = download.contentVersion
        let _: [Int64] = [download.contentLength, download.expectedContentLength]
        let _: URL? = download.contentURL
        let _: Float = download.progress
        let _: Bool = download.timeRemaining == SKDownloadTimeRemainingUnknown
        let _: (any Error)? = download.error
        let _: SKPaymentTransaction = download.transaction
        let _: SKDownloadState = download.downloadState
        // Frozen: the cases are all there are.
        switch download.state {
        case .waiting, .active, .paused: return "runs"
        case .finished, .failed, .cancelled: return "over"
        }
    }

    static func requests(_ delegate: any SKProductsRequestDelegate) {
        let products = SKProductsRequest(productIdentifiers: Set(["consumer.coins"]))
        let _: (any SKProductsRequestDelegate)? = products.delegate
        products.delegate = delegate
        let _: any SKDelegatedRequest = products
        products.start()
        products.cancel()
        let receipt = SKReceiptRefreshRequest(receiptProperties: [
            SKReceiptPropertyIsExpired: true, SKReceiptPropertyIsRevoked: NSNumber(value: 0),
            SKReceiptPropertyIsVolumePurchase: false,
        ])
        let _: [String: Any]? = receipt.receiptProperties
        receipt.delegate = delegate
        for request: SKRequest in [products, receipt, SKReceiptRefreshRequest()] {
            let _: (any SKRequestDelegate)? = request.delegate
            request.start()
        }
    }

    static func response(_ response: SKProductsResponse) {
        let _: [SKProduct] = response.products
        let _: [String] = response.invalidProductIdentifiers
        // Ends the process, so it is only named.
        let _: () -> Void = SKTerminateForInvalidReceipt
    }

    static func promotions(_ product: SKProduct) async throws {
        let controller: SKProductStorePromotionController = .default()
        let _: SKProductStorePromotionController = SKProductStorePromotionController()
        try await controller.update(promotionVisibility: .hide, for: product)
        try await controller.update(promotionOrder: [product])
        let _: [SKProduct] = try await controller.promotionOrder()
        controller.fetchStorePromotionOrder { products, error in
            let _: ([SKProduct], (any Error)?) = (products, error)
        }
        controller.fetchStorePromotionVisibility(for: product) { visibility, error in
            let _: (SKProductStorePromotionVisibility, (any Error)?) = (visibility, error)
        }
        controller.update(storePromotionOrder: [product], completionHandler: nil)
        controller.update(storePromotionVisibility: .show, for: product) { _ in }
        // Frozen: the cases are all there are.
        switch try await controller.promotionVisibility(for: product) {
        case .default, .show, .hide: break
        }
    }

    static func others() {
        SKStoreReviewController.requestReview()
        let service = SKCloudServiceController()
        let status: SKCloudServiceAuthorizationStatus =
            SKCloudServiceController.authorizationStatus()
        switch status {
        case .notDetermined, .denied, .restricted, .authorized: break
        @unknown default: break
        }
        SKCloudServiceController.requestAuthorization { status in _ = status.rawValue }
        service.requestCapabilities { capabilities, error in
            let known: SKCloudServiceCapability = [
                .musicCatalogPlayback, .musicCatalogSubscriptionEligible, .addToCloudMusicLibrary,
                SKCloudServiceCapability(rawValue: capabilities.rawValue),
            ]
            _ = (known, error)
        }
        service.requestStorefrontCountryCode { code, error in _ = (code, error) }
        service.requestStorefrontIdentifier { identifier, error in _ = (identifier, error) }
        service.requestUserToken(forDeveloperToken: "token") { token, error in _ = (token, error) }
    }
}

/// An observer that is told everything.
final class EveryObserver: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate,
    SKProductsRequestDelegate
{
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {}
    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {}
    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error
    ) {}
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool { true }
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {}

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { false }
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { false }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}
    func requestDidFinish(_ request: SKRequest) {}
    func request(_ request: SKRequest, didFailWithError error: Error) {}
}

/// Only what must be there.
final class LeastObserver: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate,
    SKProductsRequestDelegate
{
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {}
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}
}
