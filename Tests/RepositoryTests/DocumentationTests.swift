import Foundation
import Testing

/// Checks statements of the documentation against the project.
@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test("every test suite that ARCHITECTURE.md or the requirements name exists")
    func everyTestThatTheArchitectureNamesExists() throws {
        let named = try ["ARCHITECTURE.md", "Documentation/requirements.md"].flatMap {
            try Self.text($0).matches(of: /`([A-Za-z]+Tests)`/).map { String($0.1) }
        }
        #expect(named.count > 50)
        var suites = ""
        let files = FileManager.default.enumerator(
            at: Self.root.appending(path: "Tests"), includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            suites += try String(contentsOf: file, encoding: .utf8)
        }
        // Targets are in the table of layers, which `LayeringTests` checks.
        let targets = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "Tests").path)
        for name in Set(named).subtracting(targets) {
            let exists = suites.contains("struct \(name)") || suites.contains("class \(name)")
            #expect(exists, "no suite \(name)")
        }
    }

    @Test("every test that outcomes.md names exists, and every row names one")
    func testsOfOutcomes() throws {
        let rows = try Self.text("Documentation/outcomes.md").split(separator: "\n")
            .filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count > 100)
        var sources: [String: [URL]] = [:]
        let files = FileManager.default.enumerator(
            at: Self.root.appending(path: "Tests"), includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() {
            sources[file.lastPathComponent, default: []].append(file)
        }
        var known: [String: Bool] = [:]
        for row in rows {
            let named = row.split(separator: "|").last?
                .firstMatch(of: /`([A-Za-z]+Tests)\.([A-Za-z]+)`/)
            guard let (name, suite, function) = named?.output else {
                Issue.record("no test in: \(row)")
                continue
            }
            let exists =
                try known[String(name)]
                ?? sources["\(suite).swift", default: []].contains {
                    try String(contentsOf: $0, encoding: .utf8).contains("func \(function)(")
                }
            known[String(name)] = exists
            #expect(exists, "there is no test \(name)")
        }
    }

    @Test("the changelog's top version is the program's version")
    func theChangelogsTopVersionIsTheProgramsVersion() throws {
        let changelog = try Self.text("CHANGELOG.md")
        let source = try Self.text("Sources/storefront/StorefrontCommand.swift")
        let top = try #require(changelog.firstMatch(of: /\n## \[([0-9.]+)\]/)).1
        let program = try #require(source.firstMatch(of: /programVersion = "([0-9.]+)"/)).1
        #expect(top == program)
    }
}
