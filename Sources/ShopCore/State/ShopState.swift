package import StoreModel

/// The whole state of the shop. Changed by `reduce`, except for `shop`, which the program sets when
/// a store is ready; drawn by `ShopDrawing`.
package struct ShopState: Hashable, Sendable {
    package var shop: ShopIdentity
    /// The account's settings; nil until the store has answered.
    package var settings: AccountSettings?
    package var opening = Opening.opening
    package var productList = ProductList()
    package var snapshot = AccountSnapshot()

    /// Payments that this shop has sent and that are not over yet, at most one for each product. A
    /// sold one is over when its transaction has arrived.
    package var purchases: [ProductID: PurchaseInFlight] = [:]
    /// The error of each product's last payment, if it failed; removed by the next payment or sale.
    package var failures: [ProductID: StoreError] = [:]
    /// Products restored since the store was opened.
    package var restored: Set<ProductID> = []
    package var isRestoring = false
    /// Faults that the operator has set. Every screen shows their number, so that nobody takes an
    /// injected failure for a real one.
    package var faults: [Fault] = []
    /// Whether this process delivers for the device; false while another process does.
    package var holdsLease = true

    package var screen = Screen.list
    /// The index in `productList.rows`, always of a selectable row.
    package var selectedRow = 0
    /// The first row of the list that the screen shows.
    package var firstRow = 0
    /// The button of the open page that a person chose; nil before a choice.
    var pageChoice: PageButton?
    /// How far the open page is scrolled, in rows.
    package var pageScroll = 0
    package var sheet: Sheet?
    /// How far the help is scrolled, in rows; nil while it is closed.
    package var helpScroll: Int?
    package var search: Search?
    /// Nil until a search needs it, and while it is made for other products.
    package var searchIndex: SearchIndex?
    package var console = ConsoleState()
    package var statusMessage: StatusMessage?
    package var viewport = Viewport()
    /// Whether clicks and the wheel are reported to the shop.
    package var isPointerOn = true
    /// The store's time at the last action.
    package var now = Timestamp(milliseconds: 0)

    /// The next time after `now` at which a subscription ends; nil if none does. The program sends
    /// `timePassed` then.
    package internal(set) var nextEnd: Timestamp?
    /// The computed end of each non-renewing subscription, past ends too.
    var periodEnds: [ProductID: Timestamp] = [:]

    /// Queries that are under way, so that a thousand events cause one query, not a thousand.
    var queries = PendingQueries()
    /// Whether a snapshot has arrived since the store was opened. Nothing can be bought before.
    var isAccountLoaded = false
    /// Updates that came before the products, whose names their messages need.
    var early: [DeviceUpdate] = []
    /// Transactions that arrived while a purchase was still unanswered.
    var arrived: Set<TransactionID> = []
    /// Whether a transaction that could not even be read arrived while a purchase was unanswered: its
    /// sale will not arrive again, so the answer ends the wait.
    var hasUnreadableArrived = false

    package init(shop: ShopIdentity) { self.shop = shop }

    /// Whether the store is open.
    package enum Opening: Hashable, Sendable {
        /// The store is being opened for the first time.
        case opening
        /// The store's files were replaced or deleted, and the ones that are there now are being
        /// opened.
        case reopening
        case open
    }

    /// What fills the screen, below any sheet or help.
    package enum Screen: Hashable, Sendable {
        case list
        case product(ProductID)
        case console
    }

    /// The product of the open page, or of the selected row.
    package var selectedProduct: Product? {
        if case .product(let id) = screen { return productList.product(id) }
        return productList.product(at: selectedRow)
    }

    /// Whether something can be bought: the store is open, and its products and the account's
    /// snapshot have arrived.
    package var isReady: Bool { opening == .open && productList.isFromStore && isAccountLoaded }

    /// Whether any store has answered with products; they may be those of a store that was
    /// replaced.
    package var areProductsKnown: Bool { productList.revision != nil }

    /// Whether the account may make payments (StoreKit: `AppStore.canMakePayments`); true until the
    /// settings are known.
    package var canMakePayments: Bool { settings?.canMakePayments ?? true }
}

/// What a shop is opened with: app, account, device and language. It stays the same until another
/// store is opened.
package struct ShopIdentity: Hashable, Sendable {
    package var appName: String
    package var environment: StoreEnvironment
    package var account: AccountName
    package var device: DeviceName
    /// The locale of dates and territories.
    package var locale: String
    /// The language of the texts, as `--language` names it.
    package var language: String
    /// Whether the operator's console can be opened; false with `--customer`.
    package var hasConsole: Bool
    /// Whether the screen is shown to an audience (`--presenter`): the customer's screens then name
    /// no fault and use no word of the console.
    package var isPresenting: Bool

    package init(
        appName: String, environment: StoreEnvironment, account: AccountName, device: DeviceName,
        locale: String, language: String, hasConsole: Bool = true, isPresenting: Bool = false
    ) {
        self.appName = appName
        self.environment = environment
        self.account = account
        self.device = device
        self.locale = locale
        self.language = language
        self.hasConsole = hasConsole
        self.isPresenting = isPresenting
    }
}

