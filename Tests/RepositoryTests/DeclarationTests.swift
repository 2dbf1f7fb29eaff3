import Foundation
import Testing

/// Checks the declarations that other targets use.
@Suite struct DeclarationTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")

    /// Requirements of the standard library's protocols, which the standard library documents.
    private static let known: Set<Substring> = [
        "encode", "hash", "<", "==", "description", "rawValue", "makeAsyncIterator", "next",
    ]

    /// A declaration that other targets use: its kind and its name. An initialiser has neither.
    private static var declaration: Regex<(Substring, Substring?, Substring?)> {
        /^(?:@[^ ]+ +)*(?:nonisolated +|static +|final +)*package (?:[a-z]+\(set\) +)?(?:static +|final +|mutating +|indirect +|nonisolated +)*(?:(struct|class|enum|protocol|actor|func|var|let|typealias) ([^ :(<]+|<)|init[?(<])/
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

    /// The names of the requirements of the program's own protocols: documented there, not at each
    /// type.
    private static func requirements(_ files: [(name: String, lines: [Substring])])
        -> Set<Substring>
    {
        var names: Set<Substring> = []
        for (_, lines) in files {
            var isInProtocol = false
            for line in lines {
                if line.hasPrefix("package protocol ") { isInProtocol = true }
                if line == "}" { isInProtocol = false }
                if isInProtocol,
                    let found = line.firstMatch(of: /^(?:mutating |static )*(?:func|var) (\w+)/)
                {
                    names.insert(found.1)
                }
            }
        }
        return names
    }

    @Test("every declaration that other targets use has a doc comment")
    func everyPackageDeclarationIsDocumented() throws {
        let files = try Self.files()
        let documentedElsewhere = Self.known.union(Self.requirements(files))
        let declaration = Self.declaration
        var count = 0
        for (name, lines) in files {
            for (number, line) in lines.enumerated() where line.contains("package ") {
                guard let found = line.prefixMatch(of: declaration) else { continue }
                count += 1
                if let name = found.2, documentedElsewhere.contains(name) { continue }
                let above = lines[..<number].last { !$0.hasPrefix("@") } ?? ""
                #expect(above.hasPrefix("///"), "\(name):\(number + 1): \(line)")
            }
        }
        #expect(count > 800, "declarations are found")
    }
}
