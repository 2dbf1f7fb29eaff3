import Basics
import StoreCatalog
import StoreModel

/// Decides the effects of buying a subscription in a group in which the account has an active one.
/// The account's present plan is answered with its transaction. An upgrade, or a crossgrade of the
/// same duration, begins at once, and the unused part of the present period is refunded. Any other
/// change waits for the next renewal, and nothing is charged until then (StoreKit:
/// `autoRenewPreference`).
struct PlanChangeRules {
    /// When a change takes effect.
    enum Moment {
        /// No change: it is the account's present plan.
        case none
        case now
        case atRenewal
    }

    let product: CatalogProduct
    let latest: TransactionRow
    let context: RuleContext
    /// Nil for the product's default plan.
    var billingPlan: BillingPlanType?

    private var subscription: SubscriptionRow? {
        context.snapshot.subscriptions[latest.originalID]
    }

    /// The period that contains now. The latest one may begin later.
    private var current: TransactionRow {
        guard latest.sale.purchaseDate > context.now, let id = subscription?.previous,
            let previous = context.snapshot.transactions[id], !previous.state.isRevoked
        else { return latest }
        return previous
    }

    /// When the change takes effect. Nil for a subscription that cannot change: a free one, a
    /// family member's, or one whose last period was deleted.
    var moment: Moment? {
        guard let term = latest.sale.term, let wanted = product.subscription,
            let period = wanted.period
        else { return nil }
        guard latest.sale.productID != product.id else {
            return billingPlanStays ? Moment.none : .atRenewal
        }
        guard subscription?.latest == latest.id else { return nil }
        if case .familyShare = latest.sale.cause { return nil }
        let level = context.catalog.product(latest.sale.productID)?.subscription?.level
        if let level, wanted.level != level { return wanted.level < level ? .now : .atRenewal }
        return period == latest.sale.ordinaryPeriod ?? term.period ? .now : .atRenewal
    }

    /// The entry that keeps the present plan: it turns auto-renew on, and cancels a waiting change
    /// of plan. Nil if neither is needed. Nothing is charged.
    ///
    /// - Parameter answered: the payment that buys the present plan.
    func keeping(_ answered: AnsweredPayment) -> Entry? {
        guard var row = subscription, row.latest == latest.id else { return nil }
        let isChanged = row.state.takePlanBack(after: latest.sale)
        if isChanged { return entry(.planChangeTakenBack, row, answered) }
        var change = Changing(row, latest, at: context.now)
        change.answered = answered
        return change.renewsInTheEnd ? nil : change.autoRenewOn()
    }

    private func entry(
        _ kind: SubscriptionEvent.Kind, _ changed: SubscriptionRow, _ answered: AnsweredPayment?
    ) -> Entry {
        var change = Changing(changed, latest, at: context.now)
        change.answered = answered
        change.isDowngrade = kind == .planChangePlanned && self.kind == .downgrade
        return change.entry(
            kind, changed.state, until: changesAt, dueAt: change.nextStep(changed.state))
    }

    /// When a change for the next renewal takes effect: when the last period ends, or the
    /// commitment whose payments are owed.
    private var changesAt: Timestamp? {
        latest.sale.owesPayments ? latest.commitmentEnd : latest.expiresDate
    }

    /// The entry that plans a change for the next renewal, or redeems an offer of the present plan
    /// for it. Nil if it is planned already and no request waits for it. Nothing is charged now.
    ///
    /// - Parameters:
    ///   - offer: the offer that begins with the next renewal; nil for none.
    ///   - answered: the payment that asks for the change; nil if none does.
    ///   - request: the number under which that payment waited; nil if it did not wait.
    func later(
        _ offer: SoldOffer?, _ answered: AnsweredPayment?, request: TransactionID? = nil
    ) -> Entry? {
        let entry =
            product.id == latest.sale.productID && billingPlanStays
            ? offer.flatMap { redeeming($0, answered) }
            : planning(offer, answered, isRequest: request != nil)
        guard var entry else { return nil }
        if let request { entry.number = .existing(request) }
        return entry
    }

    private var billingPlanStays: Bool {
        billingPlan.map { $0 == paidPlan } ?? true
    }

    private var paidPlan: BillingPlanType { latest.sale.billingPlan ?? .upFront }

