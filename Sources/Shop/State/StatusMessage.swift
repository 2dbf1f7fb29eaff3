package import StoreModel

/// The message above the footer, about the latest occurrence. The wording chooses its text.
package struct StatusMessage: Hashable, Sendable {
    /// The time of the occurrence, in the store's time.
    package var at: Timestamp
    /// The occurrence.
    package var what: What
    /// When the message fades, in elapsed time since the program began.
    package var fadesAt: Duration
    /// The number of messages that this one and its predecessors replaced before they faded,
    /// counting only messages that the history has (`isInHistory`).
    package var replaced: Int
    /// Whether this shop has added the message to the device's log, which the history shows.
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

    /// Whether the message is a notice: it is not the result of a key or a purchase, so it must not
    /// hide another message. A notice waits until the row is free, and is shown again if another
    /// message replaced it before it faded.
    var isNotice: Bool {
        if case .updatesFound = what { return true }
        if case .catalogNotice = what { return true }
        return what == .catalogRevised
    }

    /// Whether the history has the same fact, as an event of the account or an entry of the
    /// device's log. Only such messages are counted in `replaced`.
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
        // The history records refusals of the store, and downloads that have ended.
        case .failed(_, let error): !Self.unrecorded.contains(error.code)
        case .downloadFailed(_, let error):
            !error.isNetworkOff && !Self.unrecorded.contains(error.code)
        case .asking, .changingPlan, .claiming, .promotedDropped, .alreadyOwned, .restoring,
            .approved, .declined,
            .clockSet, .clockSetBack, .overdue, .performed, .faultsCleared, .priceChanged, .trouble,
            .catalogRevised,
            // The log has the remarks; the notice itself waits for the row and is shown again.
            .catalogNotice,
            .refused, .reopened, .notWatching, .themeKept, .network, .networkCutsNext, .signedIn,
            .pointer, .copied, .notCopied, .updatesFound, .updatingAll, .makingRoom, .roomMade,
            .downloadWaits, .metered, .downloadFaults:
            false
        }
    }

    /// The errors that the history does not record: of calls that the store did not answer, and of
    /// downloads that are retried.
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
        /// A promoted purchase was received; the app may continue it.
        case promoted(name: String)
        /// A promoted purchase is not held any more.
        case promotedDropped(name: String)
        case cancelled(name: String)
        case failed(name: String, StoreError)
        /// It is unknown whether the store has sold the payment.
        case outcomeUnknown(name: String, StoreError)
        /// A payment of a process that has ended is being sent again.
        case resending(PastPayment)
        /// A payment of a process that has ended is held: it is too old or too expensive to be sent
        /// again without consent.
        case held(PastPayment)
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
        case downloadPaused(name: String)
        case downloadResumed(name: String)
        case downloadCancelled(name: String)
        /// An update was cancelled; the installed version stays.
        case updateCancelled(name: String, version: String)
        case downloadFailed(name: String, StoreError)
        case contentDeleted(name: String)
        /// A download waits.
        case downloadWaits(name: String, DownloadObstacle)
        /// The device removes other content for a download that found the disk full.
        case makingRoom(name: String)
        /// The device removed packages to make room: their number and their bytes; both 0 if there
        /// was nothing to remove.
        case roomMade(name: String, packages: Int, bytes: Int64)
        /// The device's connection was set to metered or unmetered; a download of at least `bytes`
        /// bytes then needs consent.
        case metered(isOn: Bool, bytes: Int64)
        /// The store offers newer versions of content on this device: the first of them, its
        /// product's name, and the number of them.
        case updatesFound(name: String, ContentUpdate, count: Int)
        /// The newer versions of the content of `count` products are being downloaded.
        case updatingAll(count: Int)
        /// The operator replaced the faults of this device's downloads with these.
        case downloadFaults(DownloadFaults)
        case approved(name: String)
        case declined(name: String)
        /// An earlier sale was refunded or revoked, or its refund was reversed.
        case revised(name: String, RevisionKind)
        case deleted(name: String)
        /// The clock was set; `before` is its earlier state, nil if that is unknown.
        case clockSet(ClockState, before: ClockState?, now: Timestamp)
        /// The system's clock was set back; the store's time continues from its last entry.
        case clockSetBack(seconds: Int64)
        /// The store cannot record due items: the screen shows the state as of this time.
        case overdue(since: Timestamp)
        case askToBuy(isOn: Bool)
        case payments(areAllowed: Bool)
        /// An action of the operator was carried out.
        case performed(OperatorOutcome)
        case faultsCleared
        case priceChanged(name: String)
        case catalogRevised
        case catalogRefused(problem: String)
        /// Remarks on the catalog that this shop has loaded, in the customer's language.
        case catalogNotice(String)
        case trouble(StoreError)
        case refused(Refusal)
        /// This process holds the delivery lease now.
        case tookOver
        /// The store's files were replaced, and the new ones are open.
        case reopened
        /// Files cannot be watched; see `ShopAction.watchingFailed`.
        case notWatching
        /// A theme was chosen, but `--theme` overrides it.
        case themeKept
        /// The device's network was cut or restored.
        case network(isOn: Bool)
        /// The network will be cut when the store has recorded the next purchase.
        case networkCutsNext
        /// An account signed in to the App Store on this device; nil: signed out.
        case signedIn(as: AccountName?)
        /// Mouse reporting was switched.
        case pointer(isOn: Bool)
        /// The terminal was asked to copy a text; terminals do not report whether they did.
        case copied(Copied)
        /// The text was not copied: the terminal's clipboard is not available, or the text is too
        /// long.
        case notCopied(Copied)
    }
}

