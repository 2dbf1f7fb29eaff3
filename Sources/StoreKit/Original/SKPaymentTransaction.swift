/// What has become of a payment.
@nonexhaustive public enum SKPaymentTransactionState: Int, Sendable {
    /// The store has not decided.
    case purchasing = 0
    /// Sold.
    case purchased = 1
    /// Nothing was charged.
    case failed = 2
    /// An earlier purchase.
    case restored = 3
    /// Waits for an answer.
    case deferred = 4
}
