import ShopText
package import StoreModel

/// The part of the state of a subscription's screen.
package struct SubscriptionPart: Hashable, Sendable {
    /// The choice that a person has selected; nil before a selection.
    package internal(set) var selected: SubscriptionChoice?
    /// In rows; nil while it follows the selection.
    package internal(set) var scroll: Int?
    /// The subscription's history; nil until it was read.
    package internal(set) var timeline: SubscriptionTimeline?
    /// The reason why the history could not be read; nil if it was, or no attempt has failed.
    package internal(set) var error: StoreError?
    /// Of the group's plans, by product; empty before the store's answers arrive.
    var offers: [ProductID: [OfferAnswer]] = [:]
    /// The original transaction id of the subscription whose history is shown or being read.
    var chain: TransactionID?
    var isReading = false
    /// Whether an event arrived during the reading, so that the history must be read again.
    var mustReadAgain = false
}

/// The actions of a subscription's screen.
package enum SubscriptionAction: ComponentAction {
    /// Opens the screen: of the selected product's group if the account subscribes there, otherwise
    /// of the first subscription with a problem, otherwise of the first.
    case opened
    case pointed(SubscriptionChoice)
    /// The answer to `ShopEffect.readTimeline`.
    case timelineArrived(TransactionID, SubscriptionTimeline)
    case timelineFailed(TransactionID, StoreError)
    /// The answer to `ShopEffect.manageSubscriptions` if it fails.
    case managingFailed(TransactionID, StoreError)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .opened: shop.openSubscription(of: nil, moment)
        case .pointed(let choice): shop.pointAtSubscription(choice, moment)
        case .timelineArrived(let chain, let timeline):
            shop.takeTimeline(.success(timeline), of: chain)
        case .timelineFailed(let chain, let error):
            shop.takeTimeline(.failure(error), of: chain)
        case .managingFailed(let chain, let error): shop.failManaging(error, of: chain, moment)
        }
    }
}

extension ShopAction {
    package static func subscription(_ action: SubscriptionAction) -> ShopAction {
        .component(action)
    }
}

/// A subscription of the account, the actions for it, and its history.
package enum SubscriptionScreen: ShopComponent {
    static func selectedProduct(in shop: ShopState) -> Product? { shop.selectedSubscriptionProduct }

    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        switch movement {
        case .up, .down: shop.moveInSubscription(movement)
        case .pageUp, .pageDown, .first, .last, .rows:
            shop.subscription.scroll = shop.viewport.scrolled(
                from: shop.viewport.scroll, by: movement)
        }
        return []
    }

    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    { move(step > 0 ? .down : .up, in: &shop, moment) }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard let open = shop.openSubscription,
            let choice = shop.selectedSubscriptionChoice
        else { return [] }

        // The selected line stays selected while other lines come and go.
        shop.subscription.selected = choice
        return shop.carryOut(choice, of: open, moment)
    }
}

extension ShopState {
    // MARK: - Opening

    /// - Parameter product: a product of its group; nil for the selected one, or the first with a
    ///   problem.
    mutating func openSubscription(of product: Product?, _ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        let all = snapshot.subscriptions.values.sorted { $0.chain < $1.chain }
        let found =
            (product ?? selectedProduct).flatMap { self.subscription(inGroupOf: $0) }
            ?? troubledSubscriptions.first ?? all.first { !$0.isOver } ?? all.first
        guard let found else { return refuse(.noSubscription, moment) }
        var effects: [ShopEffect] = []
        if navigation.view == .console { effects = show(.library, moment) }
        navigation.isConsolePaneFocused = false
        if list.search?.isTyping == true { list.search?.isTyping = false }
        navigation.open(.subscription(found.groupID))
        subscription = SubscriptionPart()
        return effects + [.manageSubscriptions(found.chain)] + readTimeline(of: found.chain)
            + findOffers()
    }

    /// Closes the screen whose opening failed, and announces the error.
    fileprivate mutating func failManaging(
        _ error: StoreError, of chain: TransactionID, _ moment: ShopMoment
    ) -> [ShopEffect] {
        if openSubscription?.chain == chain { navigation.goBack() }
        return announce(.trouble(error), moment)
    }

    // MARK: - Offers

    /// The previous answer stays until the new one arrives.
    func findOffers() -> [ShopEffect] {
        guard let open = openSubscription, !open.isShared else { return [] }
        return plans(of: open).filter(\.hasOffersToAskFor).map { .findOffers($0.id) }
    }

    /// Only if the open subscription's group has the product.
    mutating func keepOffers(_ answers: [OfferAnswer], of product: ProductID) {
        guard let open = openSubscription, plans(of: open).contains(where: { $0.id == product })
        else { return }
        subscription.offers[product] = answers
    }

    // MARK: - History

    /// One reading runs at a time.
    private mutating func readTimeline(of chain: TransactionID) -> [ShopEffect] {
        guard !subscription.isReading || subscription.chain != chain else {
            subscription.mustReadAgain = true
            return []
        }
        subscription.chain = chain
        subscription.isReading = true
        subscription.mustReadAgain = false
        return [.readTimeline(chain)]
    }

