/// Why the store refuses to change a subscription: the `subject` of `noSubscription`.
package enum SubscriptionObstacle: String, Codable, Hashable, Sendable, CaseIterable {
    /// The product is no subscription, or one without periods.
    case neverRenews
    /// The subscription has expired or was revoked: the customer must buy it again.
    case over
    /// Auto-renew is off.
    case renewalOff
    /// The period is over and the store still tries to charge for the next one.
    case paymentOwed
    /// The app's backend has extended the subscription as often as it may in a year.
    case extendedTwice
}
