package import StoreModel

/// The message above the footer: the last thing that happened. `ShopTUI` chooses its text.
package struct StatusMessage: Hashable, Sendable {
    /// When it happened, in the store's time.
    package var at: Timestamp
    /// The thing that happened.
    package var what: What
    /// When it leaves the row, in elapsed time since the program began.
    package var fadesAt: Duration
    /// How many messages it has replaced that had not faded and that the history has
    /// (`isInHistory`).
    package var replaced: Int
    /// Whether this shop has added it to the device's log, which the history shows.
    var isLogged = false

    /// How long a message stays.
    package static let lasting = Duration.seconds(6)

    /// Memberwise: the values are not checked.
    package init(at: Timestamp, what: What, fadesAt: Duration = lasting, replaced: Int = 0) {
        self.at = at
        self.what = what
        self.fadesAt = fadesAt
        self.replaced = replaced
    }

    /// Whether it is a notice: it answers no key and is about no purchase, so that it hides no other
    /// message. It waits until the row is free, and comes back if it was hidden before its time.
    var isNotice: Bool {
        if case .updatesFound = what { return true }
        if case .catalogNotice = what { return true }
        return what == .catalogRevised
    }

    /// Whether the history has it, too, as an event of the account or an entry of the device's log:
    /// only such messages are counted when others take their place.
    var isInHistory: Bool {
        if isLogged { return true }
        return switch what {
        case .bought, .shared, .familyChanged, .renewed, .subscription, .autoRenew, .pending,
            .cancelled, .resending, .held,
            .restored, .restoreFailed, .downloaded, .downloadPaused, .downloadResumed,
            .downloadCancelled, .updateCancelled, .refundRequested, .refundDeclined, .promoted,
            .contentDeleted,
            .revised, .deleted, .askToBuy, .payments, .catalogRefused, .tookOver,
            .outcomeUnknown,
            // The device logs it when its observer rejects the transaction.
            .unverified:
            true
        // Recorded are the refusals of the store, and downloads that have ended.
        case .failed(_, let error): !Self.unrecorded.contains(error.code)
        case .downloadFailed(_, let error):
            !error.isNetworkOff && !Self.unrecorded.contains(error.code)
        case .asking, .changingPlan, .claiming, .promotedDropped, .alreadyOwned, .restoring,
            .approved, .declined,
            .clockSet, .clockSetBack, .overdue, .performed, .faultsCleared, .priceChanged, .trouble,
            .catalogRevised,
            // The log has its remarks; the notice itself waits and comes back.
            .catalogNotice,
            .refused, .reopened, .notWatching, .themeKept, .network, .networkCutsNext, .signedIn,
            .pointer, .copied, .notCopied, .updatesFound, .updatingAll, .makingRoom, .roomMade,
            .downloadWaits, .metered, .downloadFaults:
            false
        }
    }

    /// The errors of calls that the store did not answer, and of downloads that go on by themselves.
    private static let unrecorded: Set<StoreError.Code> = [
        .networkError, .storeBusy, .storeFull, .storeReadOnly, .storeUnreadable, .storeReplaced,
        .deviceFull,
    ]

    /// The announced fact. `name` is a product's name (`ShopState.name(of:)`).
    package indirect enum What: Hashable, Sendable {
        /// A payment is being sent.
        case asking(name: String)
        /// A change of plan that charges nothing now is being sent.
        case changingPlan(name: String)
        /// A sale of another device is being taken over.
        case claiming(name: String)
        case bought(Bought)
        /// A family member shares a product with the account.
        case shared(name: String)
        /// The account's family was changed; `name` is that of the product it is about.
        case familyChanged(FamilyChange, name: String?)
        /// A subscription was renewed.
        case renewed(name: String, until: Timestamp?)
        /// Something happened to a subscription as a whole; `next` is the name of the plan that it
        /// changes to.
        case subscription(SubscriptionEvent, name: String, next: String?)
        /// Auto-renew was turned on or off; `until` is the end of the last paid period.
        case autoRenew(name: String, isOn: Bool, until: Timestamp?)
        case alreadyOwned(name: String)
        case pending(name: String, RequestReason)
        /// The account asked for a refund, and the operator has not answered.
        case refundRequested(name: String)
        /// The operator declined the refund that was asked for.
        case refundDeclined(name: String)
        /// A purchase was begun outside the app; the app may continue it.
        case promoted(name: String)
        /// Such a purchase is not held any more.
        case promotedDropped(name: String)
        case cancelled(name: String)
        case failed(name: String, StoreError)
        /// The payment may or may not have been sold.
        case outcomeUnknown(name: String, StoreError)
        /// A payment whose process has ended is sent again.
        case resending(PastPayment)
        /// A payment whose process has ended is too old or too expensive to be sent again without
        /// asking a person.
        case held(PastPayment)
        case unverified(VerificationError)
        case restoring
        /// `toDownload`: products among them whose content is not on this device.
        /// `leavesConsumables`: consumables of the account stay where they were bought.
        case restored(
            count: Int, alreadyHere: Int, unverified: Int, toDownload: Int,
            leavesConsumables: Bool = false)
        case restoreFailed(StoreError)
        case downloaded(name: String)
        case downloadPaused(name: String)
        case downloadResumed(name: String)
        case downloadCancelled(name: String)
        /// An update was given up; the version on this device stays.
        case updateCancelled(name: String, version: String)
        case downloadFailed(name: String, StoreError)
        case contentDeleted(name: String)
        /// A download does not go on now.
        case downloadWaits(name: String, DownloadObstacle)
        /// Other content is removed for a download that found the disk full.
        case makingRoom(name: String)
        /// So many packages were removed for it, of so many bytes together; 0 if there was none to
        /// remove.
        case roomMade(name: String, packages: Int, bytes: Int64)
        /// The device's connection was said to be metered, or no more; large downloads have at least
        /// so many bytes.
        case metered(isOn: Bool, bytes: Int64)
        /// The store offers newer versions of content on this device: the first of them, with the
        /// name of its product, and how many there are.
        case updatesFound(name: String, ContentUpdate, count: Int)
        /// The newer versions of so many products' content are fetched.
        case updatingAll(count: Int)
        /// The operator replaced the faults of this device's downloads by these.
        case downloadFaults(DownloadFaults)
        case approved(name: String)
        case declined(name: String)
        /// An earlier sale was refunded or revoked, or its refund was reversed.
        case revised(name: String, RevisionKind)
        case deleted(name: String)
        /// `before` is nil where it is not known how the clock stood.
        case clockSet(ClockState, before: ClockState?, now: Timestamp)
        /// The system's clock was set back; the store's time continues from its last entry.
        case clockSetBack(seconds: Int64)
        /// Due items cannot be recorded: the screen shows the state as of this time.
        case overdue(since: Timestamp)
        case askToBuy(isOn: Bool)
        case payments(areAllowed: Bool)
        /// An action of the operator was carried out.
        case performed(OperatorOutcome)
        case faultsCleared
        case priceChanged(name: String)
        case catalogRevised
        case catalogRefused(problem: String)
        /// Remarks on the catalog that this shop has opened, in the person's language.
        case catalogNotice(String)
        case trouble(StoreError)
        case refused(Refusal)
        /// This process holds the delivery lease now.
        case tookOver
        /// The store's files were replaced, and the new ones are open.
        case reopened
        /// Files cannot be watched; see `ShopAction.watchingFailed`.
        case notWatching
        /// A theme was chosen, but `--theme` forces another for now.
        case themeKept
        /// The device's network was cut or restored.
        case network(isOn: Bool)
        /// The network goes off when the store has recorded the next purchase.
        case networkCutsNext
        /// Somebody signed in to the App Store on this device; nil: signed out.
        case signedIn(as: AccountName?)
        /// Mouse reporting was switched.
        case pointer(isOn: Bool)
        /// The terminal was asked to copy a text; it does not tell whether it did.
        case copied(Copied)
        /// This terminal has no clipboard that it was asked to use, or the text is too long for it.
        case notCopied(Copied)
    }
}

