import Crypto
import Foundation
import StoreModel
import Testing
import X509

/// A way to present a text that the store did not sign, and the error of the verifier.
struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    let error: VerificationError
    /// From the pinned authority, a valid chain, and a valid text signed with that chain.
    let forge: @Sendable (TestAuthority, TestChain, SignedTransaction) throws -> SignedTransaction

    init(
        _ name: String, _ error: VerificationError,
        forge:
            @escaping @Sendable (TestAuthority, TestChain, SignedTransaction) throws ->
            SignedTransaction
    ) {
        self.name = name
        self.error = error
        self.forge = forge
    }

    var testDescription: String { name }
}

extension Attack {
    static let all = encoding + algorithm + length + chain + signature + contents

    /// Texts that are not in the form of a signed transaction.
    static let encoding: [Attack] =
        ["", ".", "..", "...", "garbage", "a.b.c", "é.é.é", " . . "].map { text in
            Attack("text \"\(text)\"", .invalidEncoding) { _, _, _ in SignedTransaction(text) }
        } + [
            Attack("two parts", .invalidEncoding) { _, _, good in
                SignedTransaction(good.parts.prefix(2).joined(separator: "."))
            },
            Attack("extra dot at the end", .invalidEncoding) { _, _, good in
                SignedTransaction(good.rawValue + ".")
            },
            Attack("extra dot in front", .invalidEncoding) { _, _, good in
                SignedTransaction("." + good.rawValue)
            },
            Attack("extra dot inside", .invalidEncoding) { _, _, good in
                var text = good.rawValue
                text.insert(".", at: text.index(text.startIndex, offsetBy: 40))
                return SignedTransaction(text)
            },
            Attack("truncated base64", .invalidEncoding) { _, _, good in
                SignedTransaction(String(good.rawValue.dropLast()))
            },
            Attack("padding", .invalidEncoding) { _, _, good in
                SignedTransaction(good.rawValue + "==")
            },
            Attack("newline at the end", .invalidEncoding) { _, _, good in
                SignedTransaction(good.rawValue + "\n")
            },
            Attack("spare bits of the signature", .invalidEncoding) { _, _, good in
                // 64 bytes leave four unused bits in the last character; here they are not zero.
                let last = good.rawValue.last.map { $0 == "A" ? "B" : "_" } ?? ""
                return SignedTransaction(good.rawValue.dropLast() + last)
            },
            Attack("plain base64 alphabet", .invalidEncoding) { _, _, good in
                good.replacing(part: 2, with: good.parts[2].dropLast(2) + "+/")
            },
            Attack("header is not JSON", .invalidEncoding) { _, chain, _ in
                try chain.sign(Samples.renewal, header: Data("ES256".utf8))
            },
            Attack("header is a list", .invalidEncoding) { _, chain, _ in
                try chain.sign(Samples.renewal, header: Data("[]".utf8))
            },
            Attack("x5c is not a list", .invalidEncoding) { _, chain, _ in
                try chain.sign(Samples.renewal, header: chain.header(["x5c": "MII"]))
            },
            Attack("payload is not JSON", .invalidEncoding) { _, chain, _ in
                try chain.sign(Data("garbage".utf8))
            },
            Attack("payload is a list", .invalidEncoding) { _, chain, _ in
                try chain.sign(Data("[1]".utf8))
            },
            Attack("payload is empty", .invalidEncoding) { _, chain, _ in
                try chain.sign(Data())
            },
            Attack("too long", .invalidEncoding) { _, chain, _ in
                try chain.sign(
                    Samples.renewal,
                    header: chain.header(["kid": String(repeating: "k", count: 300_000)]))
            },
        ]

    static let algorithm: [Attack] =
        ["none", "HS256", "ES384", "es256", ""].map { (name: String) in
            Attack("alg \"\(name)\"", .invalidSignature) { _, chain, _ in
                try chain.sign(Samples.renewal, header: chain.header(["alg": name]))
            }
        } + [
            Attack("alg none without a signature", .invalidSignature) { _, chain, _ in
                try chain.sign(Samples.renewal, header: chain.header(["alg": "none"]))
                    .replacing(part: 2, with: "")
            },
            Attack("no alg", .invalidSignature) { _, chain, _ in
                try chain.sign(Samples.renewal, header: chain.header(["alg": nil]))
            },
            Attack("no x5c", .invalidCertificateChain) { _, chain, _ in
                try chain.sign(Samples.renewal, header: chain.header(["x5c": nil]))
            },
            Attack("crit", .invalidEncoding) { _, chain, _ in
                try chain.sign(Samples.renewal, header: chain.header(["crit": ["b64"]]))
            },
        ]

