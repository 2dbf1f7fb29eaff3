import Foundation

/// Any JSON value, for looking up members without declaring a type.
enum JSON: Decodable, Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([JSON])
    case object([String: JSON])

    init(line: String) {
        self = (try? JSONDecoder().decode(JSON.self, from: Data(line.utf8))) ?? .null
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    subscript(_ name: String) -> JSON {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    subscript(_ index: Int) -> JSON {
        if case .array(let items) = self, items.indices.contains(index) {
            items[index]
        } else {
            .null
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Int? { if case .number(let number) = self { Int(number) } else { nil } }
    var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    var items: [JSON] { if case .array(let items) = self { items } else { [] } }
    var names: Set<String> {
        if case .object(let members) = self { Set(members.keys) } else { [] }
    }
}
