// As apps write it: nothing else is imported. Only compiled, like every file of this folder.
import StoreKit

/// The declarations of `Product` and of what hangs on it, each with its type.
enum ProductAPI {
    static func loading() async throws {
        let _: [Product] = try await Product.products(for: ["consumer.coins"])
        let _: [Product] = try await Product.products(for: Set(["consumer.coins"]))
        let _: [Product] = try await Product.products(for: ["consumer.coins": 1].keys)
        let _: [Product] = try await Product.products(for: ["a", "b"].dropFirst())
    }

    static func product(_ product: Product) async throws {
        isValue(Product.self)
        let _: any Identifiable & CustomDebugStringConvertible = product
        let _: Product.ID = product.id
        let _: String = product.id
        let _: Product.ProductType = product.type
        let _: String = product.displayName
        let _: String = product.description
        let _: Decimal = product.price
        let _: String = product.displayPrice
        let _: Bool = product.isFamilyShareable
        let _: Product.SubscriptionInfo? = product.subscription
        let _: Decimal.FormatStyle.Currency = product.priceFormatStyle
        let _: Product.SubscriptionPeriod.Unit.FormatStyle =
            product.subscriptionPeriodUnitFormatStyle
        let _: Data = product.jsonRepresentation
        let _: String = product.debugDescription
        let _: VerificationResult<Transaction>? = await product.latestTransaction
        let _: Transaction.Transactions = product.currentEntitlements
    }

