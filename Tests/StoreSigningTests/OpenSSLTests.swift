import Crypto
import Foundation
import StoreModel
import StoreSigning
import Testing

@Suite("keys, certificates and signatures checked by openssl")
struct OpenSSLTests {
    @Test(
        "openssl accepts the chain under strict rules, from 2000 to 2100",
        arguments: [
            "946684800", "1763690000", "4102444800",
        ])
    func chain(second: String) async throws {
        try await withTemporaryFolder { folder in
            _ = try StoreKeys.open(folder: folder)
            let set = folder.appending(path: "chain").path(percentEncoded: false)
            let answer = try OpenSSL.run(
                "verify", "-x509_strict", "-attime", second, "-CAfile", set + "/root.pem",
                "-untrusted", set + "/intermediate.pem", set + "/leaf.pem")
            #expect(answer.status == 0, "\(answer.text)")
            #expect(answer.text.contains("leaf.pem: OK"))
        }
    }

    @Test("openssl rejects the chain under another store's root")
    func otherRoot() async throws {
        try await withTemporaryFolder { folder in
            _ = try StoreKeys.open(folder: folder.appending(path: "a"))
            _ = try StoreKeys.open(folder: folder.appending(path: "b"))
            let path = folder.path(percentEncoded: false)
            let answer = try OpenSSL.run(
                "verify", "-x509_strict", "-CAfile", path + "/b/chain/root.pem", "-untrusted",
                path + "/a/chain/intermediate.pem", path + "/a/chain/leaf.pem")
            #expect(answer.status != 0)
        }
    }

    @Test("openssl verifies the ES256 signature with the leaf's key [F7]")
    func signature() async throws {
        try await withTemporaryFolder { folder in
            let keys = try StoreKeys.open(folder: folder)
            let signed = try TransactionSigner(keys: keys).sign(Samples.renewal)
            let path = folder.path(percentEncoded: false)

            let publicKey = try OpenSSL.run(
                "x509", "-in", path + "/chain/leaf.pem", "-pubkey", "-noout")
            try Data(publicKey.text.utf8).write(to: folder.appending(path: "leaf.pub"))
            try Data(signed.parts.prefix(2).joined(separator: ".").utf8)
                .write(to: folder.appending(path: "message"))
            let raw = try signed.decoded(part: 2)
            try P256.Signing.ECDSASignature(rawRepresentation: raw).derRepresentation
                .write(to: folder.appending(path: "signature"))

            func verify() throws -> OpenSSL.Answer {
                try OpenSSL.run(
                    "dgst", "-sha256", "-verify", path + "/leaf.pub", "-signature",
                    path + "/signature", path + "/message")
            }
            #expect(try verify().text == "Verified OK\n")
            try Data("another".utf8).write(to: folder.appending(path: "message"))
            #expect(try verify().status != 0)
        }
    }

    @Test(
        "each certificate has the expected names, extensions and validity",
        arguments: [
            (
                "root.pem",
                [
                    "Subject: CN = Storefront Test Root CA", "CA:TRUE, pathlen:1",
                    "Certificate Sign, CRL Sign",
                ]
            ),
            (
                "intermediate.pem",
                [
                    "Issuer: CN = Storefront Test Root CA",
                    "Subject: CN = Storefront Test Intermediate CA", "CA:TRUE, pathlen:0",
                    "Certificate Sign, CRL Sign", "1.2.840.113635.100.6.2.1:",
                ]
            ),
            (
                "leaf.pem",
                [
                    "Issuer: CN = Storefront Test Intermediate CA", "CA:FALSE", "Digital Signature",
                    "1.2.840.113635.100.6.11.1:",
                ]
            ),
        ])
    func certificate(name: String, expected: [String]) async throws {
        try await withTemporaryFolder { folder in
            _ = try StoreKeys.open(folder: folder)
            let path = folder.appending(path: "chain/\(name)").path(percentEncoded: false)
            let text = try OpenSSL.run("x509", "-in", path, "-text", "-noout").text
            let always = [
                "Version: 3", "ecdsa-with-SHA256", "prime256v1", "O = storefront",
                "Not Before: Jan  1 00:00:00 2000 GMT", "Not After : Jan  1 00:00:01 2100 GMT",
                "X509v3 Basic Constraints: critical", "X509v3 Key Usage: critical",
                "X509v3 Subject Key Identifier:", "X509v3 Authority Key Identifier:",
            ]
            for line in always + expected { #expect(text.contains(line), "\(line) in\n\(text)") }
            #expect(!text.contains("Apple"))
        }
    }

    @Test("openssl can read and check the private key file")
    func key() async throws {
        try await withTemporaryFolder { folder in
            _ = try StoreKeys.open(folder: folder)
            let path = folder.appending(path: "chain/leaf.key").path(percentEncoded: false)
            let answer = try OpenSSL.run("pkey", "-in", path, "-check", "-noout")
            #expect(answer.status == 0, "\(answer.text)")
        }
    }
}
