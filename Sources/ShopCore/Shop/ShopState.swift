package import StoreModel

/// The whole state of the shop, drawn by `ShopDrawing`. Changed by `reduce`, except for `shop`, which
/// the program sets when a store is ready, and `statusMessage`, which it clears while a demo's store is
/// filled.
package struct ShopState: Hashable, Sendable {
    /// The app, the account and the device of this shop.
    package var shop: ShopIdentity
    /// The account's settings; nil until the store has answered.
    package var settings: AccountSettings?
    /// Whether a store is open.
    package var opening = Opening.opening
    /// The products for sale, in the order of the list.
    package var productList = ProductList()
    /// The account on this device, as it was read last.
    package var snapshot = AccountSnapshot()

    /// The purchases and restores of this shop.
    package var purchasing = Purchasing()
    /// Faults that the operator has set. Every screen shows their number, so that nobody takes an
    /// injected failure for a real one.
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
    /// The part of the library.
    package var library = LibraryPart()
    /// The part of a subscription's screen.
    package internal(set) var subscription = SubscriptionPart()
    /// Nil while no content is open.
    package var reader: ReaderPart?
    /// The part of the console.
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
    /// Notices that wait until the message row is free (`StatusMessage.What.isNotice`), the oldest
    /// first.
    package internal(set) var waitingNotices: [StatusMessage] = []
    /// Whether clicks and the wheel are reported to the shop.
    package var isPointerOn = true

    // MARK: - Inputs of the last action

    /// The store's time at the last action.
    package var now = Timestamp(milliseconds: 0)
    /// The screen's measures at the last action.
    var viewport = Viewport()

    /// The instants at which the screen changes by time alone.
    package internal(set) var deadlines = Deadlines()
    /// When the products are asked for again, and why they are not known.
    package internal(set) var loading = ProductsLoading()

    /// Queries that are under way, so that a thousand events cause one query, not a thousand.
    var queries = PendingQueries()
    /// Whether a snapshot has arrived since the store was opened. Nothing can be bought before.
    var isAccountLoaded = false
    /// Whether the store has an entry about the account that a newer program wrote: what the account
    /// owns cannot be told then.
    package var needsNewerProgram = false
    /// Updates that came before the products, whose names their messages need.
    var earlyUpdates: [DeviceUpdate] = []

    /// A shop whose store is not open yet.
    package init(shop: ShopIdentity) { self.shop = shop }

    /// The purchases and restores of a shop, since its store was opened.
    package struct Purchasing: Hashable, Sendable {
        /// Payments that this shop has sent and that are not over yet, at most one for each product.
        /// A sold one is over when its transaction has arrived.
        package var underWay: [ProductID: PurchaseInFlight] = [:]
        /// The product whose purchase goes on once the person has signed in; nil if none waits for
        /// that.
        var afterSignIn: ProductID?
        /// The error of each product's last payment, if it failed; removed by the next payment or
        /// sale, and that of a cut network by its return.
        package var failures: [ProductID: StoreError] = [:]
        /// Products restored since the store was opened.
        package var restored: Set<ProductID> = []
        /// Whether a restore is under way.
        package var isRestoring = false
        /// The last transaction of each product that was refunded, revoked or given back since the
        /// store was opened.
        var revised: [ProductID: TransactionID] = [:]
    }

    /// The instants at which the screen changes by time alone.
    package struct Deadlines: Hashable, Sendable {
        /// The next time after `now` at which a subscription ends or the products change; nil if
        /// there is none. The program sends `timePassed` then.
        package internal(set) var nextEnd: Timestamp?
        /// When the next number of a balance that counts up is due, in elapsed time since the
        /// program began; nil if none counts. The program sends `LibraryAction.counted` then.
        package internal(set) var nextCount: Duration?
        /// The computed end of each non-renewing subscription, past ends too.
        var periodEnds: [ProductID: Timestamp] = [:]
    }

    /// When the products are asked for again without a person's doing, and why they are not known.
    package struct ProductsLoading: Hashable, Sendable {
        /// When the products change by time alone (`ProductsResponse.changesAt`), or are asked for
        /// again after a failure.
        var changesAt: Timestamp?
        /// The store's time as of which the products hold, if they are the device's own copy; nil if
        /// the store gave them.
        var asOf: Timestamp?
        /// Why the products could not be loaded; nil if they are known, or no try has failed. They
        /// are asked for again after a pause, when a fault is over, and when the shop's view is
        /// chosen.
        package internal(set) var failure: StoreError?
        /// How many tries in a row failed while no products were known.
        var failedTries = 0
    }

    /// Whether the store is open.
    package enum Opening: Hashable, Sendable {
        /// The store is being opened for the first time.
        case opening
        /// The store's files were replaced or deleted, and the ones that are there now are being
        /// opened.
        case reopening
        case open
    }

    /// Whether something can be bought: the store is open, and its products and the account's
    /// snapshot have arrived.
    package var isReady: Bool { opening == .open && productList.isFromStore && isAccountLoaded }

    /// Whether any store has answered with products; they may be those of a store that was
    /// replaced.
    package var areProductsKnown: Bool { productList.revision != nil }

    /// The account's settings as the console shows and changes them: those of the store, which the
    /// device may not have heard of; those of the device until the store was asked.
    package var settingsInStore: AccountSettings? { console.settings ?? settings }

    /// Whether the account may make payments (StoreKit: `AppStore.canMakePayments`); true until the
    /// settings are known.
    package var canMakePayments: Bool { settings?.canMakePayments ?? true }
}