    @MainActor static func purchase(_ product: Product) async throws {
        let _: Product.PurchaseResult = try await product.purchase()
        let _: Product.PurchaseResult = try await product.purchase(options: [.quantity(2)])
        let _: @MainActor (Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult =
            product.purchase(options:)
    }

    @available(*, deprecated)
    static func deprecated(_ product: Product) async {
        let _: VerificationResult<Transaction>? = await product.currentEntitlement
        var signature = Product.SubscriptionOffer.Signature(
            keyID: "KEY", nonce: UUID(), timestamp: 1, signature: Data())
        isValue(Product.SubscriptionOffer.Signature.self)
        signature.keyID = "KEY"
        signature.nonce = UUID()
        signature.timestamp = 2
        signature.signature = Data()
        let _: [Product.PurchaseOption] = [
            .promotionalOffer(offerID: "half", signature: signature),
            .promotionalOffer(
                offerID: "half", keyID: signature.keyID, nonce: signature.nonce,
                signature: signature.signature, timestamp: signature.timestamp),
        ]
    }

    static func types(_ type: Product.ProductType) -> String {
        isRaw(Product.ProductType.self, by: String.self)
        let _: Product.ProductType = Product.ProductType(rawValue: type.rawValue)
        switch type {
        case .consumable: return "consumable"
        case .nonConsumable: return "non-consumable"
        case .nonRenewable: return "non-renewing"
        case .autoRenewable: return "renewing"
        default: return type.localizedDescription
        }
    }

    static func results(_ result: Product.PurchaseResult) -> String {
        switch result {
        case .success(let verification):
            let _: VerificationResult<Transaction> = verification
            return "sold"
        case .userCancelled: return "cancelled"
        case .pending: return "pending"
        @unknown default: return "unknown"
        }
    }

    static func options(_ offer: Product.SubscriptionOffer) -> Set<Product.PurchaseOption> {
        isValue(Product.PurchaseOption.self)
        var options: Set<Product.PurchaseOption> = [
            .quantity(2), .appAccountToken(UUID()), .simulatesAskToBuyInSandbox(true),
            .winBackOffer(offer), .introductoryOfferEligibility(compactJWS: "a.b.c"),
            .billingPlanType(.monthly), .custom(key: "key", value: "text"),
            .custom(key: "key", value: 1.5), .custom(key: "key", value: true),
            .custom(key: "key", value: Data()),
            .onStorefrontChange { storefront in storefront.countryCode == "USA" },
            .onStorefrontChange(shouldContinuePurchase: { _ in false }),
        ]
        let signed: [Product.PurchaseOption] = Product.PurchaseOption.promotionalOffer(
            "half", compactJWS: "a.b.c")
        options.formUnion(signed)
        let _: [String] = options.map(\.debugDescription)
        return options
    }

    static func errors(_ error: Product.PurchaseError) -> String? {
        isValue(Product.PurchaseError.self)
        isError(Product.PurchaseError.self)
        let _: any LocalizedError = error
        switch error {
        case .invalidQuantity, .productUnavailable, .purchaseNotAllowed: return error.failureReason
        case .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice,
            .invalidOfferSignature, .missingOfferParameters:
            return error.recoverySuggestion
        case .paymentMethodBindingConfigurationRequired: return nil
        @unknown default: return error.errorDescription
        }
    }

    static func offer(_ offer: Product.SubscriptionOffer) {
        isValue(Product.SubscriptionOffer.self)
        let _: String? = offer.id
        let _: Product.SubscriptionOffer.OfferType = offer.type
        let _: Decimal = offer.price
        let _: String = offer.displayPrice
        let _: Product.SubscriptionPeriod = offer.period
        let _: Int = offer.periodCount
        let _: Product.SubscriptionOffer.PaymentMode = offer.paymentMode
        typealias OfferType = Product.SubscriptionOffer.OfferType
        isRaw(OfferType.self, by: String.self)
        let _: [OfferType] = [
            .introductory, .promotional, .winBack, OfferType(rawValue: offer.type.rawValue),
        ]
        let _: String = offer.type.localizedDescription
        typealias PaymentMode = Product.SubscriptionOffer.PaymentMode
        isRaw(PaymentMode.self, by: String.self)
        let _: [PaymentMode] = [
            .freeTrial, .payAsYouGo, .payUpFront, PaymentMode(rawValue: offer.paymentMode.rawValue),
        ]
        let _: String = offer.paymentMode.localizedDescription
    }

    static func period(_ period: SubscriptionPeriod) -> String {
        isValue(Product.SubscriptionPeriod.self)
        let _: Product.SubscriptionPeriod = period
        let _: Product.SubscriptionPeriod.Unit = period.unit
        let _: Int = period.value
        let _: String = period.debugDescription
        let _: [Product.SubscriptionPeriod] = [
            .weekly, .monthly, .yearly, .everyThreeDays, .everyTwoWeeks, .everyTwoMonths,
            .everyThreeMonths, .everySixMonths,
        ]
        let _: Range<Date> = period.dateRange()
        let _: Range<Date> = period.dateRange(referenceDate: .now)
        let _: String = period.formatted(Date.IntervalFormatStyle(date: .abbreviated))
        let _: String = period.formatted(
            Duration.UnitsFormatStyle(allowedUnits: [.days], width: .wide), referenceDate: .now)
        let _: DateComponents = DateComponents(subscriptionPeriod: period)
        return unit(period.unit)
    }

    private static func unit(_ unit: Product.SubscriptionPeriod.Unit) -> String {
        isValue(Product.SubscriptionPeriod.Unit.self)
        let _: Bool = unit < .year
        typealias Style = Product.SubscriptionPeriod.Unit.FormatStyle
        isValue(Style.self)
        let _: (Style) -> String = { unit.formatted($0.locale(.current)) + $0.format(unit) }
        switch unit {
        case .day: return "day"
        case .week: return "week"
        case .month: return "month"
        case .year: return "year"
        @unknown default: return unit.localizedDescription + unit.debugDescription
        }
    }

    static func promotions(_ promotion: Product.PromotionInfo) async throws -> String {
        let _: any Equatable & Sendable = promotion
        let _: Product.ID = promotion.productID
        var chosen = promotion
        chosen.visibility = .hidden
        try await chosen.update()
        let _: [Product.PromotionInfo] = try await Product.PromotionInfo.currentOrder
        try await Product.PromotionInfo.updateProductOrder(byID: ["consumer.coins"])
        try await Product.PromotionInfo.updateProductVisibility(.visible, for: "consumer.coins")
        try await Product.PromotionInfo.updateAll([chosen])
        let visibility: Product.PromotionInfo.Visibility = promotion.visibility
        switch visibility {
        case .appStoreConnectDefault: return "default"
        case .visible, .hidden: return "chosen"
        @unknown default: return "unknown"
        }
    }
}
