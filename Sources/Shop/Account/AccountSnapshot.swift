import Basics
package import StoreModel

/// The account's purchases, queue, balances and downloads on this device, as one
/// `ShopEffect.refreshAccount` read them. Each new snapshot replaces the whole value.
package struct AccountSnapshot: Hashable, Sendable {
    /// Payments without an outcome, except held ones; the latest of each product.
    package var queued: [ProductID: QueuedPayment] = [:]
    /// The account's requests from all its devices, the latest of each product; nil until known.
    package var requests: [ProductID: ApprovalRequest]?
    /// Except revoked and refunded ones.
    package var delivered: Set<ProductID> = []
    /// The latest delivered transaction of each product, except revoked and refunded ones.
    package var latestDelivered: [ProductID: Delivered] = [:]
    /// Of each non-renewing subscription; `TimedAccess` computes the end of access from them.
    package var timed: [ProductID: [TimedAccess.Purchase]] = [:]
    package var balances: [Balance] = []
    package var downloads: [ProductID: ProductDownload] = [:]
    /// At the store's present time (StoreKit: `currentEntitlements`).
    package var entitlements: [ProductID: Entitled] = [:]
    /// Subscriptions with unverified texts are left out.
    package var subscriptions: [SubscriptionGroupID: AccountSubscription] = [:]
    /// Whether `subscriptions` was read; it cannot be read while the device is offline.
    package var areSubscriptionsKnown = false

    /// The transactions whose refund the account asked for, and that wait for the store's answer.
    package var refundsAsked: Set<TransactionID> = []

    /// With the purchases that family members share; nil until it is known.
    package var family: FamilyStatus?

    /// Payments that a person sends or drops, oldest first.
    package var held: [QueuedPayment] = []
    /// Oldest first.
    package var promoted: [PromotedPurchase] = []
    /// What apps ask the person to confirm, oldest first.
    package var asked: [Payment] = []

    package var settings = DeviceSettings()

    package var downloadFaults = DownloadFaults.none

    /// Of the store's database: because of them a power cut may take away what was sold.
    package var unsafeSettings: [String] = []

    /// Without a signed-in account, nothing can be bought or restored.
    package var isSignedIn = true

    /// Why nothing reaches the store: `networkIsOff`, which a key turns on, or `storeUnreachable`. The
    /// entitlements then come from the device's own verified records. Nil while the device is online.
    package var whyOffline: StoreError?
    package var isOffline: Bool { whyOffline != nil }
    package var isNetworkCut: Bool { whyOffline == .networkIsOff }
    /// How much longer each answer of a slow network takes, in milliseconds; nil while it is not
    /// slow.
    package var networkDelay: Int64?
    /// The store's time as of which the entitlements hold; nil until they are known.
    package var asOf: Timestamp?

    /// The time of the oldest due item that the store could not record (`Store.overdueSince`),
    /// which is also the time as of which its answers hold. Nil if no item is overdue.
    var overdueSince: Timestamp?

    /// A delivery, with the facts that the shop shows.
    package struct Delivered: Hashable, Sendable {
        package var transactionID: TransactionID
        /// In the store's time.
        package var purchasedAt: Timestamp
        /// From the verified record; nil if it has none.
        package var paid: Money?
    }

    /// An entitlement, without its signed text.
    package struct Entitled: Hashable, Sendable {
        package var transactionID: TransactionID
        /// The end of the entitlement; nil if the store knows no end (`Entitlement.until`).
        package var until: Timestamp?
        package var renews = false
    }

    package init() {}

    /// - Parameters:
    ///   - queued: oldest first.
    ///   - elapsed: elapsed time since the program began, for `ProductDownload.rateAt`. Not the
    ///     store's time, which may be stopped.
    package init(
        queued: [QueuedPayment], deliveries: [DeliveryRecord], balances: [Balance],
        downloads: [Download], entitlements: [Entitlement], at elapsed: Duration
    ) {
        // A held payment waits for the customer's decision and must not prevent another purchase.
        held = queued.filter { $0.state == .held }
        for payment in queued where payment.state != .held {
            self.queued[payment.payment.productID] = payment
        }
        for record in deliveries where !record.isVoid && record.takenBack == .none {
            delivered.insert(record.productID)
            let latest = latestDelivered[record.productID]?.transactionID
            if latest.map({ $0 < record.transactionID }) ?? true {
                latestDelivered[record.productID] = Delivered(
                    transactionID: record.transactionID, purchasedAt: record.purchasedAt,
                    paid: record.paid)
            }
            if record.type == .nonRenewing {
                timed[record.productID, default: []].append(
                    .init(at: record.purchasedAt, quantity: record.quantity))
            }
        }
        self.balances = balances
        for (product, rows) in Dictionary(grouping: downloads, by: \.productID) {
            self.downloads[product] = ProductDownload(rows, at: elapsed)
        }
        for entitlement in entitlements {
            self.entitlements[entitlement.productID] = Entitled(
                transactionID: entitlement.transactionID, until: entitlement.until,
                renews: entitlement.renews ?? false)
        }
    }

    /// Adds a subscription, unless the snapshot has one of the same group that precedes it.
    mutating func add(_ subscription: AccountSubscription) {
        if let other = subscriptions[subscription.groupID], !subscription.precedes(other) { return }
        subscriptions[subscription.groupID] = subscription
    }

    /// The latest waiting request of each product. `requests` must be ordered oldest first.
    package static func latest(_ requests: [ApprovalRequest]) -> [ProductID: ApprovalRequest] {
        Dictionary(requests.map { ($0.payment.productID, $0) }) { _, later in later }
    }

    /// No purchases, payments or downloads; the shop then shows its welcome.
    package var isEmpty: Bool {
        queued.isEmpty && (requests ?? [:]).isEmpty && delivered.isEmpty && entitlements.isEmpty
            && downloads.isEmpty
    }
}

