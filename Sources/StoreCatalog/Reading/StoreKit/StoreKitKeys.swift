/// The keys Xcode's files were seen to have, versions 1 to 5. Known ones are accepted without a
/// word even where the store has no use for them.
enum StoreKitKeys {
    enum Root: String, MemberKey {
        case version, identifier, products, nonRenewingSubscriptions, subscriptionGroups, settings
        case appPolicies, subscriptionOffersKeyPair
    }

    /// Of `settings`; all begin with an underscore in the file.
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
        case renewalBillingIssuesEnabled = "_renewalBillingIssuesEnabled"
        case disableDialogs = "_disableDialogs"
        case applicationInternalID = "_applicationInternalID"
        case developerTeamID = "_developerTeamID"
        case lastSynchronizedDate = "_lastSynchronizedDate"
    }

    enum Group: String, MemberKey { case id, name, localizations, subscriptions }

    /// Of products and subscriptions alike.
    enum Product: String, MemberKey {
        case productID, referenceName, type, displayPrice, familyShareable, internalID
        case localizations, promotionalImageID
        case subscriptionGroupID, groupNumber, recurringSubscriptionPeriod
        case introductoryOffer, introductoryOffers, adHocOffers, codeOffers, winbackOffers
        case billingPlans
    }

    enum Localization: String, MemberKey { case locale, displayName, description }
}
