package import StoreModel

/// The operator's actions as calls, for tests that use one after the other.
extension StoreOperator {
    package func approve(_ request: TransactionID) async throws(StoreError) -> ApprovalOutcome {
        let action = OperatorAction.approve(request)
        let failure = action.failure(in: try await perform(action))
        return failure.map { .failed($0) } ?? .sold(request)
    }

    package func decline(_ request: TransactionID) async throws(StoreError) {
        _ = try await perform(.decline(request))
    }

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

    package func failNext(
        _ call: Fault.Call, error: StoreError.Code, count: Int
    ) async throws(StoreError) {
        _ = try await perform(.failNext(call, error: error, count: count))
    }

    package func clearFaults() async throws(StoreError) { _ = try await perform(.clearFaults) }
}

/// What came of an approval.
package enum ApprovalOutcome: Hashable, Sendable {
    case sold(TransactionID)
    /// Approved, but by now there was nothing to sell.
    case failed(StoreError)
}
