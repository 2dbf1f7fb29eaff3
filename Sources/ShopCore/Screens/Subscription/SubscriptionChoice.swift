package import StoreModel

/// A button or line that a person can select on the screen of a subscription.
package enum SubscriptionChoice: Hashable, Sendable {
    /// Charge for the period whose payment failed.
    case payNow
    /// Consent to the higher price.
    case acceptPrice
    /// Decline it: the subscription ends with its period.
    case declinePrice
    /// Keep the present plan instead of the one that was planned.
    case keepPlan
    /// Turn auto-renew on again.
    case resume
    /// Turn auto-renew off.
    case cancel
    /// Buy the last plan again.
    case resubscribe
    /// Change to a plan of the group, or buy it where the subscription is over.
    case plan(ProductID)

    /// Whether it is one of the plans, which are listed under a heading of their own.
    package var plan: ProductID? {
        if case .plan(let id) = self { id } else { nil }
    }
}

extension ShopState {
    /// The actions for a subscription: those that mend a problem first, then the plans of its
    /// group. A subscription that a family member shares has none.
    package func choices(for subscription: AccountSubscription) -> [SubscriptionChoice] {
        guard !subscription.isShared else { return [] }
        let plans = productList.products
            .filter { $0.subscription?.groupID == subscription.groupID }
            .map { SubscriptionChoice.plan($0.id) }
        return actions(for: subscription) + plans
    }

    private func actions(for subscription: AccountSubscription) -> [SubscriptionChoice] {
        let renewal: SubscriptionChoice = subscription.autoRenews ? .cancel : .resume
        switch subscription.standing {
        case .renews, .ends, .notForSale: return [renewal]
        case .changes: return [.keepPlan, .cancel]
        case .paymentFails, .grace, .retrying: return [.payNow, renewal]
        case .priceIncrease: return [.acceptPrice, .declinePrice]
        case .expired, .revoked:
            return productList.product(subscription.productID) == nil ? [] : [.resubscribe]
        case .unending: return []
        }
    }

    /// The subscription that the open screen is about; nil if none is open, or none is known.
    package var openSubscription: AccountSubscription? {
        guard case .subscription(let group) = screen else { return nil }
        return snapshot.subscriptions[group]
    }

    /// The selected choice of the open screen: the first until a person selects another. Nil where
    /// nothing can be done, and when the selected one is gone: an Enter already on its way must not
    /// do something else.
    package var selectedSubscriptionChoice: SubscriptionChoice? {
        guard let open = openSubscription else { return nil }
        let choices = choices(for: open)
        guard let selected = subscription.selected else { return choices.first }
        return choices.contains(selected) ? selected : nil
    }

    /// The product that the open screen acts on: the selected plan, otherwise the present one.
    var selectedSubscriptionProduct: Product? {
        if let id = selectedSubscriptionChoice?.plan { return productList.product(id) }
        return openSubscription.flatMap { productList.product($0.productID) }
    }
}
