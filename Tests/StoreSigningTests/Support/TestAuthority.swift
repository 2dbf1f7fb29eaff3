import Crypto
import Foundation
import StoreModel
import SwiftASN1
import X509

/// A root certificate with its private key, for chains that are wrong in exactly one way.
struct TestAuthority {
    let rootKey = P256.Signing.PrivateKey()
    let root: Certificate

    /// - Parameter pathLength: how many issuers the root allows below itself.
    init(pathLength: Int = 1) throws {
        root = try Self.certificate(
            "Test Root", for: .init(rootKey.publicKey), issuer: nil, issuerKey: rootKey,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: pathLength))
                Critical(KeyUsage(keyCertSign: true))
            })
    }

    var rootDER: Data {
        get throws { try Data(root.derBytes) }
    }

    /// The parts of a chain that a test may change.
    struct Recipe {
        var leafMarkers: [ASN1ObjectIdentifier] = [Markers.leaf]
        var intermediateMarkers: [ASN1ObjectIdentifier] = [Markers.intermediate]
        var markersAreCritical = false
        var intermediateConstraints: BasicConstraints? = .isCertificateAuthority(maxPathLength: 0)
        var intermediateUsage = KeyUsage(keyCertSign: true)
        var leafUsage = KeyUsage(digitalSignature: true)
        var leafNotAfter = Timestamp.latest.date
        var intermediateNotBefore = Timestamp.earliest.date
        var leafIsP384 = false
        /// Whether the intermediate has a name constraint, and whether that is critical.
        var limitsNames: Bool?
        /// The root issues the leaf; the intermediate is in the chain but signed nothing.
        var leafIsIssuedByRoot = false
    }

    enum Markers {
        static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
        static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
    }

    func issue(_ recipe: Recipe = Recipe()) throws -> TestChain {
        let intermediateKey = P256.Signing.PrivateKey()
        let intermediate = try Self.certificate(
            "Test Intermediate", for: .init(intermediateKey.publicKey), issuer: root,
            issuerKey: rootKey, notBefore: recipe.intermediateNotBefore,
            extensions: Certificate.Extensions {
                if let constraints = recipe.intermediateConstraints { Critical(constraints) }
                Critical(recipe.intermediateUsage)
                for marker in recipe.intermediateMarkers { recipe.marker(marker) }
                if let isCritical = recipe.limitsNames {
                    // That the names are in no domain.
                    Certificate.Extension(
                        oid: [2, 5, 29, 30], critical: isCritical, value: [0x30, 0x00])
                }
            })
        let leafKey = P256.Signing.PrivateKey()
        let leaf = try Self.certificate(
            "Test Leaf",
            for: recipe.leafIsP384
                ? .init(P384.Signing.PrivateKey().publicKey) : .init(leafKey.publicKey),
            issuer: recipe.leafIsIssuedByRoot ? root : intermediate,
            issuerKey: recipe.leafIsIssuedByRoot ? rootKey : intermediateKey,
            notAfter: recipe.leafNotAfter,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(recipe.leafUsage)
                for marker in recipe.leafMarkers { recipe.marker(marker) }
            })
        return TestChain(
            leafKey: leafKey, x5c: try [leaf, intermediate, root].map { try $0.derBytes })
    }

    private static func certificate(
        _ name: String, for key: Certificate.PublicKey, issuer: Certificate?,
        issuerKey: P256.Signing.PrivateKey, notBefore: Date = Timestamp.earliest.date,
        notAfter: Date = Timestamp.latest.date, extensions: Certificate.Extensions
    ) throws -> Certificate {
        let subject = try DistinguishedName { CommonName(name) }
        return try Certificate(
            version: .v3, serialNumber: .init(), publicKey: key, notValidBefore: notBefore,
            notValidAfter: notAfter, issuer: issuer?.subject ?? subject, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
            issuerPrivateKey: .init(issuerKey))
    }
}

extension TestAuthority.Recipe {
    fileprivate func marker(_ identifier: ASN1ObjectIdentifier) -> Certificate.Extension {
        Certificate.Extension(oid: identifier, critical: markersAreCritical, value: [0x05, 0x00])
    }
}

/// A chain with its leaf key, to sign texts that no store signs.
struct TestChain {
    let leafKey: P256.Signing.PrivateKey
    var x5c: [[UInt8]]

    /// A header like the store's, with `changes` of its members; nil removes a member.
    func header(_ changes: [String: Any?] = [:]) throws -> Data {
        var members: [String: Any] = [
            "alg": "ES256", "x5c": x5c.map { Data($0).base64EncodedString() },
        ]
        for (name, value) in changes { members[name] = value }
        return try JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
    }

    func sign(
        _ payload: Data, header: Data? = nil, with key: P256.Signing.PrivateKey? = nil
    ) throws -> SignedTransaction {
        let header = try header ?? self.header()
        let input = header.base64URL + "." + payload.base64URL
        let signature = try (key ?? leafKey).signature(for: Data(input.utf8))
        return SignedTransaction(input + "." + signature.rawRepresentation.base64URL)
    }

    func sign(_ payload: TransactionPayload, header: Data? = nil) throws -> SignedTransaction {
        try sign(try JSONEncoder().encode(payload), header: header)
    }
}

extension Certificate {
    var derBytes: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }
}
