import Crypto
package import Foundation
package import StoreModel

/// A verified transaction. Only `TransactionVerifier` can make one, so code that holds one need not
/// verify again. Only this may unlock anything.
package struct Transaction: Sendable, Hashable {
    /// The verified payload.
    package let payload: TransactionPayload
    /// The text it was read from, for storing or sending on.
    package let signed: SignedTransaction

    fileprivate init(payload: TransactionPayload, signed: SignedTransaction) {
        self.payload = payload
        self.signed = signed
    }
}

/// Verifies signed transactions of one store, for one app in one environment.
///
/// A text is verified if it is ES256 with exactly three certificates (RFC 7515), the third is byte
/// for byte the pinned root, the chain was valid at the signed date (RFC 5280) with the markers of
/// receipt signing, the leaf's key made the signature, and the payload is complete and names this
/// app and this environment. The checks run in this order and the first that fails is reported,
/// whether or not the chain was verified before. Only a part that cannot be decoded is reported
/// earlier, and a missing `signedDate`, without which the chain cannot be checked.
///
/// Copies share the chains they have verified. Safe from any task.
package struct TransactionVerifier: Sendable {
    private let chains: ChainVerifier
    private let knownChains = KnownChains()
    private let bundleID: String
    private let environment: StoreEnvironment

    /// Throws `keysUnreadable` unless `rootCertificate` is a certificate, DER.
    package init(
        rootCertificate: Data, bundleID: String, environment: StoreEnvironment
    ) throws(StoreError) {
        do {
            chains = try ChainVerifier(rootDER: Array(rootCertificate))
        } catch {
            throw StoreError(.keysUnreadable, subject: "root certificate", cause: "\(error)")
        }
        self.bundleID = bundleID
        self.environment = environment
    }

    /// Verifies a signed transaction. The first text with a new header includes verifying its
    /// chain; later ones cost little more than one signature check. An unverified result carries
    /// the payload as claimed, if it could be decoded.
    package func verify(
        _ signed: SignedTransaction
    ) async -> VerificationResult<Transaction> {
        do {
            let opened = try OpenedTransaction(signed)
            if let chain = knownChain(of: opened) { return verifyUncached(opened, chain) }
            do {
                return .verified(try await verifyWithNewChain(opened))
            } catch {
                return .unverified(opened.contents.payload, error)
            }
        } catch {
            return .unverified(nil, error)
        }
    }

    /// Whether `verify` would find the text's chain among those verified before. It tells what the
    /// call costs, not its result.
    package func knowsChain(of signed: SignedTransaction) -> Bool {
        guard let opened = try? OpenedTransaction(signed) else { return false }
        return knownChain(of: opened) != nil
    }

    /// The payload a text claims, for display and logs; nil if it cannot be decoded. Nothing is
    /// verified.
    package static func unverifiedPayload(of signed: SignedTransaction) -> TransactionPayload? {
        let text = signed.rawValue.utf8Span.span
        guard let parts = CompactJWS(text),
            let payload = Base64URL.decode(text.extracting(parts.payload))
        else { return nil }
        return PayloadContents(payload)?.payload
    }

    private func knownChain(of opened: OpenedTransaction) -> TrustedChain? {
        knownChains.chain(for: opened.signed.rawValue.utf8Span.span.extracting(opened.parts.header))
    }

    private func verifyUncached(
        _ opened: OpenedTransaction, _ chain: TrustedChain
    ) -> VerificationResult<Transaction> {
        do {
            try checkSignature(of: opened, chain)
            return .verified(try checkContents(of: opened))
        } catch {
            return .unverified(opened.contents.payload, error)
        }
    }

    private func verifyWithNewChain(
        _ opened: OpenedTransaction
    ) async throws(VerificationError) -> Transaction {
        let header = Array(opened.signed.rawValue.utf8.prefix(opened.parts.header.upperBound))
        guard let date = opened.contents.signedDate else { throw .missingRequiredProperties }
        let chain = try await chains.trustedChain(header: header, at: date)
        try checkSignature(of: opened, chain)
        // Remembered only after the signature check: otherwise anybody could send texts with varied
        // headers that push the good chains out.
        knownChains.remember(chain)
        return try checkContents(of: opened)
    }

    private func checkSignature(
        of opened: OpenedTransaction, _ chain: TrustedChain
    ) throws(VerificationError) {
        guard let date = opened.contents.signedDate else { throw .missingRequiredProperties }
        guard chain.isValid(at: date) else { throw .invalidCertificateChain }

        var hash = chain.headerHash
        opened.signed.rawValue.utf8Span.span.extracting(opened.parts.payload)
            .withUnsafeBytes { hash.update(bufferPointer: $0) }
        guard
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: opened.signature),
            chain.leafKey.isValidSignature(signature, for: hash.finalize())
        else { throw .invalidSignature }
    }

    private func checkContents(
        of opened: OpenedTransaction
    ) throws(VerificationError) -> Transaction {
        guard let payload = opened.contents.payload else { throw .missingRequiredProperties }
        guard payload.bundleId == bundleID else { throw .wrongApp }
        guard payload.environment == environment else { throw .wrongEnvironment }
        return Transaction(payload: payload, signed: opened.signed)
    }
}
