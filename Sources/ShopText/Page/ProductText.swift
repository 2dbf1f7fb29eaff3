package import StoreModel

/// A product in a row: its type and its state, from long to short.
package enum ProductText: Hashable, Sendable {
    case updateOnItsWay(version: String), updateAvailable(version: String, size: String)
    case updateAvailableShort(version: String), waitingForConsent(size: String), meteredConnection
    case waitsForYouDiskFull, diskIsFull, notAsAnnounced, downloadStoppedBy(String), consumable
    case oneTimePurchase, subscription, pass, freeSubscription(group: String)
    case renewingSubscription(group: String, Int, SubscriptionPeriod.Unit), passOf(length: String)
    case perPeriod(Int, SubscriptionPeriod.Unit), perPeriodShort(Int, SubscriptionPeriod.Unit)
    case lengthOfTime(Int, SubscriptionPeriod.Unit), shortSeconds(Int64), shortMinutes(Int64)
    case shortHours(Int64), shortDays(Int64), dayAndTime(day: String, time: String)
    case downloadOf(size: String), listSeparator, buying, waitingForApproval, waitingForBank
    case interrupted, waiting, pausedAt(percent: Int), paused, ownedDownloadFailed
    case downloadFailedShort, failedShort, ownedNotDownloaded, owned, restored
    case ownedElsewhere(key: String), ownedElsewhereShort(key: String)
    case awaitingApproval, awaitingBank, approvalShort, bankShort, yours, later
    case newPriceShort, yourPlan, yourPlanRenews(day: String), renewsOn(day: String)
    case yourPlanUntil(day: String), untilDay(day: String), afterYourPlan
    case afterYourPlanEnds(day: String), fromDay(day: String), fromAppServer, waitingToDownload
    case downloading, waitingForNetwork, declined, takenBack, notAllowed, noConnection, notAvailable
    case priceHasChanged, storeNotReached, reasonNotCharged(String), yourPlanEnds(day: String)
    case endsOn(day: String), nextPlanFrom(day: String), changeAtOnce(PlanChange.Kind)
    case changeFrom(PlanChange.Kind, day: String), changeShort(PlanChange.Kind)
    case paymentFailsUntil(day: String), unpaidUntil(day: String), unpaid, noAccess, billingProblem
    case newPrice, cannotRenew, answerPriceBy(day: String), cannotRenewEnds(day: String)
    case expiredOn(day: String?), refundedOn(day: String?), revokedOn(day: String?)
    case items(Int, name: String), partOf(String, whole: String), itemFor(
        item: String, price: String)
    case about(name: String, text: String)
    case ownedRefundAsked, refundAsked, included, includedWith(name: String)
    case includedUntil(name: String, day: String)
}
