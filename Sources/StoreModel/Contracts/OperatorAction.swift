package import Foundation

/// Every change that an operator can make to a store, as one value for the command line and the
/// console. `StoreOperator.perform` carries it out; `StoreOperator.refusal(of:)` returns the error
/// with which `perform` would refuse it.
package enum OperatorAction: Codable, Hashable, Sendable {
    /// Approves a request: the request becomes the sale and keeps its number as the transaction
    /// number, or plans the change of plan that it asks for. A second approval changes nothing.
    /// Refused with `requestNotPending` if no request has the number, or the request ended without
    /// a sale.
    case approve(TransactionID)
    /// Declines a request; its payment fails with `approvalDeclined`, or with `paymentDeclined` if
    /// the bank was asked, and nothing is charged. Refused with `requestNotPending`, as for
    /// `approve`.
    case decline(TransactionID)
    /// Resolves the problem that interrupted a purchase, in the customer's place (StoreKit Test:
    /// `resolveIssueForTransaction`): the request becomes the sale, as for `approve`. Refused with
    /// `requestNotPending`, and with `notAnswerable` if the request waits for another answer.
    case resolve(TransactionID)
    /// Declines the refund that a customer requested for a transaction; `refund` grants it. Refused
    /// with `refundNotRequested`.
    case declineRefund(TransactionID)
    /// Sells a product to an account as a purchase made outside the app (StoreKit Test:
    /// `buyProduct`). The transaction comes to every device of the account. `offer` may be of any
    /// kind; an introductory offer applies without being named. `token` is the app's identifier of
    /// its user (StoreKit: `appAccountToken`). A purchase that is dated back has renewed since.
    /// Refused with the errors of a purchase.
    case buyOutside(
        ProductID, account: AccountName, quantity: Int, offer: OfferID? = nil, token: UUID? = nil,
        at: Timestamp? = nil)
    /// Records that the customer began to buy a product outside the app (StoreKit:
    /// `PurchaseIntent`); the app gets an event and continues the purchase. Refused with
    /// `productUnavailable`.
    case promote(ProductID, account: AccountName)
    /// Changes the publication state of a product, or takes it off sale. The state holds until the
    /// catalog's file gives the product another one. Refused with `productUnavailable` if the
    /// catalog does not have the product.
    case publish(ProductID, PublicationState)
    case package(PackageAction)
    case changeAccount(AccountChange)
    /// Makes the next `count` calls fail with `error`, or every call if `count` is nil. Several
    /// faults of one call are used up in the order they were set. Refused with `invalidName` for an
    /// error that the call cannot fail with (`Fault.Call.errors`). The delay is how late something
    /// comes (`Fault.delayMilliseconds`), or else how long a fault of notifications lasts.
    case failNext(
        Fault.Call, error: StoreError.Code, count: Int?, after: Int? = nil,
        delayMilliseconds: Int64? = nil)
    case clearFaults
    /// Removes one fault, by its `Fault.id`. Refused with `faultNotSet` if it was used up or
    /// removed before, or never set.
    case clearFault(Int64)
    /// Returns money and revokes the purchase on every device. Refused with `refundTooLarge` or
    /// `alreadyRefunded` if the amount exceeds the rest of the price, and, for `prorated`, with
    /// `nothingUnused` if the period has no unused time.
    case refund(TransactionID, RefundAmount, reason: RevocationReason)
    case revoke(TransactionID)
    /// Undoes a refund or a revocation: the purchase is granted again. Refused with `boughtAgain`
    /// if the account bought the product again since, and with `notRevoked` if the purchase is not
    /// revoked.
    case reverseRefund(TransactionID)
    /// Removes a transaction from history, entitlements and sales totals for good. Of a
    /// subscription either the last period or, with `wholeChain`, all periods; an earlier period
    /// alone is refused with `notLastOfChain`.
    case delete(TransactionID, wholeChain: Bool)
    /// Moves, stops or resumes the store's clock. Returns after everything due by the new time is
    /// recorded. Refused with `clockBackwards` for an earlier time, and with `clockOutOfRange` for
    /// a time outside 2000 to 2100.
    case clock(ClockAction)
    case setRenewals(RenewalsChange)
    /// Turns auto-renew of the subscription that a transaction belongs to on or off. Refused with
    /// `noSubscription` if the transaction belongs to none, or would turn on an expired one.
    case setAutoRenew(TransactionID, Bool)
    case family(FamilyAction)
    /// Ends the subscription that a transaction belongs to now (StoreKit Test:
    /// `expireSubscription`). Refused with `noSubscription` if the transaction belongs to none, or
    /// the subscription is over.
    case expire(TransactionID)
    /// Renews a subscription now: its period ends and the next begins, or, while payments are set to
    /// fail, cannot be charged (StoreKit Test: `forceRenewalOfSubscription`, with
    /// `shouldEnterBillingRetryOnRenewal`). Refused as `expire`, with `productUnavailable` if the
    /// subscription cannot renew, with `periodJustBegun`, and with `nextPeriodCharged` once the
    /// next period is charged.
    case renew(TransactionID)
    /// Charges for the renewal of a subscription whose payment failed (StoreKit Test:
    /// `resolveIssueForTransaction`). Refused with `noBillingIssue` if no payment failed.
    case resolveBilling(TransactionID)
    /// Asks a subscriber to accept a higher price, or answers in the customer's place (StoreKit
    /// Test: `requestPriceIncreaseConsentForTransaction`, `consentToPriceIncreaseForTransaction`,
    /// `declinePriceIncreaseForTransaction`). Refused as `expire`, and with `noPriceIncrease` for
    /// an answer if the customer was not asked. The App Store asks for an increase above a limit,
    /// and only notifies of a smaller one.
    case priceIncrease(TransactionID, PriceIncreaseStep)
    /// Raises the price of a plan by 1 to 1,000 percent, by a revision of the catalog that holds
    /// until its file is changed. With `keepsPrice` those who subscribe keep the present price (App
    /// Store Connect API: `preserveCurrentPrice`). Refused with `productUnavailable`, with
    /// `noSubscription` for a product that does not renew, and with `invalidName`.
    case raisePrice(ProductID, percent: Int, keepsPrice: Bool)
    /// Moves the renewal date of a subscription by 1 to 90 days (App Store Server API: Extend a
    /// Subscription Renewal Date). Refused as `expire`, and with `invalidName` for other days.
    case extend(TransactionID, days: Int)
    /// Moves the renewal dates of all active subscriptions of a product, page by page (App Store
    /// Server API: Extend Subscription Renewal Dates for All Active Subscribers). With an id
    /// (`requestIdentifier`) the action can be repeated after an interruption: it extends the
    /// subscriptions that were active at its first use, and skips those that it has extended.
    /// Refused with `productUnavailable` for an unknown product, and with `invalidName` for other
    /// days; `extendedInPart` if it could not go on, with the id that it has got.
    case extendAll(ProductID, days: Int, id: UUID? = nil)
    /// Cancels a subscription as customer service does: refunds the price of its present period in
    /// full and ends it. Refused as `expire`.
    case cancelSubscription(TransactionID)
}

