package import Foundation

/// The app's side of buying, for screens and commands: payment queue, deliveries, downloads. One
/// account on one device, shared by any number of processes. One process at a time holds the
/// delivery lease: it delivers, downloads and finishes. The others submit payments and observe;
/// when the holder ends, one of them takes over.
package protocol ShopDevice: Sendable {
    /// The account that buys on this device.
    var account: AccountName { get }
    /// The device's name, unique within the account.
    var device: DeviceName { get }

    /// Registers the transaction observer. Call once, before anything else. Unfinished transactions
    /// are delivered again, payments that never got an answer are sent again, downloads continue.
    func launch() async throws(StoreError)

    /// Whether this process holds the delivery lease.
    var holdsLease: Bool { get async }

    /// Writes a payment to the queue, then sends it. The result ends the caller's wait and delivers
    /// nothing: delivery follows when the event of the sale arrives. If the process is killed at
    /// any instant, a later launch sends the payment again with the same id.
    ///
    /// Returns the store's outcome even if the device fails to write it down afterwards. A payment
    /// that throws was not sold and will not be, with one exception: `outcomeUnknown`, with the
    /// payment's id, if it may have been sold or is still queued and will be sent. Buying the same
    /// payment again never charges twice and returns its outcome.
    ///
    /// Without a network a payment that is not queued fails with `networkError`: nothing was
    /// written and nothing sent. A payment whose answer did not arrive because the network was cut
    /// stays queued and throws `outcomeUnknown`; its outcome arrives when the network is back.
    func buy(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome

    /// Records the account's past purchases on this device (StoreKit: restore). Content is
    /// downloaded only on request.
    func restore() async throws(StoreError) -> RestoreSummary

    /// Claims an unfinished consumable that another device of the account bought. This device
    /// delivers it when the claim's event arrives.
    func claim(_ id: TransactionID) async throws(StoreError)

    /// Finishes a transaction on the person's request, and cancels its unfinished downloads first.
    /// Without a network the finish is queued durably, and sent when the device reaches the store
    /// again.
    func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome

    /// The account's payments that wait for an answer, from any of its devices, oldest first.
    func requests() async throws(StoreError) -> [ApprovalRequest]

    /// As `requests()`; without a network the store's last answer, and `networkError` if the device
    /// never got one.
    func knownRequests() async throws(StoreError) -> DeviceAnswer<[ApprovalRequest]>

    /// Purchases that were begun outside the app and are held on this device, oldest first. A
    /// purchase is held from its event until the product is delivered here, the customer cancels it
    /// at the payment sheet, or `dropPromoted` drops it.
    func promotedPurchases() async throws(StoreError) -> [PromotedPurchase]

    /// Drops a purchase that was begun outside the app; nothing is charged. False if no such
    /// purchase of the product is held. Durable when it returns.
    func dropPromoted(_ product: ProductID) async throws(StoreError) -> Bool

    /// The payments that apps in other processes of this device ask to have confirmed, oldest first.
    /// One is asked until it is answered, or its app has ended or asks no more.
    func askedPayments() async throws(StoreError) -> [Payment]

    /// Answers the app that asks; nothing if it asks no more. The app sends a payment that is
    /// confirmed.
    func answer(_ payment: PaymentID, _ answer: AskedPayment.Answer) async throws(StoreError)

    /// Takes a waiting request back, from any device of the account; see `Store.withdraw`.
    func withdraw(_ request: TransactionID) async throws(StoreError)

    /// Resolves the problem that interrupted a purchase; see `Store.resolve`. The sale arrives as
    /// an event.
    func resolve(_ request: TransactionID) async throws(StoreError)

    /// Asks for a refund of a transaction of the account; see `Store.requestRefund`.
    func requestRefund(of id: TransactionID, reason: RefundReason) async throws(StoreError)
        -> RefundRequest

    /// Whether the device reaches its store.
    func network() -> NetworkState

    /// Cuts or restores the device's network, for all processes of the device at once. Durable when
    /// it returns. Wakes the readers of `downloadWakes()`.
    func setNetwork(_ change: NetworkChange) async throws(StoreError)

    /// Whether the account is signed in to the App Store on this device; true until a person signs
    /// it out.
    func isSignedIn() async throws(StoreError) -> Bool

    /// Signs the account in or out on this device, for all its processes. While it is signed out,
    /// the device keeps what it owns, and every call that needs an account throws `notSignedIn`
    /// before anything is sent or queued: `buy`, `restore`, `claim`, `requestRefund` and
    /// `refreshReceipt`. Durable when it returns. Wakes the readers of `downloadWakes()`.
    func setSignedIn(_ isSignedIn: Bool) async throws(StoreError)

    /// The account's entitlements (StoreKit: `Transaction.currentEntitlements`): the store's
    /// answer, or without a network the entitlements that the device's records prove. The device
    /// verifies those records again with the pinned root certificate and judges their ends by the
    /// store's clock as it last read it. It leaves out an altered record and reports it as
    /// `trouble`.
    func entitlements() async throws(StoreError) -> DeviceAnswer<[Entitlement]>

    /// The products for sale (`Store.products`). Without a network the store's last answer for all
    /// products, which the device keeps durably; `networkError` if it has none.
    func products(_ identifiers: [ProductID]?) async throws(StoreError)
        -> DeviceAnswer<ProductsResponse>

    /// The account's family, and the purchases that its members share with it
    /// (`Store.familyStatus`). Without a network the last answer, and `networkError` if the device
    /// never got one.
    func familyStatus() async throws(StoreError) -> DeviceAnswer<FamilyStatus>

    /// The account's settings; without a network the settings that the device read last, and
    /// `networkError` if it never read any.
    func accountSettings() async throws(StoreError) -> DeviceAnswer<AccountSettings>

    /// The time since which the store has been unable to record due items (`Store.overdueSince`);
    /// nil without a network.
    func overdueSince() async throws(StoreError) -> Timestamp?

    /// Queued payments that have no final outcome yet, oldest first.
    func queuedPayments() async throws(StoreError) -> [QueuedPayment]

    /// Forgets a queued payment, unless the store has decided it already. Durable when it returns.
    ///
    /// - Returns: the store's outcome, which is then also recorded here; nil if the payment was
    ///   dropped.
    /// - Throws: `paymentNotQueued`; `deviceBusy` while a process is sending the payment; errors of
    ///   asking the store.
    func drop(_ payment: PaymentID) async throws(StoreError) -> PurchaseOutcome?

    /// The deliveries on this device that are not revoked: the latest one of each product, and
    /// every one of a non-renewing subscription, whose periods add up. Each is verified again when
    /// it is read; an altered record is left out and reported as `trouble`. The cost grows with the
    /// number of products, not of deliveries.
    func latestDeliveries() async throws(StoreError) -> [DeliveryRecord]

    /// The balances, one for each unit. A stored sum whose seal does not match is not used: the
    /// device computes the sum anew from the verified deliveries, and reports `trouble`.
    func balances() async throws(StoreError) -> [Balance]

    /// Subtracts from a balance. Durable when it returns, and idempotent by `Spend.id`: the same
    /// spend again changes nothing, the same id with other contents fails with `spendMismatch`.
    /// Refused with `insufficientBalance` if the balance is smaller than the amount.
    ///
    /// - Returns: the balance afterwards.
    func spend(_ spend: Spend) async throws(StoreError) -> Balance

    /// Spends what opening a package costs, so that `readContent` reads it on this device. Durable
    /// when it returns, and spent once. Refused with `insufficientBalance` if the balance is smaller.
    ///
    /// - Returns: the balance afterwards; nil if the package was open already, and nothing was spent.
    func open(_ contentID: String, of product: ProductID, for cost: Grant) async throws(StoreError)
        -> Balance?

    /// Verifies a signed transaction by the root certificate that this device has pinned. Records
    /// nothing and delivers nothing.
    func verify(_ signed: SignedTransaction) async -> VerificationResult<TransactionPayload>

    /// The receipt in the device's folder, verified again; nil if the folder has none. The device
    /// writes it after launch and after each delivery, finish and revision.
    func receipt() async throws(StoreError) -> KeptReceipt?
    /// Fetches a receipt from the store and replaces the one in the device's folder (StoreKit 1:
    /// `SKReceiptRefreshRequest`). Makes no transaction. Throws `verificationFailed` for a receipt
    /// that is not verified; the one in the folder then stays.
    func refreshReceipt(_ options: ReceiptOptions) async throws(StoreError) -> KeptReceipt
    /// The account's app transaction, verified: the one in the device's folder, or a new one from
    /// the store if the folder has none that verifies (StoreKit: `AppTransaction.shared`). Throws
    /// `verificationFailed` if the new one does not verify either.
    func appTransaction() async throws(StoreError) -> KeptAppTransaction
    /// Fetches an app transaction from the store and replaces the one in the device's folder
    /// (StoreKit: `AppTransaction.refresh()`). Throws `verificationFailed` for one that does not
    /// verify, and the error of a fault that is set for this call; the one in the folder then
    /// stays.
    func refreshAppTransaction() async throws(StoreError) -> KeptAppTransaction

    /// The account's subscriptions as the store answers (`Store.subscriptionStatuses`), each with
    /// its texts verified for this device (StoreKit: `Product.SubscriptionInfo.status`). Without a
    /// network the last answer, with a subscription reported as expired if its period is over by
    /// the device's clock; `networkError` if the device never got one.
    func subscriptions() async throws(StoreError) -> DeviceAnswer<[VerifiedSubscription]>

    /// A page of the account's history (`Store.events`). Without a network the newest events of the
    /// last answer that fit the filter, as one page; `networkError` if the device keeps none.
    func events(before: FeedCursor?, filter: HistoryFilter, limit: Int) async throws(StoreError)
        -> DeviceAnswer<HistoryPage>

    /// A transaction of the account as it is signed now (`Store.transaction`). Without a network
    /// the text that this device delivered last, and `networkError` if it delivered none.
    func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction

    /// All downloads that this device knows, with the bytes on disk now. A download that no process
    /// works on is reported as `waiting`, even if a process that ended left it `active`, and its
    /// `isWorkedOn` is false. A state that this process failed to write to disk is reported all the
    /// same.
    func downloads() async throws(StoreError) -> [Download]

    /// Carries out an operation on a product's downloads and content.
    ///
    /// - Parameter package: the operation is about the download of this package only, named by its
    ///   identifier or its version; refused with `downloadNotFound` if the product has none of that
    ///   name. Nil for all packages; `deleteContent` is always about all.
    /// - Returns: the downloads whose content was removed to make room. Empty if there was none to
    ///   remove, or room already, and for every other operation.
    func perform(
        _ operation: ContentOperation, on product: ProductID, package: String?
    ) async throws(StoreError) -> [Download]

    /// Newer versions that the store offers of packages on this device, in the order of
    /// `downloads()`; also versions that are being downloaded. Without a network, from the store's
    /// last answer.
    func contentUpdates() async throws(StoreError) -> [ContentUpdate]
    /// Downloads newer versions of a product's packages. The older version stays readable until the
    /// newer one is complete, verified and in place. It is removed then, or, if a reader has it
    /// open, when the reader closes it. A cancelled update leaves the older version.
    ///
    /// - Returns: the available updates; empty if everything is up to date.
    func updateContent(of product: ProductID) async throws(StoreError) -> [ContentUpdate]

    /// The faults that a person injects into this device's downloads, for trials.
    var downloadFaults: DownloadFaults { get }
    /// Replaces the faults of this device's downloads, in all its processes. Durable when it
    /// returns. Downloads that wait for a retry begin it at once.
    func setDownloadFaults(_ faults: DownloadFaults) async throws(StoreError)

    /// The path of a finished download; nil if the package is not on this device.
    func contentPath(of product: ProductID, contentID: String) async throws(StoreError) -> String?

    /// The files of the product's packages that are on this device: first those of the app, then
    /// the downloaded ones in the order of `downloads()`, each sorted by the bytes of the paths, as
    /// its manifest lists them. Empty if the product has no content here, or while the account
    /// neither owns it nor a product that unlocks it: the files then stay until it does again. Reads
    /// the first bytes of each file to recognize its kind.
    ///
    /// Opens the product: until `closeContent`, or until another product is listed, its packages
    /// stay in the versions that were listed first, even if newer ones arrive.
    func contentFiles(of product: ProductID) async throws(StoreError) -> [ContentFile]

    /// Closes the product that `contentFiles` opened last: a version that a newer one has replaced
    /// meanwhile is removed from this device, unless another process reads it.
    func closeContent() async

    /// Reads a part of a file that `contentFiles` lists. Follows no link. Returns at most `count`
    /// bytes and at most 1 MiB; fewer only at the end of the file, none beyond the end or if
    /// `offset` or `count` is negative.
    ///
    /// Throws `contentUnavailable` if the package or the file is not on this device, as after
    /// `deleteContent`, or not open to the account, `notEntitled` if opening it costs something that
    /// was not spent (`open`), and `deviceUnreadable` if the file cannot be read.
    func readContent(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data

    /// The settings that the person has chosen on this device; without a choice,
    /// `DeviceSettings()`.
    func settings() async throws(StoreError) -> DeviceSettings
    /// Replaces the settings but theme, language and backend. Durable when it returns; other
    /// processes of the device are woken through `downloadWakes()`.
    func change(_ settings: DeviceSettings) async throws(StoreError)
    /// Sets or removes a value of the account, such as the theme or the language. Durable when it
    /// returns; the store learns it then or later.
    func change(_ value: AccountValue) async throws(StoreError)

    /// The reading positions in the product's files, most recently opened file first. May include
    /// files that the package no longer has.
    func readingPlaces(of product: ProductID) async throws(StoreError) -> [ReadingPlace]
    /// Records a reading position and its file as the most recently opened one. Durable when it
    /// returns. A device keeps the 1,000 most recent positions.
    func remember(_ place: ReadingPlace) async throws(StoreError)

    /// Adds an entry to the device's log for an occurrence that only the front end knows: a
    /// purchase that was cancelled, a refused catalog, the lease, trouble. The device logs its own
    /// actions itself, in the same write. Durable when it returns.
    func log(_ what: DeviceLogEntry.What) async throws(StoreError)
    /// Entries of the device's log, newest first. It keeps the newest 10,000.
    ///
    /// - Parameters:
    ///   - before: only entries with lower numbers; nil for the newest.
    ///   - limit: the greatest number of entries; none for a limit below 1.
    func logEntries(before: Int64?, limit: Int) async throws(StoreError) -> [DeviceLogEntry]

    /// A stream of the transactions that are still unfinished, then of the updates from now on, in
    /// order and without loss. Each call makes a new stream for one reader.
    func updates() -> AsyncStream<DeviceUpdate>

    /// A stream that begins with `changed` and always holds only the latest element: a reader that
    /// is slow misses no change, and delays nobody. After `launch` it also tells of the bytes of
    /// downloads that another process runs, at most four times a second.
    func downloadWakes() -> AsyncStream<DownloadWake>
}

/// An element of `ShopDevice.downloadWakes()`: the changes since the reader was last woken.
package enum DownloadWake: Hashable, Sendable {
    /// Something other than bytes may have changed: read `downloads()`, and whatever else is shown.
    case changed
    /// Only bytes have arrived. This is the progress of all active downloads; nothing need be read.
    case moved([DownloadProgress])
}

extension ShopDevice {
    /// `downloads()` after a wake. Reads them only if more than bytes has changed since `known`; it
    /// returns `known` if they cannot be read.
    package func downloads(_ known: [Download], after wake: DownloadWake) async -> [Download] {
        switch wake {
        case .changed: (try? await downloads()) ?? known
        case .moved(let progress): known.map { $0.moved(to: progress) }
        }
    }
}

/// An event of the store as this device received it, a change on the device, or trouble, that the
/// transaction observer reports to screens and commands.
package enum DeviceUpdate: Hashable, Sendable {
    /// A sale that this device received, delivered or not; an unverified sale is never delivered.
    /// `isNew` is true if this device delivered it just now.
    case transaction(
        VerificationResult<TransactionPayload>, signed: SignedTransaction, isNew: Bool)
    /// A transaction was changed after its sale; the payload is its new state.
    case revised(TransactionPayload, RevisionKind, signed: SignedTransaction)
    /// Any other event of the account's feed, after the device has recorded its effect. Sales and
    /// revisions have cases of their own, with their verified texts.
    case event(StoreEvent.Change)
    /// This process or another one of the device has begun to buy, or has restored.
    case announced(DeviceAnnouncement)
    /// A queued payment whose process has ended is about to be sent again.
    case resending(QueuedPayment)
    case resent(QueuedPayment, PurchaseOutcome)
    /// A queued payment whose process has ended is too old or too large to be sent without a
    /// person's consent. It stays queued as `held`.
    case held(QueuedPayment)
    /// The device met an error in one of its parts. The observer goes on, unless `ended`.
    case trouble(StoreError, in: DevicePart = .delivery, ended: Bool)
    /// A download cannot continue for now; its `error` says why. The device retries it without a
    /// person's action. `downloads()` reports the same, even if the state could not be written to
    /// disk.
    case downloadStopped(Download)
    /// This process now holds the delivery lease, because its former holder ended.
    case leaseTaken
}

/// What a process does on a device, for the readers in all its processes, each once.
package enum DeviceAnnouncement: Codable, Hashable, Sendable {
    /// A payment is being sent (StoreKit 1: `SKPaymentTransactionState.purchasing`).
    case purchasing(Payment)
    /// A restore delivered a transaction here (StoreKit 1: `restored`).
    case restored(TransactionID, ProductID)
}

/// The part of a device that an error is about (`DeviceUpdate.trouble`).
package enum DevicePart: Hashable, Sendable {
    /// Sending payments, and delivering, downloading and finishing purchases.
    case delivery
    /// The signed record of the unlocked features. Delivery goes on without it.
    case unlocks
    /// The verification of records and lists that the device keeps. Delivery goes on without the
    /// altered ones.
    case verification
    /// The app's own backend (`AppBackend`), which the device has logged. Delivery goes on without
    /// it.
    case backend
}

/// One delivery: a transaction that this device granted, once.
package struct DeliveryRecord: Codable, Hashable, Sendable {
    package var transactionID: TransactionID
    package var productID: ProductID
    /// At the sale.
    package var type: ProductType
    /// 1 for everything but consumables and non-renewing subscriptions.
    package var quantity: Int
    /// In store time.
    package var deliveredAt: Timestamp
    /// The `purchaseDate` of the verified payload.
    package var purchasedAt: Timestamp
    /// The sum charged for the whole quantity (`price` of the verified payload); nil in lists that
    /// are read without their signed texts.
    package var paid: Money?
    /// True after another device claimed the transaction; the record then grants nothing here.
    package var isVoid: Bool
    /// The share that the store has revoked since; all of it if the transaction was deleted.
    package var takenBack: Share

    /// `purchasedAt` defaults to `deliveredAt`.
    package init(
        transactionID: TransactionID, productID: ProductID, type: ProductType, quantity: Int,
        deliveredAt: Timestamp, purchasedAt: Timestamp? = nil, paid: Money? = nil, isVoid: Bool,
        takenBack: Share = .none
    ) {
        self.transactionID = transactionID
        self.productID = productID
        self.type = type
        self.quantity = quantity
        self.deliveredAt = deliveredAt
        self.purchasedAt = purchasedAt ?? deliveredAt
        self.paid = paid
        self.isVoid = isVoid
        self.takenBack = takenBack
    }
}

/// One subtraction from a balance on this device.
package struct Spend: Codable, Hashable, Sendable {
    /// Made once by the caller. A spend with the id of an earlier one is not carried out again.
    package var id: UUID
    /// Such as `coins`.
    package var unit: String
    /// Within `amounts`.
    package var amount: Int64
    /// The purpose of the spend, in the app's words; part of the spend's identity.
    package var reason: String

    /// The amounts that one spend may have; others fail with `invalidName`.
    package static let amounts: ClosedRange<Int64> = 1...1_000_000_000_000

    package init(id: UUID, unit: String, amount: Int64, reason: String) {
        self.id = id
        self.unit = unit
        self.amount = amount
        self.reason = reason
    }
}

/// The amount of one unit, such as oil, that the device's consumables have granted and that is not
/// spent.
package struct Balance: Codable, Hashable, Sendable {
    /// Of the grants, such as `coins`.
    package var unit: String
    /// Verified grants minus revoked grants minus spends. Negative if something was refunded after
    /// it was spent.
    package var amount: Int64

    package init(unit: String, amount: Int64) {
        self.unit = unit
        self.amount = amount
    }
}

/// The result of `ShopDevice.restore()`.
package struct RestoreSummary: Codable, Hashable, Sendable {
    /// Purchases that this restore recorded on the device.
    package var restored: [TransactionPayload] = []
    package var alreadyHere: [TransactionPayload] = []
    /// Left out because their signature could not be verified.
    package var unverifiedCount = 0
    /// True if the account bought consumables that this device did not deliver: no restore brings
    /// them back. Nil if there are none, or the device does not know.
    package var leavesConsumables: Bool?

    /// Before the first page.
    package static let none = RestoreSummary()
}
