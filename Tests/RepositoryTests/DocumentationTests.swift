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
        var suites = try Self.text("Examples/backend/test_backend.py")
        let files = FileManager.default.enumerator(
            at: Self.root.appending(path: "Tests"), includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles)
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
            at: Self.root.appending(path: "Tests"), includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles)
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

    @Test("ARCHITECTURE.md has at most 20 kB")
    func lengthOfTheArchitecture() throws {
        #expect(try Self.text("ARCHITECTURE.md").utf8.count <= 20 * 1024)
    }

    @Test("the changelog's top version is the program's version")
    func theChangelogsTopVersionIsTheProgramsVersion() throws {
        let changelog = try Self.text("CHANGELOG.md")
        let source = try Self.text("Sources/storefront/StorefrontCommand.swift")
        let top = try #require(changelog.firstMatch(of: /\n## \[([0-9.]+)\]/)).1
        let program = try #require(source.firstMatch(of: /programVersion = "([0-9.]+)"/)).1
        #expect(top == program)
    }

    /// The pages that a user reads.
    private static func guide() throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: "Documentation/guide").path
        ).filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/guide/" + $0 }
    }

    @Test("the README has at most 120 lines, shows two commands first, and links every page")
    func readme() throws {
        let readme = try Self.text("README.md")
        let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 121, "the text ends with a line end")
        let first = lines.prefix(24).joined(separator: "\n")
        #expect(first.contains("\nmake run ") && first.contains("\nmake test "))
        for page in try Self.guide() { #expect(readme.contains("](\(page))"), "\(page)") }
    }

    @Test("every file that the README, the guide and their neighbours link to exists")
    func links() throws {
        let neighbours = ["content-server", "downloads", "packages", "scale", "unlocks"]
            .map { "Documentation/\($0).md" }
        var count = 0
        for page in try ["README.md", "Examples/README.md"] + neighbours + Self.guide() {
            let file = Self.root.appending(path: page)
            for link in try Self.text(page).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
                count += 1
                let target = file.deletingLastPathComponent().appending(path: String(link.1))
                #expect(
                    FileManager.default.fileExists(atPath: target.standardizedFileURL.path),
                    "\(page) links to \(link.1)")
            }
        }
        #expect(count > 40)
    }

    @Test("nearly every command that the README and the guide show is one that a test runs")
    func blocks() throws {
        var apart = 0
        for page in try ["README.md"] + Self.guide() {
            let lines = try Self.text(page).components(separatedBy: "\n")
            var isOpen = false
            for (index, line) in lines.enumerated() where line.hasPrefix("```") {
                isOpen.toggle()
                guard isOpen else { continue }
                let kind = line.dropFirst(3)
                let isKnown = ["console", "sh", "json", "toml", "python"].contains(kind)
                #expect(isKnown, "\(page):\(index + 1)")
                if kind == "sh" { apart += 1 }
                if kind == "console" {
                    let next = lines[(index + 1)...].first ?? ""
                    #expect(next.hasPrefix("$ "), "\(page):\(index + 2): \(next)")
                }
            }
            #expect(!isOpen, "\(page)")
        }
        #expect(apart <= 16, "only what needs a terminal, a build, or a server that stays")
    }

    /// But for the manifest of a package, each is a piece of Examples/Bookshop.
    @Test("every sample of the pages of StoreKit is code that the tests build; links have a page")
    func samples() throws {
        let examples = try Self.files(below: "Examples/Bookshop", ending: ".swift")
            .map { "\n" + Self.unindented(try Self.text($0)) + "\n" }
        let pages = try ["StoreKit", "StoreKitTest"].flatMap {
            try Self.files(below: "Sources/\($0)/\($0).docc", ending: ".md")
        }
        #expect(pages.count > 8)
        for page in pages {
            for link in try Self.text(page).matches(of: /<doc:(\w+)>/) {
                #expect(pages.contains { $0.hasSuffix("/\(link.1).md") }, "\(page): \(link.0)")
            }
        }
        for page in pages where !page.hasSuffix("/InYourPackage.md") {
            for sample in try Self.text(page).matches(of: /```swift\n([\s\S]*?)\n```/) {
                let lines = Self.unindented(String(sample.1))
                let isBuilt = examples.contains { $0.contains("\n" + lines + "\n") }
                #expect(isBuilt, "\(page): \(lines)")
            }
        }
    }

    private static func files(below folder: String, ending: String) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (names?.allObjects ?? []).compactMap { $0 as? String }
            .filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.map { folder + "/" + $0 }
    }

    private static func unindented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test("the table of exit codes has each code, the help lists it, and its page makes it happen")
    func exitCodes() throws {
        let source = try Self.text("Sources/storefront/Composition/Failures.swift")
        let help = try Self.text("Sources/storefront/StorefrontCommand.swift")
        let page = try Self.text("Documentation/guide/exit-codes.md")
        let codes = source.matches(of: /static let ([a-zA-Z]+) = ExitCode\((\d+)\)/)
            .map { "\($0.2) \($0.1)" }
        #expect(codes.count > 8)
        let rows = page.matches(of: /\n\| (\d+) \|(?: ([a-zA-Z]+))? \|/)
            .map { "\($0.1) \($0.2 ?? "")" }
        #expect(rows == ["0 "] + codes)
        for code in rows.map({ $0.prefix { $0 != " " } }) {
            #expect(page.contains("# exit code \(code)\n"), "nothing ends with \(code)")
            #expect(help.contains("  \(code) "), "the help lists no \(code)")
        }
    }
}
