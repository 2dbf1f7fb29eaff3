import StoreKit

/// The declarations of `Transaction`, each with its type.
enum TransactionAPI {
    static func transaction(_ transaction: StoreKit.Transaction) async {
        isValue(Transaction.self)
        let _: any Identifiable & CustomDebugStringConvertible = transaction
        let _: Transaction.ID = transaction.id
        let _: UInt64 = transaction.originalID
        let _: String? = transaction.webOrderLineItemID
        let _: String = transaction.appTransactionID
        let _: String = transaction.productID
        let _: Product.ProductType = transaction.productType
        let _: String? = transaction.subscriptionGroupID
        let _: String = transaction.appBundleID
        let _: Date = transaction.purchaseDate
        let _: Date = transaction.originalPurchaseDate
        let _: Date? = transaction.expirationDate
        let _: Int = transaction.purchasedQuantity
        let _: Bool = transaction.isUpgraded
        let _: Date? = transaction.revocationDate
        let _: Transaction.RevocationReason? = transaction.revocationReason
        let _: Transaction.RevocationType? = transaction.revocationType
        let _: Decimal? = transaction.revocationPercentage
        let _: UUID? = transaction.appAccountToken
        let _: Transaction.OwnershipType = transaction.ownershipType
        let _: AppStore.Environment = transaction.environment
        let _: Transaction.Reason = transaction.reason
        let _: Storefront = transaction.storefront
        let _: Decimal? = transaction.price
        let _: Locale.Currency? = transaction.currency
        let _: Date = transaction.signedDate
        let _: Data = transaction.deviceVerification
        let _: UUID = transaction.deviceVerificationNonce
        let _: Data = transaction.jsonRepresentation
        let _: String = transaction.debugDescription
        let _: Transaction.Offer? = transaction.offer
        let _: Product.SubscriptionInfo.BillingPlanType? = transaction.billingPlanType
        let _: Product.SubscriptionInfo.Status? = await transaction.subscriptionStatus
        if let commitment: Transaction.CommitmentInfo = transaction.commitmentInfo {
            isValue(Transaction.CommitmentInfo.self)
            let _: [UInt64] = [commitment.billingPeriodNumber, commitment.totalBillingPeriods]
            let _: Decimal = commitment.price
            let _: Date = commitment.expirationDate
        }
        await transaction.finish()
    }

    static func sequences() async {
        typealias Transactions = Transaction.Transactions
        isSequence(Transactions.self, of: VerificationResult<Transaction>.self)
        let _: Transactions.Failure.Type = Never.self
        for await result in Transaction.updates { _ = result.unsafePayloadValue }
        for await result in Transaction.currentEntitlements { _ = result.unsafePayloadValue }
        for await result in Transaction.currentEntitlements(for: "consumer.theme") { _ = result }
        for await case .verified(let transaction) in Transaction.all { _ = transaction.id }
        for await result in Transaction.all(for: "consumer.theme") { _ = result }
        for await result in Transaction.unfinished { _ = result }
        var iterator: Transactions.AsyncIterator = Transaction.all.makeAsyncIterator()
        let _: Transactions.Element? = await iterator.next()
        let _: VerificationResult<Transaction>? = await Transaction.latest(for: "consumer.theme")
    }

    @available(*, deprecated)
    static func deprecated(_ transaction: Transaction) async {
        let _: VerificationResult<Transaction>? =
            await Transaction.currentEntitlement(for: "consumer.theme")
        let _: Transaction.OfferType? = transaction.offerType
        let _: String? = transaction.offerID
        let _: String? = transaction.offerPaymentModeStringRepresentation
        let _: String? = transaction.offerPeriodStringRepresentation
        let _: String = transaction.environmentStringRepresentation
        let _: String = transaction.reasonStringRepresentation
        let _: String? = transaction.revocationTypeStringRepresentation
        let _: String? = transaction.currencyCode
        let _: String = transaction.storefrontCountryCode
    }

