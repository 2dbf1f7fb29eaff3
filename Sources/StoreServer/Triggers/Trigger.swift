import Foundation
package import StoreModel

/// Makes what a notification tells of truly happen, for an account of its own: by the operator's
/// actions, purchases and moves of the clock that a person could make as well.
package struct Trigger {
    private let kind: NotificationKind
    private let console: any StoreOperator
    private let outbox: any OutboxStore
    private let walk: ClockWalk
    private let account: AccountName
    private let session: any Store
    private let say: (String) -> Void

    /// - Parameters:
    ///   - session: of the account to which it happens, which has bought nothing yet.
    ///   - say: called with each step before it is made, as a command of the program.
    package init(
        _ kind: NotificationKind, console: any StoreOperator, outbox: any OutboxStore,
        walk: ClockWalk, session: any Store, say: @escaping (String) -> Void
    ) {
        self.kind = kind
        self.console = console
        self.outbox = outbox
        self.walk = walk
        account = session.account
        self.session = session
        self.say = say
    }

    /// The notification that followed; nil if none did, and for a test without an address.
    ///
    /// - Throws: `TriggerNeed`, and the errors of the steps.
    package func run() async throws -> OutboxItem? {
        _ = try await outbox.deriveNotifications()
        let last = try await outbox.outbox(OutboxQuery(.newest(before: nil), limit: 1)).items.first
        let before = try await console.clock().renewals
        do {
            try await cause()
        } catch {
            try? await restore(before)
            throw error
        }
        try await restore(before)
        _ = try await outbox.deriveNotifications()
        var query = OutboxQuery(.newest(before: nil), limit: 50)
        query.type = kind.type
        return try await outbox.outbox(query).items.first {
            $0.ordinal > last?.ordinal ?? -1 && $0.notification.kind == kind
        }
    }

    // MARK: - Recipes

    private func cause() async throws {
        switch kind.type {
        case .oneTimeCharge: try await buyOnce()
        case .subscribed:
            let period = try await subscribe()
            guard kind.subtype == .resubscribe else { return }
            try await perform(.expire(period.id), "expire \(period.id)")
            try await buy(period.product)
        case .didRenew: try await renew()
        case .didChangeRenewalPref: try await changePlan()
        case .offerRedeemed: try await redeem()
        case .didChangeRenewalStatus:
            let period = try await subscribe()
            try await setAutoRenew(period, false)
            if kind.subtype == .autoRenewEnabled { try await setAutoRenew(period, true) }
        case .didFailToRenew:
            try await fail(try await subscribe(), withGrace: kind.subtype == .gracePeriod)
        case .gracePeriodExpired:
            try await fail(try await subscribe(), withGrace: true)
            try await advance(days: 30)
        case .expired: try await expire()
        case .priceIncrease:
            let period = try await subscribe()
            try await perform(.priceIncrease(period.id, .ask), "price-increase ask \(period.id)")
            guard kind.subtype == .accepted else { return }
            try await perform(
                .priceIncrease(period.id, .consent), "price-increase consent \(period.id)")
        case .consumptionRequest: try await requestRefund()
        case .refundDeclined:
            let id = try await requestRefund()
            try await perform(.declineRefund(id), "decline-refund \(id)")
        case .refund, .refundReversed:
            let id = try await buyOnce()
            try await perform(.refund(id, .rest, reason: .other), "refund \(id)")
            guard kind.type == .refundReversed else { return }
            try await perform(.reverseRefund(id), "reverse-refund \(id)")
        case .revoke: try await revokeShare()
        case .renewalExtended:
            let period = try await subscribe()
            try await perform(.extend(period.id, days: 7), "extend 7 \(period.id)")
        case .renewalExtension:
            let period = try await subscribe()
            if kind.subtype == .failure { try await fail(period, withGrace: false) }
            let plan = period.product
            try await perform(.extendAll(plan, days: 7), "extend-all 7 \(plan)")
        case .test:
            say("operator notifications test")
            _ = try await outbox.queueTest()
        case .rescindConsent: try await rescindConsent()
        case .priceChange, .metadataUpdate, .migration, .externalPurchaseToken: break
        }
    }

    private func renew() async throws {
        let period = try await subscribe()
        guard kind.subtype == .billingRecovery else {
            try await advance(days: 1)
            try await perform(.renew(period.id), "renew \(period.id)")
            return
        }
        try await fail(period, withGrace: false)
        try await perform(.resolveBilling(period.id), "resolve-billing \(period.id)")
    }

    private func changePlan() async throws {
        let plans = try await twoPlans()
        let isUpgrade = kind.subtype == .upgrade
        try await buy(isUpgrade ? plans.lower : plans.higher)
        try await buy(isUpgrade ? plans.higher : plans.lower)
        guard kind.subtype == nil else { return }
        say("buy \(plans.higher) --account \(account)")
        guard let product = try await session.products([plans.higher]).products.first else {
            throw TriggerNeed.twoPlans
        }
        _ = try await session.purchase(
            Payment(id: PaymentID(UUID()), productID: product.id, shownPrice: product.price))
    }

    private func redeem() async throws {
        let plans = try await products().filter(\.renews)
        guard kind.subtype != nil else {
            guard let (plan, offer) = plans.compactMap(\.redeemed).first else {
                throw TriggerNeed.offer
            }
            try await buy(plan)
            try await buy(plan, offer: offer)
            return
        }
        let two = try await twoPlans()
        let wanted = kind.subtype == .upgrade ? two.higher : two.lower
        guard let offer = plans.first(where: { $0.id == wanted })?.redeemed?.offer else {
            throw TriggerNeed.offer
        }
        try await buy(kind.subtype == .upgrade ? two.lower : two.higher)
        try await buy(wanted, offer: offer)
    }

    private func expire() async throws {
        let period = try await subscribe()
        switch kind.subtype {
        case .voluntary:
            try await setAutoRenew(period, false)
            try await move(to: period.end)
        case .billingRetry:
            try await fail(period, withGrace: false)
            try await advance(days: 61)
        case .priceIncrease:
            try await perform(.priceIncrease(period.id, .ask), "price-increase ask \(period.id)")
            try await move(to: period.end)
        case .productNotForSale:
            try await perform(
                .publish(period.product, .uploaded), "publish \(period.product) uploaded")
            try await move(to: period.end)
            try await perform(
                .publish(period.product, .approved), "publish \(period.product) approved")
        default: try await perform(.expire(period.id), "expire \(period.id)")
        }
    }

    private func revokeShare() async throws {
        guard
            let product = try await products().first(where: {
                $0.isFamilyShareable && $0.type == .nonConsumable
            })
        else { throw TriggerNeed.shareableProduct }
        let member = AccountName(account.rawValue + ".member")
        try await perform(
            .family(.create(organizer: account)), "family create \(account)")
        try await perform(
            .family(.join(member, organizer: account, role: .adult)),
            "family join \(member) --organizer \(account) --role adult")
        try await buy(product.id)
        try await perform(.family(.leave(member)), "family leave \(member)")
    }

    private func rescindConsent() async throws {
        let parent = AccountName(account.rawValue + ".parent")
        try await perform(.family(.create(organizer: parent)), "family create \(parent)")
        try await perform(
            .family(.join(account, organizer: parent, role: .child)),
            "family join \(account) --organizer \(parent) --role child")
        try await perform(.family(.rescindConsent(account)), "rescind-consent \(account)")
    }

    // MARK: - Steps

    /// A subscription that was just bought.
    private struct Period {
        var id: TransactionID
        var product: ProductID
        var end: Timestamp
    }

    private func products() async throws(StoreError) -> [Product] {
        try await session.products(nil).products
    }

    private func subscribe() async throws -> Period {
        guard let product = try await products().first(where: \.renews),
            let sale = try await buy(product.id), let end = sale.expiresAt
        else { throw TriggerNeed.subscription }
        return Period(id: sale.id, product: product.id, end: end)
    }

    private func twoPlans() async throws -> (lower: ProductID, higher: ProductID) {
        let all = try await products().filter(\.renews)
        for one in all {
            // The first level is the highest one.
            let plans = all.filter { $0.subscription?.groupID == one.subscription?.groupID }
                .sorted { $0.level < $1.level }
            if let higher = plans.first, let lower = plans.last, higher.level < lower.level {
                return (lower.id, higher.id)
            }
        }
        throw TriggerNeed.twoPlans
    }

    @discardableResult
    private func buyOnce() async throws -> TransactionID {
        let once = try await products().filter { $0.type != .autoRenewable }
        guard let product = once.first(where: { $0.type == .consumable }) ?? once.first,
            let sale = try await buy(product.id)
        else { throw TriggerNeed.otherProduct }
        return sale.id
    }

    @discardableResult
    private func buy(_ product: ProductID, offer: OfferID? = nil) async throws -> PastSale? {
        let with = offer.map { " --offer \($0)" } ?? ""
        let events = try await events(
            .buyOutside(product, account: account, quantity: 1, offer: offer),
            "buy-outside \(product)\(with) --account \(account)")
        return events.first { $0.kind == .sold && $0.account == account }?.sale
    }

    @discardableResult
    private func requestRefund() async throws -> TransactionID {
        let id = try await buyOnce()
        say("request-refund \(id) --account \(account)")
        _ = try await session.requestRefund(of: id, reason: .unsatisfied)
        return id
    }

    /// Lets the charge for the next period fail until after the end of this one.
    private func fail(_ period: Period, withGrace: Bool) async throws {
        try await setRenewals(failsBilling: true, hasGrace: withGrace)
        try await move(to: period.end)
    }

    private func restore(_ before: RenewalSettings) async throws(StoreError) {
        guard try await console.clock().renewals != before else { return }
        try await setRenewals(
            failsBilling: before.failsBilling, hasGrace: before.hasGracePeriod)
    }

    private func setRenewals(failsBilling: Bool, hasGrace: Bool) async throws(StoreError) {
        _ = try await events(
            .setRenewals(
                RenewalsChange(failsBilling: failsBilling, hasGracePeriod: hasGrace)),
            "renewals --billing \(failsBilling ? "fail" : "succeed") "
                + "--grace \(hasGrace ? "on" : "off")")
    }

    private func setAutoRenew(_ period: Period, _ isOn: Bool) async throws {
        try await perform(
            .setAutoRenew(period.id, isOn), "auto-renew \(isOn ? "on" : "off") \(period.id)")
    }

    private func advance(days: Int) async throws {
        let step = SubscriptionPeriod(unit: .day, value: days)
        try await perform(.clock(.advance(.calendar(step))), "clock advance \(days)d")
    }

    private func move(to instant: Timestamp) async throws {
        try await perform(.clock(.to(instant)), "clock to \(instant.date.formatted(.iso8601))")
    }

    private func perform(_ action: OperatorAction, _ words: String) async throws {
        _ = try await events(action, words)
    }

    private func events(
        _ action: OperatorAction, _ words: String
    ) async throws(StoreError) -> [StoreEvent] {
        say("operator " + words)
        if case .clock(let move) = action { return try await walk.move(move).events }
        return try await console.perform(action)
    }
}

extension Product {
    /// Whether it is a subscription with periods.
    fileprivate var renews: Bool { type == .autoRenewable && subscription?.period != nil }

    fileprivate var level: Int { subscription?.level ?? 0 }

    /// The first offer that a subscriber redeems; nil for none.
    fileprivate var redeemed: (plan: ProductID, offer: OfferID)? {
        let offer = subscription?.offers.first { $0.kind == .promotional || $0.kind == .code }
        return offer?.id.map { (id, $0) }
    }
}
