import Crypto
import Foundation
import StoreModel
import SwiftASN1
import X509

/// Makes a store's certificates: root, intermediate and leaf, all P-256, in the form the strictest
/// of Apple's verifiers accepts (OpenSSL's `X509_STRICT`: key identifiers in the whole chain,
/// critical basic constraints and key usage, RFC 5280 §4.2.1). The intermediate issues a second
/// leaf that is revoked from the start, for texts that are to fail verification.
///
/// The private keys of root and intermediate are dropped when `make()` returns. The store never
/// needs them again, and without them no attacker can issue another leaf under a root that a device
/// has pinned.
enum CertificateIssuer {
    struct Chain {
        let root: Certificate
        let intermediate: Certificate
        let leaf: Certificate
        let leafKey: P256.Signing.PrivateKey
        let revokedLeaf: Certificate
        let revokedLeafKey: P256.Signing.PrivateKey
    }

    static func make() throws -> Chain {
        let rootKey = P256.Signing.PrivateKey()
        let rootName = try name("Storefront Test Root CA")
        let root = try certificate(
            for: rootKey.publicKey, named: rootName, issuer: rootName, issuerKey: rootKey,
            constraints: .isCertificateAuthority(maxPathLength: 1), usage: issuing)

        let intermediateKey = P256.Signing.PrivateKey()
        let intermediate = try certificate(
            for: intermediateKey.publicKey, named: name("Storefront Test Intermediate CA"),
            issuer: root.subject, issuerKey: rootKey,
            constraints: .isCertificateAuthority(maxPathLength: 0), usage: issuing,
            marker: MarkerExtension.receiptSigningIssuer)

        func leaf(_ commonName: String, for key: P256.Signing.PrivateKey) throws -> Certificate {
            try certificate(
                for: key.publicKey, named: name(commonName),
                issuer: intermediate.subject, issuerKey: intermediateKey,
                constraints: .notCertificateAuthority, usage: KeyUsage(digitalSignature: true),
                marker: MarkerExtension.receiptSigning)
        }
        let leafKey = P256.Signing.PrivateKey()
        let revokedLeafKey = P256.Signing.PrivateKey()
        return Chain(
            root: root, intermediate: intermediate,
            leaf: try leaf("Storefront Test Receipt Signing", for: leafKey), leafKey: leafKey,
            revokedLeaf: try leaf("Storefront Test Revoked Signing", for: revokedLeafKey),
            revokedLeafKey: revokedLeafKey)
    }

    /// One second after the last date a store can have: for OpenSSL, and so for Apple's Python
    /// verifier, a certificate has expired at the second of its `notAfter`.
    private static let notValidAfter = Timestamp.latest.advanced(byMilliseconds: 1000).date

    private static let issuing = KeyUsage(keyCertSign: true, cRLSign: true)

    private static func name(_ commonName: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(commonName)
            OrganizationalUnitName("Not for real money")
            OrganizationName("storefront")
        }
    }

    private static func certificate(
        for key: P256.Signing.PublicKey, named subject: DistinguishedName,
        issuer: DistinguishedName, issuerKey: P256.Signing.PrivateKey,
        constraints: BasicConstraints, usage: KeyUsage, marker: ASN1ObjectIdentifier? = nil
    ) throws -> Certificate {
        let publicKey = Certificate.PublicKey(key)
        let issuerIdentifier = SubjectKeyIdentifier(hash: .init(issuerKey.publicKey))
        let extensions = try Certificate.Extensions {
            Critical(constraints)
            Critical(usage)
            SubjectKeyIdentifier(hash: publicKey)
            AuthorityKeyIdentifier(keyIdentifier: issuerIdentifier.keyIdentifier)
            if let marker { MarkerExtension.make(marker) }
        }
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: Timestamp.earliest.date, notValidAfter: notValidAfter,
            issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions, issuerPrivateKey: Certificate.PrivateKey(issuerKey))
    }
}
