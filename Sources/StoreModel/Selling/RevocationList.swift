/// The store's list of revoked certificates as text: a compact JWS (RFC 7515) of the store's chain.
/// Untrusted until a verifier has verified it.
package struct SignedRevocationList: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// The payload of a list of revoked certificates. Untrusted: the type does not prove a signature.
package struct RevocationListPayload: Codable, Hashable, Sendable {
    /// The serial numbers of the revoked certificates (RFC 5280 §4.1.2.2): upper-case hexadecimal
    /// digits, two for each byte, as `openssl x509 -serial` prints them.
    package var revokedSerials: [String]
    /// When the list was signed. A device never replaces a list by an older one.
    package var signedDate: Timestamp

    package init(revokedSerials: [String], signedDate: Timestamp) {
        self.revokedSerials = revokedSerials
        self.signedDate = signedDate
    }
}
