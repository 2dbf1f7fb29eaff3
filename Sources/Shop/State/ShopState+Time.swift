import StoreModel

/// Changes that happen because time passes.
extension ShopState {
    /// Also `nextEnd` and the owned products. Called when the products, the account or the time
    /// have changed, not each time a row is drawn.
    mutating func reckonEnds() {
        deadlines.periodEnds = [:]
        for (id, purchases) in snapshot.timed {
            guard let period = productList.product(id)?.nonRenewingPeriod else { continue }
            deadlines.periodEnds[id] = TimedAccess.end(of: purchases, period: period)
        }
        let ends =
            deadlines.periodEnds.values + snapshot.entitlements.values.compactMap(\.until)
            + snapshot.subscriptions.values.compactMap(\.changesAt)
        deadlines.nextEnd = (ends + [loading.changesAt].compactMap(\.self)).filter { $0 > now }
            .min()
        arrangeLibrary()
    }

    /// At a deadline, an entitlement may have ended or other products may be for sale: queries the
    /// account, and the products if one of their dates has passed.
    mutating func passTime(_ moment: ShopMoment) -> [ShopEffect] {
        reckonEnds()
        guard opening == .open else { return [] }
        let closing = leaveClosedContent(moment)
        let haveProductsChanged = loading.changesAt.map { $0 <= now } ?? false
        return closing + queries.ask(.refreshAccount)
            + (haveProductsChanged ? queries.ask(.loadProducts) : [])
    }
}
