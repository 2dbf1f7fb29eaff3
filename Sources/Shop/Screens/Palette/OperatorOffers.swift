package import ShopText
package import StoreModel

/// The subject of the operator's actions: a product, a transaction of it, and its account.
package struct OperatorSubject: Hashable, Sendable {
    /// The product that was sold or is selected; nil if the selection has none.
    package var product: ProductID?
    /// The selected one, or the account's latest of the selected product; nil if there is none.
    package var sale: TransactionID?
    /// The account that bought or that sent the request.
    package var account: AccountName
    /// The first sale of the subscription; nil if it is unknown.
    package var chain: TransactionID?
}

/// A kind of actions without a subject to act on now.
package struct OperatorGap: Hashable, Sendable {
    /// Listed in place of its actions.
    package var kind: OperatorAction.Kind
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
        case .line(let line): return subject(of: line)
        case .request(let request):
            return OperatorSubject(
                product: request.payment.productID, sale: nil, account: request.account)
        case .refund(let refund):
            return OperatorSubject(
                product: refund.productID, sale: refund.transactionID, account: refund.account)
        case .upcoming(let item):
            return OperatorSubject(
                product: item.productID, sale: item.chain, account: item.account)
        case .note, .fault, nil: return nil
        }
    }

    func subject(of line: LogLine) -> OperatorSubject? {
        switch line {
        case .event(let event):
            OperatorSubject(
                product: event.productID, sale: line.transaction,
                account: event.account ?? shop.account, chain: event.sale?.originalID)
        case .entry:
            line.productID.map {
                OperatorSubject(product: $0, sale: latestTransaction(of: $0), account: shop.account)
            }
        }
    }

    /// Those without an action in `operatorOffers`; none in a shop for a customer.
    package func operatorGaps() -> [OperatorGap] {
        let offers = operatorOffers()
        guard !offers.isEmpty else { return [] }
        let offered = Set(offers.map(\.kind))
        return OperatorAction.Kind.allCases.filter { !offered.contains($0) }
            .map { OperatorGap(kind: $0, reason: missing(for: $0)) }
    }

    /// Nil if this console may. The store applies the same rule (`FamilyRules.authorize`).
    func forbidden(_ kind: OperatorAction.Kind) -> StoreError? {
        guard let actor = shop.actor else { return nil }
        switch kind {
        case .approve, .decline, .family: return nil
        default: return StoreError(.operatorOnly, found: actor.rawValue)
        }
    }

    /// Nil if this console may. A child may not answer its own request.
    func forbidden(_ request: ApprovalRequest) -> StoreError? {
        guard shop.actor == nil, request.account == shop.account, request.reason == .askToBuy,
            let family = console.family, family.isChild(shop.account)
        else { return nil }
        return StoreError(
            .notOrganizer, transactionID: request.number, subject: shop.account.rawValue,
            found: shop.account.rawValue, expected: family.organizer.rawValue)
    }

    package func mayPerform(_ kind: OperatorAction.Kind) -> Bool { forbidden(kind) == nil }

    /// Whether this console may answer the selected request for a purchase or a refund.
    package var mayAnswerSelection: Bool {
        if let chosenRequest { return forbidden(chosenRequest) == nil }
        return chosenRefund != nil && mayPerform(.refund)
    }

    /// The refusal that names the missing subject of an action of a kind.
    private func missing(for kind: OperatorAction.Kind) -> Refusal {
        if let error = forbidden(kind), let actor = error.found {
            return .operatorOnly(AccountName(actor.text))
        }
        return switch kind.subject {
        case .request: .nothingWaiting
        case .sale: .noTransaction(of: operatorSubject?.product.map { name(of: $0) })
        case .subscription, .plan: .noSubscriptionSelected
        case .product: .noProductSelected
        case .faults: .noFaults
        case .store, .shop: kind == .package ? .onCommandLine : .stillOpening
        }
    }

    /// In the order of the palette; none in a shop for a customer.
    package func operatorOffers() -> [OperatorAction] {
        guard offersOperatorActions else { return [] }
        return OperatorAction.Kind.allCases.flatMap { offers(of: $0) }
    }

    var offersOperatorActions: Bool {
        shop.namesConsole || (shop.hasConsole && navigation.view == .console)
    }

    /// Of a subscription, of any account, selected in the console; nil if none is.
    var selectedUpcoming: UpcomingItem? {
        guard isConsoleInFocus, case .upcoming(let item) = consoleItem else { return nil }
        return item
    }

    /// The product that the palette's lines are about.
    var paletteProduct: ProductID? { selectedUpcoming?.productID ?? selectedProduct?.id }

    private func offers(of kind: OperatorAction.Kind) -> [OperatorAction] {
        let subject = operatorSubject
        let product = subject?.product.flatMap { productList.product($0) }
        let account = subject?.account ?? shop.account
        let isSubscription = product?.type == .autoRenewable
        // A due item is of a subscription, also if its product is not for sale any more.
        let plan = isSubscription || selectedUpcoming != nil ? subject?.product : nil
        switch kind.subject {
        case .request(let answer):
            return console.requests.filter { ($0.reason == .interrupted) == (kind == .resolve) }
                .map { answer($0.number) }
        case .sale(let actions): return subject?.sale.map { actions($0, isSubscription) } ?? []
        case .subscription(let actions):
            guard let plan, let sale = subject?.sale else { return [] }
            guard kind == .setAutoRenew else { return actions(sale) }
            if selectedUpcoming != nil { return actions(sale).reversed() }
            // Whether another account's subscription renews is unknown here: both are offered.
            guard account == shop.account else { return actions(sale) }
            return [.setAutoRenew(sale, snapshot.entitlements[plan]?.renews != true)]
        case .plan(let actions): return plan.map(actions) ?? []
        case .product(let actions): return product.map { actions($0.id, account) } ?? []
        case .store(let actions): return actions
        case .faults(let clear): return faults.map { clear($0.id) }
        case .shop: return shopOffers(of: kind, product?.id)
        }
    }

    /// The actions whose arguments only this shop knows.
    private func shopOffers(
        of kind: OperatorAction.Kind, _ product: ProductID?
    ) -> [OperatorAction] {
        switch kind {
        case .package: return product.map { packageOffers(of: $0) } ?? []
        case .failNext:
            // The answers of each endpoint are hundreds: the failure sheet lists them by endpoint.
            let endpoints = Fault.Call.endpoints.dropFirst()
            let calls = FailureSheet.calls.filter { !endpoints.contains($0) }
                .flatMap { call -> [OperatorAction] in
                    FailureSheet.choices(of: call).map { .failNext(call, error: $0, count: 1) }
                }
            // A restore can also fail half-way, what is sent come a while later, and a backend be
            // away for days.
            return calls + [
                .failNext(.appStoreSync, error: .networkError, count: 1, after: 1),
                .failNext(.updates, error: .deliveredLate, count: 1, delayMilliseconds: 600_000),
                .failNext(
                    .notification, error: .deliveredLate, count: 1, delayMilliseconds: 600_000),
                .failNext(
                    .notification, error: "TIMED_OUT", count: nil, delayMilliseconds: 172_800_000),
                .failNext(
                    .notification, error: .notDelivered, count: nil,
                    delayMilliseconds: 172_800_000),
            ]
        case .family: return familyOffers().map { .family($0) }
        case .changeAccount:
            // Without the settings, the direction of the switches is unknown.
            guard let settings = settingsInStore else { return [] }
            return AccountSwitch.allCases.map {
                .changeAccount(AccountChange(of: shop.account, $0, !settings[$0]))
            }
                + Self.offeredLocales.filter { $0 != settings.locale ?? "" }.map {
                    .changeAccount(.init(account: shop.account, locale: $0))
                }
                + Storefront.all.filter { $0.countryCode != settings.territory }.map {
                    .changeAccount(.init(account: shop.account, territory: $0.countryCode))
                }
        default: return []
        }
    }

    /// Of the newest release of each package. Only the command line can host files.
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

    /// One for each language of the screens, and none.
    private static let offeredLocales = ["en_US", "ja_JP", ""]

    /// As far as this shop knows: delivered here, entitling now, or revised since the shop was
    /// opened, because the device lists no refunded transactions.
    func latestTransaction(of product: ProductID) -> TransactionID? {
        [
            snapshot.latestDelivered[product]?.transactionID,
            snapshot.entitlements[product]?.transactionID, purchasing.revised[product]?.id,
        ].compactMap(\.self).max()
    }
}
