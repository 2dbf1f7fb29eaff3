/// Why a subscription expired. The raw value is Apple's (App Store Server API: `expirationIntent`;
/// StoreKit: `RenewalInfo.ExpirationReason`).
package enum ExpirationReason: Int, Codable, Sendable, CaseIterable {
    case autoRenewDisabled = 1
    case billingError = 2
    case didNotConsentToPriceIncrease = 3
    /// The product was not for sale when it should have renewed (StoreKit: `productUnavailable`).
    case productUnavailable = 4
    /// Another reason: the operator ended it, or the run reached the limit of renewals (StoreKit:
    /// `unknown`).
    case other = 5

    /// As JSON and the command line write it.
    package var name: String { String(describing: self) }
}
