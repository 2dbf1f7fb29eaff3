/// A value with the result of verifying its signature (StoreKit: `VerificationResult`).
package enum VerificationResult<Value: Sendable>: Sendable {
    /// Signature, certificates and contents were checked.
    case verified(Value)
    /// A check failed. The payload is what the text claims, if it could be read: for display and
    /// logs only.
    case unverified(TransactionPayload?, VerificationError)
}

extension VerificationResult: Equatable where Value: Equatable {}
extension VerificationResult: Hashable where Value: Hashable {}

/// Why a signed text was not verified (StoreKit: `VerificationResult.VerificationError`, with more
/// detail). Stored as the raw value.
package enum VerificationError: String, Error, Codable, Sendable, CaseIterable {
    /// Not three base64url parts, or a header or payload that is not the expected JSON.
    case invalidEncoding
    /// Another algorithm than ES256, no certificates, or a header that marks a member as critical.
    case unsupportedAlgorithm
    /// The header does not have exactly three certificates.
    case invalidChainLength
    /// The chain does not end in the pinned root, lacks a required purpose, or was not valid at the
    /// signed date.
    case invalidCertificateChain
    /// The leaf certificate's key did not make the signature.
    case invalidSignature
    /// Correctly signed, but for another app.
    case wrongApp
    /// Correctly signed, but for another environment.
    case wrongEnvironment
    /// A required property of the payload is missing or malformed.
    case missingRequiredProperties
}