    /// Reads the history again if the open screen is about this subscription.
    mutating func followSubscription(_ chain: TransactionID) -> [ShopEffect] {
        openSubscription?.chain == chain ? readTimeline(of: chain) : []
    }

    /// Reads history and offers again if the open subscription has changed since that snapshot.
    mutating func followOpenSubscription(from before: AccountSnapshot) -> [ShopEffect] {
        guard let open = openSubscription, before.subscriptions[open.groupID] != open else {
            return []
        }
        return readTimeline(of: open.chain) + findOffers()
    }

    fileprivate mutating func takeTimeline(
        _ result: Result<SubscriptionTimeline, StoreError>, of chain: TransactionID
    ) -> [ShopEffect] {
        guard subscription.chain == chain else { return [] }
        subscription.isReading = false
        switch result {
        case .success(let timeline):
            subscription.timeline = timeline
            subscription.error = nil
        case .failure(let error): subscription.error = error
        }
        return subscription.mustReadAgain ? readTimeline(of: chain) : []
    }

    // MARK: - Selecting

    fileprivate mutating func moveInSubscription(_ movement: Movement) {
        guard let open = openSubscription else { return }
        let choices = choices(for: open)
        guard !choices.isEmpty else {
            subscription.scroll = viewport.scrolled(from: viewport.scroll, by: movement)
            return
        }
        // Without a selection, any movement selects the first choice.
        let at = selectedSubscriptionChoice.flatMap { choices.firstIndex(of: $0) }
        let next = at.map { $0 + movement.lines(page: 1) } ?? 0
        // Below the last choice, the movement scrolls the history.
        guard choices.indices.contains(next) else {
            subscription.scroll = viewport.scrolled(from: viewport.scroll, by: movement)
            return
        }
        subscription.selected = choices[next]
        subscription.scroll = nil
    }

    /// If the selected choice is gone, carried out here or elsewhere, selects the first that opens
    /// a sheet, so that an Enter already on its way only opens one whose chosen button has no
    /// effect.
    mutating func markSubscriptionChoice() {
        guard let open = openSubscription, subscription.selected != nil,
            selectedSubscriptionChoice == nil
        else { return }
        guard let next = choices(for: open).first(where: asksFirst) else { return }
        subscription.selected = next
        subscription.scroll = nil
    }

    private func asksFirst(_ choice: SubscriptionChoice) -> Bool {
        switch choice {
        case .payNow, .declinePrice, .cancel: true
        case .acceptPrice, .resume: false
        case .keepPlan, .resubscribe, .offer, .plan: settings?.disablesDialogs != true
        }
    }

    /// Handles a click: selects the choice; a click on the selected one acts as Enter.
    fileprivate mutating func pointAtSubscription(
        _ choice: SubscriptionChoice, _ moment: ShopMoment
    ) -> [ShopEffect] {
        guard focus == .subscription, let open = openSubscription,
            choices(for: open).contains(choice)
        else { return [] }
        if selectedSubscriptionChoice == choice {
            return SubscriptionScreen.confirm(in: &self, moment)
        }
        subscription.selected = choice
        return []
    }

    // MARK: - Doing

    fileprivate mutating func carryOut(
        _ choice: SubscriptionChoice, of open: AccountSubscription, _ moment: ShopMoment
    ) -> [ShopEffect] {
        let id = open.transactionID
        switch choice {
        case .payNow: return ask(.payNow(open.productID, id), moment)
        case .acceptPrice: return perform(.priceIncrease(id, .consent), moment)
        case .declinePrice: return ask(.declinePrice(open.productID, id), moment)
        case .resume: return perform(.setAutoRenew(id, true), moment)
        case .cancel: return ask(.stopRenewing(open.productID, id), moment)
        case .keepPlan, .resubscribe: return openPaymentSheet(for: open.productID, moment)
        case .offer(let plan, let offer):
            return openPaymentSheet(for: plan, taking: offer, moment)
        case .plan(let plan): return openPaymentSheet(for: plan, moment)
        }
    }

    private mutating func openPaymentSheet(
        for id: ProductID, taking offer: PaymentOffer? = nil, _ moment: ShopMoment
    ) -> [ShopEffect] {
        guard let product = productList.product(id) else {
            return announce(.trouble(StoreError(.productUnavailable, productID: id)), moment)
        }
        return openPaymentSheet(for: product, taking: offer, moment)
    }

    private mutating func ask(_ subject: QuestionSheet.Subject, _ moment: ShopMoment)
        -> [ShopEffect]
    { refusalOfAccountChange(moment) ?? openQuestion(subject) }

    /// Like a purchase, it needs the network and a signed-in account.
    mutating func perform(_ action: OperatorAction, _ moment: ShopMoment) -> [ShopEffect] {
        refusalOfAccountChange(moment) ?? [.perform(action)]
    }

    private mutating func refusalOfAccountChange(_ moment: ShopMoment) -> [ShopEffect]? {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        if let error = snapshot.whyOffline { return announce(.trouble(error), moment) }
        return snapshot.isSignedIn ? nil : openQuestion(.signIn(for: nil))
    }
}
