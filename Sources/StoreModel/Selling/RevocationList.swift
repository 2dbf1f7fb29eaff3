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
