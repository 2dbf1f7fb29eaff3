package import StoreModel
@testable package import StoreSigning

/// A way in which a signed transaction is broken. Every other check of the text would succeed.
package enum BrokenText: CaseIterable, Sendable {
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
}

extension TransactionSigner {
    package func sign(
        _ payload: TransactionPayload, broken way: BrokenText
    ) throws(StoreError) -> SignedTransaction {
        switch way {
        case .borrowedRoot:
            let other = try StoreKeys.generate().signing
            let chain = SigningChain(
                leafKey: other.leafKey,
                certificates: other.certificates.dropLast() + [keys.signing.certificates[2]])
            return SignedTransaction(try JWSSigner(chain).sign(payload))
        case .noDevice:
            var other = payload
            other.deviceVerification = nil
            other.deviceVerificationNonce = nil
            return try sign(other)
        case .otherAlphabet:
            let text = try sign(payload).rawValue
            return SignedTransaction(text.dropLast() + "*")
        case .payloadNotJSON: return try sign(bytes: Array("not JSON".utf8))
        case .otherKey:
            let chain = SigningChain(
                leafKey: try StoreKeys.generate().signing.leafKey,
                certificates: keys.signing.certificates)
            return SignedTransaction(try JWSSigner(chain).sign(payload))
        case .noTransactionNumber: return try sign(payload, without: "transactionId")
        case .revokedLeaf, .otherRoot, .otherDevice, .twoParts, .flippedSignature, .noProduct,
            .otherApp, .otherEnvironment:
            return try sign(payload, broken: way.reason)
        }
    }
}
