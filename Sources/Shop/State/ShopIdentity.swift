package import StoreModel

/// The app, account, device and language with which a shop is opened. They stay the same until
/// another store is opened.
package struct ShopIdentity: Hashable, Sendable {
    /// The app's name in the customer's language; empty until a store is open.
    package var appName: String
    /// The app's bundle id; nil until a store is open.
    package var bundleID: String?
    /// The environment of the store, which every screen names.
    package var environment: StoreEnvironment
    /// The account that buys.
    package var account: AccountName
    package var device: DeviceName
    /// The locale of dates and territories.
    package var locale: String
    /// The language of the texts where the account has none (`ShopState.language`).
    package var language: String
    /// Whether the operator's console can be opened; false with `--customer`.
    package var hasConsole: Bool
    /// Whether the console shows the store's own server: not to an organizer.
    package var hasServer: Bool
    /// The organizer in whose name the console acts (`--as`); nil for the operator of the store.
    package var actor: AccountName?
    /// With `--presenter`: the customer's screens name no fault and use no word of the console.
    package var isPresenting: Bool
    /// Whether the store is a throwaway one, which Ctrl-R starts anew.
    package var isDemo: Bool
    /// The unlocks that the app can draw as themes. Other unlocks are not themes.
    package var themes: Set<UnlockID>

    /// Whether the screens may mention the console: false for a customer and for an audience.
    package var namesConsole: Bool { hasConsole && !isPresenting }

    /// The number of the order of a transaction, which a customer finds on the receipt.
    func orderNumber(of transaction: TransactionID) -> String? {
        bundleID.map { OrderID(of: transaction, in: $0).description }
    }

    package init(
        appName: String, bundleID: String? = nil, environment: StoreEnvironment,
        account: AccountName, device: DeviceName, locale: String, language: String,
        hasConsole: Bool = true, hasServer: Bool = false, actor: AccountName? = nil,
        isPresenting: Bool = false, isDemo: Bool = false, themes: Set<UnlockID> = []
    ) {
        self.appName = appName
        self.bundleID = bundleID
        self.environment = environment
        self.account = account
        self.device = device
        self.locale = locale
        self.language = language
        self.hasConsole = hasConsole
        self.hasServer = hasServer
        self.actor = actor
        self.isPresenting = isPresenting
        self.isDemo = isDemo
        self.themes = themes
    }
}
