import Crypto
package import Foundation
package import StoreModel

/// A verified transaction. Only `TransactionVerifier` can make one, so code that holds one need not
/// verify again. Only a value of this type may unlock anything.
package struct Transaction: Sendable, Hashable {
    package let payload: TransactionPayload
    /// For storing or sending on.
    package let signed: SignedTransaction

    fileprivate init(payload: TransactionPayload, signed: SignedTransaction) {
        self.payload = payload
        self.signed = signed
    }
}

/// Verifies the signed texts of one store, for one app in one environment: transactions, receipts,
/// app transactions and lists of revoked certificates.
///
/// A text is verified if it is ES256 with exactly three certificates (RFC 7515), the third is byte
/// for byte the pinned root, none is revoked, the chain was valid at the signed date (RFC 5280)
/// with the markers of receipt signing, the leaf's key made the signature, and the payload is
/// complete and names this app, this environment and, where the verifier is told one, this device.
/// The checks run in this order and the first that fails is reported, whether or not the chain was
/// verified before. Two failures are reported earlier: a part that cannot be decoded, and a missing
/// signed date, without which the chain cannot be checked.
///
/// Copies share the chains they have verified and the list of revoked certificates. Safe from any
/// task.
package struct TransactionVerifier: Sendable {
    private let chains: ChainVerifier
    private let knownChains = KnownChains()
    private let revoked = RevokedCertificates()
    private let bundleID: String?
    private let environment: StoreEnvironment?
    private let device: DeviceVerification?

    /// Throws `keysUnreadable` unless `rootCertificate` is a certificate, DER.
    ///
    /// - Parameters:
    ///   - bundleID: nil accepts every app.
    ///   - environment: nil accepts every environment.
    ///   - device: nil accepts every device.
    package init(
        rootCertificate: Data, bundleID: String?, environment: StoreEnvironment?,
        device: DeviceVerification? = nil
    ) throws(StoreError) {
        do {
            chains = try ChainVerifier(rootDER: Array(rootCertificate))
        } catch {
            throw StoreError(.keysUnreadable, subject: "root certificate", cause: "\(error)")
        }
        self.bundleID = bundleID
        self.environment = environment
        self.device = device
    }

    /// The first text with a new header includes verifying its chain; later ones cost little more
    /// than one signature check. An unverified result carries the payload as claimed, if it could
    /// be decoded.
    ///
    /// - Parameter allowingNoDevice: accepts a text that was signed for the operator and so names
    ///   no device. False for a text that is to be delivered.
    package func verify(
        _ signed: SignedTransaction, allowingNoDevice: Bool = false
    ) async -> VerificationResult<Transaction> {
        let opened: OpenedText<TransactionPayload>
        do { opened = try OpenedText(signed.rawValue) } catch { return .unverified(nil, error) }
        do {
            let payload = try await verified(opened, allowingNoDevice: allowingNoDevice)
            return .verified(Transaction(payload: payload, signed: signed))
        } catch {
            return .unverified(opened.contents.payload, error)
        }
    }

    /// The payload of any other signed text, verified as a transaction is. Throws the first check
    /// that failed.
    package func verify<Payload: SignedPayload>(
        _ signed: Signed<Payload>
    ) async throws(VerificationError) -> Payload {
        try await verified(try OpenedText(signed.rawValue))
    }

    /// Refuses the list's certificates from now on. A list that is older than the one in use
    /// changes nothing.
    ///
    /// - Returns: whether it replaced the list in use.
    /// - Throws: the first check that failed.
    package func use(_ list: SignedRevocationList) async throws(VerificationError) -> Bool {
        revoked.replace(by: try await verify(list))
    }

    /// Whether `verify` would find the text's chain among the chains that it has verified. This
    /// predicts what `verify` costs, not its result.
    package func knowsChain<Payload>(of signed: Signed<Payload>) -> Bool {
        let text = signed.rawValue.utf8Span.span
        guard let parts = CompactJWS(text, byteCountMax: CompactJWS.receiptByteCountMax) else {
            return false
        }
        return knownChains.chain(for: text.extracting(parts.header)) != nil
    }

    /// The payload that a text claims, for display and logs; nil if it cannot be decoded. Nothing
    /// is verified.
    package static func unverifiedPayload<Payload: SignedPayload>(
        of signed: Signed<Payload>
    ) -> Payload? {
        let text = signed.rawValue.utf8Span.span
        guard let parts = CompactJWS(text, byteCountMax: Payload.byteCountMax),
            let payload = Base64URL.decode(text.extracting(parts.payload))
        else { return nil }
        return PayloadContents<Payload>(payload)?.payload
    }

    /// As `unverifiedPayload`, also of a text without a signature, and of a payload without a product,
    /// whose product is then empty: for an app, which gets what fails a check, too.
    package static func readablePayload<Payload: SignedPayload>(
        of signed: Signed<Payload>
    ) -> Payload? {
        let parts = signed.rawValue.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[1].utf8.count <= Payload.byteCountMax else { return nil }
        let text = Array(parts[1].utf8)
        guard let bytes = Base64URL.decode(text.span) else { return nil }
        if let payload = PayloadContents<Payload>(bytes)?.payload { return payload }
        let object = try? JSONSerialization.jsonObject(with: Data(bytes))
        guard var members = object as? [String: Any], members["productId"] == nil else {
            return nil
        }
        members["productId"] = ""
        guard let whole = try? JSONSerialization.data(withJSONObject: members) else { return nil }
        return PayloadContents<Payload>(Array(whole))?.payload
    }

    // MARK: - Checks

    private func verified<Payload>(
        _ opened: OpenedText<Payload>, allowingNoDevice: Bool = false
    ) async throws(VerificationError) -> Payload {
        if let chain = knownChain(of: opened) {
            guard !revoked.contains(anyOf: chain.serials) else { throw .revokedCertificate }
            try checkSignature(of: opened, chain)
        } else {
            let header = Array(opened.text.utf8.prefix(opened.parts.header.upperBound))
            guard let date = opened.contents.chainDate else { throw .missingRequiredProperties }
            let chain = try await chains.trustedChain(header: header, at: date, revoked: revoked)
            try checkSignature(of: opened, chain)
            // Remembered only after the signature check: otherwise an attacker could send texts
            // with varied headers and so evict the good chains.
            knownChains.remember(chain)
        }
        return try checkContents(of: opened, allowingNoDevice: allowingNoDevice)
    }

    private func knownChain<Payload>(of opened: OpenedText<Payload>) -> TrustedChain? {
        knownChains.chain(for: opened.text.utf8Span.span.extracting(opened.parts.header))
    }

    private func checkSignature<Payload>(
        of opened: OpenedText<Payload>, _ chain: TrustedChain
    ) throws(VerificationError) {
        guard let date = opened.contents.chainDate else { throw .missingRequiredProperties }
        guard chain.isValid(at: date) else { throw .invalidCertificateChain }

        // Of the two signatures (r, s) and (r, n - s) that one key can make of one hash, either is
        // accepted: ES256 demands no smaller s (RFC 7518, 3.4), Apple's texts and those of earlier
        // versions have both, and a verifier that refused one would lose what was bought. A second
        // text gains nothing by it: what was sold is known by its transaction's number and
        // revision, an offer by its nonce, and nothing counts or compares signed texts.
        var hash = chain.headerHash
        opened.text.utf8Span.span.extracting(opened.parts.payload)
            .withUnsafeBytes { hash.update(bufferPointer: $0) }
        guard
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: opened.signature),
            chain.leafKey.isValidSignature(signature, for: hash.finalize())
        else { throw .invalidSignature }
    }

    private func checkContents<Payload>(
        of opened: OpenedText<Payload>, allowingNoDevice: Bool
    ) throws(VerificationError) -> Payload {
        guard let payload = opened.contents.payload else { throw .missingRequiredProperties }
        if let bundleID, let signed = payload.signedBundleID, signed != bundleID {
            throw .wrongApp
        }
        if let environment, let signed = payload.signedEnvironment, signed != environment {
            throw .wrongEnvironment
        }
        if let device, let signed = payload.signedDevice {
            let isOperators = signed.digest == nil && signed.nonce == nil
            guard device.matches(signed) || (isOperators && allowingNoDevice) else {
                throw .invalidDeviceVerification
            }
        }
        return payload
    }
}

extension DeviceVerification {
    fileprivate func matches(_ signed: SignedDevice) -> Bool {
        guard let digest = signed.digest, let nonce = signed.nonce else { return false }
        return digest == text(nonce: nonce)
    }
}
