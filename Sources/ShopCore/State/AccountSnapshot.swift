package import StoreModel

/// What the account has and what is under way on this device: one look at the store and the
/// device's records. Replaced as a whole by the next look.
package struct AccountSnapshot: Hashable, Sendable {
    /// Payments without an outcome, by product; the latest where there are several.
    package var queued: [ProductID: QueuedPayment] = [:]
    /// Products this device has granted, and not given back.
    package var delivered: Set<ProductID> = []
    /// The latest grant of each product.
    package var latestDelivered: [ProductID: TransactionID] = [:]
    /// Every purchase of what lasts for a time, oldest first: the app itself reckons what they add up
    /// to.
    package var timed: [ProductID: [TimedAccess.Purchase]] = [:]
    package var balances: [Balance] = []
    package var downloads: [ProductID: ProductDownload] = [:]
    /// What the account may use at the store's now.
    package var entitlements: [ProductID: Entitled] = [:]

    /// Since when what was due could not be recorded; what the store said holds as of then.
    package var overdueSince: Timestamp?

    package struct Entitled: Hashable, Sendable {
        package var transactionID: TransactionID
        package var until: Timestamp?
        /// Whether it renews then by itself.
        package var renews: Bool

        package init(transactionID: TransactionID, until: Timestamp?, renews: Bool = false) {
            self.transactionID = transactionID
            self.until = until
            self.renews = renews
        }
    }

    package init() {}

    package init(
        queued: [QueuedPayment], deliveries: [DeliveryRecord], balances: [Balance],
        downloads: [Download], entitlements: [Entitlement], at elapsed: Duration
    ) {
        // One that is held waits for a person, who may as well buy another.
        for payment in queued where payment.state != .held {
            self.queued[payment.payment.productID] = payment
        }
        for record in deliveries where !record.isVoid && record.takenBack == .none {
            delivered.insert(record.productID)
            latestDelivered[record.productID] = max(
                record.transactionID, latestDelivered[record.productID] ?? record.transactionID)
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

    /// Whether a sale was granted here: it, or a later one of its product.
    package func hasDelivered(_ id: TransactionID, of product: ProductID) -> Bool {
        latestDelivered[product].map { $0 >= id } ?? false
    }

    /// Nothing was ever bought here.
    package var isEmpty: Bool {
        queued.isEmpty && delivered.isEmpty && entitlements.isEmpty && downloads.isEmpty
    }
}

/// All packages of one product as one download.
package struct ProductDownload: Hashable, Sendable {
    package var state: Download.State
    package var received: Int64
    package var expected: Int64
    package var rate: Double?
    package var error: StoreError?
    /// The version that is on this device, by package.
    package var installed: [String: String]
    /// When `rate` was taken, by elapsed time: shown numbers change at most twice a second, so that
    /// they can be read.
    package var rateAt: Duration

    /// - Parameter elapsed: since the program began; the store's clock may stand still.
    package init(_ packages: [Download], at elapsed: Duration) {
        received = packages.reduce(0) { $0 + $1.bytesReceived }
        expected = packages.reduce(0) { $0 + $1.bytesExpected }
        let rates = packages.compactMap { $0.state == .active ? $0.bytesPerSecond : nil }
        rate = rates.isEmpty ? nil : rates.reduce(0, +)
        error = packages.lazy.compactMap(\.error).first
        installed = [:]
        for package in packages where package.state == .finished {
            installed[package.contentID] = package.version
        }
        rateAt = elapsed
        // What needs a person first, then what moves, then what is done.
        let order: [Download.State] = [
            .failed, .paused, .active, .waiting, .cancelled, .deleted, .finished,
        ]
        state = order.first { state in packages.contains { $0.state == state } } ?? .finished
    }

    package var progress: Double {
        expected == 0 ? 1 : min(1, Double(received) / Double(expected))
    }

    package var secondsRemaining: Double? {
        guard let rate, rate > 0 else { return nil }
        return Double(max(0, expected - received)) / rate
    }

    package static let rateIntervalMin = Duration.milliseconds(500)

    /// Keeps the numbers of an earlier look that was not long ago.
    mutating func steady(after earlier: ProductDownload?) {
        guard let earlier, earlier.state == .active, state == .active, let known = earlier.rate,
            rateAt - earlier.rateAt < Self.rateIntervalMin
        else { return }
        rate = known
        rateAt = earlier.rateAt
    }
}
