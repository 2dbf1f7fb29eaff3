import ContentPackages
import Foundation
import Testing

/// Compares the table of Documentation/hostile-packages.md with the answers of `PackageInspection`.
///
/// `STOREFRONT_GOLDENS=write swift test --filter HostilePackageTableTests` writes the table again.
/// Writing makes the test fail, so that a person reviews the change.
@Suite struct HostilePackageTableTests {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Documentation/hostile-packages.md")

    private static let head = """
        | package | rule | place | found | expected |
        |---|---|---|---|---|

        """

    @Test("every hostile package gets the answer that the documentation has for it")
    func table() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let wanted =
            Self.head + (try HostilePackage.all.map(Self.row).joined(separator: "\n")) + "\n"
        let start = try #require(text.range(of: Self.head)?.lowerBound, "no table")
        if ProcessInfo.processInfo.environment["STOREFRONT_GOLDENS"] == "write" {
            try Data((text[..<start] + wanted).utf8).write(to: Self.file)
            Issue.record("The table was written. Look at the change.")
            return
        }
        let found = text[start...].split(separator: "\n")
        let lines = wanted.split(separator: "\n")
        for (line, documented) in zip(lines, found) { #expect(line == documented) }
        #expect(lines.count == found.count)
    }

    private static func row(_ package: HostilePackage) throws -> String {
        let path = NSTemporaryDirectory() + "storefront-test-" + UUID().uuidString + ".zip"
        try Data(package.bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let problems = try PackageInspection.of(path: path).problems
        let problem = try #require(
            problems.first { $0.rule == package.rule }, "\(package): \(problems)")
        let cells = [
            package.name, "`\(problem.rule.rawValue)`",
            problem.path.map { $0.isEmpty ? "an empty path" : "`\(shown($0))`" } ?? "the package",
            shown(problem.found),
            problem.rule.words,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    /// A text of a package in one short line of plain characters.
    private static func shown(_ text: String) -> String {
        let plain = text.unicodeScalars.map { scalar in
            switch scalar {
            case "|", "`", "\\": "\\u{\(String(scalar.value, radix: 16))}"
            case " "..."~": String(scalar)
            default: "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return plain.count > 48 ? plain.prefix(48).joined() + "..." : plain.joined()
    }
}
