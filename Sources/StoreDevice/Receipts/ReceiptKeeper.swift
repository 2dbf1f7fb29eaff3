import StoreModel

/// Keeps a device's receipt in a file. After a change the receipt is fetched and written in the
/// background, so that the change does not wait for it and many changes in a row cost one receipt.
/// If that fails, it is retried after the next change or launch. Safe from any task.
final class ReceiptKeeper: Sendable {
    private let store: any Store
    private let verifier: DeviceVerifier
    private let files: SignedFiles
    private let background = BackgroundWork()

    init(store: any Store, verifier: DeviceVerifier, files: SignedFiles) {
        self.store = store
        self.verifier = verifier
        self.files = files
    }

    // MARK: On request

    /// Verified now; nil if there is none. Throws `deviceUnreadable`.
    func stored() async throws(StoreError) -> KeptReceipt? {
        guard let text = try files.read(.receipt) else { return nil }
        let signed = SignedReceipt(text)
        return KeptReceipt(
            signed: signed, path: files.path(of: .receipt),
            verified: await verified { () throws(VerificationError) in
                try await verifier.verify(signed)
            })
    }

    /// - Throws: `verificationFailed`, and errors of store and disk. The old receipt then stays.
    func refresh(_ options: ReceiptOptions) async throws(StoreError) -> KeptReceipt {
        let signed = try await store.receipt(options)
        let payload: ReceiptPayload
        do throws(VerificationError) { payload = try await verifier.verify(signed) } catch {
            throw StoreError(.verificationFailed, subject: "receipt", found: error.rawValue)
        }
        try files.write(signed.rawValue, to: .receipt)
        return KeptReceipt(
            signed: signed, path: files.path(of: .receipt), verified: .success(payload))
    }

    /// The kept one if it is verified, else a new one, which replaces it.
    func appTransaction() async throws(StoreError) -> KeptAppTransaction {
        if let text = try files.read(.appTransaction),
            let payload = try? await verifier.verify(SignedAppTransaction(text))
        {
            return KeptAppTransaction(
                signed: SignedAppTransaction(text), path: files.path(of: .appTransaction),
                verified: .success(payload))
        }
        return try await refreshAppTransaction()
    }

    /// - Throws: `verificationFailed`, and errors of store and disk. The old one then stays.
    func refreshAppTransaction() async throws(StoreError) -> KeptAppTransaction {
        let signed = try await store.appTransaction()
        let payload: AppTransactionPayload
        do throws(VerificationError) { payload = try await verifier.verify(signed) } catch {
            throw StoreError(
                .verificationFailed, subject: "app transaction", found: error.rawValue)
        }
        try files.write(signed.rawValue, to: .appTransaction)
        return KeptAppTransaction(
            signed: signed, path: files.path(of: .appTransaction), verified: .success(payload))
    }

    private func verified<Payload>(
        _ verify: () async throws(VerificationError) -> Payload
    ) async -> Result<Payload, VerificationError> {
        do throws(VerificationError) { return .success(try await verify()) } catch {
            return .failure(error)
        }
    }

    // MARK: After changes

    /// Returns at once. The receipt is written after `DeviceLimits.backgroundPause` and includes
    /// all changes until then.
    func purchasesChanged() {
        background.schedule { [weak self] in _ = try? await self?.refresh(ReceiptOptions()) }
    }

    /// Returns when that has succeeded or failed.
    func writeNow() async { await background.runNow() }
}
