import ArgumentParser
import Foundation
import ShopText
import StoreDevice
import StoreEngine
import StoreModel

struct Subscriptions: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscriptions",
        abstract: "List the account's subscriptions: state, next renewal, problems.",
        discussion: """
            What the store answers is signed and verified on the device. With --timeline it is \
            followed by what happened to each subscription, and when it was active.

            With a product, only the subscription of its group, also one that has expired. What a \
            family member shares or did is listed with its owner, who alone can change it.

            EXAMPLES
              storefront subscriptions
              storefront subscriptions lantern.membership.plus.month --timeline
              storefront subscriptions --json
            """)

    @Argument(help: ArgumentHelp("Only of this product's group.", valueName: "product"))
    var product: String?

    @Flag(help: "Also what happened to each, oldest first.") var timeline = false

    @Flag(
        help:
            "Open them for managing, as an app does before it shows them: this can be made to fail."
    )
    var manage = false

    @OptionGroup var given: CustomerOptions

    var readsDevice: Bool { !manage }

    func run(in store: OpenStore) async throws {
        if manage { try await store.session.manageSubscriptions() }
        let answer = try await store.subscriptions()
        let group = try await group(among: answer.value, in: store)
        let subscriptions = answer.value.filter {
            product == nil || $0.status.groupID == group
        }
        let history = timeline || options.json ? try await history(store) : []
        let timelines = subscriptions.map { subscription in
            SubscriptionTimeline(
                history, of: subscription.chain ?? TransactionID(0))
        }
        guard !options.json else {
            for (subscription, line) in zip(subscriptions, timelines) {
                try Output.json(subscription.fields(active: line.active, asOf: answer.age))
            }
            return
        }
        store.noteAge(of: answer)
        if subscriptions.isEmpty { Output.note(.noSubscriptions) }
        let ids =
            subscriptions.flatMap { [$0.product, $0.next, $0.planned?.productID] }.compactMap {
                $0
            }
            + timelines.flatMap { $0.items.flatMap { [$0.productID, $0.nextProductID] } }
            .compactMap { $0 }
        let names = try await ProductNames(ids, in: store)
        let strings = Output.strings
        var table = TextTable()
        table.write(
            subscriptions,
            [
                Column(.columnProduct, mayBeCut: true) { $0.product.map { names.item($0) } ?? "" },
                Column(.columnTransaction) { $0.chain?.description ?? "" },
                Column(.columnState) {
                    strings[
                        $0.isRevokedWithoutMoney
                            ? .subscriptionRevoked : .subscriptionState($0.status.state)]
                },
                Column(.columnDetail) { $0.detail(names) },
            ])
        for subscription in subscriptions {
            guard let problem = subscription.status.problem, let id = subscription.chain,
                let next = subscription.next
            else { continue }
            Output.line(
                .subscriptionProblem(
                    problem, transaction: id.description, product: next.rawValue))
        }
        if timeline { for line in timelines { line.write(names) } }
        if answer.isFresh { try await store.noteOverdue() }
    }

    /// The group of the product on the command line; nil without one. The account's own
    /// subscriptions are searched first, because their product may have been taken off sale.
    /// - Throws: `productUnavailable` for a product that the store does not sell, and
    ///   `noSubscription` for a product that is no subscription.
    private func group(
        among subscriptions: [VerifiedSubscription], in store: OpenStore
    ) async throws(StoreError) -> SubscriptionGroupID? {
        guard let product else { return nil }
        let id = ProductID(product)
        if let own = subscriptions.first(where: { $0.product == id || $0.next == id }) {
            return own.status.groupID
        }
        guard let found = try await store.products([id]).value.products.first else {
            throw StoreError(.productUnavailable, productID: id, reason: .operator)
        }
        guard let group = found.subscription?.groupID else {
            throw StoreError(
                .noSubscription, productID: id, subject: SubscriptionObstacle.neverRenews.rawValue)
        }
        return group
    }

    /// The events of the account's subscriptions, oldest first.
    private func history(_ store: OpenStore) async throws(StoreError) -> [StoreEvent] {
        let filter = HistoryFilter(kinds: SubscriptionTimeline.kinds)
        var events: [StoreEvent] = []
        var next: FeedCursor?
        repeat {
            let page = try await store.events(before: next, filter: filter, limit: 500).value
            events += page.events
            next = page.next
        } while next != nil
        return events.reversed()
    }
}

