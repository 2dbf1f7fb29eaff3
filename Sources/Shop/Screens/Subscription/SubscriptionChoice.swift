package import StoreModel

/// A button or line that a person can select on the screen of a subscription.
package enum SubscriptionChoice: Hashable, Sendable {
    /// Charge for the period whose payment failed.
    case payNow
    case acceptPrice
    /// Decline the higher price: the subscription ends with its period.
    case declinePrice
    /// Keep the present plan instead of the planned one.
    case keepPlan
    /// Turn auto-renew on again.
    case resume
    /// Turn auto-renew off.
    case cancel
    /// Buy the last plan again.
    case resubscribe
    /// Take a promotional or win-back offer of a plan of the group.
    case offer(ProductID, PaymentOffer)
    /// Change to a plan of the group, or buy it where the subscription is over.
    case plan(ProductID)

    /// The plan, if the choice is a plan; plans have their own heading.
    package var plan: ProductID? {
        if case .plan(let id) = self { id } else { nil }
    }

    /// The offer, if the choice is an offer; offers have their own heading.
    package var offer: PaymentOffer? {
        if case .offer(_, let offer) = self { offer } else { nil }
    }

    /// The product whose payment sheet the choice opens; nil if the choice does not name it.
    package var product: ProductID? {
        if case .offer(let id, _) = self { id } else { plan }
    }
}

extension ShopState {
    /// Those that solve a problem, then the offers that the account can take, then the plans of the
    /// group. Empty for a subscription that a family member shares.
    package func choices(for subscription: AccountSubscription) -> [SubscriptionChoice] {
        guard !subscription.isShared else { return [] }
        let offers = offers(for: subscription).compactMap { product, terms in
            terms.asked.map { SubscriptionChoice.offer(product.id, $0) }
        }
        return actions(for: subscription) + offers
            + plans(of: subscription).map { SubscriptionChoice.plan($0.id) }
    }

    /// The plans of a subscription's group that are for sale.
    func plans(of subscription: AccountSubscription) -> [Product] {
        productList.products.filter { $0.subscription?.groupID == subscription.groupID }
    }

    /// Those that the account can take for the group's plans, with the first terms of the payment
    /// sheet. Empty until the store has answered, and for a shared subscription.
    package func offers(
        for subscription: AccountSubscription
    ) -> [(product: Product, terms: PurchaseTerms)] {
        guard !subscription.isShared else { return [] }
        return plans(of: subscription).flatMap { product in
            let all = terms(
                of: product, answers: self.subscription.offers[product.id], redeeming: nil)
            var seen: Set<PaymentOffer> = []
            return all.filter { $0.asked.map { seen.insert($0).inserted } ?? false }
                .map { (product, $0) }
        }
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

    /// Nil if no such screen is open or the subscription is unknown.
    package var openSubscription: AccountSubscription? {
        guard case .subscription(let group) = screen else { return nil }
        return snapshot.subscriptions[group]
    }

    /// The selected choice of the open screen: until the customer selects another, the plan of the
    /// subscription, so that an Enter too many cancels nothing. Nil if there is no plan for sale,
    /// and if the selected one is gone and `markSubscriptionChoice` selected no other, so that an
    /// Enter already on its way does not carry out another choice.
    package var selectedSubscriptionChoice: SubscriptionChoice? {
        guard let open = openSubscription else { return nil }
        let choices = choices(for: open)
        guard let selected = subscription.selected else {
            let own = SubscriptionChoice.plan(open.productID)
            return choices.contains(own) ? own : choices.first { $0.plan != nil }
        }
        return choices.contains(selected) ? selected : nil
    }

    /// The selected plan, otherwise the present plan.
    var selectedSubscriptionProduct: Product? {
        if let id = selectedSubscriptionChoice?.product { return productList.product(id) }
        return openSubscription.flatMap { productList.product($0.productID) }
    }
}
