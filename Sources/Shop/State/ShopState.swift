package import ShopText
package import StoreModel

/// The whole state of the shop, drawn by `ShopDrawing`. Only `reduce` changes it, with two
/// exceptions: the program sets `own`, and `shop` when a store is ready, and clears `statusMessage`
/// while it fills a demo's store.
package struct ShopState: Hashable, Sendable {
    package var shop: ShopIdentity
    /// Nil until the store has answered.
    package var settings: AccountSettings?
    /// Set once, before the store is open.
    package var own = OwnChoices()
    package var opening = Opening.opening
    package var productList = ProductList()
    /// Nil without a tour.
    package var tour: Tour?
    /// The account on this device, as of the last `refreshAccount`.
    package var snapshot = AccountSnapshot()

    package var purchasing = Purchasing()
    /// Every screen shows their number, so that no injected failure is mistaken for a real one.
    package var faults: [Fault] = []
    /// Whether this process delivers for the device; false while another process does.
    package var holdsLease = true

    // MARK: - Navigation, and the parts of the screens

    package var navigation = Navigation()
    package var sheet: Sheet?
    package var list = ListPart()
    package var page = PagePart()
    package var library = LibraryPart()
    package internal(set) var subscription = SubscriptionPart()
    /// Nil while no content is open.
    package var reader: ReaderPart?
    package var console = ConsolePart()
    /// The events of the account and of this device; empty until it is opened.
    package internal(set) var history = EventLog(.account)
    package var receipt = ReceiptPart()
    package var trials = TrialsPart()
    package var server = ServerPart()
    package var details = DetailsPart()
    /// Nil while the help is closed.
    package var help: HelpPart?
    /// The message above the footer; nil when the last one has faded.
    package var statusMessage: StatusMessage?
    /// They wait until the message row is free (`StatusText.isNotice`), the oldest first.
    package internal(set) var waitingNotices: [StatusMessage] = []
    /// Whether clicks and the wheel are reported to the shop.
    package var isPointerOn = true

    // MARK: - Inputs of the last action

    /// The store's time at the last action.
    package var now = Timestamp(milliseconds: 0)
    /// At the last action.
    var viewport = Viewport()

    package internal(set) var deadlines = Deadlines()
    package internal(set) var loading = ProductsLoading()

    /// Queries under way. A thousand events during a query cause only one repetition of it.
    var queries = PendingQueries()
    /// Since the store was opened. Purchases are refused before.
    var isAccountLoaded = false
    /// The store has an entry that only a newer program reads: the entitlements are unknown.
    package var needsNewerProgram = false
    /// They arrived before the products, whose names their messages need.
    var earlyUpdates: [DeviceUpdate] = []

    /// A shop whose store is not open yet.
    package init(shop: ShopIdentity) { self.shop = shop }

    /// The purchases and restores of a shop, since its store was opened.
    package struct Purchasing: Hashable, Sendable {
        /// At most one for each product; a sold payment ends when its transaction has arrived.
        package var underWay: [ProductID: PurchaseInFlight] = [:]
        /// Its purchase continues after the customer has signed in; nil if none waits for that.
        var afterSignIn: ProductID?
        /// Sales of payments of an earlier process, by product: announced when the account's
        /// records, such as the purse, have them.
        var arriving: [ProductID: Bought] = [:]
        /// The payments of apps that this shop has answered.
        var answered: Set<PaymentID> = []
        /// The error of each product's last payment, if it failed. The next payment or sale removes
        /// it; an error of a cut network is also removed when the network is restored.
        package var failures: [ProductID: StoreError] = [:]
        /// Products restored since the store was opened.
        package var restored: Set<ProductID> = []
        package var isRestoring = false
        /// The last of each product, refunded, revoked or given back since the opening.
        var revised: [ProductID: Revised] = [:]
    }

    /// A transaction, and how it was revised last.
    struct Revised: Hashable, Sendable {
        var id: TransactionID
        var kind: RevisionKind
    }

    /// The instants at which the screen changes without an action of a person or the store.
    package struct Deadlines: Hashable, Sendable {
        /// When a subscription ends or the products change; the program sends `timePassed` then.
        package internal(set) var nextEnd: Timestamp?
        /// When a balance counts on, in elapsed time since the program began.
        package internal(set) var nextCount: Duration?
        /// When a download may have been without bytes for another second; also in elapsed time.
        var nextSilence: Duration?
        /// The program sends `LibraryAction.counted` then.
        package var nextCountOrSilence: Duration? {
            [nextCount, nextSilence].compactMap(\.self).min()
        }
        /// The computed end of each non-renewing subscription, including past ends.
        var periodEnds: [ProductID: Timestamp] = [:]
    }

    /// The time of the next query for products, and the reason why they are unknown.
    package struct ProductsLoading: Hashable, Sendable {
        /// When the products change (`ProductsResponse.changesAt`), or are asked for again.
        var changesAt: Timestamp?
        /// As of when the device's copy of the products holds; nil if the store sent them.
        var asOf: Timestamp?
        /// Nil if the products are known, or no attempt has failed. The query is repeated after a
        /// pause, when a fault ends, and when the shop's view is chosen.
        package internal(set) var failure: StoreError?
        /// The number of failed attempts in a row while no products were known.
        var failedTries = 0
    }

    /// Whether the store is open.
    package enum Opening: Hashable, Sendable {
        /// The store is being opened for the first time.
        case opening
        /// The store that is there now is being opened.
        case reopening(Reopening)
        case open
    }

    /// The store is open, and its products and the account's snapshot have arrived.
    package var isReady: Bool { opening == .open && productList.isFromStore && isAccountLoaded }

    /// Whether any store has sent products, including a store that was replaced since.
    package var areProductsKnown: Bool { productList.revision != nil }

    /// The store's settings, which the device may not know yet; until it answers, the device's.
    package var settingsInStore: AccountSettings? { console.settings ?? settings }

    /// StoreKit: `AppStore.canMakePayments`; true until the settings are known.
    package var canMakePayments: Bool { settings?.canMakePayments ?? true }
}
