/// An account's settings.
package struct AccountSettings: Codable, Hashable, Sendable {
    package var name: AccountName
    /// ISO 3166-1 alpha-3.
    package var territory: String
    /// Whether purchases wait for the family organizer's approval (StoreKit: Ask to Buy).
    package var askToBuy = false
    /// Whether this account may pay at all (StoreKit: `canMakePayments`).
    package var canMakePayments = true
    /// Whether purchases wait until the customer's bank has confirmed them (strong customer
    /// authentication).
    package var asksBank = false
    /// Whether purchases are interrupted until the customer resolves a problem, such as new terms
    /// (StoreKit Test: `interruptedPurchasesEnabled`).
    package var interruptsPurchases = false
    /// Whether the shop pays without its payment sheet when the customer buys (StoreKit Test:
    /// `disableDialogs`).
    package var disablesDialogs = false
    /// The locale in which the store writes names, descriptions and prices for a customer whose
    /// device asks for none, such as `ja_JP` (StoreKit Test: `locale`); nil for the customer's own
    /// locale.
    package var locale: String?

    /// The reason for which a payment of this account waits instead of being sold; nil if it does
    /// not wait. The organizer answers before the bank, because a refusal leaves no charge for the
    /// bank to confirm.
    package var reasonToWait: RequestReason? {
        if askToBuy { return .askToBuy }
        if interruptsPurchases { return .interrupted }
        return asksBank ? .authentication : nil
    }
}

extension AccountSettings {
    package init(name: AccountName, territory: String) {
        self.name = name
        self.territory = territory
    }
}

/// The reason for which a payment waits (StoreKit: `Product.PurchaseResult.pending`). It decides
/// whether the organizer, the bank or the customer answers.
package enum RequestReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The family organizer approves or declines it (StoreKit: Ask to Buy; StoreKit 1: `deferred`).
    case askToBuy
    /// The customer's bank confirms or declines it (strong customer authentication; StoreKit 1:
    /// `deferred`).
    case authentication
    /// The customer must resolve a problem first, such as new terms (StoreKit Test: an interrupted
    /// purchase; StoreKit 1: `failed`, and `purchased` once it is resolved).
    case interrupted
}
