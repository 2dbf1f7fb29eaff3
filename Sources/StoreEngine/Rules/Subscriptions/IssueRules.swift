import StoreCatalog
import StoreModel

/// Decides which issues of a subscription an account may read: those published while it subscribed,
/// which it keeps afterwards, and the newest issue at the start of each interval in which it
/// subscribed.
enum IssueRules {
    /// An interval in which the account subscribed.
    struct Interval: Hashable {
        var from: Timestamp
        /// Nil without an end.
        var until: Timestamp?
    }

    /// The identifiers of published issues.
    ///
    /// - Parameter issues: the published issues in order of their dates.
    static func owned(
        _ issues: [CatalogProduct.Issue], during intervals: [Interval], at now: Timestamp
    ) -> Set<String> {
        let published = issues.filter { $0.date <= now }
        var owned: Set<String> = []
        for interval in intervals where interval.from <= now {
            if let newest = published.last(where: { $0.date <= interval.from }) {
                owned.insert(newest.id)
            }
            for issue in published
            where issue.date > interval.from && interval.until.map({ issue.date < $0 }) ?? true {
                owned.insert(issue.id)
            }
        }
        return owned
    }

    /// The intervals in which the account subscribed, from a product's periods, its own and those
    /// shared with it. A revoked period gives no interval. A period that a change of plan ended
    /// counts until that change.
    static func intervals(_ periods: [TransactionRow]) -> [Interval] {
        periods.compactMap { row in
            guard !row.state.isDeleted else { return nil }
            guard let revocation = row.state.revocation else {
                return Interval(from: row.sale.purchaseDate, until: row.expiresDate)
            }
            return row.state.isUpgraded
                ? Interval(from: row.sale.purchaseDate, until: revocation.date) : nil
        }
    }
}
