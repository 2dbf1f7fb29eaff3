import Crypto
package import Foundation
package import StoreModel
import SwiftASN1
import X509

extension StoreKeys {
    /// The keys kept in a folder; made there if it holds none.
    ///
    /// The set is the folder `chain` inside it: `root.pem`, `intermediate.pem`, `leaf.pem` and
    /// `leaf.key`. It appears by one rename of files that are already on disk, so a process killed
    /// before that leaves no set. Making one is done under a lock: of several processes that start
    /// at once one makes it and the others load the same. Only the user may enter the folder (0700)
    /// and read the files (0600).
    ///
    /// A set that cannot be read, or whose parts do not belong together, is never replaced:
    /// everything signed so far, and every device that pinned the root, depends on it.
    ///
    /// Throws `keysUnreadable` for such a set, naming the file; `storeReadOnly`, `storeFull` or
    /// `storeBusy` if none can be made.
    package static func open(folder: URL) throws(StoreError) -> StoreKeys {
        let keyFolder = KeyFolder(path: folder.path(percentEncoded: false))
        if let files = try keyFolder.load() { return try StoreKeys(files, in: keyFolder) }
        let files = try keyFolder.loadOrMake { () throws(StoreError) in try generate().files() }
        return try StoreKeys(files, in: keyFolder)
    }

    private func files() -> KeyFolder.Files {
        [
            .root: Self.pem(chain[2]), .intermediate: Self.pem(chain[1]),
            .leaf: Self.pem(chain[0]), .leafKey: leafKey.pemRepresentation + "\n",
        ]
    }

    /// Reads a set. Each certificate must bear its issuer's signature and the key must be the
    /// leaf's. These two signature checks report a mixed-up set here; otherwise every transaction
    /// it signs would fail verification. What the certificates permit is checked by the verifier
    /// only.
    private init(_ files: KeyFolder.Files, in folder: KeyFolder) throws(StoreError) {
        func certificate(
            _ part: KeyFolder.Part, issuer: CertificateFile? = nil
        ) throws(StoreError) -> CertificateFile {
            try CertificateFile(files[part, default: ""], at: folder.path(of: part), issuer: issuer)
        }
        let root = try certificate(.root)
        let intermediate = try certificate(.intermediate, issuer: root)
        let leaf = try certificate(.leaf, issuer: intermediate)

        let keyPath = folder.path(of: .leafKey)
        do {
            leafKey = try P256.Signing.PrivateKey(pemRepresentation: files[.leafKey, default: ""])
        } catch {
            // The cause must not contain the file's text, which is a secret.
            throw StoreError(.keysUnreadable, subject: keyPath, cause: "not a P-256 private key")
        }
        guard leaf.certificate.publicKey == Certificate.PublicKey(leafKey.publicKey) else {
            throw StoreError(
                .keysUnreadable, subject: keyPath, cause: "not the key of the leaf certificate")
        }
        chain = [leaf.der, intermediate.der, root.der]
    }
}

/// A certificate read from a file, with its DER bytes.
private struct CertificateFile {
    let certificate: Certificate
    let der: [UInt8]

    init(_ pem: String, at path: String, issuer: CertificateFile? = nil) throws(StoreError) {
        do {
            der = try PEMDocument(pemString: pem).derBytes
            certificate = try Certificate(derEncoded: der)
        } catch {
            // The parsers' errors quote the text, which may be a private key put here by mistake.
            let isKey = pem.contains("PRIVATE KEY")
            throw StoreError(
                .keysUnreadable, subject: path,
                cause: isKey ? "a private key in place of a certificate" : "not a PEM certificate")
        }
        guard let issuer else { return }
        guard certificate.issuer == issuer.certificate.subject,
            issuer.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
        else {
            throw StoreError(
                .keysUnreadable, subject: path, cause: "not issued by the certificate above it")
        }
    }
}
