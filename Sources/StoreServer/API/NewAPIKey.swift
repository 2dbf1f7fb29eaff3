import Crypto
import Foundation
package import StoreModel

/// A new key of the App Store Server API. The private half is in this value only: the store keeps
/// the public half.
package struct NewAPIKey: Sendable {
    /// For `ServedStore.change`.
    package let change: APIKeyChange
    package let id: String
    /// PKCS #8 in PEM, as the `.p8` file of App Store Connect.
    package let privateKey: String

    package init(name: String, at now: Timestamp) {
        let key = P256.Signing.PrivateKey()
        let bytes = Data(key.publicKey.x963Representation)
        let digest = Array(SHA256.hash(data: bytes))
        let id = String(
            decoding: digest.prefix(10).map { Self.alphabet[Int($0) % Self.alphabet.count] },
            as: UTF8.self)
        self.id = id
        privateKey = key.pemRepresentation + "\n"
        change = .create(
            APIKey(
                id: id, name: name, publicKey: bytes.base64EncodedString(), createdAt: now),
            issuer: UUID())
    }

    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
}
