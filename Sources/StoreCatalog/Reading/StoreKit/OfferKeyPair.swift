import Crypto
import Foundation
import StoreModel

/// The key pair of a configuration that signs promotional offers (Xcode:
/// `subscriptionOffersKeyPair`). The private key is secret: the type is not `Codable`, and no
/// description or dump shows the key.
package struct OfferKeyPair: Sendable, CustomStringConvertible, CustomReflectable {
    /// A signature names it.
    package let id: String
    /// PEM (PKCS #8).
    package let privateKeyPEM: String

    package var description: String { "key pair \(id)" }
    /// So that a dump shows no key.
    package var customMirror: Mirror { Mirror(self, children: ["id": id]) }

    /// Nil for an identifier or a key that cannot be used.
    init?(_ value: JSONValue) {
        guard let id = value.member("id"), id.isText, Self.isGood(id.text),
            let key = value.member("privateKey"), key.isText,
            let der = Data(base64Encoded: key.text),
            let privateKey = try? P256.Signing.PrivateKey(derRepresentation: der)
        else { return nil }
        self.id = id.text
        privateKeyPEM = privateKey.pemRepresentation
    }

    /// It also becomes a file's name.
    package static func isGood(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= 64
            && id.utf8.allSatisfy {
                ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x30 && $0 <= 0x39
                    || $0 == 0x2D
            }
    }
}

extension CatalogReader {
    /// Nil also for a pair that cannot be used. It is in no catalog: a store keeps it in a separate
    /// place.
    package static func offerKey(path: String) -> OfferKeyPair? {
        guard case .success(let file) = CatalogFile.open(path),
            let document = try? JSONParser.parse(file.bytes),
            let pair = document.root.member(
                StoreKitKeys.Root.subscriptionOffersKeyPair.rawValue)
        else { return nil }
        return OfferKeyPair(pair)
    }
}
