import Basics
import Foundation

/// A JSON object: the members of a value, and named fields beside them. Fields that are nil are left
/// out.
struct JSONFields: Encodable, ExpressibleByDictionaryLiteral {
    private let value: (any Encodable)?
    private let fields: [(name: String, value: (any Encodable)?)]

    init(
        _ value: (any Encodable)?, _ fields: KeyValuePairs<String, (any Encodable)?> = [:]
    ) {
        self.value = value
        self.fields = fields.map { ($0.key, $0.value) }
    }

    init(dictionaryLiteral fields: (String, (any Encodable)?)...) {
        value = nil
        self.fields = fields
    }

    func encode(to encoder: any Encoder) throws {
        try value?.encode(to: encoder)
        var container = encoder.container(keyedBy: JSONKey.self)
        for field in fields {
            guard let value = field.value else { continue }
            let key = JSONKey(field.name)
            if let uuid = value as? UUID {
                try container.encode(UUIDText(uuid), forKey: key)
            } else {
                try container.encode(value, forKey: key)
            }
        }
    }
}

/// A name in a JSON object.
struct JSONKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// A value that is written as null if it is nil.
struct JSONNull<Value: Encodable>: Encodable {
    private let value: Value?

    init(_ value: Value?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
