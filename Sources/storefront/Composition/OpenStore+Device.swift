import ShopText
import StoreDevice
import StoreModel
import StoreSigning
import Synchronization

/// Keeps how opening the device of a command's reads ended, for the command's later reads.
final class AnsweringDevice: Sendable {
    private let opening = Mutex<Result<Device, StoreError>?>(nil)
    var opened: Result<Device, StoreError>? {
        get { opening.withLock { $0 } }
        set { opening.withLock { $0 = newValue } }
    }
}

/// Reads through the device, which asks the store while it has a network. If the device cannot be
/// opened, as in a read-only folder, these functions ask the store directly.
extension OpenStore {
    func entitlements() async throws(StoreError) -> DeviceAnswer<[Entitlement]> {
        if let device = await answeringDevice() { return try await device.entitlements() }
        return DeviceAnswer(try await session.entitlements(), asOf: now, isFresh: true)
    }

    func products(_ identifiers: [ProductID]?) async throws(StoreError)
        -> DeviceAnswer<ProductsResponse>
    {
        if let device = await answeringDevice() { return try await device.products(identifiers) }
        return DeviceAnswer(try await session.products(identifiers), asOf: now, isFresh: true)
    }

    func accountSettings() async throws(StoreError) -> DeviceAnswer<AccountSettings> {
        if let device = await answeringDevice() { return try await device.accountSettings() }
        return DeviceAnswer(try await session.settings(), asOf: now, isFresh: true)
    }

    /// A page, newest first; without a network those that this device has delivered.
    func transactions(
        before last: TransactionID?, limit: Int
    ) async throws(StoreError) -> DeviceAnswer<[SignedTransaction]> {
        if let device = await answeringDevice() {
            return try await device.transactions(before: last, limit: limit)
        }
        return DeviceAnswer(
            try await session.history(before: last, limit: limit), asOf: now, isFresh: true)
    }

    /// Of all the account's devices; without a network as the store last reported them to this one.
    func unfinished() async throws(StoreError) -> DeviceAnswer<[UnfinishedTransaction]> {
        if let device = await answeringDevice() { return try await device.knownUnfinished() }
        return DeviceAnswer(
            try await session.unfinished(allDevices: true), asOf: now, isFresh: true)
    }

    /// The account's subscriptions with verified texts. If the device cannot be opened in a
    /// read-only store, the store's answer is verified with the same verifier.
    func subscriptions() async throws(StoreError) -> DeviceAnswer<[VerifiedSubscription]> {
        do throws(StoreError) {
            return try await deviceToRead().subscriptions()
        } catch  where error.code == .storeReadOnly {
            let session = session
            let identity = session.identity
            let verifier = try TransactionVerifier(
                rootCertificate: session.rootCertificate, bundleID: identity.bundleID,
                environment: identity.environment,
                device: DeviceVerification(
                    bundleID: identity.bundleID, account: account, device: deviceName))
            var verified: [VerifiedSubscription] = []
            for status in try await session.subscriptionStatuses() {
                verified.append(await VerifiedSubscription(status, by: verifier))
            }
            return DeviceAnswer(verified, asOf: now, isFresh: true)
        }
    }

    /// A page, newest first; without a network those that this device has kept.
    func events(
        before: FeedCursor?, filter: HistoryFilter, limit: Int
    ) async throws(StoreError) -> DeviceAnswer<HistoryPage> {
        if let device = await answeringDevice() {
            return try await device.events(before: before, filter: filter, limit: limit)
        }
        return DeviceAnswer(
            try await session.events(before: before, filter: filter, limit: limit), asOf: now,
            isFresh: true)
    }

    /// The payload of a signed transaction, with the reason if this device does not verify it. If
    /// the device cannot be opened, the payload is unverified; nil if the text cannot be decoded.
    func verify(
        _ signed: SignedTransaction
    ) async -> (payload: TransactionPayload?, error: VerificationError?)? {
        guard let device = await answeringDevice() else {
            return TransactionVerifier.unverifiedPayload(of: signed).map { ($0, nil) }
        }
        let verified = await device.verify(signed)
        return (verified.payload, verified.error)
    }

    /// The account's small values by key.
    func values() async throws(StoreError) -> [String: String] {
        if let device = await answeringDevice() { return try await device.values() }
        return try await session.values()
    }

    /// Those with a pending request; without a network from this device's queue.
    func waitingProducts() async throws(StoreError) -> Set<ProductID> {
        do throws(StoreError) {
            return Set(try await session.requests().map(\.payment.productID))
        } catch  where error.isNetworkOff {
            let queued = try await answeringDevice()?.queuedPayments() ?? []
            return Set(
                queued.filter { $0.state == .deferred }
                    .map(\.payment.productID))
        }
    }

    /// The app's list of products by its own backend; nil where it has none.
    func appList() async -> (list: DeviceAnswer<AppProductList>?, failure: StoreError?)? {
        await answeringDevice()?.appList()
    }

    private func answeringDevice() async -> Device? { try? await deviceToRead() }

    /// Notes the store time of an answer that comes from the device's records.
    func noteAge<Value: Sendable>(of answer: DeviceAnswer<Value>) {
        guard !answer.isFresh else { return }
        Output.note(.offlineSince(Output.strings.date(answer.asOf)))
    }
}

extension DeviceAnswer {
    /// The store time at which the device knew the value; nil if it is the store's answer of now.
    var age: Timestamp? { isFresh ? nil : asOf }
}

extension VerifiedSubscription {
    fileprivate init(_ status: SubscriptionStatus, by verifier: TransactionVerifier) async {
        let transaction: Result<TransactionPayload, VerificationError> =
            switch await verifier.verify(status.transaction) {
            case .verified(let transaction): .success(transaction.payload)
            case .unverified(_, let error): .failure(error)
            }
        let info: Result<RenewalInfoPayload, VerificationError>
        do throws(VerificationError) {
            info = .success(try await verifier.verify(status.renewalInfo))
        } catch { info = .failure(error) }
        self.init(status: status, transaction: transaction, renewalInfo: info)
    }
}