extension StatusMessage.What {
    /// Whether another message says of the same download what this one did not know.
    func isCorrected(by other: StatusMessage.What) -> Bool {
        guard case .downloadResumed(let name) = self, case .downloadWaits(name, _) = other else {
            return false
        }
        return true
    }
}

/// A text that a person copies to the clipboard.
package enum Copied: Hashable, Sendable {
    case identifier(String)
    /// The signed text of a transaction.
    case signedText(TransactionID, SignedTransaction)
    /// The signed text of the device's receipt.
    case receipt(SignedReceipt)

    /// The copied text itself.
    package var text: String {
        switch self {
        case .identifier(let text): text
        case .signedText(_, let signed): signed.rawValue
        case .receipt(let signed): signed.rawValue
        }
    }
}

/// A purchase that was delivered on this device, as a message tells of it.
package struct Bought: Hashable, Sendable {
    /// The product's display name; its identifier if it is not for sale.
    package var name: String
    /// How many were bought.
    package var quantity: Int
    /// The price that was paid; nil if the product is not for sale any more.
    package var price: Price?
    /// The number of the verified transaction.
    package var transaction: TransactionID
    /// Whether the product's hosted content is here.
    package var content: Content
    /// Whether another device, or no device at all, sent the payment.
    package var isElsewhere: Bool

    /// Whether there is content to download.
    package enum Content: Hashable, Sendable {
        case none, downloading, downloaded
        /// There is, and it does not come now.
        case waiting(DownloadObstacle)
    }

    /// Memberwise: the values are not checked.
    package init(
        name: String, quantity: Int, price: Price?, transaction: TransactionID, content: Content,
        isElsewhere: Bool = false
    ) {
        self.name = name
        self.quantity = quantity
        self.price = price
        self.transaction = transaction
        self.content = content
        self.isElsewhere = isElsewhere
    }
}

