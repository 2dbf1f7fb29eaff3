package import ShopText
package import StoreModel

/// The subject of the operator's actions: a product, a transaction of it, and its account.
package struct OperatorSubject: Hashable, Sendable {
    /// The product that was sold or is selected; nil if the selection has none.
    package var product: ProductID?
    /// The selected transaction, or the account's latest of the selected product; nil if there is
    /// none.
    package var sale: TransactionID?
    /// The account that bought or that sent the request.
    package var account: AccountName
}

/// A kind of actions without a subject to act on now.
package struct OperatorGap: Hashable, Sendable {
    /// The kind, which the palette lists in place of its actions.
    package var kind: OperatorAction.Kind
    /// The reason why no action of the kind is possible now.
    package var reason: Refusal
}

/// The operator's actions that the palette offers.
extension ShopState {
    /// The selected subject: in the console, the history and their details that of the selected
    /// line, of any account; elsewhere the selected product. Nil if nothing is selected.
    var operatorSubject: OperatorSubject? {
        guard isConsoleInFocus || navigation.view == .history else {
            return selectedProduct.map {
                OperatorSubject(
                    product: $0.id, sale: latestTransaction(of: $0.id), account: shop.account)
            }
        }
        switch selectedItem {
        case .line(.event(let event)):
            return OperatorSubject(
                product: event.productID, sale: LogLine.event(event).transaction,
                account: event.account ?? shop.account)
        case .line(.entry(let entry)):
            return LogLine.entry(entry).productID.map {
                OperatorSubject(
                    product: $0, sale: latestTransaction(of: $0), account: shop.account)
            }
        case .request(let request):
            return OperatorSubject(
                product: request.payment.productID, sale: nil, account: request.account)
        case .upcoming(let item):
            return OperatorSubject(
                product: item.productID, sale: item.chain, account: item.account)
        case .note, .fault, nil: return nil
        }
    }

    /// The kinds without an action in `operatorOffers`, each with the reason; none in a shop for a
    /// customer.
    package func operatorGaps() -> [OperatorGap] {
        let offers = operatorOffers()
        guard !offers.isEmpty else { return [] }
        let offered = Set(offers.map(\.kind))
        return OperatorAction.Kind.allCases.filter { !offered.contains($0) }
            .map { OperatorGap(kind: $0, reason: missing(for: $0)) }
    }

    /// Why this console may not carry out any action of a kind; nil if it may. The store applies
    /// the same rule (`FamilyRules.authorize`).
    func forbidden(_ kind: OperatorAction.Kind) -> StoreError? {
        guard let actor = shop.actor else { return nil }
        switch kind {
        case .approve, .decline, .family: return nil
        default: return StoreError(.operatorOnly, found: actor.rawValue)
        }
    }

    /// Why this console may not answer a request; nil if it may. A child may not answer its own
    /// request.
    func forbidden(_ request: ApprovalRequest) -> StoreError? {
        guard shop.actor == nil, request.account == shop.account, request.reason == .askToBuy,
            let family = console.family, family.isChild(shop.account)
        else { return nil }
        return StoreError(
            .notOrganizer, transactionID: request.number, subject: shop.account.rawValue,
            found: shop.account.rawValue, expected: family.organizer.rawValue)
    }

    /// Whether this console may carry out actions of a kind.
    package func mayPerform(_ kind: OperatorAction.Kind) -> Bool { forbidden(kind) == nil }

    /// Whether this console may answer the selected request for a purchase or a refund.
    package var mayAnswerSelection: Bool {
        if let chosenRequest { return forbidden(chosenRequest) == nil }
        return chosenRefund != nil && mayPerform(.refund)
    }

    /// The refusal that names the missing subject of an action of a kind.
    private func missing(for kind: OperatorAction.Kind) -> Refusal {
        if let error = forbidden(kind), let actor = error.found {
            return .operatorOnly(AccountName(actor))
        }
        switch kind {
        case .approve, .decline, .resolve: return .nothingWaiting
        case .refund, .declineRefund, .revoke, .reverseRefund, .delete:
            return .noTransaction(of: operatorSubject?.product.map { name(of: $0) })
        case .setAutoRenew, .renew, .expire, .resolveBilling, .priceIncrease, .extend, .extendAll,
            .cancelSubscription:
            return .noSubscriptionSelected
        case .buyOutside, .promote, .publish: return .noProductSelected
        case .clearFault, .clearFaults: return .noFaults
        case .package: return .onCommandLine
        case .clock, .setRenewals, .failNext, .changeAccount, .family: return .stillOpening
        }
    }

    /// Every action that applies to the present selection, in the order of the palette; none in a
    /// shop for a customer.
    package func operatorOffers() -> [OperatorAction] {
        guard offersOperatorActions else { return [] }
        return OperatorAction.Kind.allCases.flatMap { offers(of: $0) }
    }

