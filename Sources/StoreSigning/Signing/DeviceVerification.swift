import Crypto
package import Foundation
package import StoreModel

/// Binds a signed transaction to a device without naming it: a digest of a nonce and the device's
/// identifier (StoreKit: `deviceVerification`, `AppStore.deviceVerificationID`).
package struct DeviceVerification: Sendable {
    /// A digest of app, account and device (RFC 9562, version 8).
    package let identifier: UUID

    static let ofNoDevice = DeviceVerification(
        identifier: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

    package init(identifier: UUID) { self.identifier = identifier }

    package init(bundleID: String, account: AccountName, device: DeviceName) {
        let name = "device\u{0}\(bundleID)\u{0}\(account)\u{0}\(device)"
        identifier = SHA256.hash(data: Data(name.utf8)).withUnsafeBytes { digest in
            var bytes = digest.loadUnaligned(as: uuid_t.self)
            // The bits that mark a UUID of version 8.
            bytes.6 = 0x80 | bytes.6 & 0x0F
            bytes.8 = 0x80 | bytes.8 & 0x3F
            return UUID(uuid: bytes)
        }
    }

    /// The payload's `deviceVerification`: Base64 of the SHA-384 of nonce and identifier, both as
    /// lower-case text.
    package func text(nonce: UUID) -> String {
        let words = nonce.uuidString.lowercased() + identifier.uuidString.lowercased()
        return Data(SHA384.hash(data: Data(words.utf8))).base64EncodedString()
    }
}
