package import StoreModel
import StoreSigning

extension Device {
    /// The account's subscriptions; see `ShopDevice.subscriptions`.
    package func subscriptions() async throws(StoreError) -> [VerifiedSubscription] {
        var verified: [VerifiedSubscription] = []
        for status in try await store.subscriptionStatuses() {
            let transaction: Result<TransactionPayload, VerificationError> =
                switch await processor.verifier.verify(status.transaction) {
                case .verified(let transaction): .success(transaction.payload)
                case .unverified(_, let error): .failure(error)
                }
            let info: Result<RenewalInfoPayload, VerificationError>
            do throws(VerificationError) {
                info = .success(try await processor.verifier.verify(status.renewalInfo))
            } catch { info = .failure(error) }
            verified.append(
                VerifiedSubscription(status: status, transaction: transaction, renewalInfo: info))
        }
        return verified
    }
}
