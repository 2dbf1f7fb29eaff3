package import StoreModel

/// The causes of errors while something is bought.
package enum BuyingErrorText: Hashable, Sendable {
    case errorCallCancelled, errorCallUnknown(cause: String?), errorAppNotEntitled
    case errorNotInThisTerritory(product: String?, account: String?)
    case errorOwnedBefore(product: String, account: String?), errorCancelled, errorPaymentInvalid
    case errorPaymentsNotAllowed(account: String?)
    case errorNotSignedIn(account: String, environment: String), errorNoProduct(product: String)
    case errorNoLongerSold(name: String), errorNotYetSold(product: String, date: String)
    case errorSaleEnded(product: String, date: String)
    case errorNotPublished(product: String, state: String)
    case errorQuantity(product: String, found: String?)
    case errorNotInTerritory(product: String, territory: String), errorOwnServer(product: String)
    case errorUnsupported, errorNetwork, errorSystem(cause: String?), errorUnknown(cause: String?)
    case errorPrivacyNotice, errorPaymentDeclined, errorApprovalDeclined
    case errorIneligible(OfferRefusal?), errorNoOffer(name: String?, product: String?)
    case errorOfferPrice, errorNoIntroductoryOffer(product: String), errorOfferIncomplete
    case errorOfferSignature(reason: OfferSignatureFault?), errorPriceChanged(product: String)
    case errorPaymentMismatch(field: String, expected: String, found: String)
    case errorAlreadyOwned(product: String, account: String?)
    case errorSubscriptionActive(plan: String?, account: String?), errorNotEntitled(product: String)
    case errorRequestWithdrawn, errorNoBillingPlan(product: String, BillingPlanType), errorOffline
}
