package import StoreModel

/// The state of a subscription, and its screen.
package enum SubscriptionText: Hashable, Sendable {
    case changesLine(day: String, name: String, price: String?), paymentFailsLine(day: String)
    case graceLine(day: String?), retryingLine, sharedGraceLine(day: String?), sharedRetryingLine
    case priceIncreaseLine(day: String, price: String?), notForSaleLine(day: String)
    case priceConsentLine(day: String, price: String), expiredAtLimitLine(day: String?)
    case expiredLine(ExpirationReason?, day: String?), refundedLine(day: String?)
    case revokedLine(day: String?), plannedLine(name: String, day: String)
    case changeLine(PlanChange.Kind, from: String, day: String?, refund: String?)
    case perMonthPrice(String), comparedFact, chargedNow, nothingCharged, givenBack
    case givenBackOf(price: String, name: String), aboutPrice(String)
    case priceFrom(price: String, day: String), planEndsNow(name: String), yourPlanFact
    case planUntil(name: String, day: String), then
    case planFrom(name: String, price: String, day: String), takenBackFact
    case renewsFor(day: String, price: String), needsAttention, endedHeading, periodFact
    case periodFromTo(String, String), nextRenewalFact, noRenewal, noRenewalNotForSale
    case renewalOn(day: String, name: String, price: String)
    case renewalWhenPaid(name: String, price: String?), subscriberSince, plansHeading
    case timelineHeading, noTimeline, sharedPlanLine(account: String?)
    case sharedNoMoreLine(account: String?), billingFact
}
