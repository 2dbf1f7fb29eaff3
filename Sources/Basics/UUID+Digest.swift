package import Foundation

extension UUID {
    /// In the version and variant for own use (RFC 9562, 5.8): equal digests give equal numbers.
    ///
    /// - Parameter digest: at least 16 bytes.
    package init(digest: some Sequence<UInt8>) {
        var bytes = Array(digest.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
