#if os(Linux)
public import Foundation
public import StoreKit
import StoreModel

// Sendable: it has only constants.
/// A transaction of a test session, as it was when it was asked for.
public final class SKTestTransaction: NSObject, @unchecked Sendable {
    /// Of the transaction, or of the request that waits.
    public let identifier: UInt
    /// Of the first transaction of the chain.
    public let originalTransactionIdentifier: UInt
    /// The product that was bought.
    public let productIdentifier: String
    /// `deferred` for a request that waits to be approved, `failed` for an interrupted purchase.
    public let state: SKPaymentTransactionState
    /// When it was bought, or asked for.
    public let purchaseDate: Date
    /// When it was refunded; nil if it was not.
    public let cancelDate: Date?
    /// When its period ends; nil for a product without periods.
    public let expirationDate: Date?
    /// Whether its subscription renews.
    public let autoRenewingEnabled: Bool
    /// Whether the purchase was interrupted, or charging for the renewal fails.
    public let hasPurchaseIssue: Bool
    /// Whether the subscriber was asked to consent to a higher price and has not answered.
    public let isPendingPriceIncreaseConsent: Bool
    /// Whether it waits to be approved.
    public let pendingAskToBuyConfirmation: Bool

    /// - Parameter subscription: that it is a period of; nil for none.
    init(_ payload: TransactionPayload, of subscription: TestedSubscription?) {
        let present = subscription?.present == payload.transactionId ? subscription : nil
        identifier = UInt(payload.transactionId)
        originalTransactionIdentifier = UInt(payload.originalTransactionId)
        productIdentifier = payload.productId.rawValue
        state = .purchased
        purchaseDate = payload.purchaseDate.date
        cancelDate = payload.revocationDate?.date
        expirationDate = payload.expiresDate?.date
        autoRenewingEnabled = subscription?.renewal.autoRenewStatus == 1
        hasPurchaseIssue = present?.hasIssue == true
        isPendingPriceIncreaseConsent = present?.renewal.priceIncreaseStatus == 0
        pendingAskToBuyConfirmation = false
    }

    init(_ request: ApprovalRequest) {
        identifier = UInt(request.number)
        originalTransactionIdentifier = identifier
        productIdentifier = request.payment.productID.rawValue
        let isInterrupted = request.reason == .interrupted
        state = isInterrupted ? .failed : .deferred
        purchaseDate = request.askedAt.date
        cancelDate = nil
        expirationDate = nil
        autoRenewingEnabled = false
        hasPurchaseIssue = isInterrupted
        isPendingPriceIncreaseConsent = false
        pendingAskToBuyConfirmation = request.reason == .askToBuy
    }

    /// Identifier, product and state.
    public override var description: String { "\(identifier) \(productIdentifier) (\(state))" }
}
#endif
