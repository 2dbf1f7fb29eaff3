package import Foundation

/// The app's side of buying, as screens and commands see it: the payment queue, what was delivered,
/// downloads. One account on one device; several processes may share it. One of them at a time
/// delivers, downloads and finishes; the others submit and watch, and one takes over when it ends.
package protocol ShopDevice: Sendable {
    var account: AccountName { get }
    var device: DeviceName { get }

    /// Registers the transaction observer. Call once, before anything else: unfinished transactions
    /// come back, payments that never got an answer are sent again, downloads go on.
    func launch() async throws(StoreError)

    /// True while this process delivers for the device.
    var holdsLease: Bool { get async }

    /// Writes a payment to the queue, then sends it. What this returns ends a spinner; what was
    /// bought is delivered when its event arrives. After a kill at any instant the payment is sent
    /// again with the same id.
    ///
    /// An outcome the store has answered is returned whatever fails after it. What this throws was
    /// not sold and never will be, with one exception: `outcomeUnknown`, with the payment's id, where
    /// it may have been sold or is still queued and will be sent. The same payment bought again is
    /// never charged twice and tells which it was.
    func buy(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome

    /// Brings back what the account bought before: recorded at once, downloaded on demand.
    func restore() async throws(StoreError) -> RestoreSummary

    /// Takes over an unfinished consumable another device of this account bought and never
    /// delivered.
    func claim(_ id: TransactionID) async throws(StoreError)

    /// Acknowledges a transaction by hand, as a tester may. Ends its downloads.
    func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome

    /// Payments without an outcome yet, oldest first.
    func queuedPayments() async throws(StoreError) -> [QueuedPayment]

    /// What this device has granted and not given back: the latest grant of each product, and every
    /// one of a non-renewing subscription, whose times add up. Each is verified when it is read; one that was altered is left out and told as trouble. Costs what there
    /// are products, not what was ever delivered.
    func latestDeliveries() async throws(StoreError) -> [DeliveryRecord]

    /// What verified deliveries of consumables add up to, by purse. An altered sum is not believed: it
    /// is worked out anew, and told as trouble.
    func balances() async throws(StoreError) -> [Balance]

    /// Uses up part of a purse, as an app does with what it sold. Durable when it returns, and once by
    /// its id: the same again changes nothing, other contents fail with `spendMismatch`. Refused with
    /// `insufficientBalance` where less is in the purse, and always while it is below zero.
    ///
    /// - Returns: what is left.
    func spend(_ spend: Spend) async throws(StoreError) -> Balance

    /// All downloads this device knows, with what is on the disk by now. What no process is at is
    /// `waiting`, whatever a process that ended has left behind; what could not be written down by
    /// this process is told as it is.
    func downloads() async throws(StoreError) -> [Download]

    /// Throws `downloadNotFound` where this device never downloaded the product, and
    /// `downloadNotActive` where nothing of it is left to fetch or it has failed.
    func pauseDownloads(of product: ProductID) async throws(StoreError)
    /// Resumes what was paused or failed, or fetches again what was cancelled or deleted. Throws
    /// `notEntitled` for what this device has no record of.
    func resumeDownloads(of product: ProductID) async throws(StoreError)
    /// Stops and drops the partial files. Throws as `pauseDownloads` does.
    func cancelDownloads(of product: ProductID) async throws(StoreError)
    /// Deletes what was downloaded; it can be fetched again. Throws `downloadNotFound` where
    /// nothing is here.
    func deleteContent(of product: ProductID) async throws(StoreError)

    /// Where a downloaded package lies; nil while it is not here.
    func contentPath(of product: ProductID, contentID: String) async throws(StoreError) -> String?

    /// Everything from now on, lossless and in order, beginning with what is unfinished. One stream
    /// has one reader; ask again for another.
    func updates() -> AsyncStream<DeviceUpdate>

    /// Wakes when a download has moved; look with `downloads`.
    func downloadWakes() -> AsyncStream<Void>
}

/// What the observer tells.
package enum DeviceUpdate: Hashable, Sendable {
    /// A sale seen by this device, delivered or not; look at the verification first.
    case transaction(
        VerificationResult<TransactionPayload>, signed: SignedTransaction, isNew: Bool)
    case deferred(Payment, request: TransactionID)
    case failed(Payment, StoreError)
    case finished(TransactionID)
    case claimed(TransactionID, by: DeviceName)
    /// A transaction changed after its sale; the payload says what holds now.
    case revised(TransactionPayload, RevisionKind, signed: SignedTransaction)
    /// A transaction is gone from history, and what it had granted from this device.
    case deleted(TransactionID, productID: ProductID)
    case autoRenewChanged(chain: TransactionID, productID: ProductID, isOn: Bool)
    case clockSet(ClockState)
    case renewalsSet(RenewalSettings)
    /// A fact of a kind this program does not know.
    case unknown(kind: Int)
    case catalogRevised(revision: Int64)
    case accountChanged(AccountSettings)
    case faultSet(Fault)
    case faultCleared(Fault)
    /// A payment whose sender has ended is being sent again. Told before it is.
    case resending(QueuedPayment)
    /// A payment whose sender has ended is old or large: it is not sent unless a person says so.
    case held(QueuedPayment)
    /// The observer met an error and goes on, or, if `ended`, cannot.
    case trouble(StoreError, ended: Bool)
    /// A download cannot go on for now; its error says why. What became of it may not be written
    /// down, but `downloads` tells the same. It is tried again by itself.
    case downloadStopped(Download)
    /// The process that delivered has ended; this one delivers from now on.
    case leaseTaken
}

/// One thing this device has granted, once.
package struct DeliveryRecord: Codable, Hashable, Sendable {
    package var transactionID: TransactionID
    package var productID: ProductID
    package var type: ProductType
    package var quantity: Int
    package var deliveredAt: Timestamp
    /// When it was sold, as its verified text says.
    package var purchasedAt: Timestamp
    /// Taken back, because another device claimed it.
    package var isVoid: Bool
    /// How much of it the store has taken back since; all of it where it was deleted.
    package var takenBack: Share

    package init(
        transactionID: TransactionID, productID: ProductID, type: ProductType, quantity: Int,
        deliveredAt: Timestamp, purchasedAt: Timestamp? = nil, isVoid: Bool,
        takenBack: Share = .none
    ) {
        self.transactionID = transactionID
        self.productID = productID
        self.type = type
        self.quantity = quantity
        self.deliveredAt = deliveredAt
        self.purchasedAt = purchasedAt ?? deliveredAt
        self.isVoid = isVoid
        self.takenBack = takenBack
    }
}

/// What the app's user spends from a purse on this device.
package struct Spend: Codable, Hashable, Sendable {
    /// Made once by whoever spends: a spend that is sent again is not made again.
    package var id: UUID
    /// The purse.
    package var unit: String
    package var amount: Int64
    /// What for, in the app's words.
    package var reason: String

    package static let amounts: ClosedRange<Int64> = 1...1_000_000_000_000

    package init(id: UUID, unit: String, amount: Int64, reason: String) {
        self.id = id
        self.unit = unit
        self.amount = amount
        self.reason = reason
    }
}

package struct Balance: Codable, Hashable, Sendable {
    package var unit: String
    /// Verified grants, less what was taken back and what was spent. Below zero where something was
    /// refunded after it was spent.
    package var amount: Int64

    package init(unit: String, amount: Int64) {
        self.unit = unit
        self.amount = amount
    }
}

/// What a restore found.
package struct RestoreSummary: Codable, Hashable, Sendable {
    /// Recorded on this device by this restore.
    package var restored: [TransactionPayload]
    /// Known here before.
    package var alreadyHere: [TransactionPayload]
    /// Not believed, and so not restored.
    package var unverifiedCount: Int

    package init(
        restored: [TransactionPayload] = [], alreadyHere: [TransactionPayload] = [],
        unverifiedCount: Int = 0
    ) {
        self.restored = restored
        self.alreadyHere = alreadyHere
        self.unverifiedCount = unverifiedCount
    }
}
