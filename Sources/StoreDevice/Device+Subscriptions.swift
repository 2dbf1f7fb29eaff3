package import StoreModel
import StoreSigning

extension Device {
    package func subscriptions() async throws(StoreError)
        -> DeviceAnswer<[VerifiedSubscription]>
    {
        let answer = try await knowledge.subscriptionStatuses()
        let now = clock.now()
        var verified: [VerifiedSubscription] = []
        for var status in answer.value {
            let transaction: Result<TransactionPayload, VerificationError> =
                switch await processor.verifier.verify(status.transaction) {
                case .verified(let transaction): .success(transaction.payload)
                case .unverified(_, let error): .failure(error)
                }
            let info: Result<RenewalInfoPayload, VerificationError>
            do throws(VerificationError) {
                info = .success(try await processor.verifier.verify(status.renewalInfo))
            } catch { info = .failure(error) }
            if !answer.isFresh {
                status.age(to: now, transaction: try? transaction.get(), info: try? info.get())
            }
            verified.append(
                VerifiedSubscription(status: status, transaction: transaction, renewalInfo: info))
        }
        return DeviceAnswer(verified, asOf: answer.asOf, isFresh: answer.isFresh)
    }
}

extension SubscriptionStatus {
    /// Adapts an earlier answer to a later time of a device without a network. A period that is
    /// over counts as expired, because the device cannot know whether it was renewed. No plan can
    /// be bought meanwhile.
    fileprivate mutating func age(
        to now: Timestamp, transaction: TransactionPayload?, info: RenewalInfoPayload?
    ) {
        plans = []
        guard state == .subscribed || state == .inGracePeriod, let transaction else { return }
        let end = info?.gracePeriodExpiresDate ?? transaction.expiresDate
        if let end, end <= now { state = .expired }
    }
}
