package import StoreModel

/// Everything the shop knows. Changed by `reduce` alone; drawn by a pure function.
package struct ShopState: Hashable, Sendable {
    package var shop: ShopIdentity
    /// Nil until the store was asked.
    package var settings: AccountSettings?
    package var opening = Opening.opening
    package var productList = ProductList()
    package var snapshot = AccountSnapshot()

    /// Payments this shop has sent and not seen the end of: at most one for a product.
    package var purchases: [ProductID: PurchaseInFlight] = [:]
    /// What became of the last attempt, where it failed; gone with the next attempt.
    package var failures: [ProductID: StoreError] = [:]
    /// Brought back in this sitting.
    package var restored: Set<ProductID> = []
    package var isRestoring = false
    /// Faults in force: on every screen, so that nobody takes one for a mistake.
    package var faults: [Fault] = []
    /// False while another process delivers for this device.
    package var holdsLease = true

    package var screen = Screen.list
    package var selectedRow = 0
    /// The first row of the list that is in sight.
    package var firstRow = 0
    /// The button of the page a person chose; nil before anything was chosen.
    package var pageChoice: PageButton?
    package var pageScroll = 0
    package var sheet: Sheet?
    /// How far the help is scrolled; nil while it is closed.
    package var helpScroll: Int?
    package var search: Search?
    package var searchIndex: SearchIndex?
    package var console = ConsoleState()
    package var statusMessage: StatusMessage?
    package var viewport = Viewport()
    package var isPointerOn = true
    /// When the last action happened.
    package var now = Timestamp(milliseconds: 0)

    /// When the first of what is current ends; nil if nothing does.
    package internal(set) var nextEnd: Timestamp?
    /// When what the store knows no end of ends by the app's own reckoning, past ends too.
    var periodEnds: [ProductID: Timestamp] = [:]

    /// Queries that are under way, so that a thousand events cause one query, not a thousand.
    var queries = PendingQueries()
    /// What the account has is known since the store was opened: before, nothing is bought.
    var isAccountLoaded = false
    /// Told before anybody knew what the products are called.
    var early: [DeviceUpdate] = []
    /// Transactions that arrived while a purchase was still unanswered.
    var arrived: Set<TransactionID> = []

    package init(shop: ShopIdentity) { self.shop = shop }

    package enum Opening: Hashable, Sendable {
        /// The store is being opened; nothing of it is known yet.
        case opening
        /// The store's files were replaced or removed; those that are there now are being opened.
        case reopening
        case open
    }

    package enum Screen: Hashable, Sendable {
        case list
        case product(ProductID)
        case console
    }

    package var selectedProduct: Product? {
        if case .product(let id) = screen { return productList.product(id) }
        return productList.product(at: selectedRow)
    }

    /// The store is open, and has said what is for sale and what the account has: only now can
    /// anything be bought.
    package var isReady: Bool { opening == .open && productList.isFromStore && isAccountLoaded }

    package var areProductsKnown: Bool { productList.revision != nil }

    package var canMakePayments: Bool { settings?.canMakePayments ?? true }
}

/// Whose shop it is; the same until another store is opened instead.
package struct ShopIdentity: Hashable, Sendable {
    package var appName: String
    package var environment: StoreEnvironment
    package var account: AccountName
    package var device: DeviceName
    /// In which dates and territories are written.
    package var locale: String
    /// Of the words, as `--language` names it.
    package var language: String
    /// False in a shop opened for a customer: what the operator may do is not offered there.
    package var hasConsole: Bool

    package init(
        appName: String, environment: StoreEnvironment, account: AccountName, device: DeviceName,
        locale: String, language: String, hasConsole: Bool = true
    ) {
        self.appName = appName
        self.environment = environment
        self.account = account
        self.device = device
        self.locale = locale
        self.language = language
        self.hasConsole = hasConsole
    }
}

/// A payment under way. Its id was made before anything was sent.
package struct PurchaseInFlight: Hashable, Sendable {
    package var payment: PaymentID
    /// Sold as this; ends when the transaction arrives here.
    package var soldAs: TransactionID?
}

/// How much of a list the screen shows; told by whoever draws.
package struct Viewport: Hashable, Sendable {
    package var listRows: Int
    package var pageRows: Int
    package var consoleRows: Int
    /// How far the help can be scrolled.
    package var helpScrollMax: Int
    /// The line of the help that tells of the keys which work now.
    package var helpStart = 0
    /// How far the product's page can be scrolled, as it was drawn last.
    package var pageScrollMax = 0
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

package struct Search: Hashable, Sendable {
    package var text = ""
    /// True while keys are letters; Enter keeps the filter and gives the keys back.
    package var isTyping = true
}

/// What comes up from below and owns all keys.
package enum Sheet: Hashable, Sendable {
    case payment(PaymentSheet)
    case fault(FaultSheet)
}

/// The question before money moves. Cancel is chosen at first.
package struct PaymentSheet: Hashable, Sendable {
    package var product: Product
    package var quantity = 1
    package var isConfirmChosen = false
    /// The price has changed while the sheet was open: said once more, chosen anew.
    package var hasPriceChanged = false

    package init(product: Product) { self.product = product }

    package var canChangeQuantity: Bool {
        product.type == .consumable
    }
}

/// Which error the next purchase shall meet.
package struct FaultSheet: Hashable, Sendable {
    package static let choices = StoreError.Code.injectable
    package var chosen = 0
}

/// The operator's side.
package struct ConsoleState: Hashable, Sendable {
    package var requests: [ApprovalRequest] = []
    package var chosenRequest = 0
    /// Being answered: a key that repeats answers nothing else meanwhile.
    package var answering: TransactionID?
    /// A switch of the account is on its way.
    package var isChangingAccount = false
    /// Newest first, at most `eventsMax`.
    package var events: [ConsoleEvent] = []
    package var eventScroll = 0
    /// Events since the shop was opened.
    package var eventCount = 0

    package static let eventsMax = 500
}

/// Which looks are under way, and which must follow.
struct PendingQueries: Hashable, Sendable {
    private var running: Set<ShopEffect> = []
    private var wanted: Set<ShopEffect> = []

    init() {}

    /// The effect, unless the same look is under way: then it follows that one.
    mutating func ask(_ effect: ShopEffect) -> [ShopEffect] {
        if running.contains(effect) {
            wanted.insert(effect)
            return []
        }
        running.insert(effect)
        return [effect]
    }

    func isUnderWay(_ effect: ShopEffect) -> Bool { running.contains(effect) }

    mutating func ended(_ effect: ShopEffect) -> [ShopEffect] {
        running.remove(effect)
        return wanted.remove(effect) == nil ? [] : ask(effect)
    }
}