/// A queued payment, as a message tells of it.
package struct PastPayment: Hashable, Sendable {
    /// The product's display name; its identifier if it is not for sale.
    package var name: String
    /// How many were to be bought.
    package var quantity: Int
    /// The price of the whole quantity; nil if the product is not for sale.
    package var price: Price?
    /// When the payment was queued, in the store's time.
    package var queuedAt: Timestamp

    init(_ queued: QueuedPayment, in state: ShopState) {
        let payment = queued.payment
        name = state.name(of: payment.productID)
        quantity = payment.quantity
        price = state.productList.product(payment.productID).map {
            Price(
                money: payment.shownPrice.multiplied(by: payment.quantity),
                locale: $0.priceLocale)
        }
        queuedAt = queued.queuedAt
    }
}

/// Why the shop did not carry out a key or a click.
package enum Refusal: Hashable, Sendable {
    /// The store is not open yet.
    case stillOpening
    case paymentsNotAllowed
    case alreadyOwned(name: String)
    case alreadyWaiting(name: String)
    case alreadyPurchasing(name: String)
    /// It is the account's plan, and renews as it is.
    case alreadyYourPlan(name: String)
    /// The account's subscription changes to it then.
    case alreadyPlanned(name: String, from: Timestamp)
    /// Another subscription of the group is active, with this name.
    case groupTaken(by: String)
    case ownedElsewhere(name: String)
    /// No product is selected, and the key acts on one.
    case noProductSelected
    /// The action is about a transaction, and none is selected; of the selected product, if there is
    /// one, none is known.
    case noTransaction(of: String?)
    /// The action is about a subscription, and none is selected.
    case noSubscriptionSelected
    case nothingDownloading
    case nothingToCancel
    case noContentHere
    /// No content on this device has a newer version.
    case nothingToUpdate
    /// The download has received more bytes than the fault at a byte would wait for.
    case downloadIsPast
    /// No fault of downloads is set.
    case noDownloadFaults
    case alreadyRestoring
    /// No approval request is chosen.
    case nothingWaiting
    /// Requests wait, and the selection is on none of them.
    case noRequestSelected
    /// No fault is set.
    case noFaults
    /// No purchase that was begun outside the app is held.
    case nothingPromoted
    /// The account never subscribed to anything.
    case noSubscription
    /// Packages of content are files, which the command line hosts.
    case onCommandLine
    /// Nothing is due on the store's clock.
    case nothingDue
    /// The selection has no identifier or no signed text.
    case nothingToCopy
    /// The selection is no consumable that the account bought on another device.
    case nothingToClaim
    /// Only the operator of the whole store may do it, and the console acts as this account.
    case operatorOnly(AccountName)
    /// The shop was opened for a customer (`--customer`).
    case noConsole
}
