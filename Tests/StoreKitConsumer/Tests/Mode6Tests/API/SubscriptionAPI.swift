import StoreKit

/// The declarations of `Product.SubscriptionInfo`, each with its type.
enum SubscriptionAPI {
    static func info(_ info: SubscriptionInfo) async throws {
        isValue(Product.SubscriptionInfo.self)
        let _: Product.SubscriptionInfo = info
        let _: String = info.subscriptionGroupID
        let _: String = info.groupDisplayName
        let _: Int = info.groupLevel
        let _: Product.SubscriptionPeriod = info.subscriptionPeriod
        let _: Product.SubscriptionOffer? = info.introductoryOffer
        let _: [Product.SubscriptionOffer] = info.promotionalOffers
        let _: [Product.SubscriptionOffer] = info.winBackOffers
        let _: Bool = await info.isEligibleForIntroOffer
        let _: Bool = await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "C0FFEE03")
        let _: [Product.SubscriptionInfo.Status] = try await info.status
        let _: [Product.SubscriptionInfo.Status] =
            try await Product.SubscriptionInfo.status(for: "C0FFEE03")
        let _: SubscriptionStatus? = try await SubscriptionInfo.status(transactionID: 7)
        for terms in info.pricingTerms { pricing(terms) }
    }

    private static func pricing(_ terms: Product.SubscriptionInfo.PricingTerms) {
        isValue(Product.SubscriptionInfo.PricingTerms.self)
        isRaw(Product.SubscriptionInfo.BillingPlanType.self, by: String.self)
        let plan: Product.SubscriptionInfo.BillingPlanType = terms.billingPlanType
        let _: [Product.SubscriptionInfo.BillingPlanType] = [
            .monthly, .upFront, .init(rawValue: plan.rawValue),
        ]
        let _: Decimal = terms.billingPrice
        let _: String = terms.billingDisplayPrice
        let _: Product.SubscriptionInfo.BillingPeriod = terms.billingPeriod
        let _: [Product.SubscriptionOffer] = terms.subscriptionOffers
        let _: [Product.SubscriptionOffer] = terms[offers: .introductory]
        isValue(Product.SubscriptionInfo.CommitmentInfo.self)
        let _: Decimal = terms.commitmentInfo.price
        let _: String = terms.commitmentInfo.displayPrice
        let _: SubscriptionPeriod = terms.commitmentInfo.period
    }

    static func status(_ status: SubscriptionStatus) async throws {
        isValue(Product.SubscriptionInfo.Status.self)
        let _: Product.SubscriptionInfo.RenewalState = status.state
        let _: VerificationResult<Transaction> = status.transaction
        let _: VerificationResult<Product.SubscriptionInfo.RenewalInfo> = status.renewalInfo
        typealias Statuses = Product.SubscriptionInfo.Status.Statuses
        isSequence(Statuses.self, of: Product.SubscriptionInfo.Status.self)
        let _: Statuses.Failure.Type = Never.self
        var iterator: Statuses.AsyncIterator = SubscriptionStatus.updates.makeAsyncIterator()
        let _: Statuses.Element? = await iterator.next()
        for await status in Product.SubscriptionInfo.Status.updates { _ = status.state }
        for await (groupID, statuses) in Product.SubscriptionInfo.Status.all {
            let _: (String, [Product.SubscriptionInfo.Status]) = (groupID, statuses)
        }
        let _: AsyncStream<(groupID: String, statuses: [SubscriptionStatus])> =
            SubscriptionStatus.all
    }

    static func state(_ state: SubscriptionRenewalState) -> String {
        isRaw(Product.SubscriptionInfo.RenewalState.self, by: Int.self)
        let _: Product.SubscriptionInfo.RenewalState = .init(rawValue: state.rawValue)
        switch state {
        case .subscribed, .inGracePeriod: return "access"
        case .expired, .inBillingRetryPeriod, .revoked: return "none"
        default: return state.localizedDescription
        }
    }

    static func renewal(_ info: SubscriptionRenewalInfo) -> String {
        isValue(Product.SubscriptionInfo.RenewalInfo.self)
        let _: UInt64 = info.originalTransactionID
        let _: String = info.currentProductID
        let _: Bool = info.willAutoRenew
        let _: String? = info.autoRenewPreference
        let _: Date? = info.gracePeriodExpirationDate
        let _: Bool = info.isInBillingRetry
        let _: Date? = info.renewalDate
        let _: Decimal? = info.renewalPrice
        let _: Locale.Currency? = info.currency
        let _: [String] = info.eligibleWinBackOfferIDs
        let _: Transaction.Offer? = info.offer
        let _: Date = info.recentSubscriptionStartDate
        let _: UUID? = info.appAccountToken
        let _: String = info.appTransactionID
        let _: AppStore.Environment = info.environment
        let _: Date = info.signedDate
        let _: Data = info.deviceVerification
        let _: UUID = info.deviceVerificationNonce
        let _: Data = info.jsonRepresentation
        let _: String = info.debugDescription
        let _: Product.SubscriptionInfo.BillingPlanType? = info.renewalBillingPlanType
        if let commitment = info.commitmentInfo {
            isValue(Product.SubscriptionInfo.RenewalInfo.CommitmentInfo.self)
            let _: String = commitment.autoRenewPreference
            let _: Product.SubscriptionInfo.BillingPlanType = commitment.renewalBillingPlanType
            let _: Date = commitment.renewalDate
            let _: Decimal = commitment.renewalPrice
            let _: Bool = commitment.willAutoRenew
        }
        typealias Increase = Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus
        let increase: Increase = info.priceIncreaseStatus
        // Frozen: the cases are all there are.
        switch increase {
        case .noIncreasePending: return "none"
        case .pending: return "asked"
        case .agreed: return increase.localizedDescription
        }
    }

    static func expiration(_ info: SubscriptionRenewalInfo) -> String {
        typealias Reason = Product.SubscriptionInfo.RenewalInfo.ExpirationReason
        isRaw(Reason.self, by: Int.self)
        guard let reason: Reason = info.expirationReason else { return "renews" }
        switch Reason(rawValue: reason.rawValue) {
        case .autoRenewDisabled, .billingError, .didNotConsentToPriceIncrease,
            .productUnavailable, .unknown:
            return "known"
        default: return reason.localizedDescription
        }
    }

    @available(*, deprecated)
    static func deprecated(_ info: SubscriptionRenewalInfo) {
        let _: String? = info.offerID
        let _: Transaction.OfferType? = info.offerType
        let _: String? = info.offerPaymentModeStringRepresentation
        let _: String? = info.offerPeriodStringRepresentation
        let _: String = info.environmentStringRepresentation
        let _: String? = info.currencyCode
    }

    static func advanced(_ info: SubscriptionRenewalInfo) {
        guard let advanced = info.advancedCommerceInfo else { return }
        typealias Advanced = Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo
        isValue(Advanced.self)
        let _: [String] = [
            advanced.consistencyToken, advanced.requestReferenceID, advanced.taxCode,
            advanced.description, advanced.displayName,
        ]
        let _: SubscriptionPeriod = advanced.period
        for item: Advanced.Item in advanced.items {
            let _: Advanced.Item.Details = item.details
            guard let increase = item.priceIncreaseInfo else { continue }
            typealias Status = Advanced.Item.PriceIncreaseInfo.Status
            isRaw(Status.self, by: String.self)
            let _: [String] = increase.dependentSKUs
            let _: Decimal = increase.price
            let _: [Status] = [
                .scheduled, .pending, .accepted, Status(rawValue: increase.status.rawValue),
            ]
        }
    }
}