    static func kinds(_ transaction: Transaction) {
        isRaw(Transaction.OwnershipType.self, by: String.self)
        let owner = transaction.ownershipType
        let _: [Transaction.OwnershipType] = [
            .purchased, .familyShared, .init(rawValue: owner.rawValue),
        ]
        let _: String = owner.localizedDescription
        isRaw(Transaction.RevocationReason.self, by: Int.self)
        let _: [Transaction.RevocationReason] = [.developerIssue, .other, .init(rawValue: 1)]
        let _: String? = transaction.revocationReason?.localizedDescription
        let _: Int? = transaction.revocationReason?.rawValue
        isRaw(Transaction.RevocationType.self, by: String.self)
        let _: [Transaction.RevocationType] = [
            .fullRefund, .proratedRefund, .familyRevocation, .init(rawValue: "REFUND_FULL"),
        ]
        let _: String? = transaction.revocationType?.rawValue
        isRaw(Transaction.Reason.self, by: String.self)
        let _: [Transaction.Reason] = [
            .purchase, .renewal, .init(rawValue: transaction.reason.rawValue),
        ]
        guard let offer = transaction.offer else { return }
        isValue(Transaction.Offer.self)
        let _: String? = offer.id
        let _: Product.SubscriptionPeriod? = offer.period
        isRaw(Transaction.OfferType.self, by: Int.self)
        let _: [Transaction.OfferType] = [
            .introductory, .promotional, .code, .winBack, .init(rawValue: offer.type.rawValue),
        ]
        let _: String = offer.type.localizedDescription
        typealias PaymentMode = Transaction.Offer.PaymentMode
        isRaw(PaymentMode.self, by: String.self)
        let mode: PaymentMode? = offer.paymentMode
        let _: [PaymentMode] = [
            .freeTrial, .payAsYouGo, .payUpFront, .oneTime, .init(rawValue: mode?.rawValue ?? ""),
        ]
    }

    static func refund(_ transaction: Transaction) async throws -> String {
        isValue(Transaction.RefundRequestStatus.self)
        do {
            // Apple's takes the scene that shows the sheet.
            let _: Transaction.RefundRequestStatus =
                try await Transaction.beginRefundRequest(for: transaction.id)
            switch try await transaction.beginRefundRequest() {
            case .success: return "requested"
            case .userCancelled: return "cancelled"
            @unknown default: return "unknown"
            }
        } catch let error as Transaction.RefundRequestError {
            isValue(Transaction.RefundRequestError.self)
            let _: any LocalizedError = error
            switch error {
            case .duplicateRequest: return error.errorDescription ?? ""
            case .failed: return error.failureReason ?? ""
            @unknown default: return error.recoverySuggestion ?? ""
            }
        }
    }

    static func advanced(_ transaction: Transaction) {
        guard let info = transaction.advancedCommerceInfo else { return }
        typealias Info = Transaction.AdvancedCommerceInfo
        isValue(Info.self)
        let _: [String] = [info.requestReferenceID, info.taxCode]
        let _: [Decimal] = [info.estimatedTax, info.taxRate, info.taxExclusivePrice]
        let _: [String?] = [info.description, info.displayName]
        let _: SubscriptionPeriod? = info.period
        for item: Info.Item in info.items {
            let details: Info.Item.Details = item.details
            let _: [String] = [details.sku, details.displayName, details.description]
            let _: Decimal = details.price
            let _: Date? = item.revocationDate
            if let offer: Info.Offer = details.offer {
                isRaw(Info.Offer.Reason.self, by: String.self)
                let _: Decimal = offer.price
                let _: SubscriptionPeriod = offer.period
                let _: Int = offer.periodCount
                let _: [Info.Offer.Reason] = [
                    .acquisition, .retention, .winBack, .init(rawValue: offer.reason.rawValue),
                ]
            }
            for refund: Info.Refund in item.refunds ?? [] {
                isRaw(Info.Refund.Reason.self, by: String.self)
                isRaw(Info.Refund.RefundType.self, by: String.self)
                let _: Date = refund.date
                let _: Decimal = refund.amount
                let _: [Info.Refund.Reason] = [
                    .legal, .modifyItems, .unintended, .unfulfilled, .unsatisfied, .other,
                    .init(rawValue: refund.reason.rawValue),
                ]
                let _: [Info.Refund.RefundType] = [
                    .custom, .proRated, .full, .init(rawValue: refund.type.rawValue),
                ]
            }
        }
    }
}
