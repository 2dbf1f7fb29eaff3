package import StoreModel

/// What the message row of a screen announces: the value that each language answers. `name` is a
/// product's display name; its identifier if it is not for sale.
package indirect enum StatusText: Hashable, Sendable {
    /// A payment is being sent.
    case asking(name: NamedItem)
    /// A change of plan that charges nothing now is being sent.
    case changingPlan(name: String)
    /// A sale of another device is being taken over.
    case claiming(name: NamedItem)
    case bought(Bought)
    /// A family member shares a product with the account.
    case shared(name: String)
    /// `name` is that of the product that the change is about.
    /// `to` is the account of the customer who reads it.
    case familyChanged(FamilyChange, name: String?, to: AccountName)
    case renewed(name: String, until: Timestamp?)
    /// `next` is the name of the plan that the subscription changes to.
    case subscription(SubscriptionEvent, name: String, next: String?)
    /// `until` is the end of the last paid period.
    case autoRenew(name: String, isOn: Bool, until: Timestamp?)
    case alreadyOwned(name: String)
    case pending(name: NamedItem, RequestReason)
    case refundRequested(name: String)
    case refundDeclined(name: String)
    /// A promoted purchase was received; the app may continue it.
    case promoted(name: String)
    case promotedDropped(name: String)
    /// An app in another process asks the person to confirm a purchase.
    case appAsks(name: String)
    case appGaveUp(name: String)
    case cancelled(name: String)
    case failed(name: NamedItem, StoreError)
    /// It is unknown whether the store has sold the payment.
    case outcomeUnknown(name: NamedItem, StoreError)
    /// A payment of a process that has ended is being sent again.
    case resending(PastPayment)
    /// A payment of a process that has ended is held: it is too old or too expensive to be sent
    /// again without consent.
    case held(PastPayment)
    case heldDropped(name: NamedItem)
    case unverified(VerificationError)
    case restoring
    /// `toDownload`: how many of the products have content that is not on this device.
    /// `leavesConsumables`: whether consumables of the account were not restored, because they
    /// stay on the device that bought them.
    case restored(
        count: Int, alreadyHere: Int, unverified: Int, toDownload: Int,
        leavesConsumables: Bool = false)
    case restoreFailed(StoreError)
    case downloaded(name: String)
    /// The device was asked for an operation on the product's content.
    case content(ContentOperation, name: String)
    /// An update was cancelled; the installed version stays.
    case updateCancelled(name: String, version: String)
    case downloadFailed(name: String, StoreError)
    case downloadWaits(name: String, DownloadObstacle)
    /// The device removed packages to make room: their number and their bytes; both 0 if there
    /// was nothing to remove.
    case roomMade(name: String, packages: Int, bytes: Int64)
    /// A setting of the device was turned on or off; the settings as they are now.
    case setting(DeviceSwitch, DeviceSettings)
    /// The store offers newer versions of content on this device: the first of them, its
    /// product's name, and the number of them.
    case updatesFound(name: String, ContentUpdate, count: Int)
    /// The newer versions of the content of `count` products are being downloaded.
    case updatingAll(count: Int)
    /// The operator replaced the faults of this device's downloads with these.
    case downloadFaults(DownloadFaults)
    case approved(name: NamedItem)
    case declined(name: NamedItem)
    /// An earlier sale was refunded or revoked, or its refund was reversed. Of a consumable that
    /// grants an amount a part may be taken.
    case revised(name: NamedItem, RevisionKind, taken: Share = .all, granting: Grant? = nil)
    case deleted(name: String)
    /// `before` is the clock's earlier state; nil if that is unknown.
    case clockSet(ClockState, before: ClockState?, now: Timestamp)
    /// The system's clock was set back; the store's time continues from its last entry.
    case clockSetBack(seconds: Int64)
    /// The store cannot record due items: the screen shows the state as of this time.
    case overdue(since: Timestamp)
    case askToBuy(isOn: Bool)
    case payments(areAllowed: Bool)
    case performed(OperatorOutcome)
    case priceChanged(name: String)
    case catalogRevised
    case catalogRefused(problem: String)
    /// Remarks on the catalog that this shop has loaded, in the customer's language.
    case catalogNotice(String)
    case trouble(StoreError)
    /// A package was opened for an amount of a balance, of which this much is left.
    /// `left` is nil if it was open already.
    case packageOpened(title: String, left: Balance?)
    /// The plan that opened the product's content has ended.
    case accessEnded(name: String)
    case refused(Refusal)
    /// This process holds the delivery lease now.
    case tookOver
    /// The store was opened again.
    case reopened(Reopening)
    /// Files cannot be watched; see `ShopAction.watchingFailed`.
    case notWatching
    /// About a person's settings: a mistake in them, or one that hides a change on screen.
    case settings(SettingText)
    /// About the notifications to the app's backend.
    case outbox(NotificationText)
    case network(isOn: Bool)
    /// In milliseconds; nil if answers come at once again.
    case networkDelay(Int64?)
    /// The network will be cut when the store has recorded the next purchase.
    case networkCutsNext
    /// Nil: signed out.
    case signedIn(as: AccountName?)
    /// The shop continues with another account or device.
    case customerChanged(AccountName, DeviceName)
    /// Mouse reporting was switched.
    case pointer(isOn: Bool)
    /// The terminal was asked to copy a text; terminals do not report whether they did.
    case copied(Copied)
    /// The clipboard is not available, or the text is too long for it.
    case notCopied(Copied, to: Clipboard)
}

