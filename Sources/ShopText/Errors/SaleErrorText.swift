package import StoreModel

/// The causes of errors about what was sold, and about requests.
package enum SaleErrorText: Hashable, Sendable {
    case errorRequestEnded(request: String, account: String, date: String, end: String)
    case errorNothingToRefund(String), errorPromotedNotHeld(product: String)
    case errorPaymentNotQueued(String), errorNoRequest(String)
    case errorNoTransaction(String, account: String?), errorNoTransactionHere(String)
    case errorNoFault(String), errorNotAnswerable(request: String, reason: RequestReason?)
    case errorRefundAnswered(String, date: String, isRefunded: Bool), errorNoRefundRequest(String)
    case errorDuplicateRefund(String?), errorRefundRequest(String?), errorBadSignature
    case errorBadChain, errorRevokedCertificate, errorOtherDevice, errorNoSignedText
    case errorMissingProperties, errorNoContent(product: String, place: String?, cause: String?)
    case errorContentMismatch(product: String, place: String?)
    case errorPackageInvalid(place: String?, found: String)
    case errorPackageNotHostable(product: String, field: String, found: String)
    case errorSoldWithoutHosting(product: String)
    case errorLastPackage(product: String, package: String), errorNoDownload(product: String)
    case errorNotDownloaded(product: String, state: String), errorDownloadedAlready(product: String)
    case errorNotDownloading(product: String, state: String?)
    case errorRefundTooLarge(amount: String, transaction: String), errorAlreadyRefunded(String)
    case errorNothingUnused(String), errorNotRevoked(String), errorBoughtAgain(String)
    case errorNotLastPeriod(String), errorTransactionDeleted(String)
    case errorBalance(has: String, unit: String, wanted: String)
    case errorSpendMismatch(field: String, expected: String, found: String), errorClockBackwards
    case errorNothingDue, errorNoSubscription(SubscriptionObstacle?), errorNoBillingIssue
    case errorNoPriceIncrease, errorPeriodJustBegun(String), errorNextPeriodCharged(String)
    case errorPriceCommitted(payment: String, of: String), errorContradiction(found: String?)
}