extension VerifiedSubscription {
    /// The verified renewal info; nil if it is not verified.
    private var info: RenewalInfoPayload? { try? renewalInfo.get() }
    private var payload: TransactionPayload? { try? transaction.get() }

    /// The first reason for which one of its signed texts is not verified.
    private var verificationError: VerificationError? {
        if case .failure(let error) = renewalInfo { return error }
        if case .failure(let error) = transaction { return error }
        return nil
    }

    fileprivate var chain: TransactionID? { info?.originalTransactionId }
    fileprivate var product: ProductID? { info?.productId }
    fileprivate var next: ProductID? { info?.autoRenewProductId }

    fileprivate var isRevokedWithoutMoney: Bool {
        guard status.state == .revoked, let payload else { return false }
        return !payload.isRefunded
    }

    /// The owner and the next date: "shared by mum, renews on Dec 22".
    fileprivate func detail(_ names: ProductNames) -> String {
        let owner = status.sharedBy.map { owner in
            Output.strings[
                status.state == .revoked
                    ? .sharedBefore(account: owner.rawValue) : .sharedBy(account: owner.rawValue)]
        }
        return [owner, renewal(names)].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: Output.strings[.listSeparator])
    }

    /// When and for how much it renews: "renews on Dec 22 for $4.99".
    private func renewal(_ names: ProductNames) -> String {
        let strings = Output.strings
        if let verificationError { return strings[.unverified(verificationError)] }
        guard let info else { return "" }
        switch status.state {
        case .expired where status.isAtRenewalLimit == true:
            return strings[.subscriptionEndedAtLimit]
        case .expired:
            return strings[
                .subscriptionEnded(info.expirationIntent.flatMap { ExpirationReason(rawValue: $0) })
            ]
        case .revoked:
            return payload?.revocationDate.map { strings.date($0) } ?? ""
        case .inGracePeriod:
            return info.gracePeriodExpiresDate.map {
                strings[.subscriptionGraceEnds(date: strings.date($0))]
            } ?? ""
        case .inBillingRetryPeriod where info.renewalDate != nil:
            return strings[.subscriptionRetried(price: price(info))]
        case .inBillingRetryPeriod, .subscribed:
            guard let renewal = info.renewalDate else {
                let end = status.paidUntil ?? payload?.expiresDate
                // A free subscription has no periods and no end.
                return strings[
                    end.map { .subscriptionEnds(date: strings.date($0)) }
                        ?? .subscriptionNeverEnds]
            }
            if status.problem == .productUnavailable {
                return strings[.subscriptionEndsNotForSale(date: strings.date(renewal))]
            }
            let price = price(info)
            if info.commitmentInfo?.commitmentAutoRenewStatus == 0, info.autoRenewStatus == 1 {
                return strings[
                    .subscriptionPays(date: strings.date(renewal), price: price)]
                    + commitmentText(strings)
            }
            // The renewal was charged ahead, up to a day before the present period ends.
            if let end = payload?.expiresDate, end < renewal {
                return strings[
                    .subscriptionRenewedAhead(
                        date: strings.date(end), until: strings.date(renewal), price: price)]
            }
            return strings[
                .subscriptionRenews(
                    date: strings.date(renewal), price: price,
                    product: info.autoRenewProductId == info.productId
                        ? nil : names.item(info.autoRenewProductId))]
                + commitmentText(strings)
                + (info.offerDiscountType.flatMap { OfferMode(rawValue: $0) }.map {
                    strings[.listSeparator] + strings[.offerMode($0)]
                } ?? "") + thenText(info, names)
        }
    }

    /// A planned change that the next renewal does not show: ", then Lantern Basic", or empty.
    private func thenText(_ info: RenewalInfoPayload, _ names: ProductNames) -> String {
        guard let planned else { return "" }
        let isTold = planned.productID == info.autoRenewProductId
        guard !isTold || planned.billingPlan != nil else { return "" }
        let strings = Output.strings
        return strings[.listSeparator]
            + strings[
                .subscriptionThen(
                    product: isTold ? nil : names.item(planned.productID), planned.billingPlan)]
    }
}

