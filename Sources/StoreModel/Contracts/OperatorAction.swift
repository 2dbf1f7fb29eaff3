package import Foundation

/// Everything an operator can do to a store, as one value for the command line and the console.
/// `StoreOperator.perform` carries it out; `StoreOperator.refusal(of:)` says why it would not.
package enum OperatorAction: Codable, Hashable, Sendable {
    /// Approves a request: it becomes the sale and keeps its number as the transaction number, or
    /// plans the change of plan that it asks for. Causes nothing if it did so before. Refused with
    /// `requestNotPending` if the number is no request, or one that came to nothing.
    case approve(TransactionID)
    /// Declines a request; its payment fails with `approvalDeclined`, or with `paymentDeclined` if
    /// the bank was asked, and nothing is charged. Refused with `requestNotPending`, as for
    /// `approve`.
    case decline(TransactionID)
    /// Resolves what interrupted a purchase, in the customer's place (StoreKit Test:
    /// `resolveIssueForTransaction`): it becomes the sale, as for `approve`. Refused with
    /// `requestNotPending`, and with `notAnswerable` if the request waits for another answer.
    case resolve(TransactionID)
    /// Declines the refund that a customer asked for of a transaction; `refund` grants it. Refused
    /// with `refundNotRequested`.
    case declineRefund(TransactionID)
    /// Sells a product to an account as a purchase made outside the app (StoreKit Test:
    /// `buyProduct`): it comes to every device of the account, with the offer that is named, of
    /// whatever kind; an introductory one applies by itself. The token is the app's for its user
    /// (StoreKit: `appAccountToken`). Refused as a purchase is.
    case buyOutside(
        ProductID, account: AccountName, quantity: Int, offer: OfferID? = nil, token: UUID? = nil)
    /// The customer begins to buy a product outside the app (StoreKit: `PurchaseIntent`); the app
    /// is told and continues. Refused with `productUnavailable`.
    case promote(ProductID, account: AccountName)
    /// Puts a product of the catalog into another state on its way into the shop, or takes it off
    /// sale. It stays so until the catalog's file gives the product another state. Refused with
    /// `productUnavailable` if the catalog does not have it.
    case publish(ProductID, PublicationState)
    /// Hosts packages of content, and walks them through their states.
    case package(PackageAction)
    /// Changes what the store keeps about a customer.
    case changeAccount(AccountChange)
    /// Makes the next `count` calls fail with `error`, or every call if `count` is nil. Several
    /// faults of one call are used up in the order they were set. Refused with `invalidName` for an
    /// error that the call cannot fail with (`Fault.Call.errors`).
    case failNext(Fault.Call, error: StoreError.Code, count: Int?, after: Int? = nil)
    /// Removes all faults that are left.
    case clearFaults
    /// Removes one fault, by its `Fault.id`. Refused with `faultNotSet` if it was used up or removed
    /// before, or never set.
    case clearFault(Int64)
    /// Returns money and revokes what was bought, on every device. Refused if it asks for more than
    /// is left of the price (`refundTooLarge`, `alreadyRefunded`), and as `prorated` if there is no
    /// unused time (`nothingUnused`).
    case refund(TransactionID, RefundAmount, reason: RevocationReason)
    /// Revokes what was bought without returning money.
    case revoke(TransactionID)
    /// Undoes a refund or a revocation: what was revoked is granted again. Refused if the product
    /// was bought again since (`boughtAgain`) or nothing was revoked (`notRevoked`).
    case reverseRefund(TransactionID)
    /// Removes a transaction from history, entitlements and sales totals for good. Of a
    /// subscription either the last period or, with `wholeChain`, all periods; an earlier period
    /// alone is refused with `notLastOfChain`.
    case delete(TransactionID, wholeChain: Bool)
    /// Moves, stops or resumes the store's clock. Returns after everything due by the new time is
    /// recorded. Refused backwards (`clockBackwards`) and outside 2000 to 2100 (`clockOutOfRange`).
    case clock(ClockAction)
    /// Changes how quickly and how often subscriptions renew.
    case setRenewals(RenewalsChange)
    /// Turns auto-renew of the subscription that a transaction belongs to on or off. Refused with
    /// `noSubscription` if it is no subscription, or has expired and would be turned on.
    case setAutoRenew(TransactionID, Bool)
    /// Founds and changes families, and what their members share.
    case family(FamilyAction)
    /// Ends the subscription that a transaction belongs to now (StoreKit Test:
    /// `expireSubscription`). Refused with `noSubscription` if it is no subscription or is over.
    case expire(TransactionID)
    /// Renews a subscription now: its period ends and the next begins (StoreKit Test:
    /// `forceRenewalOfSubscription`). Refused as `expire`, with `productUnavailable` if it cannot
    /// renew, with `periodJustBegun`, and with `nextPeriodCharged` once the next period is charged.
    case renew(TransactionID)
    /// Charges for the renewal of a subscription whose payment failed (StoreKit Test:
    /// `resolveIssueForTransaction`). Refused with `noBillingIssue` if none failed.
    case resolveBilling(TransactionID)
    /// Puts a higher price to a subscriber, or answers in the customer's place (StoreKit Test:
    /// `requestPriceIncreaseConsentForTransaction`, `consentToPriceIncreaseForTransaction`,
    /// `declinePriceIncreaseForTransaction`). Refused as `expire`, and with `noPriceIncrease` if an
    /// answer was not asked for. The App Store asks above a limit, and notifies below it.
    case priceIncrease(TransactionID, PriceIncreaseStep)
    /// Moves the renewal date of a subscription by 1 to 90 days (App Store Server API: Extend a
    /// Subscription Renewal Date). Refused as `expire`, and with `invalidName` for other days.
    case extend(TransactionID, days: Int)
    /// Moves the renewal dates of all active subscriptions of a product, page by page (App Store
    /// Server API: Extend Subscription Renewal Dates for All Active Subscribers). With an id
    /// (`requestIdentifier`) it can be repeated after an interruption: it means those who subscribe at
    /// its first use, and passes over what it has extended. Refused with `productUnavailable` for an unknown product, and with `invalidName` for
    /// other days.
    case extendAll(ProductID, days: Int, id: UUID? = nil)
    /// Cancels a subscription as customer service does: what was paid for its present period is given
    /// back in full, and it ends. Refused as `expire`.
    case cancelSubscription(TransactionID)
}

