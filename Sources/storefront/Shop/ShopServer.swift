import Basics
import DurableFiles
import StoreEngine
import StoreHost
import StoreModel
import StoreServer
import StoreSigning

/// The store's own server for the console of a shop: sends over HTTP from this process.
struct ShopServer: ServerConsole {
    /// One for all calls: it knows how far it has looked.
    let outbox: any OutboxStore
    private let store: OpenStore
    private let verifier: TransactionVerifier
    private let log: RequestLog

    /// - Throws: `keysUnreadable`.
    init(_ store: OpenStore) throws(StoreError) {
        self.store = store
        outbox = store.host.outboxStore
        let identity = store.engine.identity
        verifier = try TransactionVerifier(
            rootCertificate: store.session.rootCertificate, bundleID: identity.bundleID,
            environment: identity.environment)
        log = RequestLog(storeFolder: store.host.folder)
    }

    var host: String { NotificationSettings.thisHost }

    func requests(limit: Int) -> [ServerRequest] { log.newest(limit) }
    func requestWakes() -> AsyncStream<Void>? { log.wakes() }
    func sendDue() async throws(StoreError) { try await store.sendDue() }

    func inspect(
        _ notification: QueuedNotification
    ) async throws(StoreError) -> (payload: NotificationPayload?, problem: VerificationError?) {
        let signed = try outbox.signed(notification)
        do throws(VerificationError) {
            let payload: NotificationPayload = try await verifier.verify(signed)
            if let transaction = payload.data?.signedTransactionInfo,
                case .unverified(_, let problem) = await verifier.verify(
                    transaction, allowingNoDevice: true)
            {
                throw problem
            }
            if let renewalInfo = payload.data?.signedRenewalInfo {
                _ = try await verifier.verify(renewalInfo)
            }
            return (payload, nil)
        } catch {
            return (TransactionVerifier.unverifiedPayload(of: signed), error)
        }
    }

    func move(
        _ action: ClockAction, onWait: @escaping @Sendable (NotificationWait) -> Void
    ) async throws(StoreError) -> (events: [StoreEvent], waiting: Int, holder: String?) {
        let outcome = try await store.clockWalk(onWait: onWait).move(action)
        return (outcome.events, outcome.waiting, outcome.holder?.description)
    }
}
