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

/// A setting of an account that is on or off, in the order in which consoles list them. The raw
/// value is its bit in a ledger's table: later ones are added at the end.
package enum AccountSwitch: Int64, Sendable, CaseIterable {
    case askToBuy, canMakePayments, asksBank, interruptsPurchases, disablesDialogs

    fileprivate var setting: WritableKeyPath<AccountSettings, Bool> {
        switch self {
        case .askToBuy: \.askToBuy
        case .canMakePayments: \.canMakePayments
        case .asksBank: \.asksBank
        case .interruptsPurchases: \.interruptsPurchases
        case .disablesDialogs: \.disablesDialogs
        }
    }

    fileprivate var change: WritableKeyPath<AccountChange, Bool?> {
        switch self {
        case .askToBuy: \.askToBuy
        case .canMakePayments: \.canMakePayments
        case .asksBank: \.asksBank
        case .interruptsPurchases: \.interruptsPurchases
        case .disablesDialogs: \.disablesDialogs
        }
    }
}

extension AccountSwitch {
    /// Of the operator.
    var command: String {
        switch self {
        case .askToBuy: "ask-to-buy"
        case .canMakePayments: "payments"
        case .asksBank: "ask-bank"
        case .interruptsPurchases: "interrupt-purchases"
        case .disablesDialogs: "dialogs"
        }
    }
}

extension AccountSettings {
    package subscript(setting: AccountSwitch) -> Bool {
        get { self[keyPath: setting.setting] }
        set { self[keyPath: setting.setting] = newValue }
    }
}

extension AccountChange {
    package init(of account: AccountName, _ setting: AccountSwitch, _ isOn: Bool) {
        self.init(account: account)
        self[keyPath: setting.change] = isOn
    }

    package subscript(setting: AccountSwitch) -> Bool? {
        get { self[keyPath: setting.change] }
        set { self[keyPath: setting.change] = newValue }
    }

    /// The first one turned on or off; nil for none.
    package var switched: (setting: AccountSwitch, isOn: Bool)? {
        for setting in AccountSwitch.allCases {
            if let isOn = self[setting] { return (setting, isOn) }
        }
        return nil
    }
}

/// A change to an account's settings. A field that is nil leaves the setting as it is.
package struct AccountChange: Codable, Hashable, Sendable {
    /// If the store has no settings for the account, this change creates them.
    package var account: AccountName
    /// Whether purchases wait for the family organizer's approval (StoreKit: Ask to Buy).
    package var askToBuy: Bool?
    /// Whether the account may pay at all (StoreKit: `canMakePayments`).
    package var canMakePayments: Bool?
    /// Whether purchases wait for the bank's confirmation (strong customer authentication).
    package var asksBank: Bool?
    /// Whether purchases are interrupted (StoreKit Test: `interruptedPurchasesEnabled`).
    package var interruptsPurchases: Bool?
    /// Whether the shop pays without its payment sheet (StoreKit Test: `disableDialogs`).
    package var disablesDialogs: Bool?
    /// The territory to buy in: ISO 3166-1, alpha-2 or alpha-3.
    package var territory: String?
    /// The locale of names, descriptions and prices, such as `ja_JP` (StoreKit Test: `locale`);
    /// empty for the customer's own locale.
    package var locale: String?

    package init(
        account: AccountName, askToBuy: Bool? = nil, canMakePayments: Bool? = nil,
        asksBank: Bool? = nil, interruptsPurchases: Bool? = nil, disablesDialogs: Bool? = nil,
        territory: String? = nil, locale: String? = nil
    ) {
        self.account = account
        self.askToBuy = askToBuy
        self.canMakePayments = canMakePayments
        self.asksBank = asksBank
        self.interruptsPurchases = interruptsPurchases
        self.disablesDialogs = disablesDialogs
        self.territory = territory
        self.locale = locale
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
