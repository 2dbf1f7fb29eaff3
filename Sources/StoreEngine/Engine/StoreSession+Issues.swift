import StoreCatalog
import StoreModel

extension StoreSession {
    /// The issues that are the account's, by product, of the products that publish any. Reads nothing
    /// where the catalog has none; otherwise it costs the account's subscription periods.
    func ownedIssues(
        of products: [CatalogProduct], at now: Timestamp
    ) async throws(StoreError) -> [ProductID: Set<String>] {
        let publishing = products.filter { $0.issues != nil }
        guard !publishing.isEmpty else { return [:] }
        // First, because it records the renewals that are due.
        let current = try await entitled().periods
        var periods: [ProductID: [TransactionRow]] = [:]
        let wanted = Set(publishing.map(\.id))
        var last: TransactionID?
        while true {
            let page = try await engine.ledger.transactions(
                of: account, before: last, kinds: [.autoRenewable], entitlingOnly: false,
                limit: StoreLimits.historyPageMax)
            for row in page where wanted.contains(row.sale.productID) {
                periods[row.sale.productID, default: []].append(row)
            }
            guard page.count == StoreLimits.historyPageMax, let end = page.last else { break }
            last = end.id
        }
        guard !periods.isEmpty else { return [:] }
        var owned: [ProductID: Set<String>] = [:]
        for product in publishing {
            var intervals = IssueRules.intervals(periods[product.id] ?? [])
            // In the grace period of a failed payment the subscription goes on.
            for period in current where period.row.sale.productID == product.id {
                if let end = period.row.expiresDate, let grace = period.grace, end < grace {
                    intervals.append(.init(from: end, until: grace))
                }
            }
            owned[product.id] = IssueRules.owned(product.issues ?? [], during: intervals, at: now)
        }
        return owned
    }

    /// The same for a list of products, which needs no account: where this program cannot read what the
    /// account owns, because a newer one recorded something about it, no issue is called its own.
    func knownIssues(
        of products: [CatalogProduct], at now: Timestamp
    ) async throws(StoreError) -> [ProductID: Set<String>] {
        do throws(StoreError) {
            return try await ownedIssues(of: products, at: now)
        } catch {
            guard error.code == .storeNewer else { throw error }
            return [:]
        }
    }

    /// The package of an issue; nil where the product has none of this identifier.
    ///
    /// - Throws: `notEntitled` unless the issue is the account's.
    func issue(
        _ id: String, of product: CatalogProduct?
    ) async throws(StoreError) -> CatalogDelivery.Package? {
        guard let product, let issue = product.issues?.first(where: { $0.id == id }) else {
            return nil
        }
        try await engine.committer.refreshClock()
        let owned = try await ownedIssues(of: [product], at: engine.clock.now())
        guard owned[product.id]?.contains(id) == true else {
            throw StoreError(.notEntitled, productID: product.id, subject: id)
        }
        return issue.package
    }
}
