/// A value with the judgement on its signature (StoreKit: `VerificationResult`). The unverified
/// case carries what was claimed, for showing and logging only.
package enum VerificationResult<Value: Sendable>: Sendable {
    case verified(Value)
    case unverified(TransactionPayload?, VerificationError)
}

extension VerificationResult: Equatable where Value: Equatable {}
extension VerificationResult: Hashable where Value: Hashable {}

/// Why a signature was not believed (StoreKit: `VerificationResult.VerificationError`, with the
/// step that failed kept apart).
package enum VerificationError: String, Error, Codable, Sendable, CaseIterable {
    /// Not three base64url parts of the expected JSON.
    case invalidEncoding
    /// Another algorithm than ES256, or no certificates.
    case unsupportedAlgorithm
    /// The chain is not exactly leaf, intermediate, root.
    case invalidChainLength
    /// The chain does not end in the pinned root, misses a purpose, or was not valid on that day.
    case invalidCertificateChain
    case invalidSignature
    /// Signed, but for another app.
    case wrongApp
    /// Signed, but for another environment.
    case wrongEnvironment
    case missingRequiredProperties
}
