import StoreKit

/// The declarations of `AppStore` and of the smaller types, each with its type.
enum StoreAPI {
    static func appStore() async throws {
        try await AppStore.sync()
        let _: Bool = AppStore.canMakePayments
        let _: UUID? = AppStore.deviceVerificationID
        let _: Int? = await AppStore.ageRatingCode
        isRaw(AppStore.Environment.self, by: String.self)
        let _: [AppStore.Environment] = [
            .production, .sandbox, .xcode,
            .init(rawValue: AppStore.Environment.xcode.rawValue),
        ]
        isRaw(AppStore.Platform.self, by: String.self)
        let _: [AppStore.Platform] = [
            .iOS, .macOS, .tvOS, .visionOS, .init(rawValue: AppStore.Platform.iOS.rawValue),
        ]
    }

    /// Apple's take the scene that shows a sheet.
    @MainActor static func sheets() async throws {
        try await AppStore.showManageSubscriptions()
        try await AppStore.showManageSubscriptions(subscriptionGroupID: "C0FFEE03")
        try await AppStore.presentOfferCodeRedeemSheet(code: "GIFT")
        AppStore.requestReview()
    }

    static func appTransaction() async throws {
        isValue(AppTransaction.self)
        let _: VerificationResult<AppTransaction> = try await AppTransaction.refresh()
        let shared: VerificationResult<AppTransaction> = try await AppTransaction.shared
        let app = try shared.payloadValue
        let _: any CustomDebugStringConvertible = app
        let _: UInt64? = app.appID
        let _: String = app.appTransactionID
        let _: String = app.appVersion
        let _: UInt64? = app.appVersionID
        let _: String = app.originalAppVersion
        let _: Date = app.originalPurchaseDate
        let _: Date? = app.preorderDate
        let _: String = app.bundleID
        let _: AppStore.Environment = app.environment
        let _: AppStore.Platform = app.originalPlatform
        let _: Date = app.signedDate
        let _: Data = app.deviceVerification
        let _: UUID = app.deviceVerificationNonce
        let _: Data = app.jsonRepresentation
        let _: String = app.debugDescription
    }

    @available(*, deprecated)
    static func deprecated(_ app: AppTransaction) {
        let _: String = app.originalPlatformStringRepresentation
    }

    static func storefront() async {
        isSequence(Storefront.Storefronts.self, of: Storefront.self)
        let _: Storefront.Storefronts.Failure.Type = Never.self
        for await storefront in Storefront.updates { _ = storefront.id }
        var iterator: Storefront.Storefronts.AsyncIterator =
            Storefront.updates.makeAsyncIterator()
        let _: Storefront.Storefronts.Element? = await iterator.next()
        guard let storefront: Storefront = await Storefront.current else { return }
        let _: any Identifiable & Sendable = storefront
        let _: String = storefront.countryCode
        let _: String = storefront.id
        let _: Locale.Currency? = storefront.currency
    }

    static func message() async -> String {
        isValue(Message.self)
        isSequence(Message.Messages.self, of: Message.self)
        let _: Message.Messages.Failure.Type = Never.self
        var iterator: Message.Messages.AsyncIterator = Message.messages.makeAsyncIterator()
        let _: Message.Messages.Element? = await iterator.next()
        isRaw(Message.Reason.self, by: Int.self)
        for await message in Message.messages {
            switch Message.Reason(rawValue: message.reason.rawValue) {
            case .generic, .billingIssue, .priceIncreaseConsent, .winBackOffer: continue
            default: return message.reason.localizedDescription
            }
        }
        return "none"
    }

    static func intents() async {
        typealias Intents = PurchaseIntent.PurchaseIntents
        isSequence(Intents.self, of: PurchaseIntent.self)
        let _: Intents.Failure.Type = Never.self
        var iterator: Intents.AsyncIterator = PurchaseIntent.intents.makeAsyncIterator()
        let _: Intents.Element? = await iterator.next()
        for await intent in PurchaseIntent.intents {
            let _: any Identifiable & Equatable & Sendable = intent
            let _: PurchaseIntent.ID = intent.id
            let _: Product.ID = intent.id
            let _: Product = intent.product
            let _: Product.SubscriptionOffer? = intent.offer
        }
    }