    /// Plans the change for the next renewal. An offer that was redeemed for the present plan is
    /// put aside. A request is answered even if the change was planned meanwhile.
    private func planning(
        _ offer: SoldOffer?, _ answered: AnsweredPayment?, isRequest: Bool
    ) -> Entry? {
        guard let row = subscription else { return nil }
        let isOwed = latest.sale.owesPayments
        let next = product.id == latest.sale.productID ? nil : product.id
        var state = row.state
        let aside = state.offerOfPresentPlan(after: latest.sale)
        if isOwed {
            state.afterCommitment = AfterCommitment(
                productID: next, billingPlan: billingPlan, offer: offer, offerAside: aside)
        } else {
            state.nextProductID = next
            state.nextBillingPlan = billingPlan
            state.nextOffer = offer
            state.offerAside = aside
            state.offReason = nil
            state.forgetPriceIncrease()
            if latest.sale.commitment != nil { state.afterCommitment = .same }
        }
        let wanted = row.state.afterCommitment(of: latest.sale)
        let isPlanned =
            isOwed ? wanted == state.afterCommitment : row.autoRenews && row.state == state
        if isPlanned, offer == nil, !isRequest { return nil }
        var changed = row
        changed.state = state
        return entry(.planChangePlanned, changed, answered)
    }

    /// Redeems an offer of the present plan for the next renewal, and cancels a waiting change of
    /// plan.
    private func redeeming(_ offer: SoldOffer, _ answered: AnsweredPayment?) -> Entry? {
        guard var row = subscription, row.latest == latest.id else { return nil }
        _ = row.state.takePlanBack(after: latest.sale)
        // The customer chooses what the next period costs, and is asked again before a later one.
        if row.state.priceIncrease == .pending { row.state.forgetPriceIncrease() }
        if latest.sale.owesPayments {
            var after = row.state.afterCommitment(of: latest.sale)
            after.offer = offer
            after.offReason = nil
            row.state.afterCommitment = after
        } else {
            row.state.nextOffer = offer
            row.state.offReason = nil
        }
        return entry(.offerRedeemed, row, answered)
    }

    /// With the transaction of the present period.
    func answered(_ payment: Payment, on device: DeviceName) -> AnsweredPayment {
        AnsweredPayment(payment: payment, device: device, transaction: current.id)
    }

    /// The entries that end the old plan when the change takes effect at once: of the present
    /// period, whose unused part is refunded, and of the next one if it was charged already.
    var endings: [Entry] {
        var entries: [Entry] = []
        let current = current
        if current.isActive(at: context.now) {
            let refunded = current.state.revocation?.refunded ?? .none
            let unused = current.unused(at: context.now)
            entries.append(
                RefundRules.refunded(
                    current,
                    Share(millipercent: refunded.millipercent + unused.millipercent),
                    reason: .other, isUpgrade: true, in: context))
        }
        if current.id != latest.id, !latest.state.isRevoked {
            entries.append(
                RefundRules.refunded(latest, .all, reason: .other, isUpgrade: true, in: context))
        }
        return entries
    }

    /// The entries that end the account's present period for a sale in the same group that begins
    /// at once; empty if no period runs. If the next period was charged ahead and then revoked, the
    /// account may buy although its present period still runs. That period must end, because an
    /// account has one period of a group at a time.
    static func endings(
        before product: CatalogProduct, for account: AccountName, in context: RuleContext
    ) -> [Entry] {
        guard let latest = Eligibility.latestInGroup(product, of: account, in: context),
            latest.isActive(at: context.now) || latest.sale.purchaseDate > context.now
        else { return [] }
        return PlanChangeRules(product: product, latest: latest, context: context).endings
    }

    /// The answer to a payment for a plan that charges nothing now: the transaction of the present
    /// period.
    var answer: PurchaseRequest.Answer {
        PurchaseRequest.Answer(state: .sold(current), alreadyOwned: true)
    }
}

// MARK: - Asking without buying

extension PlanChangeRules {
    /// Nil for a subscription that cannot change.
    var preview: PlanChange? {
        guard let moment, let row = subscription else { return nil }
        let after = latest.sale.commitment.map { _ in row.state.afterCommitment(of: latest.sale) }
        let renewsAs = row.state.nextProductID ?? after?.productID ?? latest.sale.productID
        let renews = row.autoRenews && after?.offReason == nil
        var change = PlanChange(
            productID: product.id, kind: kind, startsAt: changesAt ?? context.now)
        change.isPlanned = renews && renewsAs == product.id
        change.billingPlan = product.id == latest.sale.productID ? paidPlan : nil
        switch moment {
        case .none: change.startsAt = latest.sale.purchaseDate
        case .atRenewal: break
        case .now:
            change.startsAt = context.now
            change.isAtOnce = true
            change.isPlanned = false
            change.refund = refund
        }
        return change
    }

    private var kind: PlanChange.Kind {
        guard latest.sale.productID != product.id else { return .present }
        guard let level = context.catalog.product(latest.sale.productID)?.subscription?.level,
            let wanted = product.subscription?.level, wanted != level
        else { return .crossgrade }
        return wanted < level ? .upgrade : .downgrade
    }

    private var refund: Money {
        let given = endings.reduce(0 as Int64) { sum, entry in
            guard case .revised(let revision) = entry.fact,
                case .upgraded(let money) = revision.change
            else { return sum }
            return sum.addingClamped(money.milliunits)
        }
        return Money(milliunits: given, currency: latest.sale.price.currency)
    }
}
