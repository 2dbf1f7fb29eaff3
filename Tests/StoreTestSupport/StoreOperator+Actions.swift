package import StoreModel

/// The operator's actions as single calls.
extension StoreOperator {
    /// Throws `requestNotPending` if there was no such request, or it was declined.
    package func approve(_ request: TransactionID) async throws(StoreError) -> ApprovalOutcome {
        let action = OperatorAction.approve(request)
        let failure = action.failure(in: try await perform(action))
        return failure.map { .failed($0) } ?? .sold(request)
    }

    /// Declines a request. Throws `requestNotPending` unless the request is pending.
    package func decline(_ request: TransactionID) async throws(StoreError) {
        _ = try await perform(.decline(request))
    }

    /// Changes the settings that are not nil, and returns all settings of the account.
    package func changeAccount(
        _ account: AccountName, askToBuy: Bool? = nil, canMakePayments: Bool? = nil,
        territory: String? = nil
    ) async throws(StoreError) -> AccountSettings {
        let change = AccountChange(
            account: account, askToBuy: askToBuy, canMakePayments: canMakePayments,
            territory: territory)
        _ = try await perform(.changeAccount(change))
        return try await settings(of: account)
    }

    /// Makes the next `count` calls fail with `error`.
    package func failNext(
        _ call: Fault.Call, error: StoreError.Code, count: Int
    ) async throws(StoreError) {
        _ = try await perform(.failNext(call, error: error, count: count))
    }

    package func clearFaults() async throws(StoreError) { _ = try await perform(.clearFaults) }
}

/// The result of an approval.
package enum ApprovalOutcome: Hashable, Sendable {
    /// The request is sold; the transaction has the request's id.
    case sold(TransactionID)
    /// The request is approved, but its purchase has failed.
    case failed(StoreError)
}
