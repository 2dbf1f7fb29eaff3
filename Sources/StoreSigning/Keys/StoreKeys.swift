import Crypto
package import Foundation
package import StoreModel
import SwiftASN1
import X509

/// What a store signs with: the private key of its leaf certificate and the chain that vouches for
/// it, root, intermediate, leaf. Made once per store; a device pins the root.
package struct StoreKeys: Sendable {
    let leafKey: P256.Signing.PrivateKey
    /// DER, in the order of `x5c` (RFC 7515 §4.1.6): leaf, intermediate, root.
    let chain: [[UInt8]]

    /// New keys that live as long as this value. For stores in memory and for tests; keys that
    /// must outlive the process come from `open(folder:)`. Throws `systemError`.
    package static func generate() throws(StoreError) -> StoreKeys {
        do {
            let chain = try CertificateIssuer.make()
            return StoreKeys(
                leafKey: chain.leafKey,
                chain: try [chain.leaf, chain.intermediate, chain.root].map(der))
        } catch {
            throw StoreError(.systemError, subject: "signing keys", cause: "\(error)")
        }
    }

    /// The certificate that anchors every signature, DER: what a device pins, and what a backend is
    /// given to trust.
    package var rootCertificateDER: Data { Data(chain[2]) }

    /// Names the leaf key in the header of what it signs (RFC 7515 §4.1.4). Ten characters, as
    /// App Store key identifiers have.
    var keyID: String {
        SHA256.hash(data: leafKey.publicKey.x963Representation).prefix(5)
            .map { byte in
                let digits = String(byte, radix: 16, uppercase: true)
                return byte < 16 ? "0" + digits : digits
            }
            .joined()
    }

    static func pem(_ der: [UInt8]) -> String {
        PEMDocument(type: "CERTIFICATE", derBytes: der).pemString + "\n"
    }

    /// A certificate as PEM text (RFC 7468), ending in a newline.
    package static func pem(certificate der: Data) -> String { pem([UInt8](der)) }

    private static func der(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
