/// Everything the operator can do to a store: one value for the command line, the console and
/// whatever else comes to speak for the operator. `StoreOperator.perform` carries it out.
package enum OperatorAction: Codable, Hashable, Sendable {
    /// Approves a request: it becomes the sale with the request's number. Refused with
    /// `requestNotPending` for one that was declined or never was.
    case approve(TransactionID)
    /// Declines a request; nothing is charged.
    case decline(TransactionID)
    case changeAccount(AccountChange)
    /// The next `count` calls fail with `error`. Several faults are spent in the order they were
    /// set.
    case failNext(Fault.Call, error: StoreError.Code, count: Int)
    case clearFaults
    /// Gives money back and takes back what was bought, on every device at once. Refused for more
    /// than is left of the price (`refundTooLarge`, `alreadyRefunded`), and in part by time for
    /// what has no time left (`nothingUnused`).
    case refund(TransactionID, RefundAmount, reason: RevocationReason)
    /// Takes back what was bought, without money.
    case revoke(TransactionID)
    /// Undoes a refund or a revocation: what was taken back comes back. Refused where the product
    /// was bought again (`boughtAgain`) or nothing was taken back (`notRevoked`).
    case reverseRefund(TransactionID)
    /// Removes a transaction from history, entitlements, receipt and takings, for good. Of a
    /// subscription the last period only, or the whole chain (`notLastOfChain`).
    case delete(TransactionID, wholeChain: Bool)
    /// Moves, stops or runs the store's clock; returns when all that is due by then is recorded.
    /// Refused backwards (`clockBackwards`) and out of 2000 to 2100 (`clockOutOfRange`).
    case clock(ClockAction)
    case setRenewals(RenewalsChange)
    /// Auto-renew of the subscription a transaction belongs to. Refused for what is no subscription
    /// or is over (`noSubscription`).
    case setAutoRenew(TransactionID, Bool)
}

/// How much of a sale's price is given back.
package enum RefundAmount: Codable, Hashable, Sendable {
    /// All that is left of it.
    case rest
    /// 1 to 100.
    case percent(Int)
    /// By a subscription's unused time, rounded down.
    case prorated
}

/// A change of what the store keeps about a customer. What is nil stays as it is.
package struct AccountChange: Codable, Hashable, Sendable {
    package var account: AccountName
    /// Purchases wait for the family organizer's word (StoreKit: Ask to Buy).
    package var askToBuy: Bool?
    package var canMakePayments: Bool?
    /// ISO 3166-1, alpha-2 or alpha-3.
    package var territory: String?

    package init(
        account: AccountName, askToBuy: Bool? = nil, canMakePayments: Bool? = nil,
        territory: String? = nil
    ) {
        self.account = account
        self.askToBuy = askToBuy
        self.canMakePayments = canMakePayments
        self.territory = territory
    }
}

extension OperatorAction {
    /// The error an approval ended with, where there was nothing left to sell.
    package func failure(in events: [StoreEvent]) -> StoreError? {
        guard case .approve = self else { return nil }
        for event in events {
            if case .failed(_, let error, _) = event.change { return error }
        }
        return nil
    }
}
