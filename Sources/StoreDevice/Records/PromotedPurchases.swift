import StoreModel

/// The promoted purchases (begun outside the app) that a device holds, as one row of `meta`.
private struct KeptPromotions: Codable {
    /// Oldest first.
    var held: [PromotedPurchase] = []
    /// The position of the last promoted purchase that was recorded. Earlier events are ignored
    /// when they are read again.
    var last: FeedCursor?
}

extension DeviceRecords {
    private static let promotedName = "promoted"

    func promotedPurchases() throws -> [PromotedPurchase] {
        try value(Self.promotedName, as: KeptPromotions.self)?.held ?? []
    }

    /// Holds a promoted purchase, unless its event was recorded before. It replaces an earlier one
    /// of the same product.
    func holdPromoted(_ product: ProductID, at cursor: FeedCursor, now: Timestamp) throws {
        var kept = try value(Self.promotedName, as: KeptPromotions.self) ?? KeptPromotions()
        if let last = kept.last, last.epoch == cursor.epoch, cursor.position <= last.position {
            return
        }
        kept.last = cursor
        kept.held.removeAll { $0.productID == product }
        kept.held.append(PromotedPurchase(productID: product, begunAt: now))
        kept.held.removeFirst(max(0, kept.held.count - DeviceLimits.promotedMax))
        try set(Self.promotedName, kept)
    }

    /// False if none was held.
    @discardableResult
    func dropPromoted(_ product: ProductID) throws -> Bool {
        guard var kept = try value(Self.promotedName, as: KeptPromotions.self),
            kept.held.contains(where: { $0.productID == product })
        else { return false }
        kept.held.removeAll { $0.productID == product }
        try set(Self.promotedName, kept)
        return true
    }
}
