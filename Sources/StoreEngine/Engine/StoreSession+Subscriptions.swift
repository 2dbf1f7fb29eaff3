import Foundation
import StoreCatalog
import StoreModel
import StoreSigning

extension StoreSession {
    /// One status for each group in which the account has or had a subscription, and one for each
    /// subscription that a family member shares or has shared with it. The cost grows with the
    /// groups of the catalog and the account's shares.
    func subscriptionStatuses() async throws(StoreError) -> [SubscriptionStatus] {
        let known = try await snapshotAfterDueOfFamily()
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
        let winBackGroups = Set(
            index.catalog.products.filter { $0.offers.contains { $0.kind == .winBack } }
                .compactMap(\.subscription?.groupID))
        query.wholeGroups = query.subscribed.filter { winBackGroups.contains($0.group) }
        query.subscriptions = Set(latest.map { .init(account: account, id: $0.originalID) })
        found = try await engine.ledger.snapshot(query)
        let now = engine.clock.now()
        query.sales = Set(
            latest.filter { !$0.hasBegun(at: now) }.compactMap {
                found.subscriptions[$0.originalID]?.previous
            })
        if !query.sales.isEmpty { found = try await engine.ledger.snapshot(query) }
        let context = RuleContext(snapshot: found, catalog: index, now: now)
        var statuses: [SubscriptionStatus] = []
        for row in latest {
            if let status = try status(of: row, in: context) { statuses.append(status) }
        }
        let shared = RuleContext(snapshot: known, catalog: index, now: now)
        for period in try await sharedSubscriptions(known) {
            if let status = try status(ofShared: period, in: shared) { statuses.append(status) }
        }
        return statuses
    }

    private func status(
        ofShared shared: SharedPeriod, in context: RuleContext
    ) throws(StoreError) -> SubscriptionStatus? {
        let period = shared.period
        guard let group = period.row.sale.groupID else { return nil }
        // A member's subscription continues while the owner renews and shares it.
        let isLast = period.latest.sale.sharedTransaction == period.subscription?.latest
        let rules = StatusRules(
            subscription: isLast && shared.isShared
                ? period.subscription : period.subscription?.withoutRenewal,
            latest: period.latest, current: period.row, context: context)
        var status = try status(in: group, by: rules)
        status.sharedBy = period.row.sale.share?.owner
        return status
    }

    private func status(
        in group: SubscriptionGroupID, by rules: StatusRules
    ) throws(StoreError) -> SubscriptionStatus {
        var status = SubscriptionStatus(
            groupID: group, state: rules.state,
            transaction: try engine.payloads.signed(rules.current, for: device),
            renewalInfo: try signed(rules))
        status.paidUntil = rules.paidUntil
        status.isAtRenewalLimit = rules.isAtRenewalLimit
        status.changesAt = rules.changesAt
        return status
    }

    func manageSubscriptions() async throws(StoreError) {
        let known = try await engine.committer.snapshotAfterDue(account)
        try await failIfAsked(.manageSubscriptions, known.faults)
    }

    private func status(
        of latest: TransactionRow, in context: RuleContext
    ) throws(StoreError) -> SubscriptionStatus? {
        guard let group = latest.sale.groupID else { return nil }
        let subscription =
            latest.sale.term == nil ? nil : context.snapshot.subscriptions[latest.originalID]
        let previous = subscription?.previous.flatMap { context.snapshot.transactions[$0] }
        let rules = StatusRules(
            subscription: subscription, latest: latest,
            current: latest.hasBegun(at: context.now) ? latest : previous ?? latest,
            context: context)
        var status = try status(in: group, by: rules)
        status.problem = rules.problem
        status.plans = rules.plans
        return status
    }

    /// Of an own or a shared subscription, signed for this device.
    func renewalInfo(
        of period: CurrentPeriod, _ found: LedgerSnapshot, at now: Timestamp
    ) async throws(StoreError) -> SignedRenewalInfo {
        let index = try await engine.catalogs.catalog(found.catalog).index
        return try signed(
            StatusRules(
                subscription: period.subscription, latest: period.row, current: period.row,
                context: RuleContext(snapshot: found, catalog: index, now: now)))
    }

    private func signed(_ rules: StatusRules) throws(StoreError) -> SignedRenewalInfo {
        var payload = rules.payload(
            appTransactionID: engine.payloads.appTransactionID(of: account),
            environment: identity.environment)
        (payload.deviceVerification, payload.deviceVerificationNonce) = deviceVerification()
        return try engine.payloads.signer.sign(payload)
    }
}

extension SubscriptionRow {
    /// The subscription for a member with whom its next period is not shared: it does not renew,
    /// and has no failed charge.
    fileprivate var withoutRenewal: SubscriptionRow {
        var row = self
        row.autoRenews = false
        row.state.billing = nil
        return row
    }
}
