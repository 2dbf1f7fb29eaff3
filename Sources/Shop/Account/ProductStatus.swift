package import StoreModel

/// The status of a product for this account on this device. It decides the row's text and the
/// page's buttons.
package enum ProductStatus: Hashable, Sendable {
    case buyable(isFree: Bool)
    /// A payment is under way: it has no outcome yet, or its transaction has not arrived.
    case purchasing
    /// Deferred (StoreKit: `SKPaymentTransactionState.deferred`): the payment waits for an answer.
    case waitingForAnswer(request: TransactionID?, RequestReason)
    /// The last attempt failed; it can be bought again.
    case failed(StoreError)
    case downloading(ProductDownload)
    case paused(ProductDownload)
    /// Or it waits until its error's cause, other than a missing network, ends, and is retried.
    case downloadFailed(ProductDownload)
    /// Owned; its content was never downloaded, or its download was cancelled or deleted.
    case notDownloaded
    /// Owned and ready to use; `isRestored` if it was restored since the shop was opened.
    case owned(isRestored: Bool)
    /// Not bought, and open as long as the account has another product, of this name, perhaps until
    /// a day.
    case included(with: String, until: Timestamp?, isHere: Bool)
    /// The account owns it, but this device has not delivered it: it must be restored.
    case ownedElsewhere
    /// The account's active subscription; `until` is nil if it has no end.
    case current(until: Timestamp?, renews: Bool)
    case plan(PlanStanding)
    /// The plan to which the account's subscription changes at `from`.
    case planned(from: Timestamp)
    /// Another plan of the account's group, to which the account can change.
    case change(PlanChange)
    /// A non-renewing subscription that has not ended; buying it again extends it.
    case timed(until: Timestamp)
    /// Another subscription of the group is active, and the account cannot change it: it is free,
    /// shared by a family member, or its state is unknown. `until` is its end if it does not renew.
    case groupTaken(by: ProductID, until: Timestamp?)

    /// The download that is under way, paused or has failed.
    package var download: ProductDownload? {
        switch self {
        case .downloading(let download), .paused(let download), .downloadFailed(let download):
            download
        default: nil
        }
    }

    /// Whether a payment sheet may be opened.
    var canBuy: Bool {
        switch self {
        case .buyable, .failed, .timed, .change, .included: true
        case .plan(let standing): standing.canBuy
        default: false
        }
    }
}

extension ShopState {
    package func status(of product: Product) -> ProductStatus {
        let status = statusIgnoringFailure(of: product)
        // The account may have got the product since the failure, for example on another device.
        guard status.canBuy, let error = purchasing.failures[product.id] else { return status }
        // A plan's book can be read and downloaded, although its own purchase failed.
        if case .included = status { return status }
        return .failed(error)
    }

    private func statusIgnoringFailure(of product: Product) -> ProductStatus {
        if awaitsSale(of: product.id) { return .purchasing }
        if let queued = snapshot.queued[product.id] {
            return queued.state == .deferred
                ? .waitingForAnswer(request: queued.request, queued.reason ?? .askToBuy)
                : .purchasing
        }
        // Another device of the account sent the payment.
        if let request = snapshot.requests?[product.id] {
            return .waitingForAnswer(request: request.number, request.reason)
        }
        let isDelivered = snapshot.delivered.contains(product.id)
        let opener = opener(of: product)
        if isDelivered || opener != nil, let download = snapshot.downloads[product.id],
            let status = Self.status(of: download)
        {
            return status
        }
        switch product.type {
        case .consumable: return buyable(product)
        case .nonConsumable:
            guard isDelivered else {
                guard snapshot.entitlements[product.id] == nil else { return .ownedElsewhere }
                return opener.map { opener in
                    .included(
                        with: opener.displayName,
                        until: deadlines.periodEnds[opener.id]
                            ?? snapshot.entitlements[opener.id]?.until,
                        isHere: snapshot.downloads[product.id]?.state == .finished)
                } ?? buyable(product)
            }
            if !product.hostedContent.isEmpty, snapshot.downloads[product.id]?.state != .finished {
                return .notDownloaded
            }
            return .owned(isRestored: purchasing.restored.contains(product.id))
        case .nonRenewing:
            return timed(product)
        case .autoRenewable:
            if let status = planStatus(of: product) { return status }
            if let entitled = snapshot.entitlements[product.id] {
                return .current(until: entitled.until, renews: entitled.renews)
            }
            if let other = currentPlan(inGroupOf: product) {
                // If the other plan renews, no day is known from which this product can be bought.
                let entitled = snapshot.entitlements[other.id]
                return .groupTaken(
                    by: other.id, until: entitled?.renews == true ? nil : entitled?.until)
            }
            return buyable(product)
        }
    }

    /// The app computes the end: the store knows none (StoreKit: non-renewing subscriptions).
    private func timed(_ product: Product) -> ProductStatus {
        guard product.nonRenewingPeriod != nil else {
            return snapshot.entitlements[product.id].map {
                .current(until: $0.until, renews: $0.renews)
            } ?? buyable(product)
        }
        guard let end = deadlines.periodEnds[product.id] else {
            return snapshot.entitlements[product.id] == nil ? buyable(product) : .ownedElsewhere
        }
        return end > now ? .timed(until: end) : buyable(product)
    }

    private func buyable(_ product: Product) -> ProductStatus {
        .buyable(isFree: product.price.milliunits == 0)
    }

    static func status(of download: ProductDownload) -> ProductStatus? {
        switch download.state {
        case .waiting, .active:
            // Without a network a download has not failed: it continues when the network is back.
            download.error.map(\.isNetworkOff) ?? true
                ? .downloading(download) : .downloadFailed(download)
        case .paused: .paused(download)
        case .failed: .downloadFailed(download)
        case .finished, .cancelled, .deleted: nil
        }
    }

    /// It continues when the network is restored.
    package func waitsForNetwork(_ download: ProductDownload) -> Bool {
        switch download.state {
        case .waiting, .active:
            snapshot.isOffline || download.error?.isNetworkOff == true
        case .paused, .failed, .finished, .cancelled, .deleted: false
        }
    }

    private func currentPlan(inGroupOf product: Product) -> Product? {
        guard let group = product.subscription?.groupID else { return nil }
        for id in snapshot.entitlements.keys {
            if let other = productList.product(id), other.subscription?.groupID == group {
                return other
            }
        }
        return nil
    }
}

extension ProductStatus {
    /// Whether the account owns the product, and nothing of it is under way.
    var isOwned: Bool {
        switch self {
        case .owned, .current, .timed, .notDownloaded, .plan: true
        default: false
        }
    }
}
