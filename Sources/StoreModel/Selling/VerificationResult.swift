/// A value with the result of verifying its signature (StoreKit: `VerificationResult`).
package enum VerificationResult<Value: Sendable>: Sendable {
    /// Signature, certificates and contents were checked.
    case verified(Value)
    /// A check failed. The payload, if it could be read, holds unproved claims: for display and
    /// logs only.
    case unverified(TransactionPayload?, VerificationError)
}

extension VerificationResult<TransactionPayload> {
    /// Also of an unverified text, if it could be read.
    package var payload: TransactionPayload? {
        switch self {
        case .verified(let payload): payload
        case .unverified(let claimed, _): claimed
        }
    }

    package var error: VerificationError? {
        if case .unverified(_, let error) = self { error } else { nil }
    }
}

extension VerificationResult: Equatable where Value: Equatable {}
extension VerificationResult: Hashable where Value: Hashable {}

/// The first check that a signed text failed. The first six are StoreKit's own
/// (`VerificationResult.VerificationError`). The last two are this store's: StoreKit never shows an
/// app the texts of another app or environment.
package enum VerificationError: String, Error, Codable, Sendable, CaseIterable {
    /// The leaf or the intermediate certificate is on the store's list of revoked certificates.
    case revokedCertificate
    /// The header does not have exactly three certificates, or they do not end in the pinned root,
    /// lack a required purpose, or were not valid at the signed date.
    case invalidCertificateChain
    /// Correctly signed, but for another device.
    case invalidDeviceVerification
    /// Not three base64url parts, a header or payload that is not the expected JSON, or a header
    /// that marks a member as critical.
    case invalidEncoding
    /// The leaf certificate's key did not make the signature, or the header names another algorithm
    /// than ES256.
    case invalidSignature
    /// Missing or malformed in the payload.
    case missingRequiredProperties
    /// Correctly signed, but for another app. Not of StoreKit.
    case wrongApp
    /// Correctly signed, but for another environment. Not of StoreKit.
    case wrongEnvironment
}