extension VerifiedSubscription {
    /// The state of a commitment, such as ", payment 3 of 12, until Nov 22, 2027"; empty for none.
    fileprivate func commitmentText(_ strings: Strings) -> String {
        guard let commitment = payload?.commitmentInfo else { return "" }
        return strings[.listSeparator]
            + strings[
                .subscriptionCommitment(
                    commitment.billingPeriodNumber, of: commitment.totalBillingPeriods,
                    until: strings.date(commitment.commitmentExpiresDate))]
    }

    fileprivate func price(_ info: RenewalInfoPayload) -> String? {
        guard let price = info.renewalPrice, let currency = info.currency else { return nil }
        return Output.strings.price(
            Price(money: Money(milliunits: price, currency: currency), locale: "en_US"))
    }
}

extension SubscriptionTimeline {
    /// Prints a line for each event, and a line for each interval in which it was active.
    fileprivate func write(_ names: ProductNames) {
        let strings = Output.strings
        Output.line("")
        for item in items {
            let product = names.item(item.productID)
            let next = item.nextProductID.map { names.item($0) }
            let parts = [
                strings.date(item.at),
                next.map { strings[.renewsAs(product: product, to: $0)] } ?? product,
                ([strings[item.isAtRenewalLimit ? .expiredAtRenewalLimit : .timeline(item.what)]]
                    + [
                        item.nextBillingPlan.map { strings[.billingPlanName($0)] },
                        item.offerMode.map { strings[.offerMode($0)] },
                    ].compactMap { $0 })
                    .joined(separator: strings[.listSeparator]),
                item.until.map {
                    let date = strings.date($0)
                    guard !item.isPlannedChange else { return strings[.timelineFrom(date)] }
                    return strings[
                        item.from.map { .timelineFromUntil(strings.date($0), date) }
                            ?? .timelineUntil(date)]
                } ?? "",
                item.money.map { strings.price(Price(money: $0, locale: "en_US")) } ?? "",
            ]
            Output.line(parts.filter { !$0.isEmpty }.joined(separator: "  "))
        }
        for interval in active {
            let from = strings.date(interval.from)
            Output.line(
                interval.until.map { .activeFromUntil(from, strings.date($0)) }
                    ?? .activeFrom(from))
        }
    }
}

extension VerifiedSubscription {
    /// Apple's names, and the result of verifying its signed texts on this device.
    ///
    /// - Parameter age: the store time as of which the device knows this, if it has no network.
    fileprivate func fields(
        active: [SubscriptionTimeline.Interval], asOf age: Timestamp?
    ) -> JSONFields {
        [
            "subscriptionGroupIdentifier": status.groupID,
            "state": status.state.name, "status": status.state.rawValue,
            "problem": status.problem, "sharedBy": status.sharedBy,
            "paidUntil": status.paidUntil, "isAtRenewalLimit": status.isAtRenewalLimit,
            "verification": verificationError == nil ? "verified" : "unverified",
            "verificationError": verificationError,
            "renewalInfo": info, "transaction": payload,
            "signedTransactionInfo": status.transaction, "signedRenewalInfo": status.renewalInfo,
            "active": active, "asOf": age,
        ]
    }
}
