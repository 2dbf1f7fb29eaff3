import Foundation
@testable import Shop
@testable import StoreModel

/// The subscription of the sample shop's account, in every state.
extension SampleShop {
    private static let day: Int64 = 86_400_000
    private static let group: SubscriptionGroupID = "plus"

    static let planEnd = now.advanced(byMilliseconds: 30 * day)

    /// The account's subscription to the monthly plan, with both texts verified.
    ///
    /// - Parameters:
    ///   - next: the plan that the next renewal is for.
    ///   - paidUntil: the end of the last paid period, if the store has charged ahead.
    ///   - plans: the effect of buying each plan; nil for a change to the yearly plan at the
    ///     renewal.
    static func subscription(
        _ state: RenewalState = .subscribed, problem: SubscriptionProblem? = nil,
        autoRenews: Bool = true, next: ProductID = "plus.month", plans: [PlanChange]? = nil,
        reason: ExpirationReason? = nil, isShared: Bool = false, locale: String = "en_US",
        renewalPrice: Int64? = nil, paidUntil: Timestamp? = nil, isVerified: Bool = true
    ) -> VerifiedSubscription {
        let money = SampleMoney(locale: locale)
        let isPast = state == .expired || state == .inBillingRetryPeriod || state == .inGracePeriod
        let end = isPast ? now.advanced(byMilliseconds: -2 * day) : planEnd
        var transaction = payload("plus.month", 1_000_020, price: money.price(580).milliunits)
        transaction.currency = money.currency
        transaction.purchaseDate = end.advanced(byMilliseconds: -30 * day)
        transaction.expiresDate = end
        transaction.inAppOwnershipType = isShared ? .familyShared : .purchased
        if state == .revoked {
            transaction.revocationDate = now
            transaction.revocationType = .full
        }
        let isOver = state == .expired || state == .revoked
        let nextPrice = money.price(next == "plus.year" ? 5800 : 580)
        let info = RenewalInfoPayload(
            autoRenewProductId: next, autoRenewStatus: autoRenews && !isOver ? 1 : 0,
            currency: money.currency, environment: .sandbox, expirationIntent: reason?.rawValue,
            gracePeriodExpiresDate: state == .inGracePeriod
                ? end.advanced(byMilliseconds: 16 * day) : nil,
            originalTransactionId: TransactionID(1_000_020),
            priceIncreaseStatus: problem == .priceConsentNeeded ? 0 : nil, productId: "plus.month",
            recentSubscriptionStartDate: now.advanced(byMilliseconds: -93 * day),
            renewalDate: autoRenews && !isOver ? end : nil,
            renewalPrice: autoRenews ? renewalPrice ?? nextPrice.milliunits : nil, signedDate: now)
        let usual = [
            PlanChange(
                productID: "plus.month", kind: .present, startsAt: transaction.purchaseDate,
                isPlanned: autoRenews && next == "plus.month"),
            PlanChange(
                productID: "plus.year", kind: .crossgrade, startsAt: end,
                isPlanned: autoRenews && next == "plus.year"),
        ]
        let status = SubscriptionStatus(
            groupID: group, state: state, transaction: "a.b.c", renewalInfo: "a.b.c",
            problem: problem, sharedBy: isShared ? "kai" : nil, paidUntil: paidUntil,
            plans: plans ?? (state == .subscribed && !isShared ? usual : []))
        return VerifiedSubscription(
            status: status,
            transaction: isVerified ? .success(transaction) : .failure(.invalidSignature),
            renewalInfo: .success(info))
    }

    static func snapshot(
        with subscription: VerifiedSubscription, of state: ShopState
    ) -> AccountSnapshot {
        var snapshot = state.snapshot
        snapshot.areSubscriptionsKnown = true
        snapshot.subscriptions[group] = AccountSubscription(subscription)
        let hasAccess =
            subscription.status.state == .subscribed
            || subscription.status.state == .inGracePeriod
        if !hasAccess { snapshot.entitlements["plus.month"] = nil }
        return snapshot
    }

