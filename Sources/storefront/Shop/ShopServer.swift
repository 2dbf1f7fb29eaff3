import DurableFiles
import StoreHost
import StoreModel
import StoreServer
import StoreSigning

/// The store's own server for the console of a shop: sends over HTTP from this process.
struct ShopServer: ServerConsole {
    private let store: OpenStore
    private let verifier: TransactionVerifier
    private let log: RequestLog

    /// - Throws: `keysUnreadable`.
    init(_ store: OpenStore) throws(StoreError) {
        self.store = store
        let identity = store.engine.identity
        verifier = try TransactionVerifier(
            rootCertificate: store.session.rootCertificate, bundleID: identity.bundleID,
            environment: identity.environment)
        log = RequestLog(storeFolder: store.host.folder)
    }

    var outbox: any OutboxStore { store.host.outboxStore }
    var host: String { NotificationSettings.thisHost }

    func requests(limit: Int) -> [ServerRequest] { log.newest(limit) }
    func requestWakes() -> AsyncStream<Void>? { log.wakes() }

    func inspect(
        _ notification: QueuedNotification
    ) async throws(StoreError) -> InspectedNotification {
        let signed = try outbox.signed(notification)
        let payload: Opened<NotificationPayload> = await opened(signed)
        let transaction = await opened(payload.value?.data?.signedTransactionInfo)
        let renewalInfo = await opened(payload.value?.data?.signedRenewalInfo)
        return InspectedNotification(
            problem: payload.problem ?? transaction.problem ?? renewalInfo.problem,
            payload: payload.value, transaction: transaction.value,
            renewalInfo: renewalInfo.value)
    }

    /// A part as it claims to be, and why it is not verified.
    private struct Opened<Payload> {
        var value: Payload?
        var problem: VerificationError?
    }

    private func opened<Payload: SignedPayload>(
        _ signed: Signed<Payload>?
    ) async -> Opened<Payload> {
        guard let signed else { return Opened() }
        do throws(VerificationError) {
            return Opened(value: try await verifier.verify(signed))
        } catch {
            return Opened(
                value: TransactionVerifier.unverifiedPayload(of: signed), problem: error)
        }
    }

    func sendDue() async throws(StoreError) { try await store.sendDue() }

    func move(_ action: ClockAction) async throws(StoreError) -> ClockMove {
        let outcome = try await store.clockWalk.move(action)
        return ClockMove(
            events: outcome.events, waiting: outcome.waiting,
            holder: outcome.holder?.description)
    }
}
