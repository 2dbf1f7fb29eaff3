import Crypto
package import Foundation
package import StoreModel
import SwiftASN1
import X509

extension StoreKeys {
    /// Makes keys if the folder holds none.
    ///
    /// The set is the folder `chain` inside it: `root.pem`, `intermediate.pem`, `leaf.pem`,
    /// `leaf.key`, and the revoked leaf as `revoked.pem` and `revoked.key`. It appears by one
    /// rename of files that are already on disk, so a process that is killed before the rename
    /// leaves no set. A set is made under a lock: if several processes start at once, one makes the
    /// set and the others load it. Only the user may enter the folder (0700) and read the files
    /// (0600).
    ///
    /// A set that cannot be read, or whose parts do not belong together, is never replaced: all
    /// texts signed so far, and every device that pinned the root, depend on it.
    ///
    /// Throws `keysUnreadable` for such a set, naming the file; `storeReadOnly`, `storeFull` or
    /// `storeBusy` if none can be made.
    package static func open(folder: URL) throws(StoreError) -> StoreKeys {
        let keyFolder = KeyFolder(path: folder.path(percentEncoded: false))
        if let files = try keyFolder.load() { return try StoreKeys(files, at: keyFolder.path(of:)) }
        let files = try keyFolder.loadOrMake { () throws(StoreError) in try generate().files }
        return try StoreKeys(files, at: keyFolder.path(of:))
    }

    /// Makes keys if the storage has none. Throws `keysUnreadable` for a set whose parts do not belong
    /// together, naming the part; errors of the storage.
    package static func open(in storage: some KeyStorage) async throws(StoreError) -> StoreKeys {
        if let known = try await existing(in: storage) { return known }
        let texts = try await storage.signingKeys { () throws(StoreError) in
            KeyFolder.texts(try generate().files)
        }
        return try StoreKeys(texts, in: storage)
    }

    /// Nil if the storage has none. Makes nothing. Throws as `open(in:)`.
    package static func existing(in storage: some KeyStorage) async throws(StoreError) -> StoreKeys?
    {
        guard let texts = try await storage.signingKeys() else { return nil }
        return try StoreKeys(texts, in: storage)
    }

    private init(_ texts: [String: String], in storage: some KeyStorage) throws(StoreError) {
        try self.init(KeyFolder.files(texts), at: { storage.path(of: $0.rawValue) })
    }

    private var files: KeyFolder.Files {
        [
            .root: Self.pem(signing.certificates[2]),
            .intermediate: Self.pem(signing.certificates[1]),
            .leaf: Self.pem(signing.certificates[0]),
            .leafKey: signing.leafKey.pemRepresentation + "\n",
            .revokedLeaf: Self.pem(revoked.certificates[0]),
            .revokedLeafKey: revoked.leafKey.pemRepresentation + "\n",
        ]
    }

    /// Each certificate must bear its issuer's signature and the key must be the leaf's. These two
    /// signature checks report a mixed-up set here; otherwise every transaction it signs would fail
    /// verification. Only the verifier checks the uses that the certificates permit.
    ///
    /// - Parameter path: of a part, for errors.
    private init(
        _ files: KeyFolder.Files, at path: (KeyFolder.Part) -> String
    ) throws(StoreError) {
        func certificate(
            _ part: KeyFolder.Part, issuer: CertificateFile? = nil
        ) throws(StoreError) -> CertificateFile {
            try CertificateFile(files[part, default: ""], at: path(part), issuer: issuer)
        }
        let root = try certificate(.root)
        let intermediate = try certificate(.intermediate, issuer: root)
        func chain(
            _ leaf: KeyFolder.Part, _ key: KeyFolder.Part
        ) throws(StoreError) -> SigningChain {
            let leaf = try certificate(leaf, issuer: intermediate)
            return SigningChain(
                leafKey: try Self.key(files[key, default: ""], of: leaf, at: path(key)),
                certificates: [leaf.der, intermediate.der, root.der])
        }
        signing = try chain(.leaf, .leafKey)
        revoked = try chain(.revokedLeaf, .revokedLeafKey)
    }

    /// Throws `keysUnreadable` for another key than the leaf's.
    private static func key(
        _ pem: String, of leaf: CertificateFile, at path: String
    ) throws(StoreError) -> P256.Signing.PrivateKey {
        let key: P256.Signing.PrivateKey
        do {
            key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        } catch {
            // The cause must not contain the file's text, which is a secret.
            throw StoreError(.keysUnreadable, subject: path, cause: "not a P-256 private key")
        }
        guard leaf.certificate.publicKey == Certificate.PublicKey(key.publicKey) else {
            throw StoreError(
                .keysUnreadable, subject: path, cause: "not the key of the leaf certificate")
        }
        return key
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
