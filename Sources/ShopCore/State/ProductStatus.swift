package import StoreModel

/// Where a product stands for this account on this device: what its row says, and what can be done.
package enum ProductStatus: Hashable, Sendable {
    /// Can be bought; for nothing, if `isFree`.
    case buyable(isFree: Bool)
    /// Sent to the store; no outcome yet, or not delivered yet.
    case purchasing
    case waitingForApproval(request: TransactionID?)
    /// The last attempt failed; it can be bought again.
    case failed(StoreError)
    case downloading(ProductDownload)
    case paused(ProductDownload)
    /// It stopped, or waits for what its error says.
    case downloadFailed(ProductDownload)
    /// Owned; its content was never fetched, cancelled or deleted.
    case notDownloaded
    case owned(isRestored: Bool)
    /// The account owns it; this device has no record of it yet.
    case ownedElsewhere
    case current(until: Timestamp?, renews: Bool)
    /// A non-renewing subscription that lasts; buying it again adds to its time.
    case timed(until: Timestamp)
    /// Another plan of the same group is current, until then if it does not renew.
    case groupTaken(by: ProductID, until: Timestamp?)
    /// The app's own server delivers it; this store cannot sell it.
    case ownServer

    /// True where a payment sheet may be opened.
    package var canBuy: Bool {
        switch self {
        case .buyable, .failed, .timed: true
        case .purchasing, .waitingForApproval, .downloading, .paused, .downloadFailed,
            .notDownloaded, .owned, .ownedElsewhere, .current, .groupTaken, .ownServer:
            false
        }
    }
}

extension ShopState {
    package func status(of product: Product) -> ProductStatus {
        let status = statusIgnoringFailure(of: product)
        // A failure is about an attempt: what came to be owned some other way is owned.
        guard status.canBuy, let error = failures[product.id] else { return status }
        return .failed(error)
    }

    private func statusIgnoringFailure(of product: Product) -> ProductStatus {
        if purchases[product.id] != nil { return .purchasing }
        if let queued = snapshot.queued[product.id] {
            return queued.state == .deferred
                ? .waitingForApproval(request: queued.request) : .purchasing
        }
        if case .ownServer = product.delivery { return .ownServer }
        let isDelivered = snapshot.delivered.contains(product.id)
        if isDelivered, let download = snapshot.downloads[product.id],
            let status = Self.status(of: download)
        {
            return status
        }
        switch product.type {
        case .consumable: return buyable(product)
        case .nonConsumable:
            guard isDelivered else {
                return snapshot.entitlements[product.id] == nil
                    ? buyable(product) : .ownedElsewhere
            }
            if !product.hostedContent.isEmpty, snapshot.downloads[product.id]?.state != .finished {
                return .notDownloaded
            }
            return .owned(isRestored: restored.contains(product.id))
        case .nonRenewing:
            return timed(product)
        case .autoRenewable:
            if let entitled = snapshot.entitlements[product.id] {
                return .current(until: entitled.until, renews: entitled.renews)
            }
            if let other = currentPlan(inGroupOf: product) {
                // One that renews leaves no day from which another could be bought.
                let entitled = snapshot.entitlements[other.id]
                return .groupTaken(
                    by: other.id, until: entitled?.renews == true ? nil : entitled?.until)
            }
            return buyable(product)
        }
    }

    /// Ends by the app's own reckoning, since the store knows no end (StoreKit: non-renewing
    /// subscriptions), and can be bought again then.
    private func timed(_ product: Product) -> ProductStatus {
        guard product.nonRenewingPeriod != nil else {
            return snapshot.entitlements[product.id].map {
                .current(until: $0.until, renews: $0.renews)
            } ?? buyable(product)
        }
        guard let end = periodEnds[product.id] else {
            return snapshot.entitlements[product.id] == nil ? buyable(product) : .ownedElsewhere
        }
        return end > now ? .timed(until: end) : buyable(product)
    }

    private func buyable(_ product: Product) -> ProductStatus {
        .buyable(isFree: product.price.milliunits == 0)
    }

    private static func status(of download: ProductDownload) -> ProductStatus? {
        switch download.state {
        case .waiting, .active:
            download.error == nil ? .downloading(download) : .downloadFailed(download)
        case .paused: .paused(download)
        case .failed: .downloadFailed(download)
        case .finished, .cancelled, .deleted: nil
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