    static let length: [Attack] = [
        x5c("no certificate", .invalidCertificateChain) { _ in [] },
        x5c("leaf alone", .invalidCertificateChain) { [$0[0]] },
        x5c("leaf and intermediate", .invalidCertificateChain) { [$0[0], $0[1]] },
        x5c("root twice", .invalidCertificateChain) { $0 + [$0[2]] },
    ]

    static let chain: [Attack] = [
        x5c("leaf and intermediate swapped", .invalidCertificateChain) { [$0[1], $0[0], $0[2]] },
        x5c("root first", .invalidCertificateChain) { $0.reversed() },
        x5c("leaf in the middle too", .invalidCertificateChain) { [$0[0], $0[0], $0[2]] },
        x5c("root in the middle too", .invalidCertificateChain) { [$0[0], $0[2], $0[2]] },
        x5c("certificate cut short", .invalidCertificateChain) {
            [$0[0].dropLast(), $0[1], $0[2]]
        },
        x5c("certificate with a byte more", .invalidCertificateChain) {
            [$0[0] + [0], $0[1], $0[2]]
        },
        x5c("root with a byte changed", .invalidCertificateChain) { chain in
            var chain = chain
            chain[2][chain[2].count - 1] ^= 1
            return chain
        },
        x5c("intermediate with its signature changed", .invalidCertificateChain) { chain in
            var chain = chain
            chain[1][chain[1].count - 1] ^= 1
            return chain
        },
        x5c("empty certificates", .invalidCertificateChain) { [[], [], $0[2]] },
        Attack("certificates that are not base64", .invalidCertificateChain) { _, chain, _ in
            try chain.sign(Samples.renewal, header: chain.header(["x5c": ["!", "!", "!"]]))
        },
        Attack("the root signs by itself", .invalidCertificateChain) { authority, chain, _ in
            let root = chain.x5c[2]
            return try TestChain(leafKey: authority.rootKey, x5c: [root, root, root])
                .sign(Samples.renewal)
        },
        Attack("another root", .invalidCertificateChain) { _, _, _ in
            try TestAuthority().issue().sign(Samples.renewal)
        },
        Attack("another chain, with the pinned root as its third", .invalidCertificateChain) {
            _, chain, _ in
            var other = try TestAuthority().issue()
            other.x5c[2] = chain.x5c[2]
            return try other.sign(Samples.renewal)
        },
        recipe("leaf without its marker") { $0.leafMarkers = [] },
        recipe("intermediate without its marker") { $0.intermediateMarkers = [] },
        recipe("markers swapped") {
            $0.leafMarkers = [TestAuthority.Markers.intermediate]
            $0.intermediateMarkers = [TestAuthority.Markers.leaf]
        },
        recipe("intermediate is not a CA") {
            $0.intermediateConstraints = .notCertificateAuthority
        },
        recipe("intermediate without constraints") { $0.intermediateConstraints = nil },
        recipe("intermediate limits names") { $0.limitsNames = true },
        recipe("intermediate limits names, not critically") { $0.limitsNames = false },
        recipe("intermediate may not issue") {
            $0.intermediateUsage = KeyUsage(digitalSignature: true)
        },
        recipe("leaf may not sign") { $0.leafUsage = KeyUsage(keyAgreement: true) },
        recipe("leaf is P-384") { $0.leafIsP384 = true },
        recipe("leaf issued by the root") { $0.leafIsIssuedByRoot = true },
        recipe("leaf expired before the day of signing") {
            $0.leafNotAfter = Date(timeIntervalSince1970: 1_763_689_999)
        },
        recipe("intermediate not yet valid on the day of signing") {
            $0.intermediateNotBefore = Date(timeIntervalSince1970: 1_763_690_001)
        },
        signedDate("signed before 2000", 946_684_799_999),
        signedDate("signed after 2100", 4_102_444_800_001),
        signedDate("signed in 1970", 0),
        signedDate("signed never", .max),
        signedDate("signed before time", .min),
    ]

