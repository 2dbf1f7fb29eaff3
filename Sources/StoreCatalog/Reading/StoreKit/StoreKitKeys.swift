/// The keys seen in Xcode's files, versions 1 to 6. A known key gets no warning, even if the store
/// does not use it.
enum StoreKitKeys {
    enum Root: String, MemberKey {
        case version, identifier, products, nonRenewingSubscriptions, subscriptionGroups, settings
        case appPolicies, subscriptionOffersKeyPair
        /// Since 6.3.
        case subscriptionBundleGroups, subscriptionSuiteGroups
    }

    /// The keys of `settings`; in the file all begin with an underscore.
    enum Settings: String, MemberKey {
        case storefront = "_storefront"
        case locale = "_locale"
        case timeRate = "_timeRate"
        case compatibilityTimeRate = "_compatibilityTimeRate"
        case failTransactionsEnabled = "_failTransactionsEnabled"
        case storeKitError = "_storeKitError"
        case storeKitErrors = "_storeKitErrors"
        case askToBuyEnabled = "_askToBuyEnabled"
        case billingGracePeriodEnabled = "_billingGracePeriodEnabled"
        case billingIssuesEnabled = "_billingIssuesEnabled"
        /// Xcode does not write this key, but generators of such files do.
        case interruptedPurchasesEnabled = "_interruptedPurchasesEnabled"
        case renewalBillingIssuesEnabled = "_renewalBillingIssuesEnabled"
        case disableDialogs = "_disableDialogs"
        case applicationInternalID = "_applicationInternalID"
        case developerTeamID = "_developerTeamID"
        case lastSynchronizedDate = "_lastSynchronizedDate"
    }

    enum Group: String, MemberKey { case id, name, localizations, subscriptions }

    /// The keys of products and subscriptions.
    enum Product: String, MemberKey {
        case productID, referenceName, type, displayPrice, familyShareable, internalID
        case localizations, promotionalImageID
        case subscriptionGroupID, groupNumber, recurringSubscriptionPeriod
        case introductoryOffer, introductoryOffers, adHocOffers, codeOffers, winbackOffers
        case billingPlans
    }

    /// The keys of offers of all kinds.
    enum Offer: String, MemberKey {
        case internalID, offerID, referenceName, paymentMode, subscriptionPeriod, numberOfPeriods
        case displayPrice, eligibility, isStackable, isEligible, billingPlanType
    }

    /// The keys of a billing plan of a subscription.
    enum BillingPlan: String, MemberKey {
        case internalID, billingPlanType, displayPrice, commitmentDisplayPrice, isEnabled
    }

    enum Localization: String, MemberKey { case locale, displayName, description }
}