    /// Whether the palette offers the operator's actions on the present screen.
    var offersOperatorActions: Bool {
        shop.namesConsole || (shop.hasConsole && navigation.view == .console)
    }

    /// The due item of a subscription, of any account, that is selected in the console; nil if none
    /// is.
    var selectedUpcoming: UpcomingItem? {
        guard isConsoleInFocus, case .upcoming(let item) = consoleItem else { return nil }
        return item
    }

    /// The product that the palette's lines are about.
    var paletteProduct: ProductID? { selectedUpcoming?.productID ?? selectedProduct?.id }

    private func offers(of kind: OperatorAction.Kind) -> [OperatorAction] {
        if let item = selectedUpcoming, let offers = offers(of: kind, to: item) { return offers }
        let subject = operatorSubject
        let sale = subject?.sale
        let product = subject?.product.flatMap { productList.product($0) }
        let account = subject?.account ?? shop.account
        let isSubscription = product?.type == .autoRenewable
        switch kind {
        case .approve:
            return console.requests.filter { $0.reason != .interrupted }
                .map { .approve($0.number) }
        case .decline:
            return console.requests.filter { $0.reason != .interrupted }
                .map { .decline($0.number) }
        case .resolve:
            return console.requests.filter { $0.reason == .interrupted }
                .map { .resolve($0.number) }
        case .declineRefund: return sale.map { [.declineRefund($0)] } ?? []
        case .buyOutside:
            return product.map { [.buyOutside($0.id, account: account, quantity: 1)] } ?? []
        case .promote:
            return product.map { [.promote($0.id, account: account)] } ?? []
        case .publish:
            let states: [PublicationState] = [.uploaded, .approved]
            return product.map { product in states.map { .publish(product.id, $0) } } ?? []
        case .package: return product.map { packageOffers(of: $0.id) } ?? []
        case .refund:
            let amounts: [RefundAmount] =
                [.rest, .percent(50)] + (isSubscription ? [.prorated] : [])
            return sale.map { sale in amounts.map { .refund(sale, $0, reason: .other) } } ?? []
        case .revoke: return sale.map { [.revoke($0)] } ?? []
        case .reverseRefund: return sale.map { [.reverseRefund($0)] } ?? []
        case .delete:
            let chains = isSubscription ? [false, true] : [false]
            return sale.map { sale in chains.map { .delete(sale, wholeChain: $0) } } ?? []
        case .setAutoRenew:
            guard let sale, isSubscription, let product else { return [] }
            // This shop does not know whether another account's subscription renews, so it offers
            // both.
            guard account == shop.account else {
                return [false, true].map { .setAutoRenew(sale, $0) }
            }
            return [.setAutoRenew(sale, snapshot.entitlements[product.id]?.renews != true)]
        case .renew: return offers(of: sale, isSubscription) { [.renew($0)] }
        case .expire: return offers(of: sale, isSubscription) { [.expire($0)] }
        case .resolveBilling: return offers(of: sale, isSubscription) { [.resolveBilling($0)] }
        case .priceIncrease:
            return offers(of: sale, isSubscription) { sale in
                PriceIncreaseStep.allCases.map { .priceIncrease(sale, $0) }
            }
        case .extend: return offers(of: sale, isSubscription) { [.extend($0, days: 7)] }
        case .extendAll:
            guard isSubscription, let product else { return [] }
            return [.extendAll(product.id, days: 7)]
        case .cancelSubscription:
            return offers(of: sale, isSubscription) { [.cancelSubscription($0)] }
        case .clock: return Self.clockOffers.map { .clock($0) }
        case .setRenewals:
            return RenewalRate.allCases.map { .setRenewals(.init(rate: $0)) }
                + [true, false].map { .setRenewals(.init(failsBilling: $0)) }
                + [true, false].map { .setRenewals(.init(hasGracePeriod: $0)) }
        case .failNext:
            let calls = FailureSheet.calls.flatMap { call -> [OperatorAction] in
                FailureSheet.choices(of: call).map { .failNext(call, error: $0, count: 1) }
            }
            // A restore can also fail half-way.
            return calls + [.failNext(.appStoreSync, error: .networkError, count: 1, after: 1)]
        case .clearFault: return faults.map { .clearFault($0.id) }
        case .clearFaults: return [.clearFaults]
        case .family: return familyOffers().map { .family($0) }
        case .changeAccount:
            // Without the settings, the direction of the switches is unknown.
            guard let settings = settingsInStore else { return [] }
            return [
                .changeAccount(.init(account: shop.account, askToBuy: !settings.askToBuy)),
                .changeAccount(
                    .init(account: shop.account, canMakePayments: !settings.canMakePayments)),
                .changeAccount(.init(account: shop.account, asksBank: !settings.asksBank)),
                .changeAccount(
                    .init(
                        account: shop.account,
                        interruptsPurchases: !settings.interruptsPurchases)),
                .changeAccount(
                    .init(account: shop.account, disablesDialogs: !settings.disablesDialogs)),
            ]
                + Self.offeredLocales.filter { $0 != settings.locale ?? "" }.map {
                    .changeAccount(.init(account: shop.account, locale: $0))
                }
        }
    }

