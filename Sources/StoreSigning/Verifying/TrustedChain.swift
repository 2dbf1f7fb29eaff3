import Crypto
import StoreModel

/// A verified chain: all that is needed to verify the next text with the same header.
final class TrustedChain: Sendable {
    /// As encoded, base64url. Equal bytes mean equal certificates.
    let header: [UInt8]
    /// After the encoded header and the dot, with which the signed bytes of every such text begin.
    let headerHash: SHA256
    let leafKey: P256.Signing.PublicKey
    /// Of leaf and intermediate.
    let serials: [CertificateSerial]
    private let validity: ValidityWindow

    init(
        header: [UInt8], leafKey: P256.Signing.PublicKey, serials: [CertificateSerial],
        validity: ValidityWindow
    ) {
        self.header = header
        self.leafKey = leafKey
        self.serials = serials
        self.validity = validity
        var hash = SHA256()
        hash.update(data: header)
        hash.update(data: [UInt8(ascii: ".")])
        headerHash = hash
    }

    func isValid(at date: Timestamp) -> Bool { validity.contains(date) }
}
