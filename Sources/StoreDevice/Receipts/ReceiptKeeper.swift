import StoreModel
import StoreSigning
import Synchronization

/// Keeps a device's receipt in a file. After a change the receipt is fetched and written in the
/// background, so that the change does not wait for it and many changes in a row cost one receipt.
/// If that fails, it is retried after the next change or launch. Safe from any task.
final class ReceiptKeeper: Sendable {
    private let store: any Store
    private let verifier: DeviceVerifier
    private let files: SignedFiles
    private let background = BackgroundWork()
    /// The store's newest entry when this process asked for the kept receipt; nil if it did not.
    private let keptUpTo = Mutex<FeedCursor?>(nil)

    init(store: any Store, verifier: DeviceVerifier, files: SignedFiles) {
        self.store = store
        self.verifier = verifier
        self.files = files
    }

    // MARK: On request

    /// Verified now; nil if there is none. Throws `deviceUnreadable`.
    func stored() async throws(StoreError) -> KeptReceipt? { try await stored(.receipt) }

    /// - Throws: `verificationFailed`, and errors of store and disk. The old receipt then stays.
    func refresh(_ options: ReceiptOptions) async throws(StoreError) -> KeptReceipt {
        let head = try await store.head()
        let kept: KeptReceipt = try await keep(
            try await store.receipt(options), as: .receipt, "receipt")
        keptUpTo.withLock { $0 = head }
        return kept
    }

    /// A receipt that tells of everything stays, also one with what a test has asked for.
    ///
    /// - Throws: as `refresh`.
    func refreshIfChanged() async throws(StoreError) {
        if let upTo = keptUpTo.withLock({ $0 }), try await store.head() == upTo { return }
        _ = try await refresh(ReceiptOptions())
    }

    /// The kept one if it is verified, else a new one, which replaces it.
    func appTransaction() async throws(StoreError) -> KeptAppTransaction {
        if let kept: KeptAppTransaction = try await stored(.appTransaction),
            case .success = kept.verified
        {
            return kept
        }
        return try await refreshAppTransaction()
    }

    /// - Throws: `verificationFailed`, and errors of store and disk. The old one then stays.
    func refreshAppTransaction() async throws(StoreError) -> KeptAppTransaction {
        try await keep(
            try await store.appTransaction(), as: .appTransaction, "app transaction")
    }

    private func stored<Payload: SignedPayload>(
        _ name: SignedFiles.Name
    ) async throws(StoreError) -> KeptSignedText<Payload>? {
        guard let text = try files.read(name) else { return nil }
        let signed = Signed<Payload>(text)
        let verified: Result<Payload, VerificationError>
        do throws(VerificationError) {
            verified = .success(try await verifier.verify(signed))
        } catch { verified = .failure(error) }
        return KeptSignedText(signed: signed, path: files.path(of: name), verified: verified)
    }

    /// - Parameter subject: what a text that does not verify was to be.
    private func keep<Payload: SignedPayload>(
        _ signed: Signed<Payload>, as name: SignedFiles.Name, _ subject: String
    ) async throws(StoreError) -> KeptSignedText<Payload> {
        let payload: Payload
        do throws(VerificationError) { payload = try await verifier.verify(signed) } catch {
            throw StoreError(.verificationFailed, subject: subject, found: error.rawValue)
        }
        try files.write(signed.rawValue, to: name)
        return KeptSignedText(
            signed: signed, path: files.path(of: name), verified: .success(payload))
    }

    // MARK: After changes

    /// Returns at once. The receipt is written after `DeviceLimits.backgroundPause` and includes
    /// all changes until then.
    func purchasesChanged() {
        background.schedule { [weak self] in try? await self?.refreshIfChanged() }
    }

    /// Returns when that has succeeded or failed.
    func writeNow() async { await background.runNow() }
}
