import Foundation
import StoreCatalog
import StoreModel
import StoreSigning

extension StoreSession {
    /// One status for each group in which the account subscribes or did. Costs the groups of the
    /// catalog.
    func subscriptionStatuses() async throws(StoreError) -> [SubscriptionStatus] {
        let known = try await engine.committer.snapshotAfterDue(account)
        try await failIfAsked(.subscriptionStatus, known.faults)
        try known.refuseUnknownFacts(of: account)
        let index = try await engine.catalogs.catalog(known.catalog).index
        var query = LedgerQuery()
        query.accounts = [account]
        query.subscribed = Set(
            index.catalog.products.compactMap(\.subscription?.groupID).map {
                .init(account: account, group: $0)
            })
        var found = try await engine.ledger.snapshot(query)
        let latest = found.subscribed.values.sorted { $0.id < $1.id }
        query.subscriptions = Set(latest.map { .init(account: account, id: $0.originalID) })
        found = try await engine.ledger.snapshot(query)
        let now = engine.clock.now()
        query.sales = Set(
            latest.filter { $0.sale.purchaseDate > now }.compactMap {
                found.subscriptions[$0.originalID]?.previous
            })
        if !query.sales.isEmpty { found = try await engine.ledger.snapshot(query) }
        let context = RuleContext(snapshot: found, catalog: index, now: now)
        var statuses: [SubscriptionStatus] = []
        for row in latest {
            if let status = try status(of: row, in: context) { statuses.append(status) }
        }
        return statuses
    }

    private func status(
        of latest: TransactionRow, in context: RuleContext
    ) throws(StoreError) -> SubscriptionStatus? {
        guard let group = latest.sale.groupID else { return nil }
        let subscription =
            latest.sale.term == nil ? nil : context.snapshot.subscriptions[latest.originalID]
        let previous = subscription?.previous.flatMap { context.snapshot.transactions[$0] }
        let isEarly = latest.sale.purchaseDate > context.now
        let rules = StatusRules(
            subscription: subscription, latest: latest,
            current: isEarly ? previous ?? latest : latest, context: context)
        var payload = rules.payload(
            appTransactionID: engine.payloads.appTransactionID(of: account),
            environment: identity.environment)
        (payload.deviceVerification, payload.deviceVerificationNonce) = deviceVerification()
        return SubscriptionStatus(
            groupID: group, state: rules.state,
            transaction: try engine.payloads.signed(rules.current, for: device),
            renewalInfo: try engine.payloads.signer.sign(payload), problem: rules.problem,
            plans: rules.plans, changesAt: rules.changesAt)
    }
}
