import Crypto
import Foundation
package import StoreModel

/// A way in which the store breaks a signed transaction on purpose, so that its verification fails.
/// Every other check of the text would succeed.
package enum BrokenText: String, CaseIterable, Sendable {
    /// Signed with the store's revoked leaf (`StoreKeys.revocationList`).
    case revokedLeaf
    /// Signed with the whole chain of another root.
    case otherRoot
    /// Signed with another store's chain, whose third certificate is replaced by this store's root.
    case borrowedRoot
    /// The device verification of another device.
    case otherDevice
    /// No device verification, as in a text for the operator.
    case noDevice
    /// The text ends before its signature, without the second dot.
    case twoParts
    /// A character that is not of base64url.
    case otherAlphabet
    /// A payload that is not JSON, correctly signed.
    case payloadNotJSON
    /// One bit of the signature is flipped.
    case flippedSignature
    case otherKey
    /// No product, correctly signed.
    case noProduct
    /// No transaction number, correctly signed.
    case noTransactionNumber
    /// Another app, correctly signed.
    case otherApp
    /// Another environment, correctly signed.
    case otherEnvironment

    package var reason: VerificationError {
        switch self {
        case .revokedLeaf: .revokedCertificate
        case .otherRoot, .borrowedRoot: .invalidCertificateChain
        case .otherDevice, .noDevice: .invalidDeviceVerification
        case .twoParts, .otherAlphabet, .payloadNotJSON: .invalidEncoding
        case .flippedSignature, .otherKey: .invalidSignature
        case .noProduct, .noTransactionNumber: .missingRequiredProperties
        case .otherApp: .wrongApp
        case .otherEnvironment: .wrongEnvironment
        }
    }

    /// The usual way to break a text so that verification fails for a reason.
    package init(_ reason: VerificationError) {
        self =
            switch reason {
            case .revokedCertificate: .revokedLeaf
            case .invalidCertificateChain: .otherRoot
            case .invalidDeviceVerification: .otherDevice
            case .invalidEncoding: .twoParts
            case .invalidSignature: .flippedSignature
            case .missingRequiredProperties: .noProduct
            case .wrongApp: .otherApp
            case .wrongEnvironment: .otherEnvironment
            }
    }
}

extension TransactionSigner {
    /// Signs a payload so that verification on the device it is for fails with this reason.
    ///
    /// Only a verifier that knows its device reports `invalidDeviceVerification`, and only one that
    /// has the store's present list of revoked certificates reports `revokedCertificate`.
    ///
    /// - Throws: `systemError` if a key cannot sign.
    package func sign(
        _ payload: TransactionPayload, broken reason: VerificationError
    ) throws(StoreError) -> SignedTransaction {
        try sign(payload, broken: BrokenText(reason))
    }

    /// Signs a payload so that it is broken in this way. Throws as `sign(_:broken:)` with a reason
    /// does.
    package func sign(
        _ payload: TransactionPayload, broken way: BrokenText
    ) throws(StoreError) -> SignedTransaction {
        switch way {
        case .revokedLeaf:
            return try sign(payload, with: keys.revoked)
        case .otherRoot:
            return try sign(payload, with: try StoreKeys.generate().signing)
        case .borrowedRoot:
            let other = try StoreKeys.generate().signing
            return try sign(
                payload,
                with: SigningChain(
                    leafKey: other.leafKey,
                    certificates: other.certificates.dropLast() + [keys.signing.certificates[2]]))
        case .otherDevice:
            var other = payload
            let nonce = payload.deviceVerificationNonce ?? UUID()
            other.deviceVerificationNonce = nonce
            other.deviceVerification = DeviceVerification.ofNoDevice.text(nonce: nonce)
            return try sign(other)
        case .noDevice:
            var other = payload
            other.deviceVerification = nil
            other.deviceVerificationNonce = nil
            return try sign(other)
        case .twoParts:
            let text = try sign(payload).rawValue
            return SignedTransaction(
                text.split(separator: ".").prefix(2).joined(separator: "."))
        case .otherAlphabet:
            let text = try sign(payload).rawValue
            return SignedTransaction(text.dropLast() + "*")
        case .payloadNotJSON:
            return try sign(bytes: Array("not JSON".utf8))
        case .flippedSignature:
            return try Self.flippingSignature(of: try sign(payload))
        case .otherKey:
            return try sign(
                payload,
                with: SigningChain(
                    leafKey: P256.Signing.PrivateKey(), certificates: keys.signing.certificates))
        case .noProduct: return try sign(payload, without: "productId")
        case .noTransactionNumber: return try sign(payload, without: "transactionId")
        case .otherApp:
            var other = payload
            other.bundleId += ".other"
            return try sign(other)
        case .otherEnvironment:
            var other = payload
            other.environment = payload.environment == .production ? .sandbox : .production
            return try sign(other)
        }
    }

    private func sign(
        _ payload: TransactionPayload, with chain: SigningChain
    ) throws(StoreError) -> SignedTransaction {
        SignedTransaction(try JWSSigner(chain).sign(payload))
    }

    private func sign(bytes: [UInt8]) throws(StoreError) -> SignedTransaction {
        SignedTransaction(try JWSSigner(keys.signing).sign(bytes: bytes))
    }

    private func sign(
        _ payload: TransactionPayload, without member: String
    ) throws(StoreError) -> SignedTransaction {
        let whole = Data(try payload.jsonBytes())
        var members = (try? JSONSerialization.jsonObject(with: whole)) as? [String: Any] ?? [:]
        members[member] = nil
        let left = try? JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        return try sign(bytes: Array(left ?? Data("{}".utf8)))
    }

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