/// A step of a price increase.
package enum PriceIncreaseStep: String, Codable, Hashable, Sendable, CaseIterable {
    /// Asks the customer. Until the answer the subscription does not renew.
    case ask
    /// The customer consents; the subscription renews at the catalog's present price.
    case consent
    /// The customer declines; auto-renew is turned off.
    case decline
    /// Notifies the customer of a price that needs no consent; the subscription renews at this
    /// price.
    case notify
}

/// The part of a sale's price that a refund returns.
package enum RefundAmount: Codable, Hashable, Sendable {
    /// All that earlier refunds have left of the price.
    case rest
    /// A percentage of the whole price, 1 to 100.
    case percent(Int)
    /// The share of a subscription's period that is still unused, rounded down.
    case prorated
}

extension OperatorAction {
    /// The kinds of actions, in the order in which the palette lists them. The raw value is the
    /// name of `command`.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        // Each kind is described at the action of its name.
        case approve, decline, resolve, refund
        case declineRefund = "decline-refund"
        case revoke
        case reverseRefund = "reverse-refund"
        case delete
        case setAutoRenew = "auto-renew"
        case renew, expire
        case resolveBilling = "resolve-billing"
        case priceIncrease = "price-increase"
        case raisePrice = "raise-price"
        case extend
        case extendAll = "extend-all"
        case cancelSubscription = "end"
        case clock
        case buyOutside = "buy-outside"
        case promote, publish, package
        case setRenewals = "renewals"
        case failNext = "fail-next"
        case clearFault = "clear-failure"
        case clearFaults = "failures"
        case changeAccount = "ask-to-buy"
        case family
    }

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
        case .raisePrice: .raisePrice
        case .extend: .extend
        case .extendAll: .extendAll
        case .cancelSubscription: .cancelSubscription
        }
    }

    /// Of the transaction that the action changes, or the request that it answers; nil if it is
    /// about something else.
    package var transactionID: TransactionID? {
        switch self {
        case .approve(let id), .decline(let id), .resolve(let id), .declineRefund(let id),
            .refund(let id, _, _), .revoke(let id), .reverseRefund(let id), .delete(let id, _),
            .setAutoRenew(let id, _), .renew(let id), .expire(let id), .resolveBilling(let id),
            .priceIncrease(let id, _), .extend(let id, _), .cancelSubscription(let id):
            id
        case .buyOutside, .promote, .publish, .package, .changeAccount, .failNext, .clearFaults,
            .clearFault, .clock, .setRenewals, .family, .raisePrice, .extendAll:
            nil
        }
    }

    /// Nil if the action names none.
    package var productID: ProductID? {
        switch self {
        case .buyOutside(let product, _, _, _, _, _), .promote(let product, _),
            .publish(let product, _), .raisePrice(let product, _, _),
            .extendAll(let product, _, _):
            product
        case .package(let action): action.productID
        default: nil
        }
    }

    /// With it an approved or resolved request failed, by the events that `perform` returned; nil
    /// for a sale and for other actions.
    package func failure(in events: [StoreEvent]) -> StoreError? {
        guard kind == .approve || kind == .resolve else { return nil }
        for event in events {
            if case .failed(_, let error, _) = event.change { return error }
        }
        return nil
    }

    /// Whether a console asks before the action: it takes away a product that an account owns, or
    /// may charge an account, which moving the clock does for all that is due.
    package var needsConfirmation: Bool {
        switch self {
        case .refund, .revoke, .delete, .expire, .cancelSubscription, .renew, .resolveBilling,
            .clock(.advance), .clock(.to), .clock(.next):
            true
        default: false
        }
    }

    /// Whether it makes later calls or renewals fail.
    package var setsFailure: Bool {
        switch self {
        case .failNext: true
        case .setRenewals(let change): change.failsBilling == true
        default: false
        }
    }

    /// The name of its command, by which a person may look for it in a console.
    package var command: String {
        guard case .changeAccount(let change) = self else { return kind.command }
        return change.switched?.setting.command ?? (change.locale == nil ? "territory" : "locale")
    }

    /// With the arguments that a console offers.
    package var mayBeRefused: Bool {
        ![.setRenewals, .failNext, .clearFaults, .changeAccount].contains(kind)
    }
}

