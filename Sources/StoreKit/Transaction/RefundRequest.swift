extension Transaction {
    /// Why a refund was not requested.
    @nonexhaustive public enum RefundRequestError: Error, Equatable, Hashable, Sendable {
        /// It was requested or given before.
        case duplicateRequest
        /// The store could not take the request.
        case failed
    }
}
