import Basics
import Crypto
package import Foundation
package import StoreModel
import Synchronization

/// The private keys that sign promotional offers, as the app's own server would have them. They are
/// kept apart from all other data of a store: in memory, in a separate folder with one file for each
/// key (0600), or in a table of a database, and never in the ledger, an export or an output. Safe
/// from any task.
package final class OfferKeys: Sendable {
    private let known = Mutex<[String: P256.Signing.PrivateKey]>([:])
    /// Nil for keys in memory only.
    private let storage: (any OfferKeyStorage)?

    /// In memory only, lost when the process ends.
    package init() { storage = nil }

    package init(in storage: some OfferKeyStorage) { self.storage = storage }

    /// The folder is created with the first key.
    package convenience init(folder: URL) {
        self.init(in: OfferKeyFolder(path: folder.path(percentEncoded: false)))
    }

    /// Replaces a key with the same identifier.
    /// - Parameters:
    ///   - id: letters, digits and hyphens, 64 at most.
    ///   - pem: the private key, P-256, PEM.
    /// - Throws: `keysUnreadable` for a text that is no such key, without showing it; errors of
    ///   writing the file.
    package func add(id: String, pem: String) async throws(StoreError) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else {
            throw StoreError(.keysUnreadable, subject: id, cause: "not a P-256 private key")
        }
        if let storage, try await storage.read(id) != key.pemRepresentation + "\n" {
            try await storage.write(key.pemRepresentation + "\n", as: id)
        }
        known.withLock { $0[id] = key }
    }

    /// The identifier of the key that signs if the caller names none: in a store that stays the key
    /// written last, in memory the first identifier in order. Makes a key if there is none. Throws as
    /// `add`.
    package func standard() async throws(StoreError) -> String {
        if let id = try await storage?.latest() { return id }
        if storage == nil, let id = known.withLock({ $0.keys.min() }) { return id }
        let key = P256.Signing.PrivateKey()
        let id = SigningChain(leafKey: key, certificates: []).keyID
        try await add(id: id, pem: key.pemRepresentation)
        return id
    }

    /// Signs an offer for one purchase.
    ///
    /// - Parameters:
    ///   - nonce: makes the signature good for one payment.
    ///   - isJWS: whether to sign a JWS; otherwise the form `OfferSignature.parameters`.
    ///   - keyID: the key; nil for the key of `standard`.
    /// - Throws: `keysUnreadable` for a key that the store does not have, and as `standard`.
    package func sign(
        _ claim: OfferClaim, nonce: UUID, at now: Timestamp, isJWS: Bool = false,
        keyID: String? = nil
    ) async throws(StoreError) -> OfferSignature {
        let id = if let keyID { keyID } else { try await standard() }
        guard let key = try await key(id) else {
            throw StoreError(.keysUnreadable, subject: id, cause: "no such key")
        }
        do {
            guard isJWS else {
                let bytes = claim.signedBytes(keyID: id, nonce: nonce, timestamp: now)
                return .parameters(
                    keyID: id, nonce: nonce, timestamp: now,
                    signature: try key.signature(for: bytes).derRepresentation)
            }
            return .jws(
                try OfferJWS(claim, nonce: nonce, issuedAt: now).signed(by: key, keyID: id))
        } catch {
            throw StoreError(.systemError, subject: "offer", cause: "\(error)")
        }
    }

    /// Signs the app's statement on an introductory offer with the key of `standard`.
    ///
    /// - Parameter isAllowed: whether the customer gets the offer.
    /// - Throws: as `sign`.
    package func signEligibility(
        _ claim: EligibilityClaim, isAllowed: Bool, nonce: UUID, at now: Timestamp
    ) async throws(StoreError) -> String {
        let id = try await standard()
        guard let key = try await key(id) else {
            throw StoreError(.keysUnreadable, subject: id, cause: "no such key")
        }
        do {
            return try OfferJWS(claim, isAllowed: isAllowed, nonce: nonce, issuedAt: now)
                .signed(by: key, keyID: id)
        } catch {
            throw StoreError(.systemError, subject: "offer", cause: "\(error)")
        }
    }

    /// Verifies that a key of the store has signed the app's statement on an introductory offer for
    /// this purchase.
    ///
    /// - Throws: errors of reading a key.
    package func verifyEligibility(
        _ text: String, of claim: EligibilityClaim
    ) async throws(StoreError) -> EligibilityProof {
        guard let jws = OfferJWS.Signed(text) else { return .refused(.unreadable) }
        guard let key = try await key(jws.keyID)?.publicKey else { return .refused(.unknownKey) }
        guard jws.isSigned(by: key) else { return .refused(.forged) }
        guard jws.claims.isBound(to: claim), let isAllowed = jws.claims.allowIntroductoryOffer
        else { return .refused(.signedForOther) }
        return .good(
            isAllowed: isAllowed, nonce: jws.claims.nonce,
            signedAt: Timestamp(milliseconds: jws.claims.iat.multipliedClamped(by: 1000)))
    }

    /// Verifies that a key of the store has signed this claim.
    ///
    /// - Throws: errors of reading a key.
    package func verify(
        _ signature: OfferSignature, of claim: OfferClaim
    ) async throws(StoreError) -> OfferProof {
        switch signature {
        case .jws(let text):
            guard let jws = OfferJWS.Signed(text) else { return .refused(.unreadable) }
            guard let key = try await key(jws.keyID)?.publicKey else {
                return .refused(.unknownKey)
            }
            guard jws.isSigned(by: key) else { return .refused(.forged) }
            guard jws.claims.isBound(to: claim) else { return .refused(.signedForOther) }
            return .good(
                nonce: jws.claims.nonce,
                signedAt: Timestamp(milliseconds: jws.claims.iat.multipliedClamped(by: 1000)))
        case .parameters(let keyID, let nonce, let timestamp, let bytes):
            guard let key = try await key(keyID)?.publicKey else { return .refused(.unknownKey) }
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes) else {
                return .refused(.unreadable)
            }
            let signed = claim.signedBytes(keyID: keyID, nonce: nonce, timestamp: timestamp)
            guard key.isValidSignature(signature, for: signed) else { return .refused(.forged) }
            return .good(nonce: nonce, signedAt: timestamp)
        }
    }

    /// The key with an identifier, also if another process wrote it; nil if there is none.
    private func key(_ id: String) async throws(StoreError) -> P256.Signing.PrivateKey? {
        if let key = known.withLock({ $0[id] }) { return key }
        guard let storage, let pem = try await storage.read(id) else { return nil }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else {
            throw StoreError(
                .keysUnreadable, subject: storage.path(of: id), cause: "not a P-256 private key")
        }
        known.withLock { $0[id] = key }
        return key
    }
}