extension OperatorAction.Kind {
    /// Below `storefront operator`; of actions on a hosted package below `storefront content`.
    package var command: String { self == .package ? Self.publish.rawValue : rawValue }

    /// What actions of a kind are about. Each case makes those that a console offers, in order.
    package enum Subject {
        /// A request that waits for an answer.
        case request((TransactionID) -> OperatorAction)
        case sale((TransactionID, _ isSubscription: Bool) -> [OperatorAction])
        case subscription((TransactionID) -> [OperatorAction])
        case plan((ProductID) -> [OperatorAction])
        /// A product, and the account that acts.
        case product((ProductID, AccountName) -> [OperatorAction])
        case faults((Int64) -> OperatorAction)
        case store([OperatorAction])
        /// Things of which only the console knows which to offer.
        case shop
    }

    package var subject: Subject {
        switch self {
        case .approve: .request { .approve($0) }
        case .decline: .request { .decline($0) }
        case .resolve: .request { .resolve($0) }
        case .refund:
            .sale { sale, isSubscription in
                ([.rest, .percent(50)] + (isSubscription ? [.prorated] : []))
                    .map { .refund(sale, $0, reason: .other) }
            }
        case .declineRefund: .sale { sale, _ in [.declineRefund(sale)] }
        case .revoke: .sale { sale, _ in [.revoke(sale)] }
        case .reverseRefund: .sale { sale, _ in [.reverseRefund(sale)] }
        case .delete:
            .sale { sale, isSubscription in
                (isSubscription ? [false, true] : [false]).map { .delete(sale, wholeChain: $0) }
            }
        case .setAutoRenew:
            .subscription { sale in [false, true].map { .setAutoRenew(sale, $0) } }
        case .renew: .subscription { [.renew($0)] }
        case .expire: .subscription { [.expire($0)] }
        case .resolveBilling: .subscription { [.resolveBilling($0)] }
        case .priceIncrease:
            .subscription { sale in PriceIncreaseStep.allCases.map { .priceIncrease(sale, $0) } }
        case .raisePrice:
            .plan { plan in
                [(10, false), (100, false), (10, true)].map {
                    .raisePrice(plan, percent: $0, keepsPrice: $1)
                }
            }
        case .extend: .subscription { [.extend($0, days: 7)] }
        case .extendAll: .plan { [.extendAll($0, days: 7)] }
        case .cancelSubscription: .subscription { [.cancelSubscription($0)] }
        case .buyOutside: .product { [.buyOutside($0, account: $1, quantity: 1)] }
        case .promote: .product { [.promote($0, account: $1)] }
        case .publish:
            .product { product, _ in [.uploaded, .approved].map { .publish(product, $0) } }
        case .clock:
            .store(
                [.clock(.stop), .clock(.resume)]
                    + [SubscriptionPeriod.Unit.day, .week, .month, .year].map {
                        .clock(.advance(.calendar(SubscriptionPeriod(unit: $0, value: 1))))
                    } + [.clock(.next)])
        case .setRenewals:
            .store(
                RenewalRate.allCases.map { .setRenewals(.init(rate: $0)) }
                    + [true, false].map { .setRenewals(.init(failsBilling: $0)) }
                    + [true, false].map { .setRenewals(.init(hasGracePeriod: $0)) })
        case .clearFault: .faults { .clearFault($0) }
        case .clearFaults: .store([.clearFaults])
        case .package, .failNext, .changeAccount, .family: .shop
        }
    }
}
