import Crypto
import Foundation
import StoreModel
import StoreSigning

/// Signs and verifies the record of unlocks: a compact JWS (RFC 7515) with Ed25519 (RFC 8037) and a
/// key that belongs to the device.
///
/// The signature proves to a reader that the record is complete, unedited and from this device. It
/// does not protect against a person who can read the device's database, from which the key is
/// derived.
struct UnlockKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// From the device's random key (`sealKey`).
    init(sealKey: Data) throws {
        let bytes = HMAC<SHA256>.authenticationCode(
            for: Data("unlocks".utf8), using: SymmetricKey(data: sealKey))
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: Data(bytes))
    }

    /// The public key as PEM (RFC 7468, RFC 8410), as openssl reads it.
    var publicPEM: String {
        // SubjectPublicKeyInfo of an Ed25519 key (RFC 8410): this fixed prefix, then the 32 bytes
        // of the key.
        let prefix: [UInt8] = [
            0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
        ]
        let text = (Data(prefix) + key.publicKey.rawRepresentation).base64EncodedString()
        return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
    }

    /// The header of every record: `{"alg":"EdDSA"}`.
    private static let header = base64URL(Data(#"{"alg":"EdDSA"}"#.utf8))

    func sign(_ record: UnlockRecord) throws(StoreError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let text = Self.header + "." + Self.base64URL(try encoder.encode(record))
            return text + "." + Self.base64URL(try key.signature(for: Data(text.utf8)))
        } catch { throw StoreError(.systemError, subject: UnlockFiles.record, cause: "\(error)") }
    }

    /// Nil unless this key signed the text.
    func verify(_ text: String) -> UnlockRecord? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.header,
            let body = Self.bytes(parts[1]), let signature = Self.bytes(parts[2]),
            key.publicKey.isValidSignature(
                signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { return nil }
        return try? JSONDecoder().decode(UnlockRecord.self, from: body)
    }

    private static func base64URL(_ bytes: Data) -> String { Base64URL.encode(Array(bytes).span) }

    private static func bytes(_ text: Substring) -> Data? {
        Base64URL.decode(Array(text.utf8).span).map { Data($0) }
    }
}

/// The files of a device that other programs read.
enum UnlockFiles {
    static let record = "unlocks.jws"
    static let key = "unlocks.pem"
    /// The lock file, held while a process computes and writes the two others.
    static let lock = "unlocks.lock"
    /// The most bytes of a record file that is read.
    static let bytesMax = 4 * 1024 * 1024
}
