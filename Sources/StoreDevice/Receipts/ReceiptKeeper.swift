import StoreModel

/// Keeps the receipt of a device as a file. After a change it is fetched and written in the
/// background, never by the one who made the change: many changes at once cost one receipt. A
/// receipt that cannot be fetched or written is tried again after the next change or launch. Safe
/// from any task.
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

    /// The receipt in the folder, verified now; nil if there is none. Throws `deviceUnreadable`.
    func stored() async throws(StoreError) -> KeptReceipt? {
        guard let text = try files.read(.receipt) else { return nil }
        let signed = SignedReceipt(text)
        return KeptReceipt(
            signed: signed, path: files.path(of: .receipt),
            verified: await verified { () throws(VerificationError) in
                try await verifier.verify(signed)
            })
    }

    /// Fetches a receipt and replaces the one in the folder.
    ///
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

    /// The app transaction in the folder if it is verified, else a new one, which replaces it.
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

    /// Fetches an app transaction and replaces the one in the folder.
    ///
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

    /// Says that the account's purchases have changed. Returns at once; the receipt is written after
    /// `DeviceLimits.backgroundPause`, with all that changes until then.
    func purchasesChanged() {
        background.schedule { [weak self] in _ = try? await self?.refresh(ReceiptOptions()) }
    }

    /// Writes a receipt that is due now, and returns when it is written or has failed.
    func writeNow() async { await background.runNow() }
}
