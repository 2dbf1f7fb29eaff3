import Foundation

/// The public declarations of a folder's Swift files, as `swift format` lays them out: one a line,
/// four spaces for each level.
struct PublicDeclarations {
    /// The members of each type by its full name, with labels; nested types are types of their own.
    private(set) var members: [String: Set<String>] = [:]
    /// Of declarations that are in no type.
    static let topLevel = "(top level)"

    init(of folder: URL) throws {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            read(try String(contentsOf: file, encoding: .utf8))
        }
    }

    /// What encloses a line.
    private struct Scope {
        var indent: Int
        var name: String
        var kind: Substring
        /// Public, or an extension, whose members say so themselves.
        var isOpen: Bool
    }

    private static var declaration: Regex<(Substring, Substring?, Substring, Substring)> {
        /^(?:(public|open) )?(?:(?:static|final|class|mutating|nonisolated|override|convenience|required|weak|indirect|package|private|fileprivate|internal)(?:\([a-z]+\))? )*(struct|class|enum|protocol|actor|extension|typealias|func|var|let|init|subscript|case)\b ?(.*)$/
    }

    private mutating func read(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let declaration = Self.declaration
        var scopes: [Scope] = []
        for (index, line) in lines.enumerated() {
            let code = line.drop { $0 == " " }.trimmingPrefix(/(?:@[A-Za-z]+(?:\([^)]*\))? ?)+/)
            // Also the rest of a declaration that goes over several lines.
            if code.isEmpty || code.hasPrefix("//") || "#){}".contains(code[code.startIndex]) {
                continue
            }
            let indent = line.prefix { $0 == " " }.count
            scopes.removeAll { $0.indent >= indent }
            guard let match = code.wholeMatch(of: declaration) else { continue }
            let (_, access, kind, rest) = match.output
            let outer = scopes.last
            let isPublic = access != nil && outer?.isOpen ?? true
            switch kind {
            case "struct", "class", "enum", "protocol", "actor", "extension":
                let name = (outer.map { $0.name + "." } ?? "") + Self.path(rest)
                let isOpen = kind == "extension" || isPublic
                scopes.append(Scope(indent: indent, name: name, kind: kind, isOpen: isOpen))
                if isPublic { members[name, default: []].formUnion([]) }
            case "case":
                guard let outer, outer.kind == "enum", outer.isOpen, indent == outer.indent + 4
                else { continue }
                for name in Self.parts(rest) { add(Self.identifier(name), to: outer) }
            default:
                let isRequirement = outer?.kind == "protocol" && outer?.isOpen == true
                guard isPublic || isRequirement, indent == outer.map({ $0.indent + 4 }) ?? 0
                else { continue }
                let signature = ([rest] + lines[(index + 1)...].prefix(12)).joined(separator: " ")
                add(Self.name(kind, signature), to: outer)
            }
        }
    }

    /// Unless an underscore says that it is not for people.
    private mutating func add(_ member: String, to scope: Scope?) {
        guard !member.hasPrefix("_") else { return }
        members[scope?.name ?? Self.topLevel, default: []].insert(member)
    }

    private static func identifier(_ text: some StringProtocol) -> String {
        String(text.drop { " `".contains($0) }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    /// Such as `Product.SubscriptionInfo`.
    private static func path(_ text: Substring) -> String {
        String(text.prefix { $0.isLetter || $0.isNumber || "_.".contains($0) })
    }

    /// Separated by commas outside of brackets.
    private static func parts(_ text: some StringProtocol) -> [String] {
        var (parts, depth) = ([""], 0)
        for character in text {
            if "([<{".contains(character) { depth += 1 }
            if ")]>}".contains(character) { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    /// With the labels of a function.
    private static func name(_ kind: Substring, _ signature: String) -> String {
        let base =
            switch kind {
            case "init", "subscript": String(kind)
            // An operator is no identifier.
            case "func": String(signature.prefix { !"(<".contains($0) }).filter { $0 != "`" }
            default: identifier(signature)
            }
        guard ["func", "init", "subscript"].contains(kind),
            let open = signature.firstIndex(of: "(")
        else { return base }
        var depth = 0
        let end = signature[open...].firstIndex { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return depth == 0
        }
        let list = signature[open..<(end ?? signature.endIndex)].dropFirst()
        let labels = parts(list.replacing("->", with: "")).compactMap { parameter -> String? in
            let names = parameter.prefix { $0 != ":" }.split(separator: " ")
            guard let first = names.first else { return nil }
            return (kind == "subscript" && names.count == 1 ? "_" : identifier(first)) + ":"
        }
        return base + "(" + labels.joined() + ")"
    }
}
