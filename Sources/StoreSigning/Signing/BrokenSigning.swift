import Foundation
package import StoreModel

extension TransactionSigner {
    /// Signs a payload so that verification on the device it is for fails with this reason. Every
    /// other check of the text would succeed.
    ///
    /// Only a verifier that knows its device reports `invalidDeviceVerification`, and only one that
    /// has the store's present list of revoked certificates reports `revokedCertificate`.
    ///
    /// - Throws: `systemError` if a key cannot sign.
    package func sign(
        _ payload: TransactionPayload, broken reason: VerificationError
    ) throws(StoreError) -> SignedTransaction {
        var other = payload
        switch reason {
        case .revokedCertificate, .invalidCertificateChain:
            return try sign(payload, withChainOf: reason)
        case .invalidDeviceVerification:
            let nonce = payload.deviceVerificationNonce ?? UUID()
            other.deviceVerificationNonce = nonce
            other.deviceVerification = DeviceVerification.ofNoDevice.text(nonce: nonce)
        case .invalidEncoding:
            // The text ends before its signature, without the second dot.
            let text = try sign(payload).rawValue
            return SignedTransaction(
                text.split(separator: ".").prefix(2).joined(separator: "."))
        case .invalidSignature: return try Self.flippingSignature(of: try sign(payload))
        case .missingRequiredProperties: return try sign(payload, without: "productId")
        case .wrongApp: other.bundleId += ".other"
        case .wrongEnvironment:
            other.environment = payload.environment == .production ? .sandbox : .production
        }
        return try sign(other)
    }

    /// Signs a payload as it is, with the revoked certificates, or those of another store, if the
    /// reason is one of certificates.
    package func sign<Payload: SignedPayload>(
        _ payload: Payload, withChainOf reason: VerificationError?
    ) throws(StoreError) -> Signed<Payload> {
        switch reason {
        case .revokedCertificate: Signed(try JWSSigner(keys.revoked).sign(payload))
        case .invalidCertificateChain:
            Signed(try JWSSigner(try StoreKeys.generate().signing).sign(payload))
        default: try sign(payload)
        }
    }

    func sign(bytes: [UInt8]) throws(StoreError) -> SignedTransaction {
        SignedTransaction(try JWSSigner(keys.signing).sign(bytes: bytes))
    }

    func sign(
        _ payload: TransactionPayload, without member: String
    ) throws(StoreError) -> SignedTransaction {
        let whole = Data(try payload.jsonBytes())
        var members = (try? JSONSerialization.jsonObject(with: whole)) as? [String: Any] ?? [:]
        members[member] = nil
        let left = try? JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        return try sign(bytes: Array(left ?? Data("{}".utf8)))
    }

    /// One bit of it.
    private static func flippingSignature(
        of signed: SignedTransaction
    ) throws(StoreError) -> SignedTransaction {
        let text = Array(signed.rawValue.utf8)
        guard let parts = CompactJWS(text.span),
            var signature = Base64URL.decode(text.span.extracting(parts.signature)),
            !signature.isEmpty
        else { throw StoreError(.systemError, subject: "signature") }
        signature[signature.count - 1] ^= 1
        let start = String(decoding: text[..<parts.signature.lowerBound], as: UTF8.self)
        return SignedTransaction(start + Base64URL.encode(signature.span))
    }
}
