import Crypto
package import Foundation
package import StoreModel

/// A sale that the store itself vouches for. `TransactionVerifier` is its only maker, so whoever
/// holds one need not ask again: this alone may unlock anything.
package struct Transaction: Sendable, Hashable {
    package let payload: TransactionPayload
    /// The text it was read from, to keep or to send on.
    package let signed: SignedTransaction

    fileprivate init(payload: TransactionPayload, signed: SignedTransaction) {
        self.payload = payload
        self.signed = signed
    }
}

/// Tells the signed transactions of one store, for one app in one environment, from all others.
///
/// A text is believed when it is ES256 with exactly three certificates (RFC 7515), the third is
/// byte for byte the pinned root, the chain was valid on the day of signing (RFC 5280) with the
/// markers of receipt signing, the leaf's key made the signature, and the payload is whole and
/// names this app and this environment. The checks go in this order and the first that fails is
/// the one reported, whether or not the chain was seen before.
///
/// Copies share what they know about chains; safe from any task.
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

    /// The judgement on a signed transaction. The first text with a new header costs the check of
    /// its chain; after that a text costs little more than its signature. An unverified result
    /// carries the payload as claimed, where it could be read.
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

    /// Whether the next judgement on this text finds its chain good already, from an earlier one:
    /// says what a judgement will cost, nothing of its outcome.
    package func knowsChain(of signed: SignedTransaction) -> Bool {
        guard let opened = try? OpenedTransaction(signed) else { return false }
        return knownChain(of: opened) != nil
    }

    /// What a text claims, for showing and logging; nil where it cannot be read. Proves nothing.
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
        // Only now: a header nobody signed could be varied at will, to push out the good ones.
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
