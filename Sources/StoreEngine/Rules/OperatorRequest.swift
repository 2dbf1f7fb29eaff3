import StoreCatalog
import StoreModel

/// A request of the operator. It selects the rule that decides each action.
struct OperatorRequest: Request {
    var action: OperatorAction
    var homeTerritory: String
    /// Acts as the organizer of its family; nil for the operator of the store.
    var actor: AccountName?
    /// The account on whose own device the operator's console runs; nil for any other console.
    var customer: AccountName?

    private var isOfSubscription: Bool {
        if case .subscription = action.kind.subject { true } else { false }
    }

    /// Alone or as part of its subscription; nil for an action about something else.
    private var sale: TransactionID? {
        switch action.kind.subject {
        case .sale where action.kind != .declineRefund, .subscription: action.transactionID
        default: nil
        }
    }

    func addKeys(to lookup: inout Lookup) {
        if let sale, isOfSubscription {
            RenewalRules.addKeys(of: sale, to: &lookup)
        } else if let sale {
            RefundRules.addKeys(
                of: sale, to: &lookup, needsWholeGroup: action.kind == .delete)
        }
        switch action {
        case .approve(let number), .decline(let number), .resolve(let number):
            RequestRules.addKeys(on: number, to: &lookup)
        case .declineRefund(let id):
            lookup.query.refundRequests.insert(id)
            if let request = lookup.found.refundRequests[id] {
                lookup.query.accounts.insert(request.account)
            }
        case .buyOutside(let product, let account, _, _, _, _):
            Eligibility.addKeys(on: product, of: account, to: &lookup)
            OfferRules.addKeys(onOffersOf: product, for: account, to: &lookup)
        case .promote(_, let account): lookup.query.accounts.insert(account)
        case .changeAccount(let change): lookup.query.accounts.insert(change.account)
        case .package: lookup.query.wantsSoldProducts = true
        case .extendAll(_, _, let id): if let id { lookup.query.extensions.insert(id) }
        case .clock(.next): lookup.query.nextDue = true
        case .family(let action): FamilyRules.addKeys(of: action, to: &lookup)
        default: break
        }
    }

    /// An action on the whole store shares its batch with no other request.
    func collisions(in context: RuleContext) -> [CollisionKey] {
        if let sale { return RefundRules.collisions(on: sale, in: context) }
        switch action {
        case .approve(let number), .decline(let number), .resolve(let number):
            return RequestRules.collisions(on: number, in: context)
        case .declineRefund(let id): return [.transaction(id)]
        case .buyOutside(let product, let account, _, let offer, _, _):
            let codes = context.catalog.product(product)?.offers.first { $0.id == offer }?.codes
            return [.account(account)]
                + Eligibility.collisions(on: product, of: account, in: context)
                + (codes ?? []).map { .offerCode($0.code) }
        case .promote: return []
        case .changeAccount(let change): return [.account(change.account), .everything]
        case .failNext, .clearFaults, .clearFault: return [.faults, .everything]
        default: return [.everything]
        }
    }

    /// None if nothing had to change.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<[RecordedEntry]> {
        guard let decision = try decision(in: context) else { return .answer([]) }
        return .record(decision) { recorded in recorded }
    }

    /// Nil if nothing has to change.
    private func decision(in context: RuleContext) throws(StoreError) -> Decision? {
        try FamilyRules.authorize(action, by: actor, besides: customer, in: context)
        if let sale { try FamilyRules.refuseShare(sale, in: context) }
        return switch action {
        case .approve(let number): try RequestRules.answer(number, .approve, in: context)
        case .decline(let number): try RequestRules.answer(number, .decline, in: context)
        case .resolve(let number): try RequestRules.answer(number, .resolve, in: context)
        case .declineRefund(let id): try RefundRequestRules.decline(id, in: context)
        case .buyOutside(let product, let account, let quantity, let offer, let token, let date):
            try OutsideRules.sell(
                product, to: account, quantity: quantity, offer: offer, token: token,
                home: homeTerritory, in: date.map { context.earlier($0) } ?? context)
        case .promote(let product, let account):
            try OutsideRules.promote(product, to: account, in: context)
        case .publish(let product, let state):
            try CatalogRules.publish(product, as: state, in: context)
        case .raisePrice(let product, let percent, let keepsPrice):
            try CatalogRules.raisePrice(
                of: product, percent: percent, keepsPrice: keepsPrice, in: context)
        case .package(let action): try PackageRules.decide(action, in: context)
        case .changeAccount(let change):
            try AccountRules.change(change, home: homeTerritory, in: context)
        case .failNext(let call, let error, let count, let after, let delay):
            try FaultRules.set(
                call, error: error, count: count, after: after, delayMilliseconds: delay,
                in: context)
        case .clearFaults: FaultRules.clear(in: context)
        case .clearFault(let id): try FaultRules.clear(id, in: context)
        case .refund(let id, let amount, let reason):
            try RefundRules.refund(id, amount, reason: reason, in: context)
        case .revoke(let id): try RefundRules.revoke(id, in: context)
        case .reverseRefund(let id): try RefundRules.reverse(id, in: context)
        case .delete(let id, let wholeChain):
            try RefundRules.delete(id, wholeChain: wholeChain, in: context)
        case .clock(let action): try ClockRules.set(action, in: context)
        case .setRenewals(let change): try ClockRules.renew(change, in: context)
        case .setAutoRenew(let id, let isOn):
            try RenewalRules.setAutoRenew(of: id, isOn, in: context)
        case .family(let action): try FamilyRules.change(action, in: context)
        case .expire(let id): try SubscriptionRules.expire(id, in: context)
        case .renew(let id): try SubscriptionRules.renew(id, in: context)
        case .resolveBilling(let id): try SubscriptionRules.resolveBilling(id, in: context)
        case .priceIncrease(let id, let step):
            try SubscriptionRules.priceIncrease(id, step, in: context)
        case .extend(let id, let days):
            try SubscriptionRules.extend(id, days: days, in: context)
        case .extendAll(let product, let days, let id):
            try SubscriptionRules.extendAll(product, days: days, id: id, in: context)
        case .cancelSubscription(let id): try SubscriptionRules.cancel(id, in: context)
        }
    }
}
