import Crypto
package import Foundation
package import StoreModel
import SwiftASN1
import X509

/// The keys a store signs with: the private key of its leaf certificate, and the chain of leaf,
/// intermediate and root. Made once per store; a device pins the root.
package struct StoreKeys: Sendable {
    let leafKey: P256.Signing.PrivateKey
    /// DER, in the order of `x5c` (RFC 7515 §4.1.6): leaf, intermediate, root.
    let chain: [[UInt8]]

    /// New keys, in memory only: for stores in memory and for tests. Keys that must outlive the
    /// process come from `open(folder:)`. Throws `systemError`.
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

    /// The root certificate, DER: a device pins it, and a backend that verifies transactions is
    /// given it to trust.
    package var rootCertificateDER: Data { Data(chain[2]) }

    /// The `kid` of the header (RFC 7515 §4.1.4), derived from the leaf's public key. Ten
    /// characters, like App Store key identifiers.
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
