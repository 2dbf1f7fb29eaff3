import Foundation
import Testing

/// Checks the table of StoreKit's members against the public declarations.
/// `STOREFRONT_GOLDENS=write swift test --filter SurfaceTests` writes what is here again.
@Suite struct SurfaceTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let page = root.appending(path: "Documentation/storekit-surface.md")

    /// The members of a page's tables that people write, by their headings.
    private struct Page {
        var text: String

        func names(_ heading: String) -> [String] {
            let section = text.components(separatedBy: "\n## \(heading)\n").dropFirst().first ?? ""
            let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n")
                .filter { $0.hasPrefix("| `") }
            return rows.flatMap { row in
                row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
            }
        }
    }

    private static func declared() throws -> [String: Set<String>] {
        var members: [String: Set<String>] = [:]
        for module in ["StoreKit", "StoreKitTest"] {
            let folder = root.appending(path: "Sources/\(module)")
            members.merge(try PublicDeclarations(of: folder).members) { $0.union($1) }
        }
        return members
    }

    /// A type with all that is in it, or a member; false if there is none of this name.
    private static func remove(_ name: String, from members: inout [String: Set<String>]) -> Bool {
        let inside = members.keys.filter { $0 == name || $0.hasPrefix(name + ".") }
        if !inside.isEmpty {
            for type in inside { members[type] = nil }
            return true
        }
        let path = name.prefix { $0 != "(" }
        guard let dot = path.lastIndex(of: ".") else { return false }
        let type = String(path[..<dot])
        return members[type]?.remove(String(name[name.index(after: dot)...])) != nil
    }

    @Test(
        "the table of StoreKit's members lists each public one once, and those that are absent [H1, H5]"
    )
    func table() throws {
        let page = Page(text: try String(contentsOf: Self.page, encoding: .utf8))
        var members = try Self.declared()
        #expect(members.count > 50)
        for name in page.names("Absent") {
            let exists = Self.remove(name, from: &members)
            #expect(!exists, "\(name) is not absent")
        }
        for name in page.names("Unavailable") + page.names("Not Apple's") {
            let exists = Self.remove(name, from: &members)
            #expect(exists, "there is no \(name)")
        }
        let rows = members.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { type, members in
                "| `\(type)` | \(members.sorted().map { "`\($0)`" }.joined(separator: ", ")) |"
            }
        let parts = page.text.components(separatedBy: "\n## Here\n")
        try #require(parts.count == 2)
        let after = parts[1].components(separatedBy: "\n## ").dropFirst()
        let here = ["", "| type | members |", "|---|---|"] + rows + [""]
        let text = ([parts[0] + "\n## Here\n" + here.joined(separator: "\n")] + after)
            .joined(separator: "\n## ")
        if ProcessInfo.processInfo.environment["STOREFRONT_GOLDENS"] == "write" {
            try text.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(page.text == text, "write it with STOREFRONT_GOLDENS=write")
        }
    }

    /// Names stand for members: that the types are right shows when the package is compiled.
    @Test("the package of a consumer names every public type, member and label")
    func consumer() throws {
        let folder = Self.root.appending(path: "Tests/StoreKitConsumer/Tests/Mode6Tests/API")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        let text = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let words = Set(text.matches(of: /\w+/).map { String($0.output) })
        // Using the style is an error, by intention; the others are no names.
        let unnamed: Set = ["subscriptionPeriodFormatStyle", "_", "init", "subscript"]
        for (type, members) in try Self.declared() {
            let types = type == PublicDeclarations.topLevel ? [] : [type]
            for name in types + members where name.first?.isLetter == true {
                let missing = Set(name.matches(of: /\w+/).map { String($0.output) })
                    .subtracting(words).subtracting(unnamed)
                #expect(missing.isEmpty, "\(type): \(name)")
            }
        }
    }
}