/// A step of a price increase.
package enum PriceIncreaseStep: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer is asked. Until the answer the subscription does not renew.
    case ask
    /// The customer consents; the subscription renews at the catalog's present price.
    case consent
    /// The customer declines; auto-renew is turned off.
    case decline
    /// The customer is told of a price that needs no consent; the subscription renews at it.
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

/// A change to an account's settings. A field that is nil leaves the setting as it is.
package struct AccountChange: Codable, Hashable, Sendable {
    /// The account; the store keeps settings for it from then on if it has none yet.
    package var account: AccountName
    /// Whether purchases wait for the family organizer's approval (StoreKit: Ask to Buy).
    package var askToBuy: Bool?
    /// Whether the account may pay at all (StoreKit: `canMakePayments`).
    package var canMakePayments: Bool?
    /// Whether purchases wait for the bank's confirmation (strong customer authentication).
    package var asksBank: Bool?
    /// Whether purchases are interrupted (StoreKit Test: `interruptedPurchasesEnabled`).
    package var interruptsPurchases: Bool?
    /// Whether the shop pays without its payment sheet (StoreKit Test: `disableDialogs`).
    package var disablesDialogs: Bool?
    /// The territory to buy in: ISO 3166-1, alpha-2 or alpha-3.
    package var territory: String?
    /// The locale of names, descriptions and prices, such as `ja_JP` (StoreKit Test: `locale`);
    /// empty for the customer's own.
    package var locale: String?

    /// Memberwise: the values are not checked.
    package init(
        account: AccountName, askToBuy: Bool? = nil, canMakePayments: Bool? = nil,
        asksBank: Bool? = nil, interruptsPurchases: Bool? = nil, disablesDialogs: Bool? = nil,
        territory: String? = nil, locale: String? = nil
    ) {
        self.account = account
        self.askToBuy = askToBuy
        self.canMakePayments = canMakePayments
        self.asksBank = asksBank
        self.interruptsPurchases = interruptsPurchases
        self.disablesDialogs = disablesDialogs
        self.territory = territory
        self.locale = locale
    }
}

extension OperatorAction {
    /// The error with which an approved or resolved request failed, from the events `perform`
    /// returned; nil for other actions and for one that sold.
    package func failure(in events: [StoreEvent]) -> StoreError? {
        switch self {
        case .approve, .resolve: break
        case .decline, .declineRefund, .buyOutside, .promote, .publish, .package, .changeAccount,
            .failNext,
            .clearFaults, .clearFault, .refund, .revoke, .reverseRefund, .delete, .clock,
            .setRenewals, .setAutoRenew, .family, .expire, .renew, .resolveBilling,
            .priceIncrease, .extend, .extendAll, .cancelSubscription:
            return nil
        }
        for event in events {
            if case .failed(_, let error, _) = event.change { return error }
        }
        return nil
    }
}
