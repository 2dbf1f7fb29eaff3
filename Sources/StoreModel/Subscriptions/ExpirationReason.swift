/// Why a subscription expired. The raw value is Apple's (App Store Server API: `expirationIntent`;
/// StoreKit: `RenewalInfo.ExpirationReason`).
package enum ExpirationReason: Int, Codable, Sendable, CaseIterable {
    /// Auto-renew was turned off (StoreKit: `autoRenewDisabled`).
    case autoRenewDisabled = 1
    /// Charging failed until billing retry was over (StoreKit: `billingError`).
    case billingError = 2
    /// The customer did not consent to a higher price (StoreKit:
    /// `didNotConsentToPriceIncrease`).
    case didNotConsentToPriceIncrease = 3
    /// The product was not for sale when it should have renewed (StoreKit: `productUnavailable`).
    case productUnavailable = 4
    /// Another reason: the operator ended it, or the run reached the limit of renewals (StoreKit:
    /// `unknown`).
    case other = 5

    /// StoreKit's name of the reason, as JSON and the command line write it.
    package var name: String { String(describing: self) }
}
