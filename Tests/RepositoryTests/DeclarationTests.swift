import Foundation
import Testing

/// Checks that types, and what others implement or call, are described. A member of a type needs a
/// comment only where its name and type do not tell enough, which a person judges.
@Suite struct DeclarationTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")

    /// A type that other targets use.
    private static var type: Regex<Substring> {
        /^(?:@[^ ]+ +)*(?:package|public) (?:final +|indirect +|nonisolated +)*(?:struct|class|enum|protocol|actor)\b/
    }

    private static var requirement: Regex<Substring> {
        /^(?:mutating +|static +|nonisolated +)*(?:func|var|init|subscript|associatedtype)\b/
    }

    private static var publicMember: Regex<Substring> {
        /^(?:@[^ ]+ +)*public (?:static +|final +|mutating +|nonisolated +)*(?:func|var|let|init|subscript)\b/
    }

    private static var function: Regex<Substring> {
        /^(?:@[^ ]+ +|[a-z]+(?:\([a-z]+\))? +)*(?:func +|init[?!]?[(<]|deinit\b|subscript[(<])/
    }

    /// The first line of each function with a body, and how many lines it has up to the brace of the
    /// same indentation, as `swift format` lays it out.
    private static func functions(of file: URL) throws -> [(line: Int, count: Int)] {
        let lines = try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { (line: Substring) -> (code: Substring, indent: Int) in
                (line.drop { $0 == " " }, line.prefix { $0 == " " }.count)
            }
        let function = Self.function
        var found: [(line: Int, count: Int)] = []
        for (start, line) in lines.enumerated() where line.code.prefixMatch(of: function) != nil {
            for end in lines.indices[(start + 1)...] {
                let next = lines[end]
                guard !next.code.isEmpty, next.code.first != "#" else { continue }
                guard next.indent <= line.indent else { continue }
                // The declaration may go over several lines, or have no body.
                if next.indent == line.indent, ")->{w".contains(next.code.first ?? " ") { continue }
                if next.indent == line.indent, next.code.first == "}" {
                    found.append((start + 1, end - start + 1))
                }
                break
            }
        }
        return found
    }

    @Test("no function has more than 120 lines")
    func lengths() throws {
        var count = 0
        let files = FileManager.default.enumerator(
            at: Self.sources, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            for function in try Self.functions(of: file) {
                count += 1
                let place = "\(file.lastPathComponent):\(function.line)"
                #expect(function.count <= 120, "\(place) has \(function.count) lines")
            }
        }
        #expect(count > 3000, "functions are found")
    }

    /// The lines of each Swift file of the program, without their indentation.
    private static func files() throws -> [(name: String, lines: [Substring])] {
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        return try (files ?? .init()).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }
            .map { file in
                let text = try String(contentsOf: file, encoding: .utf8)
                return (
                    file.lastPathComponent,
                    text.split(separator: "\n", omittingEmptySubsequences: false)
                        .map { $0.drop { $0 == " " } }
                )
            }
    }

    @Test(
        "every type, requirement of a protocol and public member that targets share has a comment")
    func everySharedDeclarationIsDocumented() throws {
        let (type, member) = (Self.type, Self.publicMember)
        let requirement = Self.requirement
        var counts = (types: 0, requirements: 0, members: 0)
        for (name, lines) in try Self.files() {
            var isInProtocol = false
            for (number, line) in lines.enumerated() {
                if line == "}" { isInProtocol = false }
                if line.prefixMatch(of: type) != nil {
                    counts.types += 1
                } else if isInProtocol, line.prefixMatch(of: requirement) != nil {
                    counts.requirements += 1
                } else if line.prefixMatch(of: member) != nil {
                    counts.members += 1
                } else {
                    continue
                }
                if line.contains("protocol ") { isInProtocol = !line.hasSuffix("}") }
                let above = lines[..<number].last { !$0.hasPrefix("@") } ?? ""
                // Functions of one name in a row share the comment above the first.
                let isOverload = above.prefix { $0 != "(" } == line.prefix { $0 != "(" }
                #expect(above.hasPrefix("///") || isOverload, "\(name):\(number + 1): \(line)")
            }
        }
        #expect(counts.types > 400, "types are found")
        #expect(counts.requirements > 100, "requirements are found")
        #expect(counts.members > 3, "public members are found")
    }
}
