/// Why a subscription cannot be changed as was asked: the `subject` of `noSubscription`.
package enum SubscriptionObstacle: String, Codable, Hashable, Sendable, CaseIterable {
    /// It is no subscription, or one without periods.
    case neverRenews
    /// It has expired or was taken back: it must be bought again.
    case over
    /// It does not renew: auto-renew is off.
    case renewalOff
    /// Its period is over and the payment for the next one is still being tried.
    case paymentOwed
}
