package import Foundation
import Basics

/// The compiler prefers these to the general ones when it writes a type's `encode(to:)`, so that a
/// UUID has one spelling in every payload, event and answer.
extension KeyedEncodingContainer {
    package mutating func encode(_ uuid: UUID, forKey key: Key) throws {
        try encode(UUIDText(uuid), forKey: key)
    }

    package mutating func encodeIfPresent(_ uuid: UUID?, forKey key: Key) throws {
        if let uuid { try encode(uuid, forKey: key) }
    }
}