/// A payment under way.
package struct PurchaseInFlight: Hashable, Sendable {
    /// Its id, made before anything was sent.
    package var payment: PaymentID
    /// The transaction, once the store has answered that it is sold. The wait ends when it arrives.
    var soldAs: TransactionID?
}

/// How much the screen shows, in rows. `ShopTUI` computes it from the terminal's size.
package struct Viewport: Hashable, Sendable {
    /// Rows of the product list.
    package var listRows: Int
    /// Rows of a product's page, and of the help.
    package var pageRows: Int
    /// Rows of the console's log.
    package var consoleRows: Int
    /// How far the help can be scrolled, in rows.
    package var helpScrollMax: Int
    /// The row of the help where the keys of the present screen begin.
    package var helpStart = 0
    /// How far the product's page can be scrolled, in rows, as it was drawn last.
    package var pageScrollMax = 0
    /// Whether the list leaves out headings and gaps, because there are few rows or columns.
    package var isCompact: Bool

    package init(
        listRows: Int = 18, pageRows: Int = 18, consoleRows: Int = 10, helpScrollMax: Int = 0,
        isCompact: Bool = false
    ) {
        self.helpScrollMax = max(0, helpScrollMax)
        self.listRows = max(1, listRows)
        self.pageRows = max(1, pageRows)
        self.consoleRows = max(1, consoleRows)
        self.isCompact = isCompact
    }
}

/// The search of the product list.
package struct Search: Hashable, Sendable {
    package var text = ""
    /// Whether keys are typed into the search. Enter ends the typing and keeps the filter.
    package var isTyping = true
}

/// A panel at the lower edge that takes all keys while it is open.
package enum Sheet: Hashable, Sendable {
    case payment(PaymentSheet)
    case fault(FaultSheet)
}

/// The confirmation before a payment. Cancel is chosen at first.
package struct PaymentSheet: Hashable, Sendable {
    package var product: Product
    package var quantity = 1
    /// Whether the button that pays is chosen, not Cancel.
    package var isConfirmChosen = false
    /// Whether the price has changed while the sheet was open.
    package var hasPriceChanged = false

    package init(product: Product) { self.product = product }

    /// Whether several can be bought at once: only consumables.
    package var canChangeQuantity: Bool {
        product.type == .consumable
    }
}

/// The choice of the error with which the next purchase fails.
package struct FaultSheet: Hashable, Sendable {
    /// The errors to choose from.
    package static let choices = StoreError.Code.injectable
    /// An index in `choices`.
    package var chosen = 0
}

/// The state of the operator's console.
package struct ConsoleState: Hashable, Sendable {
    /// Requests that wait for approval, oldest first.
    package var requests: [ApprovalRequest] = []
    /// An index in `requests`; -1 if none is chosen.
    package var chosenRequest = 0
    /// The request being answered. No other is answered meanwhile, however often the key repeats.
    var answering: TransactionID?
    /// Whether a change of the account's settings is under way.
    var isChangingAccount = false
    /// Newest first, at most `eventsMax`.
    package var events: [ConsoleEvent] = []
    /// How far the log is scrolled, in rows.
    package var eventScroll = 0
    /// How many events there were since the store was opened.
    package var eventCount = 0

    static let eventsMax = 500
}

/// The queries that are under way. Each kind runs once at a time.
struct PendingQueries: Hashable, Sendable {
    private var running: Set<ShopEffect> = []
    /// Queries that were asked for while the same one was under way: they run again after it.
    private var wanted: Set<ShopEffect> = []

    init() {}

    /// The query to start now. None if the same one is under way: it then runs once more
    /// afterwards, because it may have read before the latest change.
    mutating func ask(_ effect: ShopEffect) -> [ShopEffect] {
        if running.contains(effect) {
            wanted.insert(effect)
            return []
        }
        running.insert(effect)
        return [effect]
    }

    func isUnderWay(_ effect: ShopEffect) -> Bool { running.contains(effect) }

    /// A query has ended.
    ///
    /// - Returns: the same query, if it was asked for meanwhile.
    mutating func ended(_ effect: ShopEffect) -> [ShopEffect] {
        running.remove(effect)
        return wanted.remove(effect) == nil ? [] : ask(effect)
    }
}
