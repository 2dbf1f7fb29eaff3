package import Foundation

/// A UUID that is encoded in lower case, as RFC 9562 and Apple's payloads write it; `UUID` itself is
/// encoded in upper case.
package struct UUIDText: Encodable {
    package let uuid: UUID

    package init(_ uuid: UUID) { self.uuid = uuid }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uuid.uuidString.lowercased())
    }
}
