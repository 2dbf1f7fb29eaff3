import StoreCatalog
import StoreModel
import StoreSigning

extension StoreSession {
    /// One status for each group in which the account has or had a subscription, and one for each
    /// subscription that a family member shares or has shared with it. The cost grows with the
    /// groups of the catalog and the account's shares.
    func subscriptionStatuses() async throws(StoreError) -> [SubscriptionStatus] {
        try await subscriptions().map { one throws(StoreError) in
            var status = try status(in: one.group, by: one.rules)
            if one.isShared {
                status.sharedBy = one.rules.current.sale.share?.owner
            } else {
                status.problem = one.rules.problem
                status.plans = one.rules.plans
            }
            return status
        }
    }

    /// The next step of each subscription, as the statuses have it.
    func renewalPayloads() async throws(StoreError) -> [RenewalInfoPayload] {
        try await subscriptions().map { payload(of: $0.rules) }
    }

    /// A subscription of the account, or one that is shared with it.
    private struct Subscription {
        var group: SubscriptionGroupID
        var rules: StatusRules
        var isShared: Bool
    }

    private func subscriptions() async throws(StoreError) -> [Subscription] {
        let known = try await snapshotAfterDueOfFamily()
        try await failIfAsked(.subscriptionStatus, known.faults)
        try known.refuseUnknownFacts(of: account)
        let lookup = try await engine.committer.lookUp { addStatusKeys(to: &$0) }
        let context = RuleContext(
            snapshot: lookup.found, catalog: lookup.catalog, now: engine.clock.now())
        let own = lookup.found.subscribed.values.sorted(by: { $0.id < $1.id })
            .compactMap { subscription(of: $0, in: context) }
        var shared = context
        shared.snapshot = known
        return try await own
            + sharedSubscriptions(known).compactMap { subscription(ofShared: $0, in: shared) }
    }

    private func addStatusKeys(to lookup: inout Lookup) {
        lookup.query.accounts.insert(account)
        for product in lookup.catalog.catalog.products {
            guard let group = product.subscription?.groupID else { continue }
            let key = LedgerQuery.Subscribed(account: account, group: group)
            lookup.query.subscribed.insert(key)
            guard let latest = lookup.found.subscribed[key] else { continue }
            lookup.query.subscriptions.insert(.init(account: account, id: latest.originalID))
            if product.offers.contains(where: { $0.kind == .winBack }) {
                lookup.query.wholeGroups.insert(key)
            }
            if !latest.hasBegun(at: engine.clock.now()),
                let previous = lookup.found.subscriptions[latest.originalID]?.previous
            {
                lookup.query.sales.insert(previous)
            }
        }
    }

    private func subscription(
        ofShared shared: SharedPeriod, in context: RuleContext
    ) -> Subscription? {
        let period = shared.period
        guard let group = period.row.sale.groupID else { return nil }
        // A member's subscription continues while the owner renews and shares it.
        let isLast = period.latest.sale.sharedTransaction == period.subscription?.latest
        let rules = StatusRules(
            subscription: isLast && shared.isShared
                ? period.subscription : period.subscription?.withoutRenewal,
            latest: period.latest, current: period.row, context: context)
        return Subscription(group: group, rules: rules, isShared: true)
    }

    private func status(
        in group: SubscriptionGroupID, by rules: StatusRules
    ) throws(StoreError) -> SubscriptionStatus {
        var status = SubscriptionStatus(
            groupID: group, state: rules.state,
            transaction: try engine.payloads.signed(
                rules.current, for: isOfBackend ? nil : device),
            renewalInfo: try signed(rules))
        status.chain = rules.current.originalID
        status.paidUntil = rules.paidUntil
        status.isAtRenewalLimit = rules.isAtRenewalLimit
        status.changesAt = rules.changesAt
        return status
    }

    func manageSubscriptions() async throws(StoreError) {
        let known = try await engine.committer.snapshotAfterDue(account)
        try await failIfAsked(.manageSubscriptions, known.faults)
    }

    private func subscription(
        of latest: TransactionRow, in context: RuleContext
    ) -> Subscription? {
        guard let group = latest.sale.groupID else { return nil }
        let subscription =
            latest.sale.term == nil ? nil : context.snapshot.subscriptions[latest.originalID]
        let previous = subscription?.previous.flatMap { context.snapshot.transactions[$0] }
        let rules = StatusRules(
            subscription: subscription, latest: latest,
            current: latest.hasBegun(at: context.now) ? latest : previous ?? latest,
            context: context)
        return Subscription(group: group, rules: rules, isShared: false)
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
        try engine.payloads.signer.sign(payload(of: rules))
    }

    private func payload(of rules: StatusRules) -> RenewalInfoPayload {
        var payload = rules.payload(
            appTransactionID: engine.payloads.appTransactionID(of: account),
            environment: identity.environment)
        (payload.deviceVerification, payload.deviceVerificationNonce) = deviceVerification()
        return payload
    }
}

extension SubscriptionRow {
    /// The subscription for a member with whom its next period is not shared: it does not renew,
    /// and has no failed charge.
    var withoutRenewal: SubscriptionRow {
        var row = self
        row.autoRenews = false
        row.state.billing = nil
        return row
    }
}
