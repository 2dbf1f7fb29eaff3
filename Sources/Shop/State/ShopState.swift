import ShopText
package import StoreModel

/// The whole state of the shop, drawn by `ShopDrawing`. Only `reduce` changes it, with two
/// exceptions: the program sets `shop` when a store is ready, and clears `statusMessage` while it
/// fills a demo's store.
package struct ShopState: Hashable, Sendable {
    /// The app, the account and the device of this shop.
    package var shop: ShopIdentity
    /// The account's settings; nil until the store has answered.
    package var settings: AccountSettings?
    /// Whether a store is open.
    package var opening = Opening.opening
    /// The products for sale, in the order of the list.
    package var productList = ProductList()
    /// The account on this device, as of the last `refreshAccount`.
    package var snapshot = AccountSnapshot()

    /// The purchases and restores of this shop.
    package var purchasing = Purchasing()
    /// Faults that the operator has set. Every screen shows their number, so that an injected
    /// failure is not mistaken for a real one.
    package var faults: [Fault] = []
    /// Whether this process delivers for the device; false while another process does.
    package var holdsLease = true

    // MARK: - Navigation, and the parts of the screens

    /// The view in sight, and the screens that are open in each view.
    package var navigation = Navigation()
    /// The sheet over the screen; nil while there is none.
    package var sheet: Sheet?
    /// The part of the product list.
    package var list = ListPart()
    /// The part of the product page.
    package var page = PagePart()
    package var library = LibraryPart()
    /// The part of a subscription's screen.
    package internal(set) var subscription = SubscriptionPart()
    /// Nil while no content is open.
    package var reader: ReaderPart?
    package var console = ConsolePart()
    /// The events of the account and of this device; empty until it is opened.
    package internal(set) var history = EventLog(.account)
    /// The part of the receipt's screen.
    package var receipt = ReceiptPart()
    /// The part of the details of a transaction.
    package var details = DetailsPart()
    /// Nil while the help is closed.
    package var help: HelpPart?
    /// The message above the footer; nil when the last one has faded.
    package var statusMessage: StatusMessage?
    /// Notices that wait until the message row is free (`StatusText.isNotice`), the oldest
    /// first.
    package internal(set) var waitingNotices: [StatusMessage] = []
    /// Whether clicks and the wheel are reported to the shop.
    package var isPointerOn = true

    // MARK: - Inputs of the last action

    /// The store's time at the last action.
    package var now = Timestamp(milliseconds: 0)
    /// The screen's measures at the last action.
    var viewport = Viewport()

    /// The instants at which the screen changes without an action of a person or the store.
    package internal(set) var deadlines = Deadlines()
    /// The time of the next query for products, and the reason why they are unknown.
    package internal(set) var loading = ProductsLoading()

    /// Queries under way. A thousand events during a query cause only one repetition of it.
    var queries = PendingQueries()
    /// Whether a snapshot has arrived since the store was opened. Purchases are refused before
    /// that.
    var isAccountLoaded = false
    /// Whether the store has an entry about the account that only a newer program can read: then
    /// the account's entitlements are unknown.
    package var needsNewerProgram = false
    /// Updates that arrived before the products; they wait, because their messages need product
    /// names.
    var earlyUpdates: [DeviceUpdate] = []

    /// A shop whose store is not open yet.
    package init(shop: ShopIdentity) { self.shop = shop }

    /// The purchases and restores of a shop, since its store was opened.
    package struct Purchasing: Hashable, Sendable {
        /// Payments that this shop has sent and that have not ended, at most one for each product.
        /// A sold payment ends when its transaction has arrived.
        package var underWay: [ProductID: PurchaseInFlight] = [:]
        /// The product whose purchase continues after the customer has signed in; nil if none waits
        /// for that.
        var afterSignIn: ProductID?
        /// The error of each product's last payment, if it failed. The next payment or sale removes
        /// it; an error of a cut network is also removed when the network is restored.
        package var failures: [ProductID: StoreError] = [:]
        /// Products restored since the store was opened.
        package var restored: Set<ProductID> = []
        /// Whether a restore is under way.
        package var isRestoring = false
        /// The last transaction of each product that was refunded, revoked or given back since the
        /// store was opened.
        var revised: [ProductID: TransactionID] = [:]
    }

    /// The instants at which the screen changes without an action of a person or the store.
    package struct Deadlines: Hashable, Sendable {
        /// The next time after `now` at which a subscription ends or the products change; nil if
        /// there is none. The program sends `timePassed` then.
        package internal(set) var nextEnd: Timestamp?
        /// The time of the next step of a balance that counts up, in elapsed time since the program
        /// began; nil if no balance counts. The program sends `LibraryAction.counted` then.
        package internal(set) var nextCount: Duration?
        /// The computed end of each non-renewing subscription, including past ends.
        var periodEnds: [ProductID: Timestamp] = [:]
    }

    /// The time of the next query for products, and the reason why they are unknown.
    package struct ProductsLoading: Hashable, Sendable {
        /// When the products change without an action (`ProductsResponse.changesAt`), or are
        /// queried again after a failure; nil if neither is due.
        var changesAt: Timestamp?
        /// The store's time as of which the products hold, if they are the device's copy; nil if
        /// the store sent them.
        var asOf: Timestamp?
        /// Why the products could not be loaded; nil if they are known, or no attempt has failed.
        /// The query is repeated after a pause, when a fault ends, and when the shop's view is
        /// chosen.
        package internal(set) var failure: StoreError?
        /// The number of failed attempts in a row while no products were known.
        var failedTries = 0
    }

    /// Whether the store is open.
    package enum Opening: Hashable, Sendable {
        /// The store is being opened for the first time.
        case opening
        /// The store's files were replaced or deleted, and the files now at their paths are being
        /// opened.
        case reopening
        case open
    }

    /// Whether purchases are possible: the store is open, and its products and the account's
    /// snapshot have arrived.
    package var isReady: Bool { opening == .open && productList.isFromStore && isAccountLoaded }

    /// Whether any store has sent products, including a store that was replaced since.
    package var areProductsKnown: Bool { productList.revision != nil }

    /// The account's settings as the console shows and changes them: the store's settings, which
    /// the device may not know yet; until the store has answered, the device's settings.
    package var settingsInStore: AccountSettings? { console.settings ?? settings }

    /// Whether the account may make payments (StoreKit: `AppStore.canMakePayments`); true until the
    /// settings are known.
    package var canMakePayments: Bool { settings?.canMakePayments ?? true }
}
