import Foundation
import StoreModel

extension StoreEngine {
    /// Extends all subscriptions that a request names, page by page, each page in one write, and
    /// records what came of it. The request itself must be recorded. Due renewals and expiries are
    /// recorded before, and are not returned. Returns at most `StoreLimits.actionEventsMax` entries
    /// of extensions. Throws `extendedInPart` if it cannot go on after the first ones.
    func extendAll(_ request: ExtensionRequest) async throws(StoreError) -> [RecordedEntry] {
        _ = try await committer.recordDue(nil)
        var recorded: [RecordedEntry] = []
        var all = ExtendRequest.Extended()
        do throws(StoreError) {
            let firstUse = try await ledger.snapshot(LedgerQuery { $0.extensions = [request.id] })
                .extensions[request.id]
            var last: TransactionID?
            while true {
                let page = try await ledger.subscriptions(
                    after: last, limit: StoreLimits.duePageMax)
                guard let end = page.last else { break }
                last = end.chain
                let extended = try await committer.submit(
                    ExtendRequest(
                        request: request, firstUse: firstUse,
                        chains: page.map { .init(account: $0.account, id: $0.chain) }))
                all.now += extended.now
                all.before += extended.before
                all.failures += extended.failures
                recorded += extended.entries.prefix(
                    max(0, StoreLimits.actionEventsMax - recorded.count))
            }
        } catch  where all.now > 0 {
            throw StoreError(
                .extendedInPart, productID: request.productID,
                subject: request.id.uuidString.lowercased(), found: all.now,
                expected: request.days, cause: error.cause ?? error.code.rawValue)
        }
        try await noteEnd(
            ExtensionOutcome(
                request: request, succeeded: all.now + all.before, failed: all.failures.count,
                failures: Array(all.failures.prefix(ExtensionOutcome.failuresMax)),
                completedAt: clock.now()))
        return recorded
    }

    /// The same request again is noted only if more came of it.
    private func noteEnd(_ outcome: ExtensionOutcome) async throws(StoreError) {
        let known = try await extensionOutcome(outcome.request.id, of: outcome.request.productID)
        guard known.map({ $0.succeeded < outcome.succeeded }) ?? true else { return }
        try await committer.submit(ExtensionEnd(outcome: outcome))
    }

    /// The last one of the request with this identifier; nil if it has not come to its end.
    ///
    /// - Parameter product: the product that was extended; nil for any.
    func extensionOutcome(
        _ id: UUID, of product: ProductID? = nil
    ) async throws(StoreError) -> ExtensionOutcome? {
        let filter = HistoryFilter(kinds: [.extensionDone], product: product)
        var cursor = try await ledger.head()
        while cursor.position > 0 {
            let page = try await ledger.entries(
                before: cursor, filter: filter, limit: StoreLimits.duePageMax)
            for recorded in page.entries {
                guard case .extensionDone(let outcome) = recorded.entry.fact,
                    outcome.request.id == id
                else { continue }
                return outcome
            }
            cursor = page.cursor
        }
        return nil
    }
}
