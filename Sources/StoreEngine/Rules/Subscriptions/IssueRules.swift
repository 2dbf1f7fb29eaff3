import StoreCatalog
import StoreModel

/// Decides which issues of a subscription an account may read: those that were published while it
/// subscribed, also after that has ended, and the newest one at each time that it subscribed.
enum IssueRules {
    /// A time in which the account subscribed.
    struct Interval: Hashable {
        /// Its beginning.
        var from: Timestamp
        /// Its end; nil for none.
        var until: Timestamp?
    }

    /// The identifiers of the issues that are the account's, of those published by now.
    ///
    /// - Parameter issues: in order of their dates.
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

    /// When the account subscribed, by the periods of a product, its own and those shared with it. One
    /// that was taken back gives nothing; one that ended with a change of plan counts until then.
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
