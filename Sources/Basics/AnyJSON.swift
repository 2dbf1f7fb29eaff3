/// Any JSON value.
package enum AnyJSON: Codable, Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([AnyJSON])
    case object([String: AnyJSON])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([AnyJSON].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: AnyJSON].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }

    /// None for a value that is no object.
    package var members: [String: AnyJSON] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// In alphabetical order. Fields of inner values have paths such as `inApp[0].productId`.
    package func fields(named name: String = "") -> [(path: String, value: AnyJSON)] {
        switch self {
        case .object(let members) where !members.isEmpty:
            members.sorted { $0.key < $1.key }.flatMap { key, value in
                value.fields(named: name.isEmpty ? key : name + "." + key)
            }
        case .list(let values) where !values.isEmpty:
            values.enumerated().flatMap { index, value in value.fields(named: "\(name)[\(index)]") }
        case .null, .flag, .integer, .number, .text, .list, .object: [(name, self)]
        }
    }
}
