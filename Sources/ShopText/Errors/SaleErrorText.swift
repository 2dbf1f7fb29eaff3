package import StoreModel

/// The causes of errors about what was sold, about requests and about families.
package enum SaleErrorText: Hashable, Sendable {
    case errorRequestEnded(request: String, account: String, date: String, end: String)
    case errorNothingToRefund(String), errorNoRequest(String)
    case errorNoTransaction(String, account: String?), errorNoTransactionHere(String)
    case errorNotAnswerable(request: String, reason: RequestReason?)
    case errorRefundAnswered(String, date: String, isRefunded: Bool), errorNoRefundRequest(String)
    case errorRefundRequest(String?)
    case errorPackageNotHostable(product: String, field: String, found: String)
    case errorSoldWithoutHosting(product: String)
    case errorLastPackage(product: String, package: String), errorNoDownload(product: String)
    case errorNotDownloaded(product: String, state: String), errorDownloadedAlready(product: String)
    case errorNotDownloading(product: String, state: String?)
    case errorNoSuchPackage(product: String, package: String)
    case errorNoSubscription(SubscriptionObstacle?)
    case errorNotOrganizer(account: String, organizer: String?)
    case errorSharedPurchase(String, owner: String)
    case errorSharedAlready(product: String, owner: String, account: String?)
    case errorNoOrganizer(account: String, organizer: String)
}
