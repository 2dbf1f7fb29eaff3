import Crypto
import StoreModel

/// A chain that was found good: all that is needed to believe the next text with the same header.
final class TrustedChain: Sendable {
    /// The header's text, base64url. Equal bytes are equal certificates.
    let header: [UInt8]
    /// The hash of the header's text and the dot after it, with which every signed text begins.
    let headerHash: SHA256
    let leafKey: P256.Signing.PublicKey
    private let validity: ValidityWindow

    init(header: [UInt8], leafKey: P256.Signing.PublicKey, validity: ValidityWindow) {
        self.header = header
        self.leafKey = leafKey
        self.validity = validity
        var hash = SHA256()
        hash.update(data: header)
        hash.update(data: [UInt8(ascii: ".")])
        headerHash = hash
    }

    /// Whether all three certificates were valid then.
    func isValid(at date: Timestamp) -> Bool { validity.contains(date) }
}
