import StoreModel

/// What time alone changes of what is shown.
extension ShopState {
    /// Reckons anew when what is current ends: whenever products, the account or the hour change, and
    /// not each time a row is drawn.
    mutating func reckonEnds() {
        periodEnds = [:]
        for (id, purchases) in snapshot.timed {
            guard let period = productList.product(id)?.nonRenewingPeriod else { continue }
            periodEnds[id] = TimedAccess.end(of: purchases, period: period)
        }
        let ends = periodEnds.values + snapshot.entitlements.values.compactMap(\.until)
        nextEnd = ends.filter { $0 > now }.min()
    }

    /// Something that was current has ended: the store is asked what is left.
    mutating func passTime() -> [ShopEffect] {
        reckonEnds()
        return opening == .open ? queries.ask(.refreshAccount) : []
    }
}