    /// The actions on the subscription of the due item selected in the console; nil for a kind of
    /// action that is not about a subscription.
    private func offers(of kind: OperatorAction.Kind, to item: UpcomingItem) -> [OperatorAction]? {
        let chain = item.chain
        return switch kind {
        case .setAutoRenew: [true, false].map { .setAutoRenew(chain, $0) }
        case .renew: [.renew(chain)]
        case .expire: [.expire(chain)]
        case .resolveBilling: [.resolveBilling(chain)]
        case .priceIncrease: PriceIncreaseStep.allCases.map { .priceIncrease(chain, $0) }
        case .extend: [.extend(chain, days: 7)]
        case .extendAll: [.extendAll(item.productID, days: 7)]
        case .cancelSubscription: [.cancelSubscription(chain)]
        default: nil
        }
    }

    /// The actions on the subscription of a transaction; none if the subscription is unknown.
    private func offers(
        of sale: TransactionID?, _ isSubscription: Bool,
        _ actions: (TransactionID) -> [OperatorAction]
    ) -> [OperatorAction] {
        isSubscription ? sale.map(actions) ?? [] : []
    }

    /// The other states of the newest release of each of a product's packages. Hosting files is
    /// possible only on the command line.
    private func packageOffers(of product: ProductID) -> [OperatorAction] {
        var newest: [PackageRelease] = []
        for release in console.releases where release.productID == product {
            newest.removeAll { $0.isSamePackage(as: release) }
            newest.append(release)
        }
        return newest.flatMap { release in
            PackageState.allCases.filter { $0 != release.state }.map { state in
                .package(
                    .setState(
                        product, contentID: release.contentID, version: release.version, state))
            }
        }
    }

    /// The locales that the palette offers: one for each language of the screens, and none.
    private static let offeredLocales = ["en_US", "ja_JP", ""]

    private static let clockOffers: [ClockAction] =
        [.stop, .resume]
        + [SubscriptionPeriod.Unit.day, .week, .month, .year].map {
            .advance(.calendar(SubscriptionPeriod(unit: $0, value: 1)))
        } + [.next]

    /// The account's latest transaction of a product, as far as this shop knows it: delivered here,
    /// entitling now, or revised since the shop was opened, because the device lists no refunded
    /// transactions.
    func latestTransaction(of product: ProductID) -> TransactionID? {
        var known: Set<TransactionID> = []
        if let delivered = snapshot.latestDelivered[product] {
            known.insert(delivered.transactionID)
        }
        if let entitled = snapshot.entitlements[product] { known.insert(entitled.transactionID) }
        if let id = purchasing.revised[product] { known.insert(id) }
        return known.max()
    }
}

extension OperatorAction {
    /// The kinds of actions, in the order in which the palette lists them. An action that is added
    /// to `OperatorAction` needs a kind (`kind`), and its kind an offer (`ShopState.offers`).
    package enum Kind: Hashable, Sendable, CaseIterable {
        // Each kind is described at the action of its name.
        case approve, decline, resolve, refund, declineRefund, revoke, reverseRefund, delete,
            setAutoRenew, renew, expire, resolveBilling, priceIncrease, extend, extendAll,
            cancelSubscription, clock
        case buyOutside, promote, publish, package
        case setRenewals, failNext, clearFault, clearFaults, changeAccount, family
    }

    /// The kind of the action.
    package var kind: Kind {
        switch self {
        case .approve: .approve
        case .decline: .decline
        case .resolve: .resolve
        case .declineRefund: .declineRefund
        case .buyOutside: .buyOutside
        case .promote: .promote
        case .publish: .publish
        case .package: .package
        case .changeAccount: .changeAccount
        case .family: .family
        case .failNext: .failNext
        case .clearFault: .clearFault
        case .clearFaults: .clearFaults
        case .refund: .refund
        case .revoke: .revoke
        case .reverseRefund: .reverseRefund
        case .delete: .delete
        case .clock: .clock
        case .setRenewals: .setRenewals
        case .setAutoRenew: .setAutoRenew
        case .renew: .renew
        case .expire: .expire
        case .resolveBilling: .resolveBilling
        case .priceIncrease: .priceIncrease
        case .extend: .extend
        case .extendAll: .extendAll
        case .cancelSubscription: .cancelSubscription
        }
    }

    /// Whether the action takes away a product that an account owns.
    var isDestructive: Bool {
        switch kind {
        case .refund, .revoke, .delete, .expire, .cancelSubscription: true
        default: false
        }
    }

    /// Whether the store may refuse the action with the arguments that the palette offers. The
    /// store is not asked about the others.
    var mayBeRefused: Bool {
        switch kind {
        case .setRenewals, .failNext, .clearFaults, .changeAccount: false
        default: true
        }
    }
}
