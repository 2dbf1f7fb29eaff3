/// Why a token of the App Store Server API is refused. The client is told nothing but the status 401, as
/// in the field; the server's own side tells its developer.
package enum TokenRefusal: String, Codable, CaseIterable, Sendable {
    /// The request has none.
    case missing
    /// It is no JWT that is signed with ES256.
    case malformed
    /// This store does not have the key that it names.
    case unknownKey
    case revokedKey
    case otherIssuer
    /// It is of another app.
    case otherBundle
    case otherAudience
    case expired
    /// Its end is too far away.
    case tooLong
    case notYetValid
    /// The key that it names has not signed it.
    case badSignature
}