    static func external(
        _ type: ExternalPurchaseCustomLink.NoticeType
    ) async throws -> String {
        let _: Bool = await ExternalPurchase.canPresent
        let notice: ExternalPurchase.NoticeResult =
            try await ExternalPurchase.presentNoticeSheet()
        switch notice {
        case .cancelled: break
        case .continuedWithExternalPurchaseToken(let token): return token
        @unknown default: break
        }
        let _: Bool = await ExternalPurchaseLink.canOpen
        for url in await ExternalPurchaseLink.eligibleURLs ?? [] {
            try await ExternalPurchaseLink.open(url: url)
        }
        try await ExternalPurchaseLink.open()
        let _: Bool = await ExternalPurchaseCustomLink.isEligible
        let token: ExternalPurchaseCustomLink.Token? =
            try await ExternalPurchaseCustomLink.token(for: "ACQUISITION")
        let _: Bool = await ExternalLinkAccount.canOpen
        try await ExternalLinkAccount.open()
        switch type {
        case .browser, .withinApp: break
        @unknown default: break
        }
        switch try await ExternalPurchaseCustomLink.showNotice(type: type) {
        case .cancelled, .continued: return token?.value ?? ""
        @unknown default: return "unknown"
        }
    }

    static func binding() async throws -> String {
        isValue(PaymentMethodBinding.self)
        do {
            let binding = try await PaymentMethodBinding(id: "pin")
            let _: String = binding.id
            try await binding.bind()
            return "bound"
        } catch let error as PaymentMethodBinding.PaymentMethodBindingError {
            switch error {
            case .notEligible: return error.errorDescription ?? ""
            case .invalidPinningID: return error.failureReason ?? ""
            case .failed: return error.recoverySuggestion ?? ""
            @unknown default: return "unknown"
            }
        }
    }

    static func advanced() async throws {
        isValue(AdvancedCommerceProduct.self)
        let product = try await AdvancedCommerceProduct(id: "generic")
        let _: AdvancedCommerceProduct.ID = product.id
        let _: AdvancedCommerceProduct.ProductType = product.type
        let _: AdvancedCommerceProduct.PurchaseResult = .pending
        let _: VerificationResult<Transaction>? = await product.latestTransaction
        let _: [Transaction.Transactions] = [product.allTransactions, product.currentEntitlements]
        let _: String = product.debugDescription
        let option: AdvancedCommerceProduct.PurchaseOption =
            .onStorefrontChange(shouldContinuePurchase: { _ in true })
        let _: String = option.debugDescription
        isValue(AdvancedCommerceProduct.PurchaseOption.self)
    }

    static func merchandising(_ result: AppStoreMerchandisingKind.PresentationResult) -> String {
        let _: AppStoreMerchandisingKind = .subscriptionBundle("C0FFEE03")
        switch result {
        case .dismissed: return "dismissed"
        case .purchaseCompleted(let purchase): return ProductAPI.results(purchase)
        @unknown default: return "unknown"
        }
    }

    /// Not Apple's: who confirms, and which store the process buys in.
    static func host(_ file: URL) {
        StoreKitHost.configure(configuration: file)
        StoreKitHost.configure(configuration: file, store: file, account: "me", device: "app")
        let _: URL? = StoreKitHost.receiptURL
        let all: [StoreKitHost.Confirmation] = [
            .automatic, .always, .never,
            .decided { (request: StoreKitHost.PurchaseRequest) in
                let _: [String] = [request.productID, request.displayName, request.displayPrice]
                return request.quantity < 3
            },
        ]
        for confirmation in all { StoreKitHost.confirmation = confirmation }
    }
}