extension StoreError {
    /// Whether the device's network is cut, which a key turns on; not a server that is away.
    var isCutNetwork: Bool { isNetworkOff && code == .networkError }
}

/// What keeps a text that a person copies.
package enum Clipboard: Hashable, Sendable {
    /// The system's clipboard, which the terminal is asked to fill.
    case terminal
    /// The buffer of the tmux around the program.
    case tmux
}

/// A text that a person copies to the clipboard.
package enum Copied: Hashable, Sendable {
    case identifier(String)
    case signedText(TransactionID, SignedTransaction)
    case receipt(SignedReceipt)
    /// The paragraphs of a book that are in sight.
    case passage(String)

    package var text: String {
        switch self {
        case .identifier(let text), .passage(let text): text
        case .signedText(_, let signed): signed.rawValue
        case .receipt(let signed): signed.rawValue
        }
    }
}

/// A delivered purchase, as a message announces it.
package struct Bought: Hashable, Sendable {
    /// The product's display name; its identifier if it is not for sale.
    package var name: String
    package var quantity: Int
    /// Nil if the product is not for sale any more.
    package var price: Price?
    /// The id of the verified transaction.
    package var transaction: TransactionID
    package var content: Content
    /// Whether this process did not ask for it: an earlier one of this device did, another device,
    /// or none.
    package var isUnasked: Bool

    /// The state of hosted content: none exists, it is being downloaded, or it is on this device.
    package enum Content: Hashable, Sendable {
        case none, downloading, downloaded
        case waiting(DownloadObstacle)

        /// Whether a key of the person lets the download go on.
        var waitsForPerson: Bool {
            switch self {
            case .waiting(.consent), .waiting(.room): true
            case .none, .downloading, .downloaded, .waiting(.network): false
            }
        }
    }

    package init(
        name: String, quantity: Int, price: Price?, transaction: TransactionID, content: Content,
        isUnasked: Bool = false
    ) {
        self.name = name
        self.quantity = quantity
        self.price = price
        self.transaction = transaction
        self.content = content
        self.isUnasked = isUnasked
    }
}

/// A quantity of a product, as a message names it: "3 × 10 coins".
package struct NamedItem: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The product's display name; its identifier if it is not for sale.
    package var name: String
    package var quantity: Int

    package init(_ name: String, quantity: Int = 1) {
        self.name = name
        self.quantity = quantity
    }

    package init(stringLiteral name: String) { self.init(name) }
}

/// A queued payment of an earlier process, as a message announces it.
package struct PastPayment: Hashable, Sendable {
    /// The product's display name; its identifier if it is not for sale.
    package var name: String
    package var quantity: Int
    /// The price of the whole quantity; nil if the product is not for sale.
    package var price: Price?
    /// When the payment was queued, in the store's time.
    package var queuedAt: Timestamp

    package init(name: String, quantity: Int, price: Price?, queuedAt: Timestamp) {
        self.name = name
        self.quantity = quantity
        self.price = price
        self.queuedAt = queuedAt
    }
}

/// The result of an operator's action: the action, and the events it caused.
package struct OperatorOutcome: Hashable, Sendable {
    package var action: OperatorAction
    /// Empty if the action changed nothing.
    package var events: [StoreEvent]
    /// After the action; nil if it did not change them, or if they could not be read.
    package var settings: AccountSettings?
    /// After the action; nil if it did not change the clock, or if that could not be read.
    package var clock: ClockReading?
    /// The clock's state before the action, as far as the shop knew it.
    package var clockBefore: ClockState?

    package init(
        action: OperatorAction, events: [StoreEvent], settings: AccountSettings? = nil,
        clock: ClockReading? = nil
    ) {
        self.action = action
        self.events = events
        self.settings = settings
        self.clock = clock
    }
}

/// The reason why a download does not go on, although it has neither failed nor been paused.
package enum DownloadObstacle: Hashable, Sendable {
    /// The download of `bytes` bytes waits for the customer's consent to use a metered connection.
    case consent(bytes: Int64)
    /// The disk is full: the download waits until the customer makes room or cancels it. The
    /// figures are nil if they are unknown.
    case room(RoomFigures?)
    /// The download continues without any action when the device's network is restored.
    case network

    /// Without the figures of a full disk, because the free space may change meanwhile.
    package func isSame(as other: DownloadObstacle?) -> Bool {
        if case .room = self, case .room? = other { return true }
        return self == other
    }
}

/// The room that a download needs, if the device checked the free space before writing.
package struct RoomFigures: Hashable, Sendable {
    /// Bytes still to be written.
    package let needed: Int64
    /// Bytes free at the time of the check.
    package let free: Int64

    /// - Parameter error: a download's error. The result is nil for any error except a full disk,
    ///   and for a full disk that was noticed by a failed write, whose error has no figures.
    package init?(_ error: StoreError) {
        guard error.code == .deviceFull, let needed = error.expected?.number,
            let free = error.found?.number
        else { return nil }
        self.needed = needed
        self.free = free
    }
}

/// Why a shop opens its store again.
package enum Reopening: Hashable, Sendable {
    /// The store's files were replaced or deleted.
    case replaced
    /// It was opened as this machine knows it, because its server was away.
    case serverAnswers
}
