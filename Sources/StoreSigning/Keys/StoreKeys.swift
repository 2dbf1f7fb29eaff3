import Crypto
package import Foundation
package import StoreModel
import SwiftASN1
import X509

/// A private key with the certificates of its public key.
struct SigningChain: Sendable {
    let leafKey: P256.Signing.PrivateKey
    /// DER, in the order of `x5c` (RFC 7515 §4.1.6): leaf, intermediate, root.
    let certificates: [[UInt8]]
    /// Why nothing is signed with the key; nil for a store's own.
    var refusal: StoreError?

    /// The `kid` of the header (RFC 7515 §4.1.4), derived from the leaf's public key: ten
    /// characters, like App Store key identifiers.
    var keyID: String {
        SHA256.hash(data: leafKey.publicKey.x963Representation).prefix(5)
            .map { byte in
                let digits = String(byte, radix: 16, uppercase: true)
                return byte < 16 ? "0" + digits : digits
            }
            .joined()
    }

    var leafSerial: CertificateSerial? {
        certificates.first.flatMap { try? Certificate(derEncoded: $0) }
            .map { CertificateSerial($0.serialNumber) }
    }
}

/// The keys a store signs with: the private key of its leaf certificate, and the chain of leaf,
/// intermediate and root. Made once per store; a device pins the root.
///
/// A store also has a second leaf that is revoked from the start: texts that it signs must fail
/// verification with `revokedCertificate` (`TransactionSigner.sign(_:broken:)`).
package struct StoreKeys: Sendable {
    let signing: SigningChain
    let revoked: SigningChain

    /// In memory only: for stores in memory and for tests. Keys that must outlive the process come
    /// from `open(folder:)`. Throws `systemError`.
    package static func generate() throws(StoreError) -> StoreKeys {
        do {
            let made = try CertificateIssuer.make()
            let issuers = try [made.intermediate, made.root].map(der)
            return StoreKeys(
                signing: SigningChain(
                    leafKey: made.leafKey, certificates: [try der(made.leaf)] + issuers),
                revoked: SigningChain(
                    leafKey: made.revokedLeafKey,
                    certificates: [try der(made.revokedLeaf)] + issuers))
        } catch {
            throw StoreError(.systemError, subject: "signing keys", cause: "\(error)")
        }
    }

    /// A device pins it, and the operator of a backend installs it there to verify transactions.
    package var rootCertificateDER: Data { Data(signing.certificates[2]) }

    /// Signed with the store's unrevoked chain. It has the serial number of the revoked leaf.
    /// Throws `systemError` if the key cannot sign.
    package func revocationList(at date: Timestamp) throws(StoreError) -> SignedRevocationList {
        let serials = revoked.leafSerial.map { [$0.text] } ?? []
        return try TransactionSigner(keys: self).sign(
            RevocationListPayload(revokedSerials: serials, signedDate: date))
    }

    /// Of a store whose server is away: only the root certificate is the store's. Whatever is to be
    /// signed throws the error.
    package static func away(
        rootCertificate: Data, throwing error: StoreError
    ) -> StoreKeys {
        let chain = SigningChain(
            leafKey: P256.Signing.PrivateKey(), certificates: [[], [], [UInt8](rootCertificate)],
            refusal: error)
        return StoreKeys(signing: chain, revoked: chain)
    }

    static func pem(_ der: [UInt8]) -> String {
        PEMDocument(type: "CERTIFICATE", derBytes: der).pemString + "\n"
    }

    /// RFC 7468, ending in a newline.
    package static func pem(certificate der: Data) -> String { pem([UInt8](der)) }

    private static func der(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
