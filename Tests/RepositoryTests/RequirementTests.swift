import Foundation
import Testing

/// Compares Documentation/requirements.md with the tests. A test's title ends with the identifiers
/// of the behaviours that it holds: `"a sale is not finished before its download [A10, A11]"`.
@Suite struct RequirementTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("a row names a suite if, and only if, a title in the suite has the row's identifier")
    func titles() throws {
        let table = try String(
            contentsOf: Self.root.appending(path: "Documentation/requirements.md"), encoding: .utf8)
        var named: Set<String> = []
        for row in table.matches(of: /\n\| ([A-Z][0-9]+(?:, [A-Z][0-9]+)*) \|.*\|(.*)\|/) {
            for suite in row.2.matches(of: /`([A-Za-z]+Tests)`/) {
                named.formUnion(Self.claims(row.1, of: suite.1))
            }
        }
        #expect(named.count > 200)

        var held: Set<String> = []
        let files = FileManager.default.enumerator(
            at: Self.root.appending(path: "Tests"), includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            let parts = try String(contentsOf: file, encoding: .utf8).split(separator: "@Test(")
            var suite: Substring = ""
            for part in parts {
                if let title = part.prefixMatch(
                    of: /\s*".* \[([A-Z][0-9]+(?:, [A-Z][0-9]+)*)\]"/)
                {
                    held.formUnion(Self.claims(title.1, of: suite))
                }
                // The tests after a type's name belong to it.
                for line in part.split(separator: "\n") where line.hasSuffix("Tests {") {
                    suite = line.dropLast(2).split(separator: " ").last ?? ""
                }
            }
        }
        // The tests of the example of an app's own server: the first line of their documentation.
        let example = try String(
            contentsOf: Self.root.appending(path: "Examples/backend/test_backend.py"),
            encoding: .utf8)
        for title in example.matches(of: /\n +""".* \[([A-Z][0-9]+)\]"""\n/) {
            held.formUnion(Self.claims(title.1, of: "BackendTests"))
        }
        let missing = named.subtracting(held).sorted()
        #expect(missing.isEmpty, "named in a row, and no title of the suite has the identifier")
        let unknown = held.subtracting(named).sorted()
        #expect(unknown.isEmpty, "in a title, and no row of that identifier names the suite")
    }

    private static func claims(_ identifiers: Substring, of suite: Substring) -> [String] {
        identifiers.split(separator: ", ").map { "\($0) \(suite)" }
    }
}