extension StatusMessage.What {
    /// Whether the other message corrects this one: it says that the resumed download waits.
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

/// A delivered purchase, as a message announces it.
package struct Bought: Hashable, Sendable {
    /// The product's display name; its identifier if it is not for sale.
    package var name: String
    /// The quantity that was bought.
    package var quantity: Int
    /// The price that was paid; nil if the product is not for sale any more.
    package var price: Price?
    /// The id of the verified transaction.
    package var transaction: TransactionID
    /// The state of the product's hosted content.
    package var content: Content
    /// Whether another device, or no device at all, sent the payment.
    package var isElsewhere: Bool

    /// The state of hosted content: none exists, it is being downloaded, or it is on this device.
    package enum Content: Hashable, Sendable {
        case none, downloading, downloaded
        /// Content exists, but its download waits.
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

/// A queued payment of an earlier process, as a message announces it.
package struct PastPayment: Hashable, Sendable {
    /// The product's display name; its identifier if it is not for sale.
    package var name: String
    /// The quantity to buy.
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

/// The reason why the shop did not carry out a key or a click.
package enum Refusal: Hashable, Sendable {
    /// The store is not open yet.
    case stillOpening
    case paymentsNotAllowed
    case alreadyOwned(name: String)
    case alreadyWaiting(name: String)
    case alreadyPurchasing(name: String)
    /// The product is the account's plan, and renews unchanged.
    case alreadyYourPlan(name: String)
    /// The account's subscription changes to this plan at `from`.
    case alreadyPlanned(name: String, from: Timestamp)
    /// Another subscription of the group is active, with this name.
    case groupTaken(by: String)
    case ownedElsewhere(name: String)
    /// No product is selected, and the key acts on one.
    case noProductSelected
    /// The action needs a transaction, and none is selected. The value is the name of the selected
    /// product, of which no transaction is known; nil if no product is selected.
    case noTransaction(of: String?)
    /// The action is about a subscription, and none is selected.
    case noSubscriptionSelected
    case nothingDownloading
    case nothingToCancel
    case noContentHere
    /// No content on this device has a newer version.
    case nothingToUpdate
    /// The download has already received more bytes than the byte of the fault.
    case downloadIsPast
    /// No fault of downloads is set.
    case noDownloadFaults
    case alreadyRestoring
    /// No approval request is chosen.
    case nothingWaiting
    /// Requests wait, but none of them is selected.
    case noRequestSelected
    /// No fault is set.
    case noFaults
    /// No promoted purchase is held.
    case nothingPromoted
    /// The account never subscribed to anything.
    case noSubscription
    /// Packages of content are files; only the command line can host them.
    case onCommandLine
    /// Nothing is due on the store's clock.
    case nothingDue
    /// The selection has no identifier or no signed text.
    case nothingToCopy
    /// The selected line is not an unfinished consumable that the account bought on another device.
    case nothingToClaim
    /// The action is for the operator of the whole store, but the console acts as this account.
    case operatorOnly(AccountName)
    /// The shop was opened for a customer (`--customer`).
    case noConsole
}