    /// To the yearly plan; it begins at once and refunds the rest of the present period.
    static func upgrade(locale: String = "en_US") -> PlanChange {
        let money = SampleMoney(locale: locale)
        return PlanChange(
            productID: "plus.year", kind: .upgrade, startsAt: now, isAtOnce: true,
            refund: money.price(320))
    }

    /// It began, a payment failed and was made later, and it renewed twice.
    static func timeline(locale: String = "en_US") -> SubscriptionTimeline {
        let price = SampleMoney(locale: locale).price(580)
        let chain = TransactionID(1_000_020)
        func at(_ days: Int64) -> Timestamp { now.advanced(byMilliseconds: days * day) }
        func sale(_ number: Int64, _ from: Int64, _ until: Int64) -> StoreEvent.Change {
            .sold(
                PastSale(
                    id: TransactionID(number), originalID: chain, productID: "plus.month",
                    type: .autoRenewable, price: price,
                    reason: number == 1_000_020 ? .purchase : .renewal, purchasedAt: at(from),
                    expiresAt: at(until), storefront: "USA"))
        }
        let changes: [(Int64, StoreEvent.Change)] = [
            (-93, sale(1_000_020, -93, -63)),
            (
                -64,
                .subscriptionChanged(
                    SubscriptionEvent(
                        kind: .billingFailed, chain: chain, productID: "plus.month",
                        until: at(-63)))
            ),
            (-60, sale(1_000_022, -60, -30)), (-31, sale(1_000_023, -30, 0)),
            (-1, sale(1_000_024, 0, 30)),
        ]
        return SubscriptionTimeline(
            changes.enumerated().map { number, change in
                StoreEvent(
                    cursor: FeedCursor(epoch: 1, position: Int64(number)), at: at(change.0),
                    account: "aoi", device: nil, change: change.1)
            }, of: chain)
    }

    /// The account's snapshot with this subscription, or without any.
    static func snapshot(
        withOnly subscription: VerifiedSubscription?, of state: ShopState
    ) -> AccountSnapshot {
        if let subscription { return snapshot(with: subscription, of: state) }
        var snapshot = state.snapshot
        snapshot.subscriptions = [:]
        snapshot.entitlements["plus.month"] = nil
        return snapshot
    }

    /// The sample shop with this subscription or none, whose yearly plan has offers.
    static func offering(_ subscription: VerifiedSubscription?) -> ShopProbe {
        var probe = ShopProbe(full())
        probe.happen(.accountArrived(snapshot(withOnly: subscription, of: probe.state)))
        probe.happen(.productsArrived(withOffers(probe.state)))
        return probe
    }

    /// The products with offers: the yearly plan has a free trial and can be paid by the month.
    static func withOffers(_ state: ShopState) -> ProductsResponse {
        let products = state.productList.products.map { product in
            guard product.id == "plus.year" else { return product }
            var product = product
            let price = product.price
            let payment = Money(
                milliunits: price.milliunits / 10_000 * 1_000, currency: price.currency)
            product.subscription?.isEligibleForIntroOffer = true
            product.subscription?.offers = [
                Offer(
                    kind: .introductory, mode: .freeTrial,
                    period: SubscriptionPeriod(unit: .week, value: 1),
                    price: Money(milliunits: 0, currency: price.currency))
            ]
            product.subscription?.billingPlans = [
                BillingPlan(
                    type: .upFront, price: price,
                    period: SubscriptionPeriod(unit: .year, value: 1)),
                BillingPlan(
                    type: .monthly, price: payment,
                    period: SubscriptionPeriod(unit: .month, value: 1),
                    commitment: .init(
                        paymentCount: 12, price: payment.multiplied(by: 12))),
            ]
            return product
        }
        return ProductsResponse(products: products, invalidProductIDs: [], catalogRevision: 2)
    }
}
