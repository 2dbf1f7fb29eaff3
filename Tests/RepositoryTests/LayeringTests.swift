import Foundation
import Testing

/// Checks the imports of every target, tests and benchmarks too, against the table in
/// ARCHITECTURE.md. A plain build lets a target import any module that happens to be built.
@Suite struct LayeringTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("a target imports exactly the modules that its row of the table allows")
    func importsAgreeWithTheTable() throws {
        let table = try Table(of: Self.root)
        for (target, folder) in try Self.targets() {
            guard let row = table.rows[target] else { continue }
            let files = try Self.swiftFiles(in: folder)
            // A C target has no Swift imports to check.
            var unused = files.isEmpty ? [] : row
            for file in files {
                let text = try String(contentsOf: file, encoding: .utf8)
                for module in Self.imports(in: text) where !table.everywhere.contains(module) {
                    let isAllowed = row.contains(module)
                    #expect(isAllowed, "\(target) may not import \(module): \(file.path)")
                    unused.remove(module)
                }
            }
            #expect(unused.isEmpty, "\(target) imports none of these: \(unused.sorted())")
        }
    }

    @Test("every target has a row, and every row a target")
    func everyTargetHasARow() throws {
        let targets = Set(try Self.targets().map(\.name))
        let rows = Set(try Table(of: Self.root).rows.keys)
        #expect(targets.subtracting(rows).isEmpty, "without a row")
        #expect(rows.subtracting(targets).isEmpty, "without a target")
    }

    @Test("no target has more lines than its row of the table allows")
    func budgets() throws {
        let budgets = try Table(of: Self.root).lines
        for (target, folder) in try Self.targets() {
            let budget = try #require(budgets[target], "\(target) has no budget of lines")
            let files = FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
            let lines = try (files ?? .init()).compactMap { $0 as? URL }
                .filter { ["swift", "c", "h", "txt"].contains($0.pathExtension) }
                .reduce(0) { sum, file in
                    sum + (try Data(contentsOf: file)).count { $0 == UInt8(ascii: "\n") }
                }
            #expect(lines <= budget, "\(target) has \(lines) lines; its budget is \(budget)")
        }
    }

    /// Files of the shop that import no cells and name neither `Strings` nor `Glyphs` are its state
    /// and actions. Only the list of components names types of both sides.
    @Test("the shop's state and actions name nothing that its drawing declares")
    func stateOfTheShop() throws {
        let files = try Self.swiftFiles(in: Self.root.appending(path: "Sources/Shop")).map { file in
            (name: file.lastPathComponent, text: try Self.code(of: file))
        }
        let drawing = files.filter {
            Self.imports(in: $0.text).contains("Terminal")
                || $0.text.contains(/\b(?:Strings|Glyphs)\b/)
        }
        let pure = files.filter { file in !drawing.contains { $0.name == file.name } }
        let ours = pure.reduce(into: Set<String>()) { names, file in
            names.formUnion(
                Self.names(/\b(?:struct|class|enum|protocol|typealias) (\w+)/, file.text))
            names.formUnion(Self.names(/\b(?:func|case) (\w+)/, file.text))
        }
        var theirs: Set<String> = []
        for file in drawing {
            theirs.formUnion(
                Self.names(/\b(?:struct|class|enum|protocol|typealias) (\w+)/, file.text))
            // The functions that a file with cells adds to a type of the state, and its free ones.
            var isOurs = true
            for line in file.text.split(separator: "\n") {
                if let container = line.firstMatch(
                    of: /^[a-z ]*\b(extension|struct|enum|class) (\w+)/)
                {
                    isOurs = container.1 == "extension" && ours.contains(String(container.2))
                }
                guard isOurs || !line.hasPrefix(" "), !line.contains("private ") else { continue }
                theirs.formUnion(Self.names(/\bfunc (\w+)/, String(line)).map { "\($0)(" })
            }
        }
        #expect(pure.count > 50 && theirs.contains("Canvas") && theirs.contains("draw("))
        theirs.subtract(ours.union(ours.map { "\($0)(" }))
        for file in pure where file.name != "Component.swift" {
            let named = Set(Self.names(/(\w+\(?)/, file.text)).intersection(theirs)
            #expect(named.isEmpty, "\(file.name) names \(named.sorted())")
        }
    }

    @Test("the allowed imports have no cycle")
    func rowsGoDownwards() throws {
        let rows = try Table(of: Self.root).rows
        for start in rows.keys.sorted() {
            var reached: Set<String> = []
            var waiting = Array(rows[start, default: []])
            while let next = waiting.popLast() {
                guard reached.insert(next).inserted else { continue }
                waiting += rows[next, default: []]
            }
            #expect(!reached.contains(start), "\(start) can reach itself")
        }
    }

    @Test("the shop and the command line do not import the API that apps use")
    func frontEndsAreApart() throws {
        let rows = try Table(of: Self.root).rows
        for target in ["Shop", "ShopText", "storefront"] {
            let row = try #require(rows[target])
            #expect(row.isDisjoint(with: ["Combine", "StoreKit", "StoreKitTest"]), "\(target)")
        }
    }

    @Test("the manifest pins no dependency, and no code uses what one has not promised")
    func dependenciesAreFree() throws {
        let manifest = try String(
            contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(!manifest.contains("exact:") && !manifest.contains("revision:"))
        let modules: Set<String> = [
            "ArgumentParser", "Crypto", "X509", "SwiftASN1", "GRDB", "HummingbirdCore",
        ]
        for (_, folder) in try Self.targets() {
            for file in try Self.swiftFiles(in: folder) {
                let text = try Self.code(of: file)
                #expect(!text.contains("@_spi("), "\(file.path)")
                guard !modules.isDisjoint(with: Self.imports(in: text)) else { continue }
                let found = Self.names(/\w\.(_[a-zA-Z]\w+)/, text)
                #expect(found.isEmpty, "\(file.path): \(found)")
            }
        }
    }

    /// The products are in the manifest on every system; Apple's own frameworks have these names.
    @Test("every source of a product that apps use is for Linux only")
    func productsAreForLinux() throws {
        for product in ["Combine", "StoreKit", "StoreKitTest"] {
            let folder = Self.root.appending(path: "Sources/" + product)
            for file in try Self.swiftFiles(in: folder) {
                let text = try String(contentsOf: file, encoding: .utf8)
                let isInside = text.hasPrefix("#if os(Linux)\n") && text.hasSuffix("\n#endif\n")
                #expect(isInside, "\(file.path)")
            }
        }
    }

    /// The table of ARCHITECTURE.md, and that of what is never part of the program.
    private struct Table {
        /// The modules that a target's row names, by target.
        var rows: [String: Set<String>] = [:]
        /// The most lines that a target may have.
        var lines: [String: Int] = [:]
        /// Modules of the system and the toolchain, which every target may import.
        var everywhere: Set<String>

        init(of root: URL) throws {
            let text = try ["ARCHITECTURE.md", "Documentation/design/tests.md"].map {
                try String(contentsOf: root.appending(path: $0), encoding: .utf8)
            }.joined(separator: "\n")
            for line in text.split(separator: "\n") where line.hasPrefix("| `") {
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                guard cells.count == 4 else { continue }
                for target in cells[0].matches(of: /`([A-Za-z-]+)`/) {
                    lines[String(target.1)] = Int(cells[2])
                    rows[String(target.1)] = Set(
                        cells[3].matches(of: /[A-Za-z0-9]+/).map { String($0.0) })
                }
            }
            let sentence = try #require(
                text.firstMatch(of: /may be imported everywhere: ([A-Za-z, ]+)\./))
            everywhere = Set(sentence.1.split(separator: ", ").map(String.init))
        }
    }

    private static func targets() throws -> [(name: String, folder: URL)] {
        try ["Sources", "Benchmarks", "Tests"].flatMap { part in
            try FileManager.default.contentsOfDirectory(
                at: root.appending(path: part), includingPropertiesForKeys: [.isDirectoryKey]
            ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
                // `Kept` holds stores of earlier versions, no code.
                .filter { $0.lastPathComponent != "Kept" }
                .map { ($0.lastPathComponent, $0) }
        }
    }

    /// A file's text without comments and the texts in quotes.
    private static func code(of file: URL) throws -> String {
        try String(contentsOf: file, encoding: .utf8)
            .replacing(#/"(?:\\.|[^"\\\n])*"/#, with: "").replacing(/\/\/.*/, with: "")
    }

    /// What the expression's group matches.
    private static func names(_ expression: Regex<(Substring, Substring)>, _ text: String)
        -> [String]
    { text.matches(of: expression).map { String($0.1) } }

    private static func imports(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
                words[..<at].allSatisfy({ $0.hasPrefix("@") || levels.contains($0) })
            else { return nil }
            // `import struct Module.Name` names the module in the word after the kind.
            let named = kinds.contains(words[at + 1]) && at + 2 < words.count ? at + 2 : at + 1
            return words[named].split(separator: ".").first.map(String.init)
        }
    }

    private static let levels: Set<String> = [
        "fileprivate", "internal", "package", "private", "public",
    ]
    private static let kinds: Set<String> = [
        "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]

    private static func swiftFiles(in folder: URL) throws -> [URL] {
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        return (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }
    }
}
