import StoreCatalog
import StoreModel

extension StoreSession {
    /// The issues that the account may read, by product. Reads nothing if no product publishes
    /// issues; otherwise the cost grows with the account's subscription periods.
    func ownedIssues(
        of products: [CatalogProduct], at now: Timestamp
    ) async throws(StoreError) -> [ProductID: Set<String>] {
        let publishing = products.filter { $0.issues != nil }
        guard !publishing.isEmpty else { return [:] }
        // Read first, because this records the due renewals.
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
            // The subscription continues through the grace period after a failed charge.
            for period in current where period.row.sale.productID == product.id {
                if let end = period.row.expiresDate, let grace = period.grace, end < grace {
                    intervals.append(.init(from: end, until: grace))
                }
            }
            owned[product.id] = IssueRules.owned(product.issues ?? [], during: intervals, at: now)
        }
        return owned
    }

    /// Like `ownedIssues`, for a list of products, which must not fail because of the account. If
    /// this program cannot decode an entry of the account, which a newer version wrote, it reports
    /// no issue as the account's.
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

    /// Nil if the product has no issue with this identifier.
    ///
    /// - Throws: `notEntitled` if the account may not read the issue.
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