/// The downloads of all packages of one product, combined.
package struct ProductDownload: Hashable, Sendable {
    /// Of the package with the highest priority: failed before active before paused, and so on.
    package var state: Download.State
    private var packages: [Download]
    /// Bytes a second of the active packages together; nil while it is unknown.
    package var rate: Double?
    /// Whether a package waits for the customer's consent to use a metered connection.
    package var needsConsent: Bool
    /// The error of the first package that has one.
    package var error: StoreError?
    /// The installed version of each package (`Download.contentID`).
    package var installed: [String: String]
    /// Seconds until all packages are received, measured at `rateAt`; nil while unknown.
    private var estimate: Double?
    /// The bytes received of all packages, to measure their rate and the time without bytes.
    private var window = RateWindow()
    /// As `RateWindow.silentSeconds`, when it was last noted; nil while bytes come or none are due.
    package private(set) var silentSeconds: Int?
    /// When `rate` was measured, in elapsed time since the program began.
    var rateAt: Duration
    /// The start of the present active phase, in elapsed time since the program began.
    var activeSince: Duration

    init(_ packages: [Download], at elapsed: Duration) {
        self.packages = packages
        let active = packages.filter { $0.state == .active }
        let rates = active.compactMap(\.bytesPerSecond)
        rate = rates.isEmpty || rates.count < active.count ? nil : rates.reduce(0, +)
        error = packages.lazy.compactMap(\.error).first
        needsConsent = packages.contains(where: \.needsConsent)
        installed = [:]
        for package in packages {
            installed[package.contentID] =
                package.installedVersion ?? (package.state == .finished ? package.version : nil)
        }
        rateAt = elapsed
        activeSince = elapsed
        // Beside running packages, one that the customer paused alone does not pause the product.
        let order: [Download.State] = [
            .failed, .active, .waiting, .paused, .cancelled, .deleted, .finished,
        ]
        state = order.first { state in packages.contains { $0.state == state } } ?? .finished
        window.add(received, at: elapsed)
        estimate = secondsAtRate
    }

    /// A package that was cancelled or removed counts only if no other one is left.
    private var wanted: [Download] {
        let wanted = packages.filter { $0.state != .cancelled && $0.state != .deleted }
        return wanted.isEmpty ? packages : wanted
    }

    package var received: Int64 { wanted.reduce(0) { $0 + $1.bytesReceived } }

    package var expected: Int64 { wanted.reduce(0) { $0 + $1.bytesExpected } }

    /// The packages of which each may be paused, resumed or cancelled by itself; none for a product
    /// of one package.
    package var openPackages: [Download] {
        packages.count < 2 ? [] : packages.filter { $0.state != .finished && $0.state != .deleted }
    }

    /// Nil if none was ever downloaded.
    package func package(_ contentID: String) -> Download? {
        packages.first { $0.contentID == contentID }
    }

    /// Whether bytes are received, or will be without an action of the customer.
    package var isUnderWay: Bool { state == .active || state == .waiting }

    /// The installed version of this package, or of any, which stays if the update is cancelled;
    /// nil if this is no update.
    func keptVersion(of contentID: String? = nil) -> String? {
        installed.sorted { $0.key < $1.key }.first { id, version in
            (contentID ?? id) == id && package(id)?.version != version
        }?.value
    }

    /// Nil unless a version is being downloaded while another is installed.
    package func versionOnItsWay(of contentID: String) -> String? {
        guard !state.isComplete, let version = package(contentID)?.version,
            let old = installed[contentID], old != version
        else { return nil }
        return version
    }

    /// The version whose update was cancelled after the earlier snapshot; nil if none was.
    func versionKept(since earlier: ProductDownload) -> String? {
        guard let kept = earlier.keptVersion() else { return nil }
        let isBack = packages.contains { package in
            installed[package.contentID] == package.version
                && earlier.package(package.contentID).map {
                    ContentVersion.isNewer($0.version, than: package.version)
                } ?? false
        }
        return isBack ? kept : nil
    }

    /// The fraction received, 0 to 1; 1 if there is nothing to receive.
    package var progress: Double {
        expected == 0 ? 1 : min(1, Double(received) / Double(expected))
    }

    /// Whether bytes should come: nothing but the connection holds up the active packages.
    var isDue: Bool { state == .active && !needsConsent && error == nil }

    mutating func noteSilence(at elapsed: Duration) {
        silentSeconds = isDue ? window.silentSeconds(at: elapsed) : nil
    }

    /// Nil while unknown, and in the first two seconds, when the estimate is unstable.
    package var secondsRemaining: Double? {
        rateAt - activeSince >= Self.estimateDelay ? estimate : nil
    }

    /// Seconds computed from one rate for all packages, including those not yet begun, so that the
    /// estimate does not jump when one package ends and the next begins.
    private var secondsAtRate: Double? {
        guard let rate, rate > 0, let left else { return nil }
        return Double(left) / rate
    }

    /// Bytes still to be received without an action of the customer; nil if a package failed.
    private var left: Int64? {
        var left: Int64 = 0
        for package in packages {
            switch package.state {
            case .finished, .cancelled, .deleted, .paused: continue
            case .failed: return nil
            case .waiting, .active: left += max(0, package.bytesExpected - package.bytesReceived)
            }
        }
        return left
    }

    private static let estimateDelay = Duration.seconds(2)
    private static let rateIntervalMin = Duration.milliseconds(500)

    /// The download after bytes of its active packages have arrived.
    func moved(to progress: [DownloadProgress], at elapsed: Duration) -> ProductDownload {
        ProductDownload(packages.map { $0.moved(to: progress) }, at: elapsed)
    }

    /// This download, with the earlier one's rate and estimate if they are less than half a second
    /// old, because nobody can read a number that changes more often.
    func steady(after earlier: ProductDownload?) -> ProductDownload {
        guard let earlier, earlier.state == .active, state == .active else { return self }
        var steady = self
        steady.activeSince = earlier.activeSince
        steady.window = earlier.window
        steady.window.add(received, at: rateAt)
        steady.noteSilence(at: rateAt)
        // Where one of several packages ends, the rates of the others are not yet those with its
        // share of the connection: their sum would be too low.
        let measured = steady.window.bytesPerSecond
        let isMeasured = packages.count > 1 && measured.map { $0 > 0 } ?? false
        steady.rate = isMeasured ? measured : rate ?? measured
        steady.estimate = steady.secondsAtRate
        guard let known = earlier.rate, rateAt - earlier.rateAt < Self.rateIntervalMin else {
            return steady
        }
        steady.rate = known
        if steady.estimate != nil, let before = earlier.estimate { steady.estimate = before }
        steady.rateAt = earlier.rateAt
        return steady
    }
}