    static let signature: [Attack] = [
        Attack("payload changed", .invalidSignature) { _, _, good in
            let json = try String(decoding: good.decoded(part: 1), as: UTF8.self)
            let other = json.replacingOccurrences(of: "480000", with: "480001")
            return good.replacing(part: 1, with: Data(other.utf8).base64URL)
        },
        Attack("payload made incomplete", .invalidSignature) { _, _, good in
            let json = try String(decoding: good.decoded(part: 1), as: UTF8.self)
            let other = json.replacingOccurrences(of: "productId", with: "productID")
            return good.replacing(part: 1, with: Data(other.utf8).base64URL)
        },
        Attack("payload of another text", .invalidSignature) { _, chain, good in
            let other = try chain.sign(Samples.consumable)
            return good.replacing(part: 1, with: other.parts[1])
        },
        Attack("header with one member more", .invalidSignature) { _, chain, good in
            good.replacing(part: 0, with: try chain.header(["typ": "JWT"]).base64URL)
        },
        Attack("another key", .invalidSignature) { _, chain, _ in
            try chain.sign(
                try JSONEncoder().encode(Samples.renewal), with: P256.Signing.PrivateKey())
        },
        Attack("another good chain of the same root", .invalidSignature) { authority, _, good in
            good.replacing(part: 0, with: try authority.issue().header().base64URL)
        },
        signatureBytes("one bit of r") { $0[5] ^= 1 },
        signatureBytes("one bit of s") { $0[40] ^= 0x80 },
        signatureBytes("r and s swapped") { $0 = $0.suffix(32) + $0.prefix(32) },
        signatureBytes("63 bytes") { $0.removeLast() },
        signatureBytes("65 bytes") { $0.append(0) },
        signatureBytes("none") { $0 = Data() },
        signatureBytes("zeros") { $0 = Data(repeating: 0, count: 64) },
        signatureBytes("ones") { $0 = Data(repeating: 0xFF, count: 64) },
        Attack("signature as DER", .invalidSignature) { _, _, good in
            let raw = try good.decoded(part: 2)
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
            return good.replacing(part: 2, with: signature.derRepresentation.base64URL)
        },
    ]

    static let contents: [Attack] =
        [
            Attack("another app", .wrongApp) { _, chain, _ in
                try chain.sign(Samples.changed { $0.bundleId = "com.example.lantern2" })
            },
            Attack("another app and environment", .wrongApp) { _, chain, _ in
                try chain.sign(
                    Samples.changed {
                        $0.bundleId = "COM.EXAMPLE.LANTERN"
                        $0.environment = .production
                    })
            },
            Attack("another environment", .wrongEnvironment) { _, chain, _ in
                try chain.sign(Samples.changed { $0.environment = .production })
            },
            Attack("an unknown type", .missingRequiredProperties) { _, chain, _ in
                let json = String(
                    decoding: try JSONEncoder().encode(Samples.renewal), as: UTF8.self)
                return try chain.sign(
                    Data(json.replacingOccurrences(of: "Auto-Ren", with: "Self-Ren").utf8))
            },
        ]
        + [
            "bundleId", "currency", "environment", "originalTransactionId", "price", "productId",
            "quantity", "signedDate", "transactionId", "type",
        ].map { name in
            Attack("no \(name)", .missingRequiredProperties) { _, chain, _ in
                let json = try JSONSerialization.jsonObject(
                    with: try JSONEncoder().encode(Samples.renewal))
                var members = try #require(json as? [String: Any])
                members[name] = nil
                return try chain.sign(try JSONSerialization.data(withJSONObject: members))
            }
        }

    private static func x5c(
        _ name: String, _ error: VerificationError,
        _ change: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
    ) -> Attack {
        Attack(name, error) { _, chain, _ in
            var chain = chain
            chain.x5c = change(chain.x5c)
            return try chain.sign(Samples.renewal)
        }
    }

    private static func recipe(
        _ name: String, _ change: @escaping @Sendable (inout TestAuthority.Recipe) -> Void
    ) -> Attack {
        Attack(name, .invalidCertificateChain) { authority, _, _ in
            var recipe = TestAuthority.Recipe()
            change(&recipe)
            return try authority.issue(recipe).sign(Samples.renewal)
        }
    }

    private static func signedDate(_ name: String, _ milliseconds: Int64) -> Attack {
        Attack(name, .invalidCertificateChain) { _, chain, _ in
            try chain.sign(
                Samples.changed { $0.signedDate = Timestamp(milliseconds: milliseconds) })
        }
    }

    private static func signatureBytes(
        _ name: String, _ change: @escaping @Sendable (inout Data) -> Void
    ) -> Attack {
        Attack("signature: \(name)", .invalidSignature) { _, _, good in
            try good.changing(part: 2, change)
        }
    }
}
