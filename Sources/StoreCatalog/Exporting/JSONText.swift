import Basics

/// Writes JSON in the layout of Xcode's configurations: keys in alphabetical order, two spaces for
/// each level, a space before the colon.
indirect enum JSONText {
    case text(String)
    case number(Int)
    case flag(Bool)
    case null
    case list([JSONText])
    case object([String: JSONText])

    /// - Parameter level: the depth of the value in the file; its first line is not indented.
    func written(level: Int = 0) -> String {
        let inner = String(repeating: "  ", count: level + 1)
        let outer = String(repeating: "  ", count: level)
        switch self {
        case .text(let text): return Self.quoted(text)
        case .number(let number): return String(number)
        case .flag(let isOn): return isOn ? "true" : "false"
        case .null: return "null"
        case .list(let elements):
            guard !elements.isEmpty else { return "[\n\n\(outer)]" }
            let lines = elements.map { inner + $0.written(level: level + 1) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let members):
            let lines = members.sorted { $0.key < $1.key }.map { key, value in
                inner + Self.quoted(key) + " : " + value.written(level: level + 1)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        }
    }

    /// A JSON string (RFC 8259 §7): escapes the characters that must be escaped, and no others.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            default:
                if scalar.value < 0x20 {
                    let digits = String(scalar.value, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
    }
}
