import Foundation
import Testing

/// Which part of the house may use which: reads the imports of every source file and holds them
/// against the plan, since a plain build lets a target import whatever happens to be built.
@Suite struct WallsTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The same table stands in ARCHITECTURE.md.
    private static let mayImport: [String: Set<String>] = [
        "StoreModel": ["Foundation", "Synchronization"],
        "StoreSigning": [
            "Crypto", "Foundation", "Glibc", "StoreModel", "SwiftASN1", "Synchronization", "X509",
        ],
        "StoreCatalog": ["Crypto", "Foundation", "StoreModel", "Synchronization"],
        "StoreEngine": [
            "Crypto", "Dispatch", "Foundation", "StoreCatalog", "StoreModel", "StoreSigning",
            "Synchronization",
        ],
        "DurableFiles": [
            "Dispatch", "Foundation", "GRDB", "GRDBSQLite", "StoreModel", "Synchronization",
        ],
        "SQLiteLedger": [
            "DurableFiles", "Foundation", "GRDB", "StoreEngine", "StoreModel", "Synchronization",
        ],
        "StoreDevice": [
            "Crypto", "DurableFiles", "Foundation", "GRDB", "StoreModel", "StoreSigning",
            "Synchronization",
        ],
        "ShopCore": ["Foundation", "StoreModel", "Synchronization"],
        "ShopTUI": ["Foundation", "ShopCore", "StoreModel", "Synchronization", "Terminal"],
        "Terminal": ["Foundation", "Synchronization"],
        "CursesTerminal": ["CTerminal", "Foundation", "Glibc", "Synchronization", "Terminal"],
        "CTerminal": [],
    ]

    @Test(arguments: mayImport.keys.sorted())
    func aTargetImportsOnlyWhatThePlanAllows(_ target: String) throws {
        let allowed = try #require(Self.mayImport[target])
        for file in try Self.swiftFiles(in: "Sources/\(target)") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for module in Self.imports(in: text) where !allowed.contains(module) {
                Issue.record("\(target) may not import \(module): \(file.lastPathComponent)")
            }
        }
    }

    @Test func everyTargetIsInThePlan() throws {
        let targets = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "Sources").path)
        #expect(Set(targets) == Set(Self.mayImport.keys).union(["storefront"]))
    }

    private static func imports(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
                words[..<at].allSatisfy({ $0.hasPrefix("@") || Self.levels.contains($0) })
            else { return nil }
            return words[at + 1].split(separator: ".").first.map(String.init)
        }
    }

    private static let levels: Set<String> = ["package", "public", "internal", "private"]

    private static func swiftFiles(in folder: String) throws -> [URL] {
        let files = FileManager.default.enumerator(
            at: root.appending(path: folder), includingPropertiesForKeys: nil)
        return (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }
    }
}
