import Basics
import StoreModel
import StoreSigning
import Synchronization

/// Verifies the store's signed texts on one device: with the root certificate that the device has
/// pinned, for this device's name, and with the newest list of revoked certificates. The list is
/// fetched from the store at launch and before a text with a new certificate chain is verified. It
/// is kept in a file, so that revocations also hold while the store cannot be reached. Safe from
/// any task.
final class DeviceVerifier: Sendable {
    private let verifier: TransactionVerifier
    private let store: any Store
    private let files: SignedFiles
    private let hub: DeviceUpdates
    private struct State {
        var hasReadFile = false
        /// All callers share it.
        var fetching: Task<Void, Never>?
        /// True once a list that failed verification was published as trouble.
        var hasReported = false
    }
    private let state = Mutex(State())
    private let background = BackgroundWork()
    private let queue = QueueTaskExecutor(label: "storefront.verifier")

    init(_ verifier: TransactionVerifier, store: any Store, files: SignedFiles, hub: DeviceUpdates)
    {
        self.verifier = verifier
        self.store = store
        self.files = files
        self.hub = hub
    }

    func verify(
        _ signed: SignedTransaction, allowingNoDevice: Bool = false
    ) async -> VerificationResult<Transaction> {
        if !verifier.knowsChain(of: signed) { await fetchRevokedCertificates() }
        return await verifier.verify(signed, allowingNoDevice: allowingNoDevice)
    }

    /// See `TransactionVerifier.failure(of:of:)`.
    ///
    /// - Throws: `contentMismatch`; `found` is the reason.
    func check(_ manifest: ContentManifest, of product: ProductID) async throws(StoreError) {
        if let signed = manifest.signed, !verifier.knowsChain(of: signed) {
            await fetchRevokedCertificates()
        }
        guard let failure = await verifier.failure(of: manifest, of: product) else { return }
        throw StoreError(
            .contentMismatch, productID: product, subject: "manifest", found: failure.rawValue)
    }

    func verify<Payload: SignedPayload>(
        _ signed: Signed<Payload>
    ) async throws(VerificationError) -> Payload {
        if !verifier.knowsChain(of: signed) { await fetchRevokedCertificates() }
        return try await verifier.verify(signed)
    }

    /// Fetches the list of revoked certificates in the background, for a launch without anything to
    /// verify yet. (`verify` fetches it before the first text.)
    func fetchRevokedCertificatesSoon() {
        background.schedule { [weak self] in await self?.fetchRevokedCertificates() }
    }

    /// Also waits for a running fetch.
    func stopFetching() async { await background.cancel() }

    /// Fetches the store's list of revoked certificates, and keeps it unless it is older than the
    /// present one. If the store or the disk fails, the device continues with the present list.
    func fetchRevokedCertificates() async {
        let fetching = state.withLock { state in
            if let fetching = state.fetching { return fetching }
            // On a queue of its own: a caller may block a thread of Swift's pool until it returns.
            let fetching = Task(executorPreference: queue) { await self.fetch() }
            state.fetching = fetching
            return fetching
        }
        await fetching.value
    }

    private func fetch() async {
        defer { state.withLock { $0.fetching = nil } }
        if !state.withLock({ $0.hasReadFile }) {
            if let kept = try? files.read(.revokedCertificates) {
                _ = await use(
                    SignedRevocationList(kept), from: files.path(of: .revokedCertificates))
            }
            state.withLock { $0.hasReadFile = true }
        }
        guard let list = try? await store.revokedCertificates() else { return }
        guard await use(list, from: nil) else { return }
        // If the list cannot be written to its file, it still holds in this process.
        try? files.write(list.rawValue, to: .revokedCertificates)
    }

    /// Uses a list if it verifies and is not older than the present one. A list that fails
    /// verification is published as trouble, once.
    ///
    /// - Returns: whether the list replaced the present one.
    private func use(_ list: SignedRevocationList, from path: String?) async -> Bool {
        do throws(VerificationError) { return try await verifier.use(list) } catch {
            let isFirst = state.withLock { state in
                defer { state.hasReported = true }
                return !state.hasReported
            }
            if isFirst {
                hub.publish(
                    .trouble(
                        StoreError(
                            .verificationFailed,
                            subject: path ?? SignedFiles.Name.revokedCertificates.rawValue,
                            found: error.rawValue), in: .verification, ended: false))
            }
            return false
        }
    }
}
